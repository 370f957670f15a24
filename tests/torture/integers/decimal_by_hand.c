/* Numbers to text in every base and back, without the library. */
#include <stdio.h>

static char *text_of(unsigned long long v, int base, char *end) {
    *--end = 0;
    do *--end = "0123456789abcdefghijklmnopqrstuvwxyz"[v % base]; while (v /= base);
    return end;
}
static unsigned long long value_of(const char *s, int base) {
    unsigned long long v = 0;
    for (; *s; s++) v = v * base + (*s <= '9' ? *s - '0' : *s - 'a' + 10);
    return v;
}

int main(void) {
    char room[70];
    int bad = 0;
    for (int base = 2; base <= 36; base += 3)
        for (unsigned long long v = 1; v < 1ull << 62; v = v * 37 + 11) {
            char *t = text_of(v, base, room + 70);
            bad += value_of(t, base) != v;
            if (v > 1ull << 50) printf("%s ", t);
        }
    printf("%d\n", bad);
    return bad;
}
