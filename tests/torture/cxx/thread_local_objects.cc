/* thread_local with a constructor: made at first use, destroyed at the end. */
#include <stdio.h>

namespace {
bool here;
struct tracer { int v; tracer() : v(5) {} ~tracer() { if (here) puts("destroyed"); } };
thread_local tracer t;
thread_local int plain = 3;
int bump() { thread_local int n = plain * 10; return n++; }
}

int main() {
    here = true;
    t.v += bump() + bump();
    printf("%d %d\n", t.v, plain);
    return 0;
}
