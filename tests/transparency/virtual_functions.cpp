// Virtual functions through single, multiple and virtual inheritance; casts; run-time types; pure virtual; thunks.
#include <cstdio>
#include <memory>
#include <typeinfo>
#include <vector>

struct Shape {
    virtual ~Shape() { std::printf("~Shape "); }
    virtual double area() const = 0;
    virtual Shape *clone() const = 0;
    virtual int sides() const { return 0; }
};
struct Square : Shape {
    double a;
    explicit Square(double a) : a(a) {}
    ~Square() override { std::printf("~Square "); }
    double area() const override { return a * a; }
    Square *clone() const override { return new Square(a + 1); }
    int sides() const override { return 4; }
};
struct Named {
    const char *name;
    explicit Named(const char *name) : name(name) {}
    virtual ~Named() { std::printf("~Named "); }
    virtual const char *called() const { return name; }
};
struct Circle final : Named, Shape {
    double r;
    Circle(double r) : Named("circle"), r(r) {}
    double area() const override { return r * r * 3; }
    Circle *clone() const override { return new Circle(r / 2); }
    const char *called() const override { return "a circle"; }
};
struct Top {
    int value = 1;
    virtual int who() { return 1; }
    virtual ~Top() = default;
};
struct Left : virtual Top {
    int who() override { return 2 + value; }
};
struct Right : virtual Top {
    Right() { value = 10; }
};
struct Bottom : Left, Right {
    int who() override { return 100 + Left::who(); }
};

int main() {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.emplace_back(new Square(3));
    shapes.emplace_back(new Circle(2));
    for (int i = 0; i < 2; i++) shapes.emplace_back(shapes[i]->clone());
    double total = 0;
    for (auto &shape : shapes) {
        total += shape->area() * (1 + shape->sides());
        if (auto *named = dynamic_cast<Named *>(shape.get())) std::printf("%s ", named->called());
        if (typeid(*shape) == typeid(Square)) std::printf("square ");
    }
    std::printf("%g\n", total);
    shapes.clear();
    Bottom bottom;
    Top *top = &bottom;
    Right *right = &bottom;
    std::printf("\n%d %d %d\n", top->who(), right->who(), dynamic_cast<Left *>(right)->value);
    int (Top::*method)() = &Top::who;
    int Top::*member = &Top::value;
    std::printf("%d %d\n", (top->*method)(), bottom.*member);
    try {
        dynamic_cast<Circle &>(*std::unique_ptr<Shape>(new Square(1)));
    } catch (std::bad_cast &) {
        std::printf("bad cast\n");
    }
}
