/* Multilevel feedback scheduling, simulated.
 *
 * usage: feedback [LEVELS [QUANTUM [BOOST]]] < JOBS
 *
 * Each job is a line: NAME ARRIVAL BURST [IO BURST]...   IO is the time between two bursts in which the job waits for a
 * device. Level 0 is the best; the quantum doubles from level to level. A job that uses up its quantum sinks a level; one
 * that asks for its device before stays. Every BOOST units all jobs return to level 0 (0: never).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = 32, MAX_PHASES = 15, MAX_LEVELS = 6 };

struct job {
    char name[12];
    int arrival;
    int phases[MAX_PHASES]; /* burst, io, burst, ... */
    int n_phases;
    int phase;     /* the current one */
    int left;      /* of the current phase */
    int slice;     /* of the current quantum that is used */
    int level;
    int first_run; /* -1 before */
    int completion;
    int waiting;   /* time in queues */
};

struct queue {
    int jobs[MAX_JOBS];
    int head, count;
};

static struct job jobs[MAX_JOBS];
static int n_jobs;
static struct queue levels[MAX_LEVELS];
static int n_levels = 3, base_quantum = 2, boost = 0;

/* The chart is kept as runs of equal entries. */
static struct {
    int job; /* -1: idle */
    int length;
} chart[4096];
static int n_chart;

static void fail(const char *what, int line)
{
    printf("line %d: %s\n", line, what);
    exit(0);
}

static void push(struct queue *q, int job)
{
    q->jobs[(q->head + q->count) % MAX_JOBS] = job;
    q->count++;
}

static int pop(struct queue *q)
{
    int job = q->jobs[q->head];
    q->head = (q->head + 1) % MAX_JOBS;
    q->count--;
    return job;
}

static int quantum(int level)
{
    return base_quantum << level;
}

static void read_jobs(void)
{
    char line[256];
    int number = 0;
    while (fgets(line, sizeof line, stdin)) {
        number++;
        char *word = strtok(line, " \t\n");
        if (!word || word[0] == '#')
            continue;
        if (n_jobs == MAX_JOBS)
            fail("too many jobs", number);
        struct job *j = &jobs[n_jobs++];
        snprintf(j->name, sizeof j->name, "%s", word);
        word = strtok(NULL, " \t\n");
        if (!word)
            fail("no arrival", number);
        j->arrival = atoi(word);
        while ((word = strtok(NULL, " \t\n"))) {
            if (j->n_phases == MAX_PHASES)
                fail("too many phases", number);
            int length = atoi(word);
            if (length <= 0)
                fail("a phase must last", number);
            j->phases[j->n_phases++] = length;
        }
        if (j->n_phases % 2 == 0)
            fail("the last phase must be a burst", number);
        j->left = j->phases[0];
        j->first_run = -1;
    }
}

static void note(int job)
{
    if (n_chart > 0 && chart[n_chart - 1].job == job) {
        chart[n_chart - 1].length++;
    } else if (n_chart < (int)(sizeof chart / sizeof chart[0])) {
        chart[n_chart].job = job;
        chart[n_chart].length = 1;
        n_chart++;
    }
}

static void admit(int now)
{
    for (int i = 0; i < n_jobs; i++)
        if (jobs[i].arrival == now)
            push(&levels[0], i);
}

/* Jobs at their devices; those that are done return to the queue of their level. */
static void serve_devices(int now)
{
    for (int i = 0; i < n_jobs; i++) {
        struct job *j = &jobs[i];
        if (j->arrival >= now || j->phase % 2 == 0 || j->phase >= j->n_phases)
            continue;
        if (--j->left == 0) {
            j->phase++;
            j->left = j->phases[j->phase];
            push(&levels[j->level], i);
        }
    }
}

static void lift_all(void)
{
    for (int l = 1; l < n_levels; l++) {
        while (levels[l].count > 0) {
            int i = pop(&levels[l]);
            jobs[i].slice = 0;
            push(&levels[0], i);
        }
    }
    for (int i = 0; i < n_jobs; i++)
        jobs[i].level = 0;
}

static int choose(void)
{
    for (int l = 0; l < n_levels; l++)
        if (levels[l].count > 0)
            return pop(&levels[l]);
    return -1;
}

static void count_waiting(void)
{
    for (int l = 0; l < n_levels; l++) {
        const struct queue *q = &levels[l];
        for (int k = 0; k < q->count; k++)
            jobs[q->jobs[(q->head + k) % MAX_JOBS]].waiting++;
    }
}

/* One unit of time; returns the job that goes on running, or -1. */
static int run_unit(int current, int now, int *done)
{
    struct job *j = &jobs[current];
    if (j->first_run < 0)
        j->first_run = now;
    j->left--;
    j->slice++;
    if (j->left == 0) {
        j->slice = 0;
        j->phase++;
        if (j->phase >= j->n_phases) {
            j->completion = now + 1;
            ++*done;
        } else {
            j->left = j->phases[j->phase];
        }
        return -1;
    }
    if (j->slice >= quantum(j->level)) {
        j->slice = 0;
        if (j->level < n_levels - 1)
            j->level++;
        push(&levels[j->level], current);
        return -1;
    }
    return current;
}

static int simulate(void)
{
    int done = 0, current = -1, now = 0;
    while (done < n_jobs && now < 100000) {
        admit(now);
        serve_devices(now);
        if (boost > 0 && now > 0 && now % boost == 0)
            lift_all();
        /* A better job does not interrupt a running one: it waits for the end of the quantum. */
        if (current < 0)
            current = choose();
        count_waiting();
        note(current);
        if (current >= 0)
            current = run_unit(current, now, &done);
        now++;
    }
    return now;
}

static void print_chart(void)
{
    int at = 0;
    for (int i = 0; i < n_chart; i++) {
        int end = at + chart[i].length;
        printf("%4d-%-4d %s\n", at, end, chart[i].job < 0 ? "(idle)" : jobs[chart[i].job].name);
        at = end;
    }
}

static void print_summary(int end)
{
    double turnaround = 0, response = 0;
    int busy = 0;
    printf("%-11s %6s %6s %6s %6s %5s\n", "job", "first", "end", "turn", "wait", "level");
    for (int i = 0; i < n_jobs; i++) {
        const struct job *j = &jobs[i];
        int turn = j->completion - j->arrival;
        printf("%-11s %6d %6d %6d %6d %5d\n", j->name, j->first_run, j->completion, turn, j->waiting, j->level);
        turnaround += turn;
        response += j->first_run - j->arrival;
        for (int p = 0; p < j->n_phases; p += 2)
            busy += j->phases[p];
    }
    if (n_jobs == 0)
        return;
    printf("mean turnaround %.2f, mean response %.2f, busy %d%%\n", turnaround / n_jobs, response / n_jobs,
           100 * busy / end);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        n_levels = atoi(argv[1]);
    if (argc > 2)
        base_quantum = atoi(argv[2]);
    if (argc > 3)
        boost = atoi(argv[3]);
    if (n_levels < 1 || n_levels > MAX_LEVELS || base_quantum < 1 || boost < 0) {
        printf("usage: feedback [LEVELS [QUANTUM [BOOST]]] < JOBS\n");
        return 0;
    }
    read_jobs();
    int end = simulate();
    print_chart();
    print_summary(end);
    return 0;
}
