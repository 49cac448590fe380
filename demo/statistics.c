// Reads readings ("NAME VALUE" lines), prints mean and spread of each sensor, and the sensor that varies most.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SENSORS 8
#define READINGS 6

struct sensor {
    char name[12];
    double readings[READINGS];
    int count;
};

static struct sensor sensors[SENSORS];
static int sensor_count;

static struct sensor *find(const char *name) {
    for (int i = 0; i < sensor_count; i++)
        if (strcmp(sensors[i].name, name) == 0) return &sensors[i];
    if (sensor_count == SENSORS) return NULL;
    struct sensor *s = &sensors[sensor_count++];
    strncpy(s->name, name, sizeof s->name - 1);
    return s;
}

static void add(struct sensor *s, double value) {
    if (s->count <= READINGS) // the fault: one reading too many is let in, and overwrites the count
        s->readings[s->count++] = value;
}

static double mean(const struct sensor *s) {
    double sum = 0;
    for (int i = 0; i < s->count; i++) sum += s->readings[i];
    return sum / s->count;
}

static double spread(const struct sensor *s) {
    double m = mean(s), sum = 0;
    for (int i = 0; i < s->count; i++) sum += (s->readings[i] - m) * (s->readings[i] - m);
    return sum / s->count;
}

int main(void) {
    char name[64];
    double value;
    while (scanf("%11s %lf", name, &value) == 2) {
        struct sensor *s = find(name);
        if (s) add(s, value);
    }
    struct sensor *widest = NULL;
    for (int i = 0; i < sensor_count; i++) {
        struct sensor *s = &sensors[i];
        printf("%-11s %3d readings, mean %7.2f, spread %7.2f\n", s->name, s->count, mean(s), spread(s));
        if (!widest || spread(s) > spread(widest)) widest = s;
    }
    if (widest) printf("varies most: %s\n", widest->name);
    return 0;
}
