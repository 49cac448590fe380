/* Scales one point to the magnitude of another; wrong for the origin, and without a second point. Shape and lines are
   those of figure 1 of Artzi, Dolby, Tip and Pistoia, so the last brace stands with the last statement. */
#include <math.h>
#include <stdio.h>
struct point { double x, y; };

static void magnitude(const struct point *p, double *result) {
    *result = sqrt(p->x * p->x + p->y * p->y); }


static void scale(struct point *p, const struct point *by) {
    struct point to = *by; double m, n; magnitude(&to, &m); magnitude(p, &n); double factor = m / n;
    p->x = p->x * factor;
    p->y = p->y * factor; }


int main(void) {
    struct point x = {0, 0}, target, *by = NULL; double in[4] = {0, 0, 0, 0};
    int given = scanf("%lf %lf %lf %lf", &in[0], &in[1], &in[2], &in[3]);
    x.x = in[0], x.y = in[1];

    if (given == 4 &&
        in[2] >= 0) {
        by = &target;
        by->x = in[2];
        by->y = in[3]; }


    scale(&x, by);

    double m; magnitude(&x, &m); return printf("%g %g %g\n", x.x, x.y, m) < 0; }
