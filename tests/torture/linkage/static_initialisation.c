/* What the linker has to fill in: addresses with offsets, of members, of functions, of themselves; casts of them. */
#include <stdint.h>
#include <stdio.h>

static int a[10] = {[3] = 33};
static int *p = &a[3], **pp = &p;
static const uintptr_t number = (uintptr_t)&a[7];
static char *const text = "abcdef" + 2;
static struct loop { struct loop *self; int (*f)(void); void *end; } loop = {&loop, (int (*)(void))0, &loop + 1};
static const float f = 1 / 3.0f;
static const long long big = (long long)1e15 / 7;
static const unsigned char c = -1 + sizeof(int[3]);

int main(void) {
    printf("%d %d %s %d %d %.9g %lld %d\n", **pp, number == (uintptr_t)(a + 7), text, loop.self == &loop,
           (char *)loop.end - (char *)&loop == sizeof loop, f, big, c);
    return 0;
}
