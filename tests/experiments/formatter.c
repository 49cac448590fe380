/* A text formatter in the manner of roff: fills and justifies paragraphs, centres, indents, numbers lists, breaks pages.
   One fault, unless it is built with -DRIGHT: on every other line, where blanks are given out from the right, one too many
   is given, and the line comes out too long. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 128
#define LONGEST_WORD 64
#define LONGEST_LINE 256

enum adjust { LEFT, BOTH, CENTRE };

struct settings {
    int width;
    int indent;
    int first_indent;
    int page_length;
    int spacing;
    enum adjust adjust;
    int fills;
};

struct line {
    char words[MOST_WORDS][LONGEST_WORD];
    int count;
    int length; /* with one blank between words */
};

struct list {
    int depth;
    int numbers[8];
};

static struct settings now = {48, 0, 0, 30, 1, BOTH, 1};
static struct line collected;
static struct list lists;
static int output_lines;
static int pages = 1;
static int give_left;
static int words_seen, lines_seen, requests_seen;
static unsigned checksum;

static void put(char c) {
    checksum = checksum * 31 + (unsigned char)c;
    putchar(c);
}

static void put_text(const char *text) {
    while (*text)
        put(*text++);
}

static void blanks(int count) {
    while (count-- > 0)
        put(' ');
}

static void end_page(void) {
    char footer[40];
    sprintf(footer, "- %d -", pages);
    blanks((now.width - (int)strlen(footer)) / 2);
    put_text(footer);
    put_text("\n\n");
    pages++;
    output_lines = 0;
}

static void end_line(void) {
    for (int i = 0; i < now.spacing; i++) {
        put('\n');
        output_lines++;
        if (output_lines >= now.page_length)
            end_page();
    }
}

static int room(void) {
    return now.width - now.indent - now.first_indent;
}

/* Blanks that stand after each word but the last. */
static void share(int *gaps, int count, int extra) {
    int each = count > 0 ? extra / count : 0;
    int rest = count > 0 ? extra % count : 0;
    for (int i = 0; i < count; i++)
        gaps[i] = 1 + each;
    if (give_left)
        for (int i = 0; i < rest; i++)
            gaps[i]++;
#ifdef RIGHT
    else
        for (int i = count - 1; i >= count - rest && i >= 0; i--)
            gaps[i]++;
#else
    else
        for (int i = count - 1; i >= count - 1 - rest && i >= 0; i--)
            gaps[i]++;
#endif
    give_left = !give_left;
}

static void print_line(struct line *line, int is_last) {
    int gaps[MOST_WORDS];
    int extra = room() - line->length;
    if (line->count == 0)
        return;
    for (int i = 0; i < line->count; i++)
        gaps[i] = 1;
    if (now.adjust == BOTH && !is_last && extra > 0)
        share(gaps, line->count - 1, extra);
    blanks(now.indent + now.first_indent);
    if (now.adjust == CENTRE)
        blanks(extra / 2);
    for (int i = 0; i < line->count; i++) {
        put_text(line->words[i]);
        if (i + 1 < line->count)
            blanks(gaps[i]);
    }
    end_line();
    line->count = 0;
    line->length = 0;
    now.first_indent = 0;
}

static void break_paragraph(void) {
    print_line(&collected, 1);
}

static void add_word(const char *word) {
    int length = (int)strlen(word);
    words_seen++;
    if (collected.count > 0 && (collected.length + 1 + length > room() || collected.count == MOST_WORDS))
        print_line(&collected, 0);
    if (collected.count > 0)
        collected.length++;
    strcpy(collected.words[collected.count++], word);
    collected.length += length;
}

static void add_text(const char *text) {
    char word[LONGEST_WORD];
    int length = 0;
    for (;; text++) {
        if (*text && !isspace((unsigned char)*text) && length < LONGEST_WORD - 1) {
            word[length++] = *text;
            continue;
        }
        if (length > 0) {
            word[length] = 0;
            add_word(word);
            length = 0;
        }
        if (!*text)
            return;
    }
}

static int argument(const char *text, int otherwise) {
    while (*text && !isspace((unsigned char)*text))
        text++;
    while (isspace((unsigned char)*text))
        text++;
    if (!*text)
        return otherwise;
    return atoi(text);
}

static int limited(int value, int least, int most) {
    if (value < least)
        return least;
    if (value > most)
        return most;
    return value;
}

static void begin_entry(void) {
    char label[16];
    break_paragraph();
    if (lists.depth == 0)
        return;
    sprintf(label, "%d.", ++lists.numbers[lists.depth - 1]);
    now.first_indent = -((int)strlen(label) + 1);
    add_word(label);
}

static void begin_list(void) {
    break_paragraph();
    if (lists.depth < 8) {
        lists.numbers[lists.depth++] = 0;
        now.indent += 4;
    }
}

static void end_list(void) {
    break_paragraph();
    if (lists.depth > 0) {
        lists.depth--;
        now.indent -= 4;
    }
}

static void heading(const char *text) {
    enum adjust before = now.adjust;
    while (*text && !isspace((unsigned char)*text))
        text++;
    break_paragraph();
    end_line();
    now.adjust = CENTRE;
    add_text(text);
    break_paragraph();
    now.adjust = before;
    end_line();
}

static void request(const char *line) {
    requests_seen++;
    if (strncmp(line, ".ll", 3) == 0) {
        break_paragraph();
        now.width = limited(argument(line, 48), 16, LONGEST_LINE - 1);
    } else if (strncmp(line, ".in", 3) == 0) {
        break_paragraph();
        now.indent = limited(argument(line, 0), 0, now.width / 2);
    } else if (strncmp(line, ".ti", 3) == 0) {
        break_paragraph();
        now.first_indent = limited(argument(line, 2), -now.indent, now.width / 2);
    } else if (strncmp(line, ".pl", 3) == 0) {
        now.page_length = limited(argument(line, 30), 5, 1000);
    } else if (strncmp(line, ".ls", 3) == 0) {
        now.spacing = limited(argument(line, 1), 1, 4);
    } else if (strncmp(line, ".sp", 3) == 0) {
        break_paragraph();
        for (int i = limited(argument(line, 1), 0, 10); i > 0; i--)
            end_line();
    } else if (strncmp(line, ".br", 3) == 0) {
        break_paragraph();
    } else if (strncmp(line, ".ad", 3) == 0) {
        break_paragraph();
        now.adjust = strchr(line + 3, 'b') ? BOTH : strchr(line + 3, 'c') ? CENTRE : LEFT;
    } else if (strncmp(line, ".nf", 3) == 0) {
        break_paragraph();
        now.fills = 0;
    } else if (strncmp(line, ".fi", 3) == 0) {
        now.fills = 1;
    } else if (strncmp(line, ".bl", 3) == 0) {
        begin_list();
    } else if (strncmp(line, ".li", 3) == 0) {
        begin_entry();
    } else if (strncmp(line, ".el", 3) == 0) {
        end_list();
    } else if (strncmp(line, ".sh", 3) == 0) {
        heading(line);
    } else {
        fprintf(stderr, "line %d: unknown request %.3s\n", lines_seen, line);
    }
}

static void format(const char *line) {
    lines_seen++;
    if (line[0] == '.') {
        request(line);
        return;
    }
    if (line[0] == '\n' || line[0] == 0) {
        break_paragraph();
        end_line();
        return;
    }
    if (isspace((unsigned char)line[0]))
        break_paragraph();
    add_text(line);
    if (!now.fills)
        break_paragraph();
}

int main(void) {
    char line[LONGEST_LINE];
    while (fgets(line, sizeof line, stdin))
        format(line);
    break_paragraph();
    if (output_lines > 0)
        end_page();
    fprintf(stderr, "%d lines, %d words, %d requests, %d pages, %u\n", lines_seen, words_seen, requests_seen,
            pages - 1, checksum);
    return 0;
}
