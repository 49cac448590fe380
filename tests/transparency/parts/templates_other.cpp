#include <string>

#include "templates.h"

static int hidden(int x) { return same_name(x) * 2; }
int from_other(int n) {
    Stack<int> stack;
    while (n-- > 0) stack.push(hidden(n));
    counted();
    return stack.total() + static_cast<int>(joined(std::string("xyz"), std::string("w")).size());
}
int *counter_of_other() { return counter_address(); }
