/* coremix: divergent. What CoreMark is made of, written anew: a linked list that is searched, reversed and sorted by merging; a
 * product of small matrices; a state machine that reads numbers; and a CRC-16 of all results. Other data for each PE. */
#include "bench.h"

enum { items = 64, size = 8, text_length = 256 };

struct item { struct item *next; short key, info; };
typedef int (*comparison)(const struct item *, const struct item *);

FUNCTION unsigned crc16(unsigned crc, unsigned value)
{
    for (int bit = 0; bit < 16; bit++, value >>= 1) crc = crc >> 1 ^ (0xa001u & -((crc ^ value) & 1));
    return crc;
}

FUNCTION int by_key(const struct item *a, const struct item *b) { return a->key - b->key; }
FUNCTION int by_info(const struct item *a, const struct item *b) { return (a->info & 0xff) - (b->info & 0xff); }

FUNCTION struct item *reverse(struct item *list)
{
    struct item *done = NULL;
    while (list) {
        struct item *const next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

FUNCTION struct item *merge(struct item *a, struct item *b, comparison compare)
{
    struct item *first = NULL, **end = &first;
    while (a && b) {
        struct item **const less = compare(a, b) <= 0 ? &a : &b;
        *end = *less;
        end = &(*less)->next;
        *less = *end;
    }
    *end = a ? a : b;
    return first;
}

FUNCTION struct item *sort(struct item *list, int count, comparison compare)
{
    if (count < 2) {
        if (list) list->next = NULL;
        return list;
    }
    struct item *half = list;
    for (int i = 0; i < count / 2; i++) half = half->next;
    struct item *const second = sort(half, count - count / 2, compare);
    return merge(sort(list, count / 2, compare), second, compare);
}

FUNCTION unsigned lists(unsigned crc, struct item *store, unsigned x)
{
    for (int i = 0; i < items; i++) {
        const unsigned bits = next_random(&x);
        store[i].next = i + 1 < items ? &store[i + 1] : NULL;
        store[i].key = (short)(bits & 0x3ff);
        store[i].info = (short)(bits >> 10 & 0x7fff);
    }
    struct item *list = store;
    for (int wanted = 0; wanted < 24; wanted++) {
        const struct item *at = list;
        int steps = 0;
        while (at && (at->key & 31) != wanted) at = at->next, steps++;
        crc = crc16(crc, (unsigned)steps);
        list = reverse(list);
    }
    list = sort(list, items, by_key);
    for (const struct item *at = list; at; at = at->next) crc = crc16(crc, (unsigned)at->key);
    list = sort(list, items, by_info);
    for (const struct item *at = list; at; at = at->next) crc = crc16(crc, (unsigned)at->info);
    return crc;
}

FUNCTION unsigned matrices(unsigned crc, unsigned x)
{
    short a[size][size], b[size][size];
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++) {
            const unsigned bits = next_random(&x);
            a[i][k] = (short)(bits & 0xffff), b[i][k] = (short)(bits >> 16);
        }
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++) {
            int sum = 0;
            for (int n = 0; n < size; n++) sum += a[i][n] * b[n][k] >> 4;
            crc = crc16(crc, (unsigned)sum & 0xffff);
        }
    return crc;
}

enum state { start, sign, integer, point, fraction, exponent, exponent_sign, power, wrong, states };

FUNCTION enum state after(enum state now, char c)
{
    const int digit = c >= '0' && c <= '9';
    switch (now) {
    case start: return digit ? integer : c == '+' || c == '-' ? sign : c == '.' ? point : wrong;
    case sign: return digit ? integer : c == '.' ? point : wrong;
    case integer: return digit ? integer : c == '.' ? fraction : c == 'e' ? exponent : wrong;
    case point: return digit ? fraction : wrong;
    case fraction: return digit ? fraction : c == 'e' ? exponent : wrong;
    case exponent: return digit ? power : c == '+' || c == '-' ? exponent_sign : wrong;
    case exponent_sign:
    case power: return digit ? power : wrong;
    default: return wrong;
    }
}

CONSTANT char alphabet[16] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', ',', ',', '.', 'e', '-', '+', 'x'};

FUNCTION unsigned numbers(unsigned crc, char *text, unsigned x)
{
    unsigned ends[states] = {0};
    for (int i = 0; i < text_length; i++) {
        text[i] = alphabet[(next_random(&x) >> 16) % 16];
    }
    enum state now = start;
    for (int i = 0; i < text_length; i++) {
        if (text[i] == ',') {
            ends[now]++;
            now = start;
        } else {
            now = after(now, text[i]);
        }
    }
    for (int i = 0; i < states; i++) crc = crc16(crc, ends[i]);
    return crc;
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE struct item store[items];
    PRIVATE char text[text_length];
    unsigned crc = 0;
    for (unsigned round = 0; round < 4; round++) {
        const unsigned x = rank * 4 + round + 1;
        crc = lists(crc, store, x);
        crc = matrices(crc, x);
        crc = numbers(crc, text, x);
    }
    return crc;
}
