extern "C" int catches(int (*f)(int), int n) {
    try {
        return f(n);
    } catch (int i) {
        return -i;
    }
}
extern "C" void throws(int n) { throw n; }
