/* Double-entry book-keeping: ledger [REPORT [ACCOUNT]] < JOURNAL
 *
 *   REPORT   balance (default), register ACCOUNT, monthly, budget, accounts
 *
 *   2024-03-05 Groceries                 a transaction; its postings follow, indented
 *     expenses:food        12.50
 *     assets:cash                        one posting may be without amount: it takes the rest
 *   budget expenses:food 200             for each month
 *   close 2024-03                        no transaction may be dated in or before that month
 *   ; a comment
 *
 * An account's balance counts for those above it, too (expenses:food for expenses).
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long Cents;

typedef struct {
    int year, month, day;
} Date;

typedef struct Account {
    char *name;
    Cents own;    /* what was posted to it */
    Cents budget; /* each month; 0: none */
    struct Account *next; /* by name */
} Account;

typedef struct {
    Account *account;
    Cents amount;
    bool given;
} Posting;

typedef struct {
    Date date;
    char title[48];
    Posting postings[8];
    int n_postings;
    int line;
} Transaction;

static Account *accounts;
static Transaction *transactions;
static int n_transactions;
static int closed_until = 0; /* year * 12 + month */
static int errors;

static void complain(int line, const char *what) {
    printf("line %d: %s\n", line, what);
    errors++;
}

static Account *account(const char *name) {
    Account **at = &accounts;
    while (*at != NULL && strcmp((*at)->name, name) < 0)
        at = &(*at)->next;
    if (*at != NULL && strcmp((*at)->name, name) == 0)
        return *at;
    Account *made = calloc(1, sizeof *made);
    if (made == NULL || (made->name = malloc(strlen(name) + 1)) == NULL)
        exit(2);
    strcpy(made->name, name);
    made->next = *at;
    *at = made;
    return made;
}

static int days_in(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static bool parse_date(const char *text, Date *date) {
    if (sscanf(text, "%4d-%2d-%2d", &date->year, &date->month, &date->day) != 3)
        return false;
    return date->month >= 1 && date->month <= 12 && date->day >= 1 && date->day <= days_in(date->year, date->month);
}

static int compare_dates(const Date *a, const Date *b) {
    if (a->year != b->year)
        return a->year - b->year;
    if (a->month != b->month)
        return a->month - b->month;
    return a->day - b->day;
}

/* 12, 12.5, -1,234.50 */
static bool parse_amount(const char *s, Cents *amount) {
    bool negative = false;
    int decimals = -1;
    Cents value = 0;
    if (*s == '-' || *s == '+')
        negative = *s++ == '-';
    if (!isdigit((unsigned char)*s))
        return false;
    for (; *s != '\0'; s++) {
        if (*s == ',' && decimals < 0)
            continue;
        if (*s == '.' && decimals < 0) {
            decimals = 0;
        } else if (isdigit((unsigned char)*s) && decimals < 2) {
            value = value * 10 + (*s - '0');
            if (decimals >= 0)
                decimals++;
        } else {
            return false;
        }
    }
    for (decimals = decimals < 0 ? 0 : decimals; decimals < 2; decimals++)
        value *= 10;
    *amount = negative ? -value : value;
    return true;
}

static const char *format_amount(Cents amount, char *buffer) {
    char digits[32], *out = buffer;
    Cents whole = llabs(amount) / 100;
    int n = snprintf(digits, sizeof digits, "%lld", whole);
    if (amount < 0)
        *out++ = '-';
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    sprintf(out, ".%02lld", llabs(amount) % 100);
    return buffer;
}

/* Gives the posting without amount the rest, and checks that all is even. */
static bool settle(Transaction *t) {
    Cents rest = 0;
    Posting *open = NULL;
    for (int i = 0; i < t->n_postings; i++) {
        Posting *p = &t->postings[i];
        if (p->given) {
            rest += p->amount;
        } else if (open != NULL) {
            complain(t->line, "two postings without amount");
            return false;
        } else {
            open = p;
        }
    }
    if (t->n_postings < 2) {
        complain(t->line, "fewer than two postings");
        return false;
    }
    if (open != NULL) {
        open->amount = -rest;
    } else if (rest != 0) {
        char text[40];
        printf("line %d: uneven by %s\n", t->line, format_amount(rest, text));
        errors++;
        return false;
    }
    return true;
}

static void keep(Transaction *t) {
    if (t->line == 0)
        return;
    if (settle(t)) {
        if (t->date.year * 12 + t->date.month <= closed_until) {
            complain(t->line, "the month is closed");
        } else {
            transactions = realloc(transactions, (size_t)(n_transactions + 1) * sizeof *transactions);
            if (transactions == NULL)
                exit(2);
            transactions[n_transactions++] = *t;
            for (int i = 0; i < t->n_postings; i++)
                t->postings[i].account->own += t->postings[i].amount;
        }
    }
    t->line = 0;
}

static void add_posting(Transaction *t, const char *text, int line) {
    char name[64] = "", amount[32] = "";
    if (t->line == 0) {
        complain(line, "posting without transaction");
        return;
    }
    if (t->n_postings == 8) {
        complain(line, "too many postings");
        return;
    }
    int fields = sscanf(text, "%63s %31s", name, amount);
    Posting *p = &t->postings[t->n_postings];
    p->given = fields == 2;
    if (p->given && !parse_amount(amount, &p->amount)) {
        complain(line, "bad amount");
        return;
    }
    p->account = account(name);
    t->n_postings++;
}

static void read_journal(void) {
    char text[200];
    Transaction t = {0};
    for (int line = 1; fgets(text, sizeof text, stdin) != NULL; line++) {
        char name[64] = "", amount[32] = "";
        int year, month;
        text[strcspn(text, "\n")] = '\0';
        if (text[strspn(text, " \t")] == '\0' || text[0] == ';')
            continue;
        if (text[0] == ' ' || text[0] == '\t') {
            add_posting(&t, text, line);
            continue;
        }
        keep(&t);
        if (sscanf(text, "budget %63s %31s", name, amount) == 2) {
            Cents value;
            if (parse_amount(amount, &value))
                account(name)->budget = value;
            else
                complain(line, "bad amount");
        } else if (sscanf(text, "close %d-%d", &year, &month) == 2) {
            closed_until = year * 12 + month;
        } else {
            t = (Transaction){0};
            if (!parse_date(text, &t.date)) {
                complain(line, "bad date");
                continue;
            }
            const char *title = text + strcspn(text, " ");
            snprintf(t.title, sizeof t.title, "%s", title + strspn(title, " "));
            t.line = line;
        }
    }
    keep(&t);
}

static bool is_under(const char *name, const char *above) {
    size_t n = strlen(above);
    return strncmp(name, above, n) == 0 && (name[n] == '\0' || name[n] == ':');
}

static Cents total(const char *name) {
    Cents sum = 0;
    for (const Account *a = accounts; a != NULL; a = a->next)
        if (is_under(a->name, name))
            sum += a->own;
    return sum;
}

static void print_amount(Cents amount) {
    char text[40];
    printf("%14s", format_amount(amount, text));
}

/* Each account, and each one above that was not named itself, once. */
static void balance(void) {
    char shown[64] = "";
    Cents sum = 0;
    for (const Account *a = accounts; a != NULL; a = a->next) {
        int depth = 0;
        for (size_t i = 1; i <= strlen(a->name); i++) {
            if (a->name[i] != ':' && a->name[i] != '\0')
                continue;
            char part[64];
            snprintf(part, sizeof part, "%.*s", (int)i, a->name);
            if (!is_under(shown, part)) {
                const char *last = strrchr(part, ':');
                print_amount(total(part));
                printf("  %*s%s\n", 2 * depth, "", last != NULL ? last + 1 : part);
                strcpy(shown, part);
            }
            depth++;
        }
        snprintf(shown, sizeof shown, "%s", a->name);
        sum += a->own;
    }
    printf("--------------\n");
    print_amount(sum);
    printf("\n");
}

static int by_date(const void *a, const void *b) {
    const Transaction *ta = a, *tb = b;
    int order = compare_dates(&ta->date, &tb->date);
    return order != 0 ? order : ta->line - tb->line;
}

static void show_register(const char *name) {
    Cents running = 0;
    for (int i = 0; i < n_transactions; i++) {
        const Transaction *t = &transactions[i];
        for (int k = 0; k < t->n_postings; k++) {
            if (!is_under(t->postings[k].account->name, name))
                continue;
            running += t->postings[k].amount;
            printf("%04d-%02d-%02d %-20.20s", t->date.year, t->date.month, t->date.day, t->title);
            print_amount(t->postings[k].amount);
            print_amount(running);
            printf("\n");
        }
    }
}

static Cents spent(const char *name, int month_number) {
    Cents sum = 0;
    for (int i = 0; i < n_transactions; i++) {
        const Transaction *t = &transactions[i];
        if (t->date.year * 12 + t->date.month != month_number)
            continue;
        for (int k = 0; k < t->n_postings; k++)
            if (is_under(t->postings[k].account->name, name))
                sum += t->postings[k].amount;
    }
    return sum;
}

/* Calls `show` for each month from the first transaction to the last. */
static void each_month(void (*show)(int month_number)) {
    if (n_transactions == 0)
        return;
    const Date *first = &transactions[0].date, *last = &transactions[n_transactions - 1].date;
    for (int m = first->year * 12 + first->month; m <= last->year * 12 + last->month; m++)
        show(m);
}

static void print_month(int month_number) {
    /* December of a year is its twelfth month, not the first of the next. */
    printf("%04d-%02d", (month_number - 1) / 12, (month_number - 1) % 12 + 1);
}

static void show_month(int month_number) {
    print_month(month_number);
    print_amount(-spent("income", month_number));
    print_amount(spent("expenses", month_number));
    print_amount(-spent("income", month_number) - spent("expenses", month_number));
    printf("\n");
}

static void show_budget(int month_number) {
    for (const Account *a = accounts; a != NULL; a = a->next) {
        if (a->budget == 0)
            continue;
        Cents used = spent(a->name, month_number);
        print_month(month_number);
        printf(" %-20.20s", a->name);
        print_amount(used);
        print_amount(a->budget);
        printf(" %4lld%%%s\n", used * 100 / a->budget, used > a->budget ? " over" : "");
    }
}

int main(int argc, char **argv) {
    const char *report = argc > 1 ? argv[1] : "balance";
    read_journal();
    if (n_transactions > 0)
        qsort(transactions, (size_t)n_transactions, sizeof *transactions, by_date);
    if (strcmp(report, "balance") == 0) {
        balance();
    } else if (strcmp(report, "register") == 0 && argc > 2) {
        show_register(argv[2]);
    } else if (strcmp(report, "monthly") == 0) {
        each_month(show_month);
    } else if (strcmp(report, "budget") == 0) {
        each_month(show_budget);
    } else if (strcmp(report, "accounts") == 0) {
        for (const Account *a = accounts; a != NULL; a = a->next)
            printf("%s\n", a->name);
    } else {
        printf("ledger [balance | register ACCOUNT | monthly | budget | accounts]\n");
    }
    if (errors > 0)
        printf("%d errors\n", errors);
    free(transactions);
    while (accounts != NULL) {
        Account *a = accounts;
        accounts = a->next;
        free(a->name);
        free(a);
    }
    return 0;
}
