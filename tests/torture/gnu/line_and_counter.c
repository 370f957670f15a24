/* __LINE__, #line, __COUNTER__, __FILE__, __INCLUDE_LEVEL__, predefined macros of the machine. */
#include <stdio.h>
#include <string.h>

int main(void) {
    int first = __COUNTER__, second = __COUNTER__;
    printf("%d %d %d\n", second - first, __INCLUDE_LEVEL__, __LINE__);
#line 500 "elsewhere.c"
    printf("%d %s\n", __LINE__, __FILE__);
#if defined(__mips__) && __mips == 32 && _MIPSEL && __SIZEOF_POINTER__ == 4 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    puts("mipsel");
#endif
    printf("%d %d %ld\n", __STDC__, __STDC_HOSTED__, __STDC_VERSION__);
    return strlen(__DATE__);
}
