// A number by std::stoi, and what is done when there is none.
//@ text: 5\n

#include <iostream>
#include <stdexcept>
#include <string>

int main() {
    std::string line;
    int total = 0;
    while (std::getline(std::cin, line)) {
        try {
            total += std::stoi(line);
        } catch (const std::invalid_argument &) {
            total += 1000;
        } catch (const std::out_of_range &) {
            if (total == 1012)
                __builtin_trap();
            return 1;
        }
    }
    std::cout << total << '\n';
}
