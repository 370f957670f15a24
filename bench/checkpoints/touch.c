/* touch.c: each PE writes 64 KiB, says so, and then waits or computes for so many rounds.
 *
 * touch WHAT [ROUNDS]; WHAT: count (numbers that differ from PE to PE), random (which nothing compresses), words (a word a page),
 * alter (as count, and each round changes all of it) */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { words = 16384, page_words = 1024 };

int main(int argc, char **argv)
{
    const char what = argc > 1 ? argv[1][0] : 'c';
    const unsigned step = what == 'a';
    const long rounds = argc > 2 ? atol(argv[2]) : 0;
    unsigned *memory = malloc(words * sizeof *memory), x = 12345u + IPROC, sum = 0;
    if (memory == NULL) return 1;
    for (unsigned i = 0; i < words; i++) {
        x = x * 1664525u + 1013904223u;
        if (what == 'r') memory[i] = x ^ x >> 16;
        else if (what == 'c' || what == 'a') memory[i] = i * (IPROC + 1);
        else if (i % page_words == 0) memory[i] = IPROC + i;
    }
    puts("touched");
    fflush(stdout);
    if (rounds == 0) sleep(3600);
    for (long round = 0; round < rounds; round++)
        for (unsigned i = 0; i < words; i++) sum = sum * 31 + (step ? memory[i] += step : memory[i]);
    return sum == 1;
}
