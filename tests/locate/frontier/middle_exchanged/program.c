int scanf(const char *, ...), printf(const char *, ...); int main(void) { int x, y, z, m; scanf("%d %d %d", &x, &y, &z);
    m = z;
    if (y < z)
        if (x < y)
            m = y;
        else if (x < z)
            m = y; /* belongs to line 10 */ //~ fault within 2
    else
        if (x > y)
            m = x; /* belongs to line 7 */
        else if (x > z)
            m = x;
    printf("%d\n", m); return 0; }
