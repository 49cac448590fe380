// Names and prices in a map; one of them was never entered.
//@ text: tea 2\n

#include <iostream>
#include <map>
#include <string>

int main() {
    std::map<std::string, int> prices = {{"tea", 3}, {"coffee", 4}, {"cake", 5}, {"water", 0}, {"juice", 6}};
    std::string line;
    while (std::getline(std::cin, line)) {
        std::size_t space = line.find(' ');
        if (space == std::string::npos)
            return 1;
        auto found = prices.find(line.substr(0, space));
        if (found == prices.end())
            continue;
        int money = std::stoi(line.substr(space + 1));
        std::cout << money / found->second << '\n';
    }
}
