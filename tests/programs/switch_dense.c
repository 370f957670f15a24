/* Dense switches, which become jump tables: all cases, the borders, a default in the middle, fall-through, char and signed keys. */
#include <stdio.h>

#include "testing.h"

static int plain(int key) {
    switch (key) {
    case 0: return 17;
    case 1: return 4;
    case 2: return 99;
    case 3: return -5;
    case 4: return 1000;
    case 5: return 31;
    case 6: return 62;
    case 7: return 8;
    case 8: return 77;
    default: return -1;
    }
}

static unsigned with_side_effects(int key, unsigned x) {
    switch (key) {
    case -3: x += 1; break;
    case -2: x *= 3; break;
    case -1: x ^= 0xff; break;
    default: x = ~x; break;
    case 0: x <<= 2; break;
    case 1: x >>= 1; break;
    case 2: x -= 1000; break;
    case 3: x = x << 5 | x >> 27; break;
    case 4: x /= 7; break;
    case 5: x %= 1001; break;
    }
    return x;
}

static int fall_through(int key) {
    int n = 0;
    switch (key) {
    case 9: n++; /* fall through */
    case 8: n++; /* fall through */
    case 7: n++; /* fall through */
    case 6: n += 10; break;
    case 5: n++; /* fall through */
    case 4: n += 100; /* fall through */
    case 3: n += 1000; break;
    case 2:
    case 1:
    case 0: n = -key; break;
    }
    return n;
}

static const char *letter(char c) {
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return "vowel";
    case 'b': case 'c': case 'd': case 'f': case 'g': case 'h': case 'j': case 'k': case 'l': case 'm': return "consonant";
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9': return "digit";
    case ' ': case '\t': case '\n': return "space";
    default: return "other";
    }
}

/* Duff's device: cases inside a loop. */
static void duff_copy(char *to, const char *from, int count) {
    int rounds = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++; /* fall through */
    case 7: *to++ = *from++; /* fall through */
    case 6: *to++ = *from++; /* fall through */
    case 5: *to++ = *from++; /* fall through */
    case 4: *to++ = *from++; /* fall through */
    case 3: *to++ = *from++; /* fall through */
    case 2: *to++ = *from++; /* fall through */
    case 1: *to++ = *from++;
        } while (--rounds > 0);
    }
}

/* Tables inside tables, and a state machine in a loop. */
static int nested(int a, int b) {
    switch (a) {
    case 0: switch (b) { case 0: return 1; case 1: return 2; case 2: return 3; case 3: return 4; case 4: return 5; case 5: return 6; default: return 7; }
    case 1: switch (b) { case 0: return 10; case 1: return 20; case 2: return 30; case 3: return 40; case 4: return 50; case 5: return 60; default: break; } return 70;
    case 2: return b;
    case 3: return nested(b & 1, a);
    case 4: return a * b;
    case 5: return a - b;
    default: return -9;
    }
}

int main(void) {
    for (int key = -2; key < 11; key++) printf("%d ", plain(key));
    printf("%d %d\n", plain(0x7fffffff), plain(-0x7fffffff - 1));
    uint32_t random = 7;
    unsigned x = 12345;
    for (int i = 0; i < 2000; i++) {
        x = with_side_effects((int)(next_random(&random) % 12) - 5, x);
        if (i % 250 == 0) printf("%u ", x);
    }
    printf("\n");
    for (int key = -1; key < 11; key++) printf("%d ", fall_through(key));
    printf("\n");
    for (const char *p = "a z\t9k~\xe9"; *p; p++) printf("%s ", letter(*p));
    printf("\n");
    for (int count = 1; count < 27; count += 3) {
        char to[32] = "";
        duff_copy(to, "abcdefghijklmnopqrstuvwxyz", count);
        printf("%s\n", to);
    }
    for (int a = -1; a < 7; a++) {
        for (int b = -1; b < 7; b++) printf("%4d", nested(a, b));
        printf("\n");
    }
    return 0;
}
