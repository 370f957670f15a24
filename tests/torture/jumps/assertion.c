/* A failed assertion ends the program as abort does; one that holds costs nothing; NDEBUG removes them. */
#include <assert.h>
#include <stdio.h>

static int count;
static int touch(int x) { count++; return x; }

int main(void) {
    assert(touch(1));
    static_assert(sizeof(int) == 4, "int");
#define NDEBUG
#include <assert.h>
    assert(touch(0));
    printf("%d\n", count);
    fflush(stdout);
#undef NDEBUG
#include <assert.h>
    freopen("/dev/null", "w", stderr);
    assert(touch(0));
    return 0;
}
