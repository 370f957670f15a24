/* Bits kept in the low end of pointers, and pointers through uintptr_t. */
#include <stdint.h>
#include <stdio.h>

struct node { int value; uintptr_t next; };

int main(void) {
    static struct node n[6];
    uintptr_t list = 0;
    for (int i = 0; i < 6; i++) {
        n[i].value = i * i;
        n[i].next = list;
        list = (uintptr_t)&n[i] | (i & 3);
    }
    int sum = 0;
    for (uintptr_t p = list; p; p = ((struct node *)(p & ~(uintptr_t)3))->next) sum = sum * 7 + ((struct node *)(p & -4))->value * (int)(p & 3);
    printf("%d\n", sum);
    return 0;
}
