int twice(int x, int (*back)(int));
int named(void);
int calls_named(void);
int recover(int x);
extern int library_counter;
