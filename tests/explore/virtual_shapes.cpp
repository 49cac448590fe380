// Shapes by a letter each; a function of the wrong one is called.
//@ text: ss

#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};

struct Square : Shape {
    int side = 1;
    int area() const override { return side * side; }
};

struct Ratio : Shape {
    int whole = 12, part;
    explicit Ratio(int part) : part(part) {}
    int area() const override { return whole / part; }
};

int main() {
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int c; (c = getchar()) != EOF;) {
        if (c == 's')
            shapes.push_back(std::make_unique<Square>());
        else if (c == 'r')
            shapes.push_back(std::make_unique<Ratio>(getchar() - '0'));
        else
            return 1;
    }
    int sum = 0;
    for (auto &shape : shapes)
        sum += shape->area();
    printf("%d\n", sum);
}
