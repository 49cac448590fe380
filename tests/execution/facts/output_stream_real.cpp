//~ criterion: output 17
// Where the last number begins depends on how those before it are written.
#include <iomanip>
#include <iostream>

int main() {
    double price = 2.5; //~ not in slice
    bool is_paid = true; //~ not in slice
    int count = 9; //~ in slice
    std::cout << std::fixed << std::setprecision(3) << price; //~ not in slice
    std::cout << std::boolalpha << is_paid << ' ' << std::hex << 255 << ' '; //~ not in slice
    std::cout << std::dec << 10; //~ not in slice
    std::cout << ' ' << count; //~ in slice
    std::cout << std::endl;
    return 0;
}
