/* new and delete: arrays with counts, placement, class-specific, aligned, of zero elements. */
#include <new>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

namespace {
int alive;
struct counted { int v = 4; counted() { alive++; } ~counted() { alive--; } };
struct pooled {
    static void *operator new(size_t n) { static char pool[256]; static size_t used; void *p = pool + used; used += n; return p; }
    static void operator delete(void *) { alive += 100; }
    int x = 6;
};
struct alignas(64) wide { char c[64]; };
}

int main() {
    counted *many = new counted[5];
    int during = alive;
    delete[] many;
    alignas(counted) char room[sizeof(counted)];
    counted *placed = new (room) counted;
    int sum = placed->v;
    placed->~counted();
    pooled *p = new pooled, *q = new pooled;
    sum += p->x + (int)(q - p);
    delete p;
    wide *w = new wide;
    bool aligned = (uintptr_t)w % 64 == 0;
    delete w;
    int *none = new int[0], *maybe = new (std::nothrow) int(3);
    printf("%d %d %d %d %d\n", during, alive, sum, aligned, none != nullptr && *maybe == 3);
    delete[] none;
    delete maybe;
    return 0;
}
