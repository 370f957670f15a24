/* _Static_assert in files, structures and functions: layouts that MIPS must have. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

struct s { char c; double d; _Static_assert(sizeof(double) == 8, "double"); };
_Static_assert(offsetof(struct s, d) == 8, "doubles are aligned to 8");
_Static_assert((char)-1 < 0, "char is signed");
_Static_assert(sizeof(wchar_t) == 4 && sizeof(long double) == 8, "o32");
_Static_assert(-1 >> 1 == -1 && -7 / 2 == -3, "arithmetic");

int main(void) {
    _Static_assert(CHAR_BIT == 8);
    puts("all true");
    return _Alignof(struct s);
}
