//~ criterion: output 6
// Byte 6 is in the number, after a text and a character.
#include <iostream>

int main() {
    int before = 7; //~ not in slice
    int number = 123; //~ in slice
    std::cout << before //~ not in slice
              << "ab" //~ not in slice
              << '=' //~ not in slice
              << number; //~ in slice //~ origin: 7 10
    std::cout << std::endl;
    return 0;
}
