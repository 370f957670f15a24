/* A way to go and to come back: calls, delay slots, memory, what comes from outside, and a long loop. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

int words[64], turns;
static char much[1 << 16];
static double mean;

__attribute__((noinline)) void begin(void) { turns++; }

__attribute__((noinline)) static int sum(const int *from, int n) { return n == 0 ? 0 : from[0] % 7 + sum(from + 1, n - 1); }

__attribute__((noinline)) static void ask(void)
{
    struct timespec now;
    char text[40] = "";
    clock_gettime(CLOCK_REALTIME, &now);
    words[1] = (int)now.tv_nsec;
    if (getrandom(words + 2, 8, 0) != 8) exit(1);
    int file = open("there.txt", O_RDONLY);
    words[4] = (int)read(file, text, sizeof text);
    words[5] = text[3];
    close(file);
    if (write(1, "asked\n", 6) != 6) exit(1);
}

__attribute__((noinline)) void middle(int turn) 
{
    words[16 + turn] ^= turn;
    memset(much, turn + 1, sizeof much);
}

__attribute__((noinline)) void end(void) { turns++; }

int main(void)
{
    begin();
    ask();
    char *copy = malloc(24);
    memcpy(copy, words, 24);
    words[6] = sum(words, 6);
    mean = words[6] / 3.0;
    words[7] = (int)(mean * 1000) + copy[5];
    ask();
    for (int i = 0; i < 8; i++) {
        for (volatile int k = 0; k < 60000; k++) { }
        middle(i);
    }
    end();
    printf("%d %d\n", turns, words[7] == (int)(mean * 1000) + copy[5]);
    return 0;
}
