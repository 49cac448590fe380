/* Answers questions about a map of places and roads.
 *
 *   road A B LENGTH [oneway]     path A B       shortest way
 *   close A B                    tree           cheapest roads that join all (two-way ones)
 *   order                        an order in which one-way roads lead forward, or a circle
 *   parts                        places that can reach each other by two-way roads
 *   bridges                      two-way roads whose closing would part the map
 *   near A DISTANCE              places within a distance
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 40, NAME = 12 };

typedef struct Road {
    int to;
    int length;
    bool one_way;
    struct Road *next;
} Road;

static char names[MAX_PLACES][NAME];
static Road *roads[MAX_PLACES];
static int n_places;

/* A heap of places by distance, with the place of each in it. */
static int heap[MAX_PLACES], where[MAX_PLACES], heap_size;
static int distance[MAX_PLACES], before[MAX_PLACES];

static int place(const char *name) {
    for (int i = 0; i < n_places; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static int place_or_new(const char *name) {
    int i = place(name);
    if (i >= 0)
        return i;
    if (n_places == MAX_PLACES)
        return -1;
    snprintf(names[n_places], NAME, "%s", name);
    return n_places++;
}

/* Roads of a place are kept in the order of names, so that answers do not depend on the order of input. */
static void add_road(int from, int to, int length, bool one_way) {
    Road **at = &roads[from];
    while (*at != NULL && strcmp(names[(*at)->to], names[to]) < 0)
        at = &(*at)->next;
    Road *road = malloc(sizeof *road);
    if (road == NULL)
        exit(2);
    *road = (Road){to, length, one_way, *at};
    *at = road;
}

static bool remove_road(int from, int to) {
    for (Road **at = &roads[from]; *at != NULL; at = &(*at)->next) {
        if ((*at)->to == to) {
            Road *gone = *at;
            *at = gone->next;
            free(gone);
            return true;
        }
    }
    return false;
}

static void put(int i, int p) {
    heap[i] = p;
    where[p] = i;
}

static void sift_up(int i) {
    int p = heap[i];
    while (i > 0 && distance[heap[(i - 1) / 2]] > distance[p]) {
        put(i, heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put(i, p);
}

static void sift_down(int i) {
    int p = heap[i];
    for (;;) {
        int child = 2 * i + 1;
        if (child >= heap_size)
            break;
        if (child + 1 < heap_size && distance[heap[child + 1]] < distance[heap[child]])
            child++;
        if (distance[heap[child]] >= distance[p])
            break;
        put(i, heap[child]);
        i = child;
    }
    put(i, p);
}

static int take_nearest(void) {
    int p = heap[0];
    heap_size--;
    if (heap_size > 0) {
        put(0, heap[heap_size]);
        sift_down(0);
    }
    where[p] = -1;
    return p;
}

static void measure(int from) {
    for (int i = 0; i < n_places; i++) {
        distance[i] = INT_MAX;
        before[i] = -1;
        where[i] = -1;
    }
    distance[from] = 0;
    heap_size = 0;
    put(heap_size++, from);
    while (heap_size > 0) {
        int p = take_nearest();
        for (const Road *r = roads[p]; r != NULL; r = r->next) {
            int through = distance[p] + r->length;
            if (through >= distance[r->to])
                continue;
            distance[r->to] = through;
            before[r->to] = p;
            if (where[r->to] < 0)
                put(heap_size++, r->to);
            sift_up(where[r->to]);
        }
    }
}

static void print_way(int to) {
    if (before[to] >= 0) {
        print_way(before[to]);
        printf(" ");
    }
    printf("%s", names[to]);
}

static void path(int from, int to) {
    measure(from);
    if (distance[to] == INT_MAX) {
        printf("no way from %s to %s\n", names[from], names[to]);
        return;
    }
    printf("%d: ", distance[to]);
    print_way(to);
    printf("\n");
}

static int by_name(const void *a, const void *b) {
    return strcmp(names[*(const int *)a], names[*(const int *)b]);
}

static void sorted_places(int *order) {
    for (int i = 0; i < n_places; i++)
        order[i] = i;
    qsort(order, (size_t)n_places, sizeof order[0], by_name);
}

static void near(int from, int most) {
    int order[MAX_PLACES];
    measure(from);
    sorted_places(order);
    for (int i = 0; i < n_places; i++)
        if (order[i] != from && distance[order[i]] <= most)
            printf("%s %d\n", names[order[i]], distance[order[i]]);
}

/* Disjoint sets of places. */
static int parent[MAX_PLACES];

static int root(int p) {
    while (parent[p] != p) {
        parent[p] = parent[parent[p]];
        p = parent[p];
    }
    return p;
}

typedef struct {
    int a, b, length;
} Edge;

static int by_length(const void *left, const void *right) {
    const Edge *l = left, *r = right;
    if (l->length != r->length)
        return l->length < r->length ? -1 : 1;
    int c = strcmp(names[l->a], names[r->a]);
    return c != 0 ? c : strcmp(names[l->b], names[r->b]);
}

static void tree(void) {
    Edge *edges = NULL;
    int n = 0, total = 0, joined = 0;
    for (int a = 0; a < n_places; a++) {
        parent[a] = a;
        for (const Road *r = roads[a]; r != NULL; r = r->next) {
            /* Each two-way road is there twice. */
            if (r->one_way || strcmp(names[a], names[r->to]) >= 0)
                continue;
            edges = realloc(edges, (size_t)(n + 1) * sizeof *edges);
            if (edges == NULL)
                exit(2);
            edges[n++] = (Edge){a, r->to, r->length};
        }
    }
    if (n > 0)
        qsort(edges, (size_t)n, sizeof *edges, by_length);
    for (int i = 0; i < n; i++) {
        int a = root(edges[i].a), b = root(edges[i].b);
        if (a == b)
            continue;
        parent[a] = b;
        total += edges[i].length;
        joined++;
        printf("%s-%s %d\n", names[edges[i].a], names[edges[i].b], edges[i].length);
    }
    printf("total %d%s\n", total, joined + 1 < n_places ? ", not all joined" : "");
    free(edges);
}

static void parts(void) {
    int order[MAX_PLACES], number[MAX_PLACES], n = 0;
    for (int i = 0; i < n_places; i++)
        parent[i] = i;
    for (int a = 0; a < n_places; a++)
        for (const Road *r = roads[a]; r != NULL; r = r->next)
            if (!r->one_way)
                parent[root(a)] = root(r->to);
    sorted_places(order);
    memset(number, 0, sizeof number);
    for (int i = 0; i < n_places; i++) {
        int part = root(order[i]);
        if (number[part] != 0)
            continue;
        number[part] = ++n;
        printf("%d:", n);
        for (int k = i; k < n_places; k++)
            if (root(order[k]) == part)
                printf(" %s", names[order[k]]);
        printf("\n");
    }
}

/* One-way roads only. 0: not seen, 1: on the way, 2: done. */
static int colour[MAX_PLACES], finished[MAX_PLACES], n_finished;

static bool visit(int p) {
    colour[p] = 1;
    for (const Road *r = roads[p]; r != NULL; r = r->next) {
        if (!r->one_way)
            continue;
        if (colour[r->to] == 1) {
            printf("circle through %s and %s\n", names[p], names[r->to]);
            return false;
        }
        if (colour[r->to] == 0 && !visit(r->to))
            return false;
    }
    colour[p] = 2;
    finished[n_finished++] = p;
    return true;
}

static void order(void) {
    int by_names[MAX_PLACES];
    sorted_places(by_names);
    memset(colour, 0, sizeof colour);
    n_finished = 0;
    /* Backwards, so that places that do not matter to each other stand in the order of names. */
    for (int i = n_places - 1; i >= 0; i--)
        if (colour[by_names[i]] == 0 && !visit(by_names[i]))
            return;
    for (int i = n_finished - 1; i >= 0; i--)
        printf("%s%s", names[finished[i]], i > 0 ? " " : "\n");
}

static int entered[MAX_PLACES], low[MAX_PLACES], clock_now, n_bridges;

static void seek_bridges(int p, int from) {
    int returns = 0;
    entered[p] = low[p] = ++clock_now;
    for (const Road *r = roads[p]; r != NULL; r = r->next) {
        if (r->one_way)
            continue;
        /* The road we came by; a second one between the same places is a way round. */
        if (r->to == from && returns++ == 0)
            continue;
        if (entered[r->to] != 0) {
            if (entered[r->to] < low[p])
                low[p] = entered[r->to];
            continue;
        }
        seek_bridges(r->to, p);
        if (low[r->to] < low[p])
            low[p] = low[r->to];
        if (low[r->to] > entered[p]) {
            printf("%s-%s\n", names[p], names[r->to]);
            n_bridges++;
        }
    }
}

static void bridges(void) {
    int by_names[MAX_PLACES];
    sorted_places(by_names);
    memset(entered, 0, sizeof entered);
    clock_now = n_bridges = 0;
    for (int i = 0; i < n_places; i++)
        if (entered[by_names[i]] == 0)
            seek_bridges(by_names[i], -1);
    printf("%d bridges\n", n_bridges);
}

static void obey(const char *line) {
    char word[12], a[NAME] = "", b[NAME] = "", way[8] = "";
    int n = 0;
    if (sscanf(line, "%11s", word) < 1 || word[0] == '#')
        return;
    if (strcmp(word, "road") == 0) {
        int fields = sscanf(line, "road %11s %11s %d %7s", a, b, &n, way);
        int from = fields >= 3 && n >= 0 && strcmp(a, b) != 0 ? place_or_new(a) : -1;
        int to = from >= 0 ? place_or_new(b) : -1;
        if (to < 0) {
            printf("bad road\n");
            return;
        }
        bool one_way = strcmp(way, "oneway") == 0;
        add_road(from, to, n, one_way);
        if (!one_way)
            add_road(to, from, n, false);
        return;
    }
    if (strcmp(word, "tree") == 0) {
        tree();
    } else if (strcmp(word, "order") == 0) {
        order();
    } else if (strcmp(word, "parts") == 0) {
        parts();
    } else if (strcmp(word, "bridges") == 0) {
        bridges();
    } else if (strcmp(word, "near") == 0) {
        if (sscanf(line, "near %11s %d", a, &n) == 2 && place(a) >= 0)
            near(place(a), n);
        else
            printf("near what?\n");
    } else if (sscanf(line, "%*s %11s %11s", a, b) != 2 || place(a) < 0 || place(b) < 0) {
        printf("%s what?\n", word);
    } else if (strcmp(word, "path") == 0) {
        path(place(a), place(b));
    } else if (strcmp(word, "close") == 0) {
        bool there = remove_road(place(a), place(b));
        bool back = remove_road(place(b), place(a));
        if (!there && !back)
            printf("no road %s %s\n", a, b);
    } else {
        printf("%s?\n", word);
    }
}

int main(void) {
    char line[120];
    while (fgets(line, sizeof line, stdin) != NULL)
        obey(line);
    for (int i = 0; i < n_places; i++)
        while (roads[i] != NULL)
            remove_road(i, roads[i]->to);
    return 0;
}
