//@ input: parts/lines.txt
//@ arguments: one --two=2 %d
// Input through every kind of reading function, arguments, environment, files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) printf("%d:%s ", i, argv[i]);
    int a, b;
    char word[20];
    double d;
    printf("\n%d %d %s\n", scanf("%d %d", &a, &b), a + b, "sum");
    printf("%d %s %g\n", scanf("%19s %lf", word, &d), word, d);
    char line[50];
    fgets(line, sizeof line, stdin);
    while (fgets(line, sizeof line, stdin) && line[0] != '-') printf("<%.*s>", (int)strcspn(line, "\n"), line);
    char *grown = 0;
    size_t size = 0;
    long n = getline(&grown, &size, stdin);
    printf("\n%ld %zu\n", n, strlen(grown));
    free(grown);
    int c, count = 0;
    while ((c = getchar()) != EOF) count = count * 3 + c;
    printf("%d\n", count);
    FILE *f = tmpfile();
    fprintf(f, "%d %s", 42, "text");
    fseek(f, 0, SEEK_SET);
    int back = 0;
    fscanf(f, "%d", &back);
    char rest[10] = {0};
    fread(rest, 1, sizeof rest - 1, f);
    printf("%d%s\n", back, rest);
    fclose(f);
    setenv("FAULTLINE_TEST_VALUE", "set", 1);
    printf("%s %d\n", getenv("FAULTLINE_TEST_VALUE"), getpid() > 1);
    return 0;
}
