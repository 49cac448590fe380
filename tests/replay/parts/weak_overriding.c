int measure(int x) {
    return x > 100 ? 3 : x * 7;
}

int twice(int x) {
    return measure(x) + measure(x + 1);
}
