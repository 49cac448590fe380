// A line is taken apart by a stream of its own.
//@ text: move 1 2\n

#include <iostream>
#include <sstream>
#include <string>

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string command;
        int x, y;
        if (!(words >> command))
            continue;
        if (command == "move" && words >> x >> y)
            std::cout << x + y << '\n';
        else if (command == "fill" && words >> x && x == 31)
            __builtin_trap();
    }
}
