// Words of a line in a vector, taken from it by number.
//@ text: one two three\n

#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string line;
    if (!std::getline(std::cin, line))
        return 1;
    std::vector<std::string> words(1);
    for (char c : line)
        if (c == ' ')
            words.emplace_back();
        else
            words.back() += c;
    if (words.size() == 4 && words[0] == "swap")
        std::cout << words[words[1].size() * 100000000].size() << '\n';
    std::cout << words.size() << '\n';
}
