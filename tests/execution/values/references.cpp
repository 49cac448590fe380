#include <cstdio>

namespace app {
int total = 5;
namespace {
int hidden = 6;
}
}

struct point {
    int x, y;
};

static int add(int &sum, const point &p, point &&q) {
    sum += p.x; //~ values sum: 5 //~ values p: {x = 1, y = 2} //~ values q.y: 4 //~ values app::total: 5
    sum += q.y; //~ values sum: 6 //~ values total: 6
    return sum;
}

struct holder {
    int &ref;
    point p;
};

int main() {
    point p{1, 2};
    add(app::total, p, point{3, 4});
    holder h{app::hidden, p};
    h.ref++; //~ values h.ref: 6 //~ values h: {ref = 6, p = {x = 1, y = 2}}
    int a[] = {1, 2, 3};
    for (int &e : a)
        e *= 2; //~ values e: 1 2 3
    auto [x, y] = p;
    auto lambda = [&a, x](int k) { return a[k] + x; }; //~ values k: 1
    std::printf("%d %d\n", lambda(1), y); //~ values x: 1 //~ values y: 2 //~ values a: {2, 4, 6}
}
