/* alloca: memory until the function ends, in loops, aligned, and beside variable-length arrays. */
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct node { int value; struct node *next; };

static __attribute__((noinline)) int chain(int n) {
    struct node *list = NULL;
    for (int i = 0; i < n; i++) {
        struct node *p = alloca(sizeof *p);
        *p = (struct node){i * i, list};
        list = p;
    }
    char text[n + 1];
    memset(text, 'x', n);
    text[n] = 0;
    int sum = strlen(text) + ((uintptr_t)alloca(3) % 8 != 0);
    for (; list; list = list->next) sum += list->value;
    return sum;
}

int main(void) {
    unsigned total = 0;
    for (int i = 0; i < 100; i++) total += chain(i % 20);
    printf("%u\n", total);
    return 0;
}
