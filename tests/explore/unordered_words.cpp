// Commands in a hash table of the library.
//@ text: add\n

#include <iostream>
#include <string>
#include <unordered_map>

int main() {
    std::unordered_map<std::string, int> commands = {{"add", 1}, {"sub", 2}, {"halt", 3}};
    std::string line;
    while (std::getline(std::cin, line)) {
        auto found = commands.find(line);
        if (found == commands.end())
            continue;
        if (found->second == 3)
            __builtin_trap();
        std::cout << found->second << '\n';
    }
}
