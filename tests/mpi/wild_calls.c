/* Calls of the engine as no library makes them: any words, among them addresses outside of memory, lengths that wrap, ranks, contexts and
 * numbers that do not exist. Each PE goes on until a call does not return. The host must not be hurt, whatever comes. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int __mog_mpi(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned);

static unsigned seed;
static unsigned any(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static unsigned buffer[64];

static unsigned word(void)
{
    static const unsigned wild[] = {0xffffffffu, 0xfffffffeu, 0x80000000u, 0x7fffffffu, 0x10000000u, 0x0fffffffu, 0x0fffffffu, 0x10000003u, 0x1fffffffu, 0xfffffff0u};
    switch (any() % 6) {
    case 0: return wild[any() % 10];
    case 1: return (unsigned)(buffer + any() % 64);
    case 2: return (unsigned)IPROC;
    case 3: return any() % (unsigned)NPROC;
    case 4: return any() % 4;
    default: return any() % 300;
    }
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 100;
    /* A file of its own, as descriptor 3. */
    char name[] = "/tmp/wild_calls.XXXXXX";
    mkstemp(name);
    unlink(name);
    seed = (unsigned)IPROC * 7919u + (argc > 2 ? (unsigned)atoi(argv[2]) : 1);
    for (int i = 0; i < count; i++) {
        static const unsigned operations[] = {1, 4, 5, 5, 5, 6, 6, 6, 7, 8, 8, 9, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 40, 41, 42, 43, 44, 48, 48, 49, 49, 50, 51, 99, 255};
        unsigned operation = operations[any() % (sizeof operations / sizeof *operations)], w[8];
        /* Mostly with a request, so that the PE goes on; collectives of two members meet now and then. */
        w[0] = operation | (any() % 8 ? 1u : 0) << 8 | (any() % 8) << 9 | (any() % 3 ? 5 : any() % 256) << 16 | (any() % 16) << 24;
        w[1] = any() % 4 ? any() % 2 : word();
        w[2] = any() % 8 ? w[1] == 1 ? 0 : (unsigned)IPROC : word();
        for (int k = 3; k < 8; k++)
            w[k] = word();
        if (operation >= 48 && any() % 4)
            w[1] = 3, w[3] = (unsigned)buffer;
        if (any() % 2)
            w[7] = any() % 2 ? 0 : (unsigned)buffer;
        for (int k = 0; k < 64; k++)
            buffer[k] = word();
        __mog_mpi(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
    }
    return 0;
}
