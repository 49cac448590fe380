extern int own_counter;
int shared_counter = 100;
int *remembered;
void scribble(char *where, int n) {
    for (int i = 0; i < n; i++) where[i] = 'a' + (i + n) % 26;
    where[n] = 0;
    own_counter++;
}
void remember(int *where) { remembered = where; }
void change_remembered(void) { *remembered = *remembered * 3 + own_counter; }
int read_static(void) { return own_counter; }
