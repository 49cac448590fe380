//@ arguments: 1
//@ ends: exit 1
// Choices, loops, recursion, arrays and lists, all of which hinge on one number; nothing is written.
#include <stdlib.h>

struct cell {
    struct cell *next;
    int value;
};

static struct cell cells[16];
static int used;
static int table[32];
static unsigned state;

static int random_below(int n) {
    state = state * 1103515245u + 12345u;
    return (int)(state / 65536u % (unsigned)n);
}

static struct cell *push(struct cell *list, int value) {
    if (used == 16)
        return list;
    struct cell *cell = &cells[used++];
    cell->value = value;
    cell->next = list;
    return cell;
}

static int depth(int n, int limit) {
    if (n > limit || n == 7)
        return n;
    int deeper = depth(n + 1 + random_below(2), limit);
    return n % 2 ? deeper : deeper - 1;
}

int main(int argc, char **argv) {
    int seed = atoi(argv[1]);
    state = 17;
    struct cell *list = 0;
    int bound = seed % 5 + 3, last = 0;
    for (int i = 0; i < bound; i++) {
        int chosen = random_below(32);
        if (chosen % 3 == seed % 3) {
            list = push(list, chosen);
            last = i;
        } else if (chosen > 20) {
            table[chosen] += i;
            continue;
        }
        table[(chosen + seed) % 32] = i + 1;
    }
    int sum = 0;
    for (struct cell *cell = list; cell; cell = cell->next) {
        if (cell->value == seed)
            break;
        sum += cell->value;
    }
    for (int i = 0; i < 32; i++)
        sum += table[i] * (i & 1 ? 1 : 3);
    sum += sum > seed ? random_below(9) : seed % 2 ? last : table[seed % 7];
    switch (sum % 4) {
    case 0: sum += depth(0, seed % 9); break;
    case 1: sum -= last;
    case 2: sum *= 2; break;
    default: break;
    }
    return (sum & 63) + (argc > 2);
}
