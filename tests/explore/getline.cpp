// Lines of a file of settings; a section without an end.
//@ text: [a]\nx=1\n

#include <iostream>
#include <string>

int main() {
    std::string line, section;
    while (std::getline(std::cin, line)) {
        if (!line.empty() && line[0] == '[') {
            std::size_t end = line.find(']');
            section = end == std::string::npos ? "?" : line.substr(1, end - 1);
        } else if (section == "net" && line.compare(0, 5, "port=") == 0) {
            if (line.size() == 5)
                __builtin_trap();
            std::cout << line.substr(5) << '\n';
        }
    }
}
