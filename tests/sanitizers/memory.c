/* memory.c: errors with memory, one for each name. What is read goes to `sink`. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int sink;

static int *make(int count) { return malloc(count * sizeof(int)); }
static int at(const int *values, int i) { return values[i]; }
static void fill(int *values, int from, int to)
{
    for (int i = from; i < to; i++) values[i] = i;
}
static int sum(int count)
{
    int values[4];
    fill(values, 0, count);
    return values[3];
}
static int unset(int n)
{
    int values[4];
    values[n] = 1;
    return values[0] > 5 ? 3 : at(values, 1);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "none";
    int *p = make(10), *q = NULL;
    fill(p, 0, 10);
    if (!strcmp(name, "behind")) fill(p, 8, 11);
    if (!strcmp(name, "before")) sink = at(p, -1);
    if (!strcmp(name, "freed")) {
        q = make(3);
        free(q);
        sink = at(q, 2);
    }
    if (!strcmp(name, "moved")) {
        int *old = p, *next = make(1);
        p = realloc(p, 4000);
        sink = at(p, 9) + at(old, 9);
        free(next);
    }
    if (!strcmp(name, "twice")) {
        q = make(3);
        free(q);
        free(q);
    }
    if (!strcmp(name, "inside")) free(p + 1);
    if (!strcmp(name, "stack")) free(&argc);
    if (!strcmp(name, "frame")) sink = sum(12);
    if (!strcmp(name, "value")) sink = unset(1);
    if (!strcmp(name, "index")) sink = p[make(3)[1] & 7];
    if (!strcmp(name, "grown")) {
        p = realloc(p, 80);
        if (at(p, 9) > 5) sink = 1;
        if (at(p, 10) > 5) sink = 2;
    }
    if (!strcmp(name, "string")) {
        char *text = strcpy(malloc(12), "twelve chars" + 1);
        sink = strlen(strcat(text, "s"));
        free(text);
    }
    if (!strcmp(name, "compare")) sink = memcmp(p, make(10), 40);
    if (!strcmp(name, "write")) write(-1, strcpy(malloc(8), "text"), 7 + IPROC);
    if (!strcmp(name, "lost")) {
        int **list = malloc(2 * sizeof *list);
        list[0] = make(3), list[1] = make(4);
        fill(list[0], 0, 3);
    }
    if (IPROC == 1 && !strcmp(name, "some")) sink = at(p, 10);
    free(p);
    return 0;
}
