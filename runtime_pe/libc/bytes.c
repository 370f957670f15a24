/* bytes.c: memcpy(), memmove(), memset() and memcmp() by words wherever the bytes stand. newlib's go byte by byte where bytes are moved up,
 * as each insertion does, and where not both places are those of words; and they ask much before they move the few bytes that most calls
 * are about. A word that stands anywhere is one access of a PE, and so are two that stand where a double may. No byte but the caller's is
 * read or written.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint32_t word;
} __attribute__((packed, may_alias)) Anywhere;
typedef uint32_t __attribute__((may_alias)) Word;
typedef double __attribute__((may_alias)) Pair;

enum { WORD = sizeof(Word), PAIR = sizeof(Pair), TOGETHER = 4, SHORT = 4 * WORD };

/* A loop here is no call of memmove(). */
#define AS_WRITTEN __attribute__((optimize("no-tree-loop-distribute-patterns")))
#define HERE __attribute__((always_inline)) inline

static HERE uint32_t word_at(const unsigned char *at) { return ((const Anywhere *)at)->word; }
static HERE void put_word(unsigned char *at, uint32_t word) { ((Anywhere *)at)->word = word; }

/* At most SHORT bytes. The words at both ends may overlap; all are loaded before one is stored, so that the places may overlap, too. */
static HERE void move_short(unsigned char *to, const unsigned char *from, size_t bytes) {
    if (bytes >= WORD) {
        const uint32_t first = word_at(from), last = word_at(from + bytes - WORD);
        if (bytes > 2 * WORD) {
            const uint32_t second = word_at(from + WORD);
            if (bytes > 3 * WORD) {
                const uint32_t third = word_at(from + 2 * WORD);
                put_word(to + 2 * WORD, third);
            }
            put_word(to + WORD, second);
        }
        put_word(to, first);
        put_word(to + bytes - WORD, last);
    } else if (bytes != 0) {
        const unsigned char first = from[0], middle = from[bytes / 2], last = from[bytes - 1];
        to[0] = first;
        to[bytes / 2] = middle;
        to[bytes - 1] = last;
    }
}

/* More than SHORT bytes, from the first one on. Words that are loaded together are stored before the next ones, which stand behind them in
 * both places. Returns what its caller returns. */
AS_WRITTEN static void *move_down(unsigned char *to, const unsigned char *from, size_t bytes) {
    void *const begin = to;
    for (; (uintptr_t)to % WORD; bytes--) *to++ = *from++;
    if (((uintptr_t)to - (uintptr_t)from) % PAIR == 0 && bytes >= TOGETHER * PAIR) {
        if ((uintptr_t)to % PAIR) *(Word *)to = *(const Word *)from, to += WORD, from += WORD, bytes -= WORD;
        for (; bytes >= TOGETHER * PAIR; bytes -= TOGETHER * PAIR, to += TOGETHER * PAIR, from += TOGETHER * PAIR) {
            const Pair *in = (const Pair *)from;
            const double a = in[0], b = in[1], c = in[2], d = in[3];
            Pair *out = (Pair *)to;
            out[0] = a, out[1] = b, out[2] = c, out[3] = d;
        }
    }
    for (; bytes >= TOGETHER * WORD; bytes -= TOGETHER * WORD, to += TOGETHER * WORD, from += TOGETHER * WORD) {
        const uint32_t a = word_at(from), b = word_at(from + WORD), c = word_at(from + 2 * WORD), d = word_at(from + 3 * WORD);
        Word *out = (Word *)to;
        out[0] = a, out[1] = b, out[2] = c, out[3] = d;
    }
    for (; bytes >= WORD; bytes -= WORD, to += WORD, from += WORD) *(Word *)to = word_at(from);
    while (bytes--) *to++ = *from++;
    return begin;
}

/* The same from the last byte on. */
AS_WRITTEN static void *move_up(unsigned char *to, const unsigned char *from, size_t bytes) {
    to += bytes, from += bytes;
    for (; (uintptr_t)to % WORD; bytes--) *--to = *--from;
    for (; bytes >= TOGETHER * WORD; bytes -= TOGETHER * WORD) {
        to -= TOGETHER * WORD, from -= TOGETHER * WORD;
        const uint32_t a = word_at(from), b = word_at(from + WORD), c = word_at(from + 2 * WORD), d = word_at(from + 3 * WORD);
        Word *out = (Word *)to;
        out[3] = d, out[2] = c, out[1] = b, out[0] = a;
    }
    for (; bytes >= WORD; bytes -= WORD) to -= WORD, from -= WORD, *(Word *)to = word_at(from);
    while (bytes--) *--to = *--from;
    return to;
}

AS_WRITTEN void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    if (bytes > SHORT) return move_down(to, from, bytes);
    move_short(to, from, bytes);
    return to;
}

AS_WRITTEN void *memmove(void *to, const void *from, size_t bytes) {
    if (bytes > SHORT) return (uintptr_t)to - (uintptr_t)from >= bytes ? move_down(to, from, bytes) : move_up(to, from, bytes);
    move_short(to, from, bytes);
    return to;
}

AS_WRITTEN void *memset(void *to, int value, size_t bytes) {
    unsigned char *at = to;
    const uint32_t word = (unsigned char)value * 0x01010101u;
    if (bytes < WORD) {
        if (bytes != 0) at[0] = at[bytes / 2] = at[bytes - 1] = (unsigned char)value;
        return to;
    }
    unsigned char *const last = at + bytes - WORD;
    put_word(at, word);
    at += WORD - (uintptr_t)at % WORD;
    if (bytes >= TOGETHER * PAIR) {
        if ((uintptr_t)at % PAIR) *(Word *)at = word, at += WORD;
        const union {
            uint32_t words[2];
            double pair;
        } both = {{word, word}};
        for (; at <= last + WORD - TOGETHER * PAIR; at += TOGETHER * PAIR) {
            Pair *out = (Pair *)at;
            out[0] = out[1] = out[2] = out[3] = both.pair;
        }
    }
    for (; at < last; at += WORD) *(Word *)at = word;
    put_word(last, word);
    return to;
}

/* The difference of the first bytes that differ, as newlib has it. */
int memcmp(const void *a, const void *b, size_t bytes) {
    const unsigned char *x = a, *y = b;
    if (bytes < WORD) {
        for (; bytes; bytes--, x++, y++)
            if (*x != *y) return *x - *y;
        return 0;
    }
    const unsigned char *const last = x + bytes - WORD;
    uint32_t of_x, of_y;
    for (;;) {
        of_x = word_at(x), of_y = word_at(y);
        if (of_x != of_y) break;
        if (x == last) return 0;
        x += WORD, y += WORD;
        /* The last word has bytes before it, which are the same, where not all bytes are whole words. */
        if (x > last) y -= x - last, x = last;
    }
    const unsigned shift = (unsigned)__builtin_ctz(of_x ^ of_y) & 24u;
    return (int)(of_x >> shift & 0xff) - (int)(of_y >> shift & 0xff);
}
