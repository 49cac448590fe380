//@ flags: -std=c++20
// Containers, strings, streams and algorithms, as programs use them.
#include <algorithm>
#include <bitset>
#include <deque>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

int main() {
    std::map<std::string, std::vector<int>> index;
    std::istringstream words("the quick brown fox jumps over the lazy dog the end");
    std::string word;
    for (int at = 0; words >> word; at++) index[word].push_back(at);
    for (auto &[key, places] : index) {
        std::cout << key << ':';
        for (int place : places) std::cout << ' ' << place;
        std::cout << '\n';
    }
    std::unordered_map<int, int> squares;
    for (int i = 0; i < 100; i++) squares[i * i % 101] += i;
    long sum = 0;
    for (auto &entry : squares) sum += static_cast<long>(entry.first) * entry.second;
    std::priority_queue<int> heap;
    std::set<int> unique;
    std::deque<int> deque;
    std::list<int> list;
    for (int i = 0; i < 50; i++) {
        int x = i * 37 % 53;
        heap.push(x);
        unique.insert(x / 2);
        i % 2 ? deque.push_back(x) : deque.push_front(x);
        list.push_back(x);
    }
    list.sort();
    list.reverse();
    std::cout << sum << ' ' << heap.top() << ' ' << unique.size() << ' ' << deque.front() << ' ' << list.front() << '\n';
    std::cout << std::setw(8) << std::setprecision(3) << std::fixed << 3.14159 << std::hex << std::setfill('0')
              << std::setw(6) << 0xbeef << std::boolalpha << (sum > 3) << '\n';
    std::variant<int, std::string, double> v = std::string("text");
    v = 2.5;
    std::optional<int> none;
    auto [a, b, c] = std::make_tuple(1, 'x', 2.5);
    std::cout << std::get<double>(v) << none.value_or(7) << a << b << c << std::bitset<8>(37) << '\n';
    std::vector<std::string> names{"b", "a", "c"};
    std::ranges::sort(names, std::greater<>{});
    std::cout << names[0] << std::string(5, '*').insert(2, "ins").substr(1, 4) << std::stoi("42") + 1 << std::endl;
}
