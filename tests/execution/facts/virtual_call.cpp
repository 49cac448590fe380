//~ criterion: output 1
#include <cstdio>

struct Shape {
    virtual int sides() { return 0; } //~ not in slice
};
struct Triangle : Shape {
    int sides() override { return 3; } //~ in slice
};
struct Square : Shape {
    int sides() override { return 4; } //~ not in slice
};

int main() {
    Triangle triangle; //~ in slice
    Square square; //~ not in slice
    Shape *shapes[2];
    shapes[0] = &square; //~ not in slice
    shapes[1] = &triangle; //~ in slice
    int count = shapes[1]->sides(); //~ in slice
    putchar('0' + count); //~ in slice //~ origin: 20
    return 0;
}
