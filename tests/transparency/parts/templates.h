template <typename T> struct Stack {
    T values[16];
    int size = 0;
    void push(T t) { values[size++] = t; }
    int total() const {
        int sum = 0;
        for (int i = 0; i < size; i++) sum += values[i];
        return sum;
    }
};
inline int *counter_address() {
    static int counter = 7;
    return &counter;
}
inline int counted() { return ++*counter_address(); }
template <typename T> T joined(const T &a, const T &b) { return a + b; }
static inline int same_name(int x) { return x + 1; }
