/* bytes.c: memmove() and memcmp() by words wherever the bytes stand. newlib's go byte by byte where bytes are moved up, as each insertion
 * does, and where not both places are those of words. A word that stands anywhere is one access of a PE. No byte but the caller's is read.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint32_t word;
} __attribute__((packed, may_alias)) Anywhere;
typedef uint32_t __attribute__((may_alias)) Word;

enum { WORD = sizeof(Word), TOGETHER = 4 };

/* A loop here is no call of memmove(). */
#define AS_WRITTEN __attribute__((optimize("no-tree-loop-distribute-patterns")))

/* From the first byte on. Words that are loaded together are stored before the next ones, which stand behind them in both places. */
AS_WRITTEN static void move_down(unsigned char *to, const unsigned char *from, size_t bytes) {
    if (bytes >= 2 * WORD) {
        for (; (uintptr_t)to % WORD; bytes--) *to++ = *from++;
        for (; bytes >= TOGETHER * WORD; bytes -= TOGETHER * WORD, to += TOGETHER * WORD, from += TOGETHER * WORD) {
            const Anywhere *in = (const Anywhere *)from;
            const uint32_t a = in[0].word, b = in[1].word, c = in[2].word, d = in[3].word;
            Word *out = (Word *)to;
            out[0] = a, out[1] = b, out[2] = c, out[3] = d;
        }
        for (; bytes >= WORD; bytes -= WORD, to += WORD, from += WORD) *(Word *)to = ((const Anywhere *)from)->word;
    }
    while (bytes--) *to++ = *from++;
}

/* From the last byte on; `to` and `from` are the ends. */
AS_WRITTEN static void move_up(unsigned char *to, const unsigned char *from, size_t bytes) {
    if (bytes >= 2 * WORD) {
        for (; (uintptr_t)to % WORD; bytes--) *--to = *--from;
        for (; bytes >= TOGETHER * WORD; bytes -= TOGETHER * WORD) {
            to -= TOGETHER * WORD, from -= TOGETHER * WORD;
            const Anywhere *in = (const Anywhere *)from;
            const uint32_t a = in[0].word, b = in[1].word, c = in[2].word, d = in[3].word;
            Word *out = (Word *)to;
            out[3] = d, out[2] = c, out[1] = b, out[0] = a;
        }
        for (; bytes >= WORD; bytes -= WORD) to -= WORD, from -= WORD, *(Word *)to = ((const Anywhere *)from)->word;
    }
    while (bytes--) *--to = *--from;
}

AS_WRITTEN void *memmove(void *to, const void *from, size_t bytes) {
    if ((uintptr_t)to - (uintptr_t)from >= bytes) move_down(to, from, bytes);
    else move_up((unsigned char *)to + bytes, (const unsigned char *)from + bytes, bytes);
    return to;
}

/* The difference of the first bytes that differ, as newlib has it. */
int memcmp(const void *a, const void *b, size_t bytes) {
    const unsigned char *x = a, *y = b;
    for (; bytes >= WORD && ((const Anywhere *)x)->word == ((const Anywhere *)y)->word; bytes -= WORD) x += WORD, y += WORD;
    for (; bytes; bytes--, x++, y++)
        if (*x != *y) return *x - *y;
    return 0;
}
