/* rand(), random(), rand_r() and drand48()'s family draw what glibc's do, from any seed, with states of any size, and before anybody has set a seed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const unsigned seeds[] = {0, 1, 42, 4000000000u};
static const unsigned bytes[] = {8, 32, 64, 128, 256};
static int tables[5][64];

static void some(const char *what, int index) {
    printf("%s %d:", what, index);
    for (int i = 0; i < 4; i++) printf(" %ld", random());
    for (int i = 0; i < 500; i++) rand();
    printf(" .. %d\n", rand());
}

static void of_48_bits(const char *what) {
    printf("%s: %.17g %ld %ld\n", what, drand48(), lrand48(), mrand48());
}

static void drand48s(void) {
    unsigned short at[3] = {1, 2, 65535}, other[3] = {7, 8, 9}, seven[7] = {1, 2, 3, 4, 5, 6, 7};
    struct drand48_data data = {0};
    double real;
    long number, unsteady;
    of_48_bits("without a seed");
    printf("%.17g %ld", erand48(at), nrand48(at));
    printf(" %ld; %u %u %u\n", jrand48(at), at[0], at[1], at[2]);
    srand48(-5);
    of_48_bits("seed");
    unsigned short *before = seed48(other);
    printf("%u %u %u\n", before[0], before[1], before[2]);
    of_48_bits("another");
    lcong48(seven);
    of_48_bits("factors");
    printf("%.17g\n", erand48(at));
    srand48(0x7fffffff);
    of_48_bits("factors as before");
    drand48_r(&data, &real);
    printf("%.17g", real);
    srand48_r(77, &data);
    lrand48_r(&data, &number);
    mrand48_r(&data, &unsteady);
    printf(" %ld %ld", number, unsteady);
    seed48_r(other, &data);
    lcong48_r(seven, &data);
    nrand48_r(at, &data, &number);
    jrand48_r(at, &data, &unsteady);
    erand48_r(at, &data, &real);
    printf(" %ld %ld %.17g\n", number, unsteady, real);
}

int main(void) {
    drand48s();
    some("without a seed", 0);
    for (int i = 0; i < 4; i++) {
        unsigned state = seeds[i];
        srand(seeds[i]);
        some("seed", i);
        printf("%d ", rand_r(&state));
        printf("%d %u\n", rand_r(&state), state);
    }
    char *usual = initstate(5, (char *)tables[0], bytes[0]);
    for (int i = 0; i < 5; i++) {
        initstate(7u + (unsigned)i, (char *)tables[i], bytes[i]);
        some("state", i);
    }
    for (int i = 4; i >= 0; i--) {
        setstate((char *)tables[i]);
        some("again", i);
        printf("its first word %d\n", tables[i][0]);
    }
    srandom(9);
    some("seed of a small state", 9);
    setstate(usual);
    some("the first one again", 0);
    errno = 0;
    printf("%d ", initstate(1, (char *)tables[0], 7) == NULL);
    printf("%d %d\n", errno == EINVAL, RAND_MAX == 0x7fffffff);
    return 0;
}
