//@ with: parts/members_other.cpp
#include <cstdio>

#include "parts/members.h"

class base {
public:
    virtual ~base() = default;
    virtual int area() const { return 0; }

protected:
    int id = 4;
};

class box : public base {
    int width, height;
    static int made;

public:
    box(int width, int height) : width(width), height(height) {
        made++; //~ values width: 2 //~ values this->width: 2 //~ values made: 0
    }

    void grow(int by) {
        width += by; //~ values width: 2 //~ values this->height: 3 //~ values id: 4
        height += by; //~ values *this: {{id = 4}, width = 3, height = 3}
    }

    int area() const override {
        return width * height; //~ values width: 3 //~ values this: &{{id = 4}, width = 3, height = 4}
    }
};

int box::made = 0;

template <typename T> T twice(T t) {
    return t + t; //~ values t: 1.5 2
}

int main() {
    box b(2, 3);
    b.grow(1);
    base &as_base = b;
    opaque *o = make_opaque(8);
    std::printf("%d %f %d\n", as_base.area(), twice(1.5), twice(2)); //~ values b: {{id = 4}, width = 3, height = 4} //~ values *o: {inside = 8}
    drop_opaque(o);
}
