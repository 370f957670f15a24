/* mandelbrot: one picture of the Mandelbrot set, its rows shared out over the PEs.
 *
 *     mogrun -n 1024 ./mandelbrot                   makes mandelbrot.ppm, 1024 x 1024
 *     mogrun -n 64 ./mandelbrot 200 150 small.ppm
 *
 * All PEs open the same file. The size of every row is known, so each PE writes its own rows at their places, in any
 * order, and nobody waits for anybody.
 */
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STEPS = 200, WIDEST = 4096 };

/* What is seen: the set with a little room around it. */
static const double centre_re = -0.65, centre_im = 0.0, height_im = 2.6;

/* How many steps until z = z^2 + c leaves the circle that it does not come back from; MOST_STEPS if it stays. */
static int steps(double re, double im) {
    double x = 0, y = 0, xx = 0, yy = 0;
    int n = 0;
    while (xx + yy <= 4.0 && n < MOST_STEPS) {
        y = 2 * x * y + im;
        x = xx - yy + re;
        xx = x * x;
        yy = y * y;
        n++;
    }
    return n;
}

/* Dark blue through white to brown, black inside. */
static void colour(int n, unsigned char *rgb) {
    static const unsigned char stops[6][3] = {{0, 7, 100}, {32, 107, 203}, {237, 255, 255}, {255, 170, 0}, {120, 40, 0}, {0, 7, 100}};
    if (n == MOST_STEPS) {
        rgb[0] = rgb[1] = rgb[2] = 0;
        return;
    }
    int place = n * 16 % (5 * 64), stop = place / 64, part = place % 64;
    for (int i = 0; i < 3; i++) rgb[i] = (unsigned char)((stops[stop][i] * (64 - part) + stops[stop + 1][i] * part) / 64);
}

static int write_all(int file, const void *bytes, size_t count) {
    for (const char *p = bytes; count;) {
        ssize_t written = write(file, p, count);
        if (written <= 0) return -1;
        p += written;
        count -= (size_t)written;
    }
    return 0;
}

int main(int argc, char **argv) {
    int width = argc > 2 ? atoi(argv[1]) : 1024, height = argc > 2 ? atoi(argv[2]) : 1024;
    const char *name = argc > 3 ? argv[3] : "mandelbrot.ppm";
    if (argc == 2 || width < 1 || width > WIDEST || height < 1) {
        if (mog_rank() == 0) fprintf(stderr, "usage: mandelbrot [WIDTH HEIGHT [FILE]], with a width up to %d\n", WIDEST);
        return 2;
    }

    int file = open(name, O_WRONLY | O_CREAT, 0644); /* not O_TRUNC: a late PE would erase what others wrote */
    if (file < 0) {
        perror(name);
        return 1;
    }
    char header[40];
    int header_size = snprintf(header, sizeof header, "P6\n%d %d\n255\n", width, height);
    if (mog_rank() == 0 && write_all(file, header, (size_t)header_size)) {
        perror(name);
        return 1;
    }

    static unsigned char row[3 * WIDEST];
    double scale = height_im / height;
    for (int y = mog_rank(); y < height; y += mog_size()) {
        for (int x = 0; x < width; x++)
            colour(steps(centre_re + (x - width / 2) * scale, centre_im + (height / 2 - y) * scale), row + 3 * x);
        long offset = header_size + 3L * width * y;
        if (lseek(file, offset, SEEK_SET) != offset || write_all(file, row, 3 * (size_t)width)) {
            perror(name);
            return 1;
        }
    }
    close(file);
    if (mog_rank() == 0) printf("%s: %d x %d\n", name, width, height);
    return 0;
}
