// Characters as C++ asks for them: <cctype>, and a locale's facet.
#include <algorithm>
#include <cctype>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

int main() {
    const std::string text = "Hello, World 42!\t\x01\xe4\xff~";
    std::string upper = text, lower = text;
    std::transform(text.begin(), text.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    std::transform(text.begin(), text.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    std::cout << upper << lower << '\n';
    const std::locale &classic = std::locale::classic();
    const auto &facet = std::use_facet<std::ctype<char>>(classic);
    for (char c : text) {
        std::cout << (std::isalpha(static_cast<unsigned char>(c)) != 0) << (std::isspace(c, classic) ? 1 : 0)
                  << facet.is(std::ctype_base::punct, c) << std::toupper(c, classic) << facet.tolower(c) << ' ';
    }
    std::istringstream words("12 abc 3.5");
    int number;
    std::string word;
    double real;
    words >> number >> word >> real;
    std::cout << number << word << real << '\n';
}
