//@ ends: signal 11
//~ criterion: failure
// A library function crashes by what it was given: the calling step is found.
#include <stdio.h>
#include <string.h>

static const char *find(int which) {
    const char *name = "one";
    if (which > 1) //~ controls: 10 //~ in slice
        name = NULL; //~ in slice
    return name; //~ in slice
}

int main(void) {
    int which = 2; //~ in slice
    int other = 3; //~ not in slice
    const char *name = find(which); //~ in slice
    size_t length = strlen(name); //~ in slice
    printf("%zu %d\n", length, other); //~ not in slice
    return 0;
}
