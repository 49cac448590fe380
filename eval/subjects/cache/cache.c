/*
 * A cache in front of a slow memory, simulated.
 *
 *   cache [sets=N] [ways=N] [line=N] [policy=lru|fifo|lfu] [write=back|through] [victim=N] < TRACE
 *
 * Each line of the trace: r ADDRESS, w ADDRESS VALUE, f (flush), p (print the sets), s (statistics and start anew).
 * Addresses are hexadecimal words; a line of the cache holds `line` words. `victim` lines that were evicted last are
 * kept aside and can come back at little cost.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY 4096 /* words */

enum policy { LRU, FIFO, LFU };

struct entry {
    bool valid, dirty;
    unsigned tag;      /* address / line size */
    unsigned long used; /* time of the last use */
    unsigned long filled;
    unsigned uses;
    int *words;
};

struct counters {
    unsigned reads, writes, hits, misses, victim_hits, evictions, write_backs, memory_reads, memory_writes;
};

static int memory[MEMORY];
static unsigned n_sets = 4, n_ways = 2, line_size = 4, n_victims = 0;
static enum policy policy = LRU;
static bool write_through = false;
static struct entry *entries; /* n_sets * n_ways, set by set */
static struct entry *victims;
static unsigned long now;
static struct counters count;

static struct entry *make_entries(unsigned n)
{
    struct entry *made = calloc(n > 0 ? n : 1, sizeof *made);
    if (!made)
        exit(2);
    for (unsigned i = 0; i < n; i++) {
        made[i].words = calloc(line_size, sizeof(int));
        if (!made[i].words)
            exit(2);
    }
    return made;
}

static void free_entries(struct entry *made, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        free(made[i].words);
    free(made);
}

static struct entry *set_of(unsigned tag)
{
    return entries + (tag % n_sets) * n_ways;
}

static void write_back(struct entry *e)
{
    if (!e->valid || !e->dirty)
        return;
    for (unsigned i = 0; i < line_size; i++)
        memory[e->tag * line_size + i] = e->words[i];
    e->dirty = false;
    count.write_backs++;
    count.memory_writes += line_size;
}

static void fetch(struct entry *e, unsigned tag)
{
    for (unsigned i = 0; i < line_size; i++)
        e->words[i] = memory[tag * line_size + i];
    e->valid = true;
    e->dirty = false;
    e->tag = tag;
    e->uses = 0;
    e->filled = now;
    count.memory_reads += line_size;
}

static struct entry *lookup(struct entry *from, unsigned n, unsigned tag)
{
    for (unsigned i = 0; i < n; i++)
        if (from[i].valid && from[i].tag == tag)
            return &from[i];
    return NULL;
}

/* Whether `a` should go rather than `b`. */
static bool worse(const struct entry *a, const struct entry *b)
{
    switch (policy) {
    case LRU:
        return a->used < b->used;
    case FIFO:
        return a->filled < b->filled;
    case LFU:
        if (a->uses != b->uses)
            return a->uses < b->uses;
        return a->used < b->used;
    }
    return false;
}

/* A place in the set: a free one, or the one that is worth least. */
static struct entry *choose(struct entry *set)
{
    struct entry *chosen = NULL;
    for (unsigned i = 0; i < n_ways; i++) {
        if (!set[i].valid)
            return &set[i];
        if (chosen == NULL || worse(&set[i], chosen))
            chosen = &set[i];
    }
    return chosen;
}

static void swap_entries(struct entry *a, struct entry *b)
{
    struct entry kept = *a;
    *a = *b;
    *b = kept;
}

/* Evicts to the victims, of which the oldest has to go. */
static void evict(struct entry *e)
{
    if (!e->valid)
        return;
    count.evictions++;
    if (n_victims == 0) {
        write_back(e);
        e->valid = false;
        return;
    }
    struct entry *oldest = &victims[0];
    for (unsigned i = 0; i < n_victims; i++) {
        if (!victims[i].valid) {
            oldest = &victims[i];
            break;
        }
        if (victims[i].filled < oldest->filled)
            oldest = &victims[i];
    }
    write_back(oldest);
    swap_entries(e, oldest);
    oldest->filled = now;
    e->valid = false;
}

static struct entry *access_line(unsigned tag)
{
    struct entry *e = lookup(set_of(tag), n_ways, tag);
    now++;
    if (e) {
        count.hits++;
    } else {
        count.misses++;
        e = choose(set_of(tag));
        struct entry *victim = lookup(victims, n_victims, tag);
        if (victim) {
            count.victim_hits++;
            swap_entries(e, victim);
            victim->filled = now;
            e->filled = now;
            e->uses = 0;
        } else {
            evict(e);
            fetch(e, tag);
        }
    }
    e->used = now;
    e->uses++;
    return e;
}

static int read_word(unsigned address)
{
    count.reads++;
    struct entry *e = access_line(address / line_size);
    return e->words[address % line_size];
}

static void write_word(unsigned address, int value)
{
    count.writes++;
    struct entry *e = access_line(address / line_size);
    e->words[address % line_size] = value;
    if (write_through) {
        memory[address] = value;
        count.memory_writes++;
    } else {
        e->dirty = true;
    }
}

static void flush(void)
{
    for (unsigned i = 0; i < n_sets * n_ways; i++) {
        write_back(&entries[i]);
        entries[i].valid = false;
    }
    for (unsigned i = 0; i < n_victims; i++) {
        write_back(&victims[i]);
        victims[i].valid = false;
    }
}

static void print_entry(const struct entry *e)
{
    if (!e->valid) {
        printf(" -");
        return;
    }
    printf(" %x%s", e->tag * line_size, e->dirty ? "*" : "");
}

static void print_sets(void)
{
    for (unsigned s = 0; s < n_sets; s++) {
        printf("set %u:", s);
        for (unsigned w = 0; w < n_ways; w++)
            print_entry(&entries[s * n_ways + w]);
        printf("\n");
    }
    if (n_victims > 0) {
        printf("victims:");
        for (unsigned i = 0; i < n_victims; i++)
            print_entry(&victims[i]);
        printf("\n");
    }
}

static void statistics(void)
{
    unsigned accesses = count.reads + count.writes;
    printf("%u reads, %u writes, %u hits, %u misses", count.reads, count.writes, count.hits, count.misses);
    if (accesses > 0)
        printf(" (%u.%u%%)", 1000 * count.hits / accesses / 10, 1000 * count.hits / accesses % 10);
    printf("\n%u evictions, %u written back, %u victim hits, memory %u read %u written\n", count.evictions,
           count.write_backs, count.victim_hits, count.memory_reads, count.memory_writes);
    memset(&count, 0, sizeof count);
}

static bool option(const char *text)
{
    unsigned n;
    if (sscanf(text, "sets=%u", &n) == 1)
        n_sets = n;
    else if (sscanf(text, "ways=%u", &n) == 1)
        n_ways = n;
    else if (sscanf(text, "line=%u", &n) == 1)
        line_size = n;
    else if (sscanf(text, "victim=%u", &n) == 1)
        n_victims = n;
    else if (strcmp(text, "policy=lru") == 0)
        policy = LRU;
    else if (strcmp(text, "policy=fifo") == 0)
        policy = FIFO;
    else if (strcmp(text, "policy=lfu") == 0)
        policy = LFU;
    else if (strcmp(text, "write=through") == 0)
        write_through = true;
    else if (strcmp(text, "write=back") == 0)
        write_through = false;
    else
        return false;
    return n_sets >= 1 && n_sets <= 64 && n_ways >= 1 && n_ways <= 16 && line_size >= 1 && line_size <= 16 &&
           MEMORY % line_size == 0 && n_victims <= 8;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!option(argv[i])) {
            printf("bad option %s\n", argv[i]);
            return 0;
        }
    }
    for (int i = 0; i < MEMORY; i++)
        memory[i] = i;
    entries = make_entries(n_sets * n_ways);
    victims = make_entries(n_victims);
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        char what;
        unsigned address = 0;
        int value = 0;
        int fields = sscanf(line, " %c %x %d", &what, &address, &value);
        if (fields < 1 || what == '#')
            continue;
        if (address >= MEMORY) {
            printf("bad address %x\n", address);
        } else if (what == 'r' && fields >= 2) {
            printf("%x: %d\n", address, read_word(address));
        } else if (what == 'w' && fields == 3) {
            write_word(address, value);
        } else if (what == 'f') {
            flush();
        } else if (what == 'p') {
            print_sets();
        } else if (what == 's') {
            statistics();
        } else {
            printf("bad line: %s", line);
        }
    }
    flush();
    statistics();
    long sum = 0;
    for (int i = 0; i < MEMORY; i++)
        sum += (long)memory[i] * (i % 7 + 1);
    printf("memory sum %ld\n", sum);
    free_entries(entries, n_sets * n_ways);
    free_entries(victims, n_victims);
    return 0;
}
