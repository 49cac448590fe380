/*
 * A dispatcher with priorities. Commands on standard input, one a line:
 *
 *   new NAME PRIORITY WORK    a task that needs WORK ticks
 *   tick [N]                  let time pass
 *   block NAME                the task waits for something
 *   wake NAME                 it waits no more
 *   nice NAME PRIORITY        another priority
 *   kill NAME
 *   list                      the queues
 *
 * A higher number is a higher priority. A task that has waited AGING ticks in a queue moves one priority up; when it
 * has run it falls back to its own. A task may run QUANTUM ticks, then the next of the same priority has its turn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRIORITIES 5
#define QUANTUM 3
#define AGING 8
#define NAME_LENGTH 15

typedef enum { READY, RUNNING, BLOCKED } State;

typedef struct Task {
    char name[NAME_LENGTH + 1];
    int base;    /* the priority it was given */
    int current; /* the queue it is in */
    int work;    /* ticks it still needs */
    int waited;  /* ticks since it entered its queue */
    int used;    /* ticks of its quantum */
    State state;
    struct Task *next;
} Task;

typedef struct {
    Task *head, *tail;
    int length;
} Queue;

static Queue ready[PRIORITIES];
static Queue blocked;
static Task *running;
static long now;
static int finished, switches;
static long idle;

static void enqueue(Queue *q, Task *t) {
    t->next = NULL;
    if (q->tail != NULL)
        q->tail->next = t;
    else
        q->head = t;
    q->tail = t;
    q->length++;
}

static Task *dequeue(Queue *q) {
    Task *t = q->head;
    if (t == NULL)
        return NULL;
    q->head = t->next;
    if (q->head == NULL)
        q->tail = NULL;
    q->length--;
    t->next = NULL;
    return t;
}

/* Takes a task out of the middle; NULL if it is not there. */
static Task *take(Queue *q, const char *name) {
    Task *before = NULL;
    for (Task *t = q->head; t != NULL; before = t, t = t->next) {
        if (strcmp(t->name, name) != 0)
            continue;
        if (before != NULL)
            before->next = t->next;
        else
            q->head = t->next;
        if (q->tail == t)
            q->tail = before;
        q->length--;
        t->next = NULL;
        return t;
    }
    return NULL;
}

static void make_ready(Task *t) {
    t->state = READY;
    t->waited = 0;
    enqueue(&ready[t->current], t);
}

static int highest_ready(void) {
    for (int p = PRIORITIES - 1; p >= 0; p--)
        if (ready[p].length > 0)
            return p;
    return -1;
}

/* Puts the best task on the processor, if it is better than the one that runs. */
static void dispatch(void) {
    int best = highest_ready();
    if (best < 0)
        return;
    if (running != NULL) {
        int expired = running->used >= QUANTUM;
        if (best < running->base || (best == running->base && !expired))
            return;
        Task *old = running;
        old->current = old->base;
        old->used = 0;
        make_ready(old);
    }
    running = dequeue(&ready[best]);
    running->state = RUNNING;
    running->used = 0;
    switches++;
    printf("%ld: %s runs\n", now, running->name);
}

static void age(void) {
    for (int p = PRIORITIES - 2; p >= 0; p--) {
        Task *next;
        for (Task *t = ready[p].head; t != NULL; t = next) {
            next = t->next;
            t->waited++;
            if (t->waited < AGING)
                continue;
            take(&ready[p], t->name);
            t->current = p + 1;
            make_ready(t);
        }
    }
}

static void tick(void) {
    now++;
    if (running == NULL) {
        idle++;
    } else {
        running->work--;
        running->used++;
        if (running->work == 0) {
            printf("%ld: %s is done\n", now, running->name);
            free(running);
            running = NULL;
            finished++;
        }
    }
    age();
    dispatch();
}

static Task *find(const char *name) {
    if (running != NULL && strcmp(running->name, name) == 0)
        return running;
    for (int p = 0; p < PRIORITIES; p++)
        for (Task *t = ready[p].head; t != NULL; t = t->next)
            if (strcmp(t->name, name) == 0)
                return t;
    for (Task *t = blocked.head; t != NULL; t = t->next)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

static void new_task(const char *name, int priority, int work) {
    if (priority < 0 || priority >= PRIORITIES || work <= 0) {
        printf("! %s: wrong priority or work\n", name);
        return;
    }
    if (find(name) != NULL) {
        printf("! %s exists\n", name);
        return;
    }
    Task *t = calloc(1, sizeof *t);
    if (t == NULL)
        exit(2);
    strncpy(t->name, name, NAME_LENGTH);
    t->base = t->current = priority;
    t->work = work;
    make_ready(t);
    dispatch();
}

/* Takes the task from wherever it is. */
static Task *detach(Task *t) {
    if (t == running)
        running = NULL;
    else if (t->state == BLOCKED)
        take(&blocked, t->name);
    else
        take(&ready[t->current], t->name);
    return t;
}

static void block(Task *t) {
    if (t->state == BLOCKED) {
        printf("! %s is blocked\n", t->name);
        return;
    }
    detach(t);
    t->state = BLOCKED;
    t->used = 0;
    enqueue(&blocked, t);
    dispatch();
}

static void wake(Task *t) {
    if (t->state != BLOCKED) {
        printf("! %s is not blocked\n", t->name);
        return;
    }
    detach(t);
    t->current = t->base;
    make_ready(t);
    dispatch();
}

static void nice(Task *t, int priority) {
    if (priority < 0 || priority >= PRIORITIES) {
        printf("! wrong priority %d\n", priority);
        return;
    }
    t->base = priority;
    if (t->state == READY) {
        detach(t);
        t->current = priority;
        make_ready(t);
    } else {
        t->current = priority;
    }
    dispatch();
}

static void show(const char *title, const Queue *q) {
    printf("%s", title);
    for (const Task *t = q->head; t != NULL; t = t->next)
        printf(" %s(%d,%d)", t->name, t->work, t->waited);
    printf("\n");
}

static void list(void) {
    if (running != NULL)
        printf("running %s(%d,%d)\n", running->name, running->work, running->used);
    for (int p = PRIORITIES - 1; p >= 0; p--) {
        char title[16];
        snprintf(title, sizeof title, "%d:", p);
        if (ready[p].length > 0)
            show(title, &ready[p]);
    }
    if (blocked.length > 0)
        show("blocked:", &blocked);
}

static void obey(char *line) {
    char word[16], name[64];
    int a = 0, b = 0;
    int fields = sscanf(line, "%15s %63s %d %d", word, name, &a, &b);
    if (fields < 1 || word[0] == '#')
        return;
    if (strcmp(word, "list") == 0) {
        list();
        return;
    }
    if (strcmp(word, "tick") == 0) {
        int n = fields > 1 ? atoi(name) : 1;
        while (n-- > 0)
            tick();
        return;
    }
    if (fields < 2) {
        printf("! %s what?\n", word);
        return;
    }
    name[NAME_LENGTH] = '\0';
    if (strcmp(word, "new") == 0) {
        if (fields == 4)
            new_task(name, a, b);
        else
            printf("! new NAME PRIORITY WORK\n");
        return;
    }
    Task *t = find(name);
    if (t == NULL) {
        printf("! no task %s\n", name);
    } else if (strcmp(word, "block") == 0) {
        block(t);
    } else if (strcmp(word, "wake") == 0) {
        wake(t);
    } else if (strcmp(word, "nice") == 0 && fields >= 3) {
        nice(t, a);
    } else if (strcmp(word, "kill") == 0) {
        free(detach(t));
        dispatch();
    } else {
        printf("! %s?\n", word);
    }
}

static void clear(Queue *q) {
    Task *t;
    while ((t = dequeue(q)) != NULL)
        free(t);
}

int main(void) {
    char line[200];
    while (fgets(line, sizeof line, stdin) != NULL)
        obey(line);
    printf("%ld ticks, %ld idle, %d finished, %d switches\n", now, idle, finished, switches);
    for (int p = 0; p < PRIORITIES; p++)
        clear(&ready[p]);
    clear(&blocked);
    free(running);
    return 0;
}
