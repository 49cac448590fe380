int elsewhere = 3;
static int counter = -1;

int advance(void) {
    elsewhere++;
    return counter;
}
