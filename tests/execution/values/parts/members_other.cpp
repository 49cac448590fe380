#include "members.h"

class opaque {
    int inside;

public:
    opaque(int inside) : inside(inside) {}
};

opaque *make_opaque(int inside) { return new opaque(inside); }

void drop_opaque(opaque *o) { delete o; }
