/* work.c GATES: numbers, a heap that grows and shrinks, files, a pipe and sleeps, in rounds, with a line after each. At the begin of round r
 * with r % GATES == GATES - 1 every PE waits until there is a file go.R; 0: it never does. Also for gcc, with one PE. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __mips__
#include <mog.h>
#else
#define IPROC 0
#define NPROC 1
#endif

#define ROUNDS 24

static double table[2000];

static unsigned hash(const unsigned char *bytes, int size) {
    unsigned h = 2166136261u;
    for (int i = 0; i < size; i++) h = (h ^ bytes[i]) * 16777619u;
    return h;
}

/* Files that are opened, changed and closed, so that no descriptor tells of them later: appended to; read and written anew; put in another's
 * place; made and removed; a folder. */
static void by_name(int round) {
    char name[40], other[40];
    int sum = 0, value = 0;
    sprintf(name, "appended.%d", IPROC);
    FILE *file = fopen(name, "a");
    fprintf(file, "round %d\n", round);
    fclose(file);
    sprintf(name, "counter.%d", IPROC);
    if ((file = fopen(name, "r"))) {
        while (fscanf(file, "%d", &value) == 1) sum += value;
        fclose(file);
    }
    file = fopen(name, "w");
    fprintf(file, "%d\n%d\n", sum, round);
    fclose(file);
    sprintf(name, "temporary.%d", IPROC);
    sprintf(other, "newest.%d", IPROC);
    file = fopen(name, "w");
    fprintf(file, "%d, after a file of %d\n", round, access(other, F_OK));
    usleep(50);
    fclose(file);
    if (rename(name, other)) printf("PE %d: no rename in round %d\n", IPROC, round);
    sprintf(name, "folder.%d.%d", IPROC, round / 4);
    if (round % 4 == 0 && mkdir(name, 0777)) printf("PE %d: no folder in round %d\n", IPROC, round);
    sprintf(other, "%s/once", name);
    int fd = open(other, O_WRONLY | O_CREAT | (round % 4 == 0 ? O_EXCL : O_APPEND), 0644);
    if (fd < 0) printf("PE %d: no file in round %d\n", IPROC, round);
    write(fd, "one more\n", 9);
    close(fd);
    if (round % 4 == 3 && round % 8 == 3 && (unlink(other) || rmdir(name))) printf("PE %d: nothing to remove in round %d\n", IPROC, round);
}

int main(int argc, char **argv) {
    int gates = argc > 1 ? atoi(argv[1]) : 0, work = argc > 2 ? atoi(argv[2]) : 1, ends[2];
    unsigned char *heap = NULL;
    char name[40], text[80], got[80];
    sprintf(name, "own.%d", IPROC);
    int own = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666), log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0666);
    sprintf(name, "lines.%d", IPROC);
    FILE *lines = fopen(name, "w");
    if (own < 0 || log < 0 || !lines || pipe(ends)) return 1;
    for (int round = 0; round < ROUNDS; round++) {
        if (gates && round % gates == gates - 1) {
            printf("PE %d at the gate of round %d\n", IPROC, round);
            fflush(stdout);
            for (sprintf(name, "go.%d", round); access(name, F_OK) != 0;) usleep(2000);
        }
        double sum = 0;
        for (int k = 0; k < work; k++)
            for (int i = 0; i < 2000; i++) sum += table[i] = table[(i * 7 + 3) % 2000] * 0.99 + sin(i + round) + 1.0f / (i + 1 + IPROC);
        int size = 3000 + (round * 7919 + IPROC * 104729) % 50000;
        heap = realloc(heap, size);
        for (int i = 0; i < size; i += 7) heap[i] = (unsigned char)(i * round + IPROC);
        for (int i = 0; i < size; i++)
            if (i % 7) heap[i] = (unsigned char)i;
        /* what is in the pipe waits until the next round */
        int length = sprintf(text, "PE %d, round %d: %.17g %08x\n", IPROC, round, sum, hash(heap, size));
        write(ends[1], text, length);
        if (round > 0) {
            int n = read(ends[0], got, 10);
            fprintf(lines, "%.*s|", n, got);
        }
        if (round % 3 == 0) usleep(100);
        by_name(round);
        write(own, text, length);
        if (round % 5 == 4) lseek(own, -20, SEEK_CUR);
        write(log, text, length);
        fputs(text, lines);
        fputs(text, stdout);
    }
    fclose(lines);
    printf("PE %d ends after %ld bytes\n", IPROC, (long)lseek(own, 0, SEEK_CUR));
    return IPROC == 1 ? 3 : 0;
}
