/* Formats text: fill [-w WIDTH] [-j] [-u] < TEXT
 *
 * Words are filled into lines of WIDTH (60) columns; -j also makes the right margin straight. A blank line ends a
 * paragraph. Lines that begin with '.' are requests:
 *
 *   .br          end the line here          .in N   indent by N from here on (+N, -N: relative)
 *   .ce N        centre the next N lines    .sp N   N blank lines
 *   .ll N        another width              .nf .fi leave lines as they are, and fill again
 *   .ti N        indent the next line only  .li M   a list entry with the mark M
 *
 * -u marks headings (lines that end with ':') by underlining them with '='.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WIDTH 120
#define MAX_WORDS 80
#define MAX_LINE 1000

static int width = 60;
static int indent = 0;
static int temporary = -1; /* indent of the next line; -1: as usual */
static int centre = 0;     /* lines still to be centred */
static bool justify = false, underline = false, filling = true;
static char mark[8];       /* of a list entry, before its first line */

/* The line that is being filled. */
static char *words[MAX_WORDS];
static int n_words;
static int columns; /* of the words and the blanks between them */
static int lines_written;

static void blanks(int n)
{
    while (n-- > 0)
        putchar(' ');
}

static int current_indent(void)
{
    return temporary >= 0 ? temporary : indent;
}

static void put_line(const char *text, int before)
{
    blanks(before);
    puts(text);
    lines_written++;
}

static bool ends_sentence(const char *word)
{
    size_t n = strlen(word);
    if (n > 1 && (word[n - 1] == '"' || word[n - 1] == ')'))
        n--;
    return strchr(".!?", word[n - 1]) != NULL;
}

/* Blanks after a word, before another one. */
static int gap_after(const char *word)
{
    return ends_sentence(word) ? 2 : 1;
}

/* Writes the words that are there; the last line of a paragraph is not spread. */
static void flush(bool spread)
{
    if (n_words == 0)
        return;
    int before = current_indent();
    int gaps = n_words - 1;
    int extra = width - before - columns;
    if (mark[0] != '\0') {
        int room = before - (int)strlen(mark) - 1;
        blanks(room > 0 ? room : 0);
        printf("%s ", mark);
        mark[0] = '\0';
    } else {
        blanks(before);
    }
    for (int i = 0; i < n_words; i++) {
        int gap = gap_after(words[i]);
        fputs(words[i], stdout);
        free(words[i]);
        if (i == n_words - 1)
            break;
        blanks(gap);
        if (justify && spread && extra > 0) {
            /* From the left on odd lines and from the right on even ones, lest rivers run down one side. */
            int share = extra / gaps, rest = extra % gaps;
            bool more = lines_written % 2 == 0 ? i < rest : i >= gaps - rest;
            blanks(share + (more ? 1 : 0));
        }
    }
    putchar('\n');
    lines_written++;
    n_words = 0;
    columns = 0;
    temporary = -1;
}

static char *copy(const char *word, int length)
{
    char *c = malloc((size_t)length + 1);
    if (!c)
        exit(2);
    memcpy(c, word, (size_t)length);
    c[length] = '\0';
    return c;
}

/* A word that is too long for any line is broken with a hyphen. */
static void add_word(const char *word, int length)
{
    int room = width - current_indent();
    int blank = n_words > 0 ? gap_after(words[n_words - 1]) : 0;
    if (columns + blank + length > room || n_words == MAX_WORDS) {
        flush(true);
        room = width - current_indent();
        blank = 0;
    }
    while (length > room && room > 1) {
        words[n_words++] = copy(word, room);
        words[n_words - 1][room - 1] = '-';
        columns = room;
        flush(false);
        word += room - 1;
        length -= room - 1;
        room = width - current_indent();
    }
    words[n_words++] = copy(word, length);
    columns += blank + length;
}

static void fill(const char *s)
{
    while (*s) {
        while (isspace((unsigned char)*s))
            s++;
        int length = 0;
        while (s[length] && !isspace((unsigned char)s[length]))
            length++;
        if (length > 0)
            add_word(s, length);
        s += length;
    }
}

static void trim(char *line)
{
    size_t n = strlen(line);
    while (n > 0 && isspace((unsigned char)line[n - 1]))
        line[--n] = '\0';
}

static void centred(const char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    int space = width - (int)strlen(line);
    put_line(line, space > 0 ? space / 2 : 0);
}

static void heading(const char *line)
{
    put_line(line, indent);
    blanks(indent);
    for (size_t i = 0; i < strlen(line); i++)
        putchar('=');
    putchar('\n');
}

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static void request(char *line)
{
    char name[3] = "";
    char argument[16] = "";
    sscanf(line, ".%2s %15s", name, argument);
    bool given = argument[0] != '\0';
    int n = atoi(argument);
    if (strcmp(name, "br") == 0) {
        flush(false);
    } else if (strcmp(name, "sp") == 0) {
        flush(false);
        for (int i = 0; i < (given ? n : 1); i++)
            putchar('\n');
    } else if (strcmp(name, "in") == 0) {
        flush(false);
        int wanted = argument[0] == '+' || argument[0] == '-' ? indent + n : n;
        indent = clamp(wanted, 0, width - 10);
    } else if (strcmp(name, "ti") == 0) {
        flush(false);
        temporary = clamp(n, 0, width - 10);
    } else if (strcmp(name, "ce") == 0) {
        flush(false);
        centre = given ? n : 1;
    } else if (strcmp(name, "ll") == 0) {
        flush(false);
        width = clamp(n, 20, MAX_WIDTH);
    } else if (strcmp(name, "nf") == 0 || strcmp(name, "fi") == 0) {
        flush(false);
        filling = name[0] == 'f';
    } else if (strcmp(name, "li") == 0) {
        flush(false);
        snprintf(mark, sizeof mark, "%.7s", given ? argument : "*");
    } else {
        printf("?%s\n", line);
    }
}

static void text_line(char *line)
{
    trim(line);
    size_t n = strlen(line);
    if (n == 0) {
        flush(false);
        putchar('\n');
    } else if (centre > 0) {
        centre--;
        centred(line);
    } else if (!filling) {
        put_line(line, indent);
    } else if (underline && line[n - 1] == ':' && n_words == 0) {
        heading(line);
    } else {
        /* A line that begins with a blank begins a paragraph. */
        if (isspace((unsigned char)line[0]))
            flush(false);
        fill(line);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-j") == 0) {
            justify = true;
        } else if (strcmp(argv[i], "-u") == 0) {
            underline = true;
        } else if (strcmp(argv[i], "-w") == 0 && i + 1 < argc) {
            width = clamp(atoi(argv[++i]), 20, MAX_WIDTH);
        } else {
            printf("usage: fill [-w WIDTH] [-j] [-u]\n");
            return 0;
        }
    }
    char line[MAX_LINE];
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '.')
            request(line);
        else
            text_line(line);
    }
    flush(false);
    printf("-- %d lines\n", lines_written);
    return 0;
}
