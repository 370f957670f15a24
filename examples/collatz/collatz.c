/* collatz: which number below a limit takes the most steps to 1, if even n become n / 2 and odd ones 3 n + 1?
 *
 *     mogrun -n 1024 ./collatz 1000000 | sort -k 5n | tail -n 1
 *
 * The numbers are shared out one by one, since steps are many for some and few for others. Each PE prints the best of
 * its own; one PE alone has the best of all.
 */
#include <mog.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int steps(uint64_t n) {
    int count = 0;
    for (; n != 1; count++) n = n & 1 ? 3 * n + 1 : n / 2;
    return count;
}

int main(int argc, char **argv) {
    long limit = argc > 1 ? atol(argv[1]) : 10000, best = 0;
    int most = -1;
    if (limit < 2) {
        if (mog_rank() == 0) fprintf(stderr, "usage: collatz [LIMIT]\n");
        return 2;
    }
    for (long n = 1 + mog_rank(); n < limit; n += mog_size()) {
        int count = steps((uint64_t)n);
        if (count > most) {
            most = count;
            best = n;
        }
    }
    if (most >= 0) printf("PE %d: %ld takes %d steps\n", mog_rank(), best, most);
    return 0;
}
