/* object_size and the checked functions that fortified headers use. */
#include <stdio.h>
#include <string.h>

static char buffer[24];

int main(void) {
    struct { char a[8]; int b; } s;
    volatile int n = 5;
    char *unknown = n > 3 ? buffer : s.a;
    printf("%zu %zu %zu\n", __builtin_object_size(buffer, 0), __builtin_object_size(buffer + 10, 0), __builtin_object_size(s.a, 1));
    __builtin_strcpy(buffer, "hello");
    __builtin_memmove(buffer + 1, buffer, 6);
    __builtin_memset(s.a, 'x', sizeof s.a);
    printf("%s %c %d\n", buffer, s.a[7], unknown == buffer);
    return 0;
}
