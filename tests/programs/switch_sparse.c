/* Sparse switches, which become trees of comparisons: signed and unsigned keys, ranges, 64-bit keys, enums, switches in loops. */
#include <stdio.h>

#include "testing.h"

static int spread(int key) {
    switch (key) {
    case -2147483647 - 1: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 7: return 5;
    case 500: return 6;
    case 65535: return 7;
    case 65536: return 8;
    case 1000003: return 9;
    case 2147483647: return 10;
    }
    return 0;
}

static int unsigned_spread(unsigned key) {
    switch (key) {
    case 1u: return 1;
    case 0x7fffffffu: return 2;
    case 0x80000000u: return 3;
    case 0x80000001u: return 4;
    case 0xfffffffeu: return 5;
    case 0xffffffffu: return 6;
    default: return 0;
    }
}

static int wide(long long key) {
    switch (key) {
    case 0x100000000LL: return 1;
    case 0x100000001LL: return 2;
    case -0x100000000LL: return 3;
    case 0xffffffffLL: return 4;
    case -1LL: return 5;
    case 1LL: return 6;
    case 0x7fffffffffffffffLL: return 7;
    default: return 0;
    }
}

static const char *range(int key) {
    switch (key) {
    case -100 ... -1: return "negative";
    case 0: return "zero";
    case 1 ... 9: return "one figure";
    case 10 ... 99: return "two";
    case 100 ... 100000: return "many";
    }
    return "out";
}

enum Token { PLUS = '+', MINUS = '-', TIMES = '*', NUMBER = 256, NAME = 1000, END = -1 };

static int weight(enum Token token) {
    switch (token) {
    case PLUS:
    case MINUS: return 1;
    case TIMES: return 2;
    case NUMBER: return 10;
    case NAME: return 20;
    case END: return 0;
    }
    return -1;
}

int main(void) {
    static const int keys[] = {-2147483647 - 1, -2147483647, -1000000, -1, 0, 1, 7, 8, 499, 500, 65535, 65536, 65537, 1000003, 2147483647};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) printf("%d:%d/%d ", keys[i], spread(keys[i]), unsigned_spread((unsigned)keys[i]));
    printf("\n%d %d %d\n", unsigned_spread(0x80000001u), unsigned_spread(0xfffffffeu), unsigned_spread(2u));
    static const long long wide_keys[] = {0, 1, -1, 0xffffffffLL, 0x100000000LL, 0x100000001LL, -0x100000000LL, -0xffffffffLL, 0x7fffffffffffffffLL, 0x7fffffffLL};
    for (size_t i = 0; i < sizeof wide_keys / sizeof *wide_keys; i++) printf("%d", wide(wide_keys[i]));
    printf("\n");
    static const int range_keys[] = {-101, -100, -1, 0, 1, 9, 10, 99, 100, 100000, 100001};
    for (size_t i = 0; i < sizeof range_keys / sizeof *range_keys; i++) printf("%d %s, ", range_keys[i], range(range_keys[i]));
    printf("\n%d %d %d %d %d %d\n", weight(PLUS), weight(MINUS), weight(TIMES), weight(NUMBER), weight(NAME), weight(END));
    uint32_t random = 99;
    int counts[11] = {0};
    for (int i = 0; i < 3000; i++) counts[spread(keys[next_random(&random) % 15])]++;
    for (int i = 0; i < 11; i++) printf("%d ", counts[i]);
    printf("\n");
    /* continue and break in a switch in a loop mean different things. */
    int kept = 0;
    for (int i = 0; i < 50; i++) {
        switch (i % 13) {
        case 2: continue;
        case 11: break;
        case 5: i += 2; break;
        default: kept += i;
        }
        kept ^= i;
    }
    printf("%d\n", kept);
    return 0;
}
