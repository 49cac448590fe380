void outside_store(int *to, int value) { *to = value; }
