/* _Generic: qualifiers dropped, arrays and functions decayed, default. */
#include <stdio.h>

#define NAME(x) _Generic((x), char: "char", signed char: "signed char", unsigned char: "unsigned char", short: "short", int: "int", \
    unsigned: "unsigned", float: "float", double: "double", long double: "long double", char *: "char *", const char *: "const char *", \
    int (*)(void): "function", _Bool: "_Bool", double _Complex: "complex", default: "other")

int main(void) {
    const volatile short s = 1;
    char text[3];
    puts(NAME(s)), puts(NAME(+s)), puts(NAME((char)1)), puts(NAME(text)), puts(NAME("x")), puts(NAME((const char *)0));
    puts(NAME(main)), puts(NAME(1.0f)), puts(NAME(1.0)), puts(NAME(1.0l)), puts(NAME((_Bool)1)), puts(NAME(1.0i)), puts(NAME(&s));
    puts(NAME((unsigned char)1 + (unsigned char)1)), puts(NAME('x' == 'y' ? 1u : -1));
    return 0;
}
