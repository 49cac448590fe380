//~ criterion: output 9
// The second character of a string that is written to the right of four blanks.
#include <iomanip>
#include <iostream>
#include <string>

int main() {
    std::string word = "one";
    std::string other = "two";
    other[1] = 'x'; //~ in slice
    other[2] = 'y';
    std::cout << word;
    std::cout << std::setw(7) << other; //~ in slice
    std::cout << "\n";
    return 0;
}
