/* __label__: labels that belong to a block, so that a macro can have them, also with addresses taken. */
#include <stdio.h>

#define FIND(array, count, value)                                  \
    ({                                                             \
        __label__ found;                                           \
        int at_;                                                   \
        for (at_ = 0; at_ < (count); at_++)                        \
            if ((array)[at_] == (value)) goto found;               \
        at_ = -1;                                                  \
    found:                                                         \
        at_;                                                       \
    })

int main(void) {
    int a[] = {5, 8, 13, 21};
    printf("%d %d %d\n", FIND(a, 4, 13), FIND(a, 4, 6), FIND(a, 2, 5));
    return 0;
}
