//~ criterion: output 3
#include <string.h>
#include <unistd.h>

int main(void) {
    char first[4] = {'1', '\n', 0, 0}; //~ not in slice
    char second[4] = {0}; //~ not in slice
    second[0] = '2'; //~ in slice
    second[1] = '\n'; //~ not in slice
    write(1, first, 2); //~ not in slice
    write(2, first, 2); //~ not in slice
    write(STDOUT_FILENO, second, 2);
    return 0;
}
