/* __builtin_classify_type-free type tests, __builtin_types in macros: sign, maximum and digits of any integer type. */
#include <stdio.h>

#define SIGNED(t) ((t)-1 < (t)1)
#define MAXIMUM(t) ((t)(SIGNED(t) ? ((((t)1 << (sizeof(t) * 8 - 2)) - 1) * 2 + 1) : (t)-1))

int main(void) {
    printf("%d%d%d%d%d\n", SIGNED(char), SIGNED(unsigned char), SIGNED(short), SIGNED(unsigned), SIGNED(long long));
    printf("%d %d %d %u %lld\n", MAXIMUM(signed char), MAXIMUM(unsigned char), MAXIMUM(short), MAXIMUM(unsigned), MAXIMUM(long long));
    return MAXIMUM(unsigned char);
}
