/* Enumerations: signed or not by their values, packed ones narrow, negative ones compare. */
#include <stdio.h>

enum small { ZERO, ONE, TWO };
enum negative { MINUS = -5, PLUS = 5 };
enum big { TOP = 0x7fffffff, BELOW = -0x7fffffff - 1 };
enum unsigned_one { ALL = 0xffffffffu };
enum __attribute__((packed)) byte { LOW = -1, HIGH = 100 };
enum __attribute__((packed)) half { WIDE = 1000 };

int main(void) {
    volatile enum negative n = MINUS;
    volatile enum byte b = LOW;
    volatile enum unsigned_one u = ALL;
    printf("%zu %zu %zu %zu\n", sizeof(enum small), sizeof(enum big), sizeof(enum byte), sizeof(enum half));
    printf("%d %d %d %d\n", n < 0, b < 0, u > 0, (int)b);
    return TOP + BELOW + 1;
}
