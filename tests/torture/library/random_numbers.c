/* rand(), random() and rand_r() draw what glibc's do, from any seed, with states of any size, and before anybody has set a seed. */
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

int main(void) {
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
