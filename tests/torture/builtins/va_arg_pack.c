/* __builtin_va_arg_pack passes on the arguments of an inline function. */
#include <stdio.h>

static int calls;
static inline __attribute__((always_inline, gnu_inline)) int say(const char *format, ...) {
    calls += __builtin_va_arg_pack_len();
    return printf(format, __builtin_va_arg_pack());
}

int main(void) {
    int n = say("%d %s %g\n", 1, "two", 3.0) + say("none\n");
    printf("%d %d\n", n, calls);
    return 0;
}
