int scanf(const char *, ...), printf(const char *, ...); int main(void) { int x, y, z, m; scanf("%d %d %d", &x, &y, &z);
    m = y; /* should be z */ //~ fault within 2
    if (y < z) {
        if (x < y)
            m = y;
        else if (x > z) /* should be x < z */ //~ fault within 2
            m = x;
    } else {
        if (x > y)
            m = y;
        else if (x > z)
            m = x; }
    printf("%d\n", m); return 0; }
