/* Types of literals: hexadecimal ones may be unsigned, characters are ints, multi-character ones big-endian. */
#include <stdio.h>

#define TYPE(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", \
                         long long: "long long", unsigned long long: "unsigned long long", default: "other")

int main(void) {
    puts(TYPE(2147483647));
    puts(TYPE(2147483648));
    puts(TYPE(0x7fffffff));
    puts(TYPE(0x80000000));
    puts(TYPE(0xffffffffff));
    puts(TYPE(0x8000000000000000));
    puts(TYPE(1u));
    puts(TYPE(1l));
    puts(TYPE(037777777777));
    puts(TYPE('a'));
    puts(TYPE(0b1010));
    printf("%d %x %d %d\n", 0b1010, 'abcd', '\0', '\377');
    printf("%d %s\n", '\x41', "\u00e9\101");
    return 0xffu;
}
