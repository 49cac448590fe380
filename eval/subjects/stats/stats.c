/* Statistics of numbers on standard input, one or two a line.
 *
 *   stats summary             number, sum, mean, deviation, extremes, median, quartiles
 *   stats histogram [BINS]    bars of '*'
 *   stats trim PERCENT        the mean without that share at either end
 *   stats fit                 a line through points x y, correlation
 *   stats smooth WIDTH        moving averages
 *   stats outliers            those beyond 1.5 times the distance of the quartiles
 *   stats ranks               ranks, ties share the mean of theirs
 *
 * Lines that begin with '#' are comments; words that are no numbers are counted as bad.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double *values;
    size_t count, room;
} Series;

static int bad;

static void series_add(Series *s, double value) {
    if (s->count == s->room) {
        s->room = s->room == 0 ? 8 : 2 * s->room;
        s->values = realloc(s->values, s->room * sizeof *s->values);
        if (s->values == NULL)
            exit(2);
    }
    s->values[s->count++] = value;
}

static void read_numbers(Series *xs, Series *ys) {
    char line[1024];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int column = 0;
        if (line[0] == '#')
            continue;
        for (char *word = strtok(line, " \t\n,"); word != NULL; word = strtok(NULL, " \t\n,")) {
            char *end;
            double value = strtod(word, &end);
            if (*end != '\0') {
                bad++;
                continue;
            }
            series_add(ys != NULL && column % 2 == 1 ? ys : xs, value);
            column++;
        }
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static Series sorted(const Series *s) {
    Series copy = {0};
    for (size_t i = 0; i < s->count; i++)
        series_add(&copy, s->values[i]);
    if (copy.count > 0)
        qsort(copy.values, copy.count, sizeof *copy.values, ascending);
    return copy;
}

/* Compensated, so that small values are not lost beside large ones. */
static double sum(const Series *s) {
    double total = 0, lost = 0;
    for (size_t i = 0; i < s->count; i++) {
        double value = s->values[i] - lost;
        double next = total + value;
        lost = (next - total) - value;
        total = next;
    }
    return total;
}

static double mean(const Series *s) {
    return s->count == 0 ? 0 : sum(s) / (double)s->count;
}

/* Of a sample: divided by n - 1. */
static double variance(const Series *s) {
    if (s->count < 2)
        return 0;
    double m = mean(s), squares = 0;
    for (size_t i = 0; i < s->count; i++) {
        double d = s->values[i] - m;
        squares += d * d;
    }
    return squares / (double)(s->count - 1);
}

/* The value below which a share of a sorted series lies, between neighbours by interpolation. */
static double quantile(const Series *s, double share) {
    double position = share * (double)(s->count - 1);
    size_t below = (size_t)position;
    double part = position - (double)below;
    if (below + 1 >= s->count)
        return s->values[s->count - 1];
    return s->values[below] * (1 - part) + s->values[below + 1] * part;
}

static void summary(const Series *s) {
    printf("n %zu\n", s->count);
    if (s->count == 0)
        return;
    Series in_order = sorted(s);
    printf("sum %.6g\n", sum(s));
    printf("mean %.6g\n", mean(s));
    printf("deviation %.6g\n", sqrt(variance(s)));
    printf("least %.6g\n", in_order.values[0]);
    printf("quartiles %.6g %.6g %.6g\n", quantile(&in_order, 0.25), quantile(&in_order, 0.5), quantile(&in_order, 0.75));
    printf("greatest %.6g\n", in_order.values[in_order.count - 1]);
    free(in_order.values);
}

static void histogram(const Series *s, int bins) {
    enum { MAX_BINS = 50, WIDTH = 40 };
    int counts[MAX_BINS] = {0};
    if (s->count == 0 || bins < 1 || bins > MAX_BINS) {
        printf("no histogram\n");
        return;
    }
    Series in_order = sorted(s);
    double low = in_order.values[0], high = in_order.values[in_order.count - 1];
    double width = (high - low) / bins;
    int fullest = 0;
    for (size_t i = 0; i < s->count; i++) {
        int bin = width > 0 ? (int)((in_order.values[i] - low) / width) : 0;
        /* The greatest value belongs to the last bin. */
        if (bin >= bins)
            bin = bins - 1;
        counts[bin]++;
        if (counts[bin] > fullest)
            fullest = counts[bin];
    }
    for (int bin = 0; bin < bins; bin++) {
        int stars = fullest > WIDTH ? counts[bin] * WIDTH / fullest : counts[bin];
        printf("%10.3f %4d ", low + bin * width, counts[bin]);
        while (stars-- > 0)
            putchar('*');
        putchar('\n');
    }
    free(in_order.values);
}

static void trimmed_mean(const Series *s, double percent) {
    if (percent < 0 || percent >= 50 || s->count == 0) {
        printf("cannot trim\n");
        return;
    }
    Series in_order = sorted(s);
    size_t cut = (size_t)((double)s->count * percent / 100);
    Series middle = {in_order.values + cut, in_order.count - 2 * cut, 0};
    printf("kept %zu of %zu\n", middle.count, s->count);
    printf("trimmed mean %.6g\n", mean(&middle));
    free(in_order.values);
}

static void fit(const Series *xs, const Series *ys) {
    if (xs->count != ys->count || xs->count < 2) {
        printf("not enough points\n");
        return;
    }
    double mx = mean(xs), my = mean(ys);
    double sxx = 0, sxy = 0, syy = 0;
    for (size_t i = 0; i < xs->count; i++) {
        double dx = xs->values[i] - mx, dy = ys->values[i] - my;
        sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
    }
    if (sxx == 0) {
        printf("vertical at %.6g\n", mx);
        return;
    }
    double slope = sxy / sxx;
    double intercept = my - slope * mx;
    printf("slope %.6g\nintercept %.6g\n", slope, intercept);
    if (syy > 0)
        printf("correlation %.6g\n", sxy / sqrt(sxx * syy));
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < xs->count; i++) {
        double residual = fabs(ys->values[i] - (intercept + slope * xs->values[i]));
        if (residual > worst) {
            worst = residual;
            where = i;
        }
    }
    printf("largest residual %.4f at point %zu\n", worst, where + 1);
}

static void smooth(const Series *s, int width) {
    if (width < 1) {
        printf("width must be positive\n");
        return;
    }
    double window = 0;
    for (size_t i = 0; i < s->count; i++) {
        window += s->values[i];
        if (i >= (size_t)width)
            window -= s->values[i - (size_t)width];
        size_t in_window = i + 1 < (size_t)width ? i + 1 : (size_t)width;
        printf("%.4f\n", window / (double)in_window);
    }
}

static void outliers(const Series *s) {
    int found = 0;
    if (s->count > 0) {
        Series in_order = sorted(s);
        double lower = quantile(&in_order, 0.25), upper = quantile(&in_order, 0.75);
        double reach = 1.5 * (upper - lower);
        for (size_t i = 0; i < s->count; i++) {
            double value = s->values[i];
            if (value < lower - reach || value > upper + reach) {
                printf("%zu: %.6g\n", i + 1, value);
                found++;
            }
        }
        free(in_order.values);
    }
    printf("%d outliers\n", found);
}

static void ranks(const Series *s) {
    for (size_t i = 0; i < s->count; i++) {
        size_t less = 0, equal = 0;
        for (size_t k = 0; k < s->count; k++) {
            if (s->values[k] < s->values[i])
                less++;
            else if (s->values[k] == s->values[i])
                equal++;
        }
        printf("%.6g %.1f\n", s->values[i], (double)less + (double)(equal + 1) / 2);
    }
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "summary";
    Series xs = {0}, ys = {0};
    int is_fit = strcmp(what, "fit") == 0;
    read_numbers(&xs, is_fit ? &ys : NULL);
    if (strcmp(what, "summary") == 0)
        summary(&xs);
    else if (strcmp(what, "histogram") == 0)
        histogram(&xs, argc > 2 ? atoi(argv[2]) : 10);
    else if (strcmp(what, "trim") == 0)
        trimmed_mean(&xs, argc > 2 ? atof(argv[2]) : 10);
    else if (is_fit)
        fit(&xs, &ys);
    else if (strcmp(what, "smooth") == 0)
        smooth(&xs, argc > 2 ? atoi(argv[2]) : 3);
    else if (strcmp(what, "outliers") == 0)
        outliers(&xs);
    else if (strcmp(what, "ranks") == 0)
        ranks(&xs);
    else
        printf("%s?\n", what);
    if (bad > 0)
        printf("%d bad words\n", bad);
    free(xs.values);
    free(ys.values);
    return 0;
}
