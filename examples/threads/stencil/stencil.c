/* stencil: two substances spread over a plate, feed on each other and decay (Gray and Scott's model), and make patterns; the rows are shared out over
 * the threads of a team. What becomes of them is a picture.
 *
 *     mogcc -O2 -fopenmp stencil.c -o stencil
 *     ./stencil                                     64 by 48, 400 steps, into stencil.ppm
 *     mogrun --threads 64 ./stencil 256 256 8000 large.ppm
 *
 * A step reads one plate and writes the other, so that no thread waits for another but at the end of the step. All are in one parallel region,
 * for to begin one costs more than a barrier.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* In units of 2^-20, as whole numbers: the same on every machine. */
enum { ONE = 1 << 20, FEED = (int)(0.055 * ONE), KILL = (int)(0.062 * ONE), LEAST = 4, MOST = 4096 };
static int times(int a, int b) { return (int)((long long)a * b >> 20); }

struct cell {
    int u, v;
};
static int width, height;

/* The neighbours' mean, without what is here; the plate's edges meet. */
static struct cell spread(const struct cell *plate, int x, int y) {
    const int left = x ? x - 1 : width - 1, right = x + 1 < width ? x + 1 : 0;
    const struct cell *here = plate + y * width, *above = plate + (y ? y - 1 : height - 1) * width, *below = plate + (y + 1 < height ? y + 1 : 0) * width;
    const int u = here[left].u + here[right].u + above[x].u + below[x].u, v = here[left].v + here[right].v + above[x].v + below[x].v;
    const int corner_u = above[left].u + above[right].u + below[left].u + below[right].u;
    const int corner_v = above[left].v + above[right].v + below[left].v + below[right].v;
    return (struct cell){u / 5 + corner_u / 20 - here[x].u, v / 5 + corner_v / 20 - here[x].v};
}

static void step(const struct cell *from, struct cell *to) {
#pragma omp for schedule(static)
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const struct cell now = from[y * width + x], more = spread(from, x, y);
            const int reaction = times(now.u, times(now.v, now.v));
            to[y * width + x].u = now.u + more.u - reaction + times(FEED, ONE - now.u);
            to[y * width + x].v = now.v + more.v / 2 + reaction - times(FEED + KILL, now.v);
        }
}

/* Dark blue to yellow. */
static void colour(int v, unsigned char *rgb) {
    static const unsigned char stops[4][3] = {{12, 16, 60}, {30, 110, 150}, {120, 200, 130}, {255, 235, 120}};
    int shade = v / (ONE / 1000);
    shade = shade < 0 ? 0 : shade > 383 ? 383 : shade;
    const int stop = shade / 128, part = shade % 128;
    for (int i = 0; i < 3; ++i) rgb[i] = (unsigned char)((stops[stop][i] * (128 - part) + stops[stop + 1][i] * part) / 128);
}

static int write_picture(const char *name, const struct cell *plate) {
    unsigned char *picture = malloc(3 * (size_t)width * (size_t)height);
    FILE *file = fopen(name, "wb");
    if (!file || !picture) return perror(name), 1;
#pragma omp parallel for
    for (int i = 0; i < width * height; ++i) colour(plate[i].v, picture + 3 * i);
    fprintf(file, "P6 %d %d 255\n", width, height);
    fwrite(picture, 3, (size_t)width * (size_t)height, file);
    free(picture);
    return fclose(file) ? perror(name), 1 : 0;
}

int main(int argc, char **argv) {
    width = argc > 2 ? atoi(argv[1]) : 64;
    height = argc > 2 ? atoi(argv[2]) : 48;
    const int steps = argc > 3 ? atoi(argv[3]) : 400;
    const char *name = argc > 4 ? argv[4] : "stencil.ppm";
    if (argc == 2 || argc > 5 || width < LEAST || width > MOST || height < LEAST || height > MOST || steps < 0) {
        fprintf(stderr, "usage: stencil [WIDTH HEIGHT [STEPS [FILE]]], with %d to %d for either side\n", LEAST, MOST);
        return 2;
    }
    const size_t bytes = sizeof(struct cell) * (size_t)width * (size_t)height;
    struct cell *plates[2] = {malloc(bytes), malloc(bytes)};
    if (!plates[0] || !plates[1]) return perror("stencil"), 1;
    for (int i = 0; i < width * height; ++i) plates[0][i] = (struct cell){ONE, 0};
    /* A few spots of the second substance. */
    unsigned number = 7;
    for (int spot = 0; spot < width * height / 1000 + 2; ++spot) {
        const unsigned x = (number = number * 1103515245 + 12345) >> 8, y = (number = number * 1103515245 + 12345) >> 8;
        for (unsigned i = 0; i < 64; ++i) plates[0][(y + i / 8) % (unsigned)height * (unsigned)width + (x + i % 8) % (unsigned)width] = (struct cell){ONE / 2, ONE};
    }

#pragma omp parallel
    for (int i = 0; i < steps; ++i) step(plates[i % 2], plates[1 - i % 2]);

    const struct cell *plate = plates[steps % 2];
    long long u = 0, v = 0;
#pragma omp parallel for reduction(+ : u, v)
    for (int i = 0; i < width * height; ++i) u += plate[i].u, v += plate[i].v;
    const int cells = width * height;
    printf("%d by %d, %d steps: %lld thousandths of one substance and %lld of the other\n", width, height, steps, u * 1000 / ONE / cells, v * 1000 / ONE / cells);
    const int failed = write_picture(name, plate);
    free(plates[0]);
    free(plates[1]);
    return failed;
}
