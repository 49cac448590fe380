// Words and numbers by `cin >>`, until there are no more.
//@ text: push 1 pop\n

#include <iostream>
#include <string>
#include <vector>

int main() {
    std::vector<int> stack;
    std::string word;
    while (std::cin >> word) {
        if (word == "push") {
            int value;
            if (!(std::cin >> value))
                return 1;
            stack.push_back(value);
        } else if (word == "pop") {
            if (!stack.empty())
                stack.pop_back();
        } else if (word == "div") {
            if (stack.size() < 2)
                return 1;
            int by = stack.back();
            stack.pop_back();
            stack.back() /= by;
        }
    }
    std::cout << stack.size() << '\n';
}
