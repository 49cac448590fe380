#include <stdio.h>

enum color { RED, GREEN = 5, BLUE };
typedef enum { READ = 1, WRITE = 2, EXECUTE = 4 } rights;
enum level { LOW = -1, HIGH = 1 };

int main(void) {
    enum color c = RED;
    rights r = READ;
    enum level level = LOW;
    c = GREEN; //~ values c: RED //~ values after c: GREEN
    c++; //~ values c: GREEN
    c += 10; //~ values c: BLUE
    r |= EXECUTE; //~ values r: READ //~ values after r: READ|EXECUTE
    printf("%d %d %d\n", c, r, level); //~ values c: 16 //~ values level: LOW
    return 0;
}
