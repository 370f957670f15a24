/* Duff's device: a loop whose body is entered in the middle. */
#include <stdio.h>

static __attribute__((noinline)) void copy(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void) {
    const char *text = "the quick brown fox jumps over it";
    for (int n = 1; n < 33; n += 5) {
        char buffer[40] = {0};
        copy(buffer, text, n);
        puts(buffer);
    }
    return 0;
}
