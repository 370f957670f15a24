/* talk N: every 4096th PE prints 100 lines, the others compute for N times 1000 steps: how long do lines wait for others? */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    volatile unsigned sum = 0;
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    if (IPROC % 4096 == 0) {
        for (int i = 0; i < 100; i++) {
            printf("line %d of %d\n", i, IPROC);
            fflush(stdout);
        }
        return 0;
    }
    for (unsigned i = 0; i < 1000 * rounds; i++) sum += i ^ (unsigned)IPROC;
    return 0;
}
