/* Objects in a pool with a free list; handles that know when their object is gone. */
#include <stdio.h>

static struct { unsigned short next, generation; int value; } pool[8];
static unsigned short first;
static unsigned make(int value) { unsigned i = first; if (i == 8) return 0; first = pool[i].next; pool[i].value = value; return (unsigned)++pool[i].generation << 16 | i; }
static int *get(unsigned h) { unsigned i = h & 0xffff; return pool[i].generation == h >> 16 && h ? &pool[i].value : NULL; }
static void drop(unsigned h) { unsigned i = h & 0xffff; pool[i].generation++, pool[i].next = first, first = i; }

int main(void) {
    unsigned h[12];
    for (int i = 0; i < 8; i++) pool[i].next = i + 1;
    for (int i = 0; i < 10; i++) h[i] = make(i * i);
    for (int i = 0; i < 8; i += 2) drop(h[i]);
    h[10] = make(500), h[11] = make(600);
    for (int i = 0; i < 12; i++) printf("%x:%d ", h[i], get(h[i]) ? *get(h[i]) : -1);
    puts("");
    return 0;
}
