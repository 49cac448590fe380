// Numbers by `cin >>`.
//@ text: 3 4\n

#include <iostream>

int main() {
    int width, height;
    if (!(std::cin >> width >> height)) {
        std::cout << "no numbers\n";
        return 1;
    }
    if (width < 0 || height < 0)
        return 1;
    if (width * 3 == 4713 && height > width)
        __builtin_trap();
    std::cout << width * height << '\n';
}
