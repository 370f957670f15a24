/* sizeof does not evaluate, except for the size of a variable-length array. */
#include <stdio.h>

int main(void) {
    int i = 3;
    unsigned a = sizeof(i++);
    unsigned b = sizeof(int[i++]);
    unsigned c = sizeof(char[++i]);
    printf("%u %u %u %d\n", a, b, c, i);
    return _Alignof(long long);
}
