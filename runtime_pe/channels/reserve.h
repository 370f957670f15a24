/* reserve.h: an addition that a limit bounds, in one step. */
#ifndef MOG_RESERVE_H
#define MOG_RESERVE_H

#include <stdint.h>

/* `count` more in the word, unless that is beyond `limit`: whether it was done; what was there; how many compare-and-swaps that took. The
 * translator makes one instruction of it (fold_atomics.cpp), which lanes of a warp do together: then one of them has the compare-and-swap,
 * and others have none. */
static inline int reserve_in_word(uint32_t *word, uint32_t count, uint32_t limit, uint32_t *was, uint32_t *tries) {
    uint32_t before, left, tried = 0;
    __asm__ goto volatile(
        ".set push\n\t.set noreorder\n\t"
        "sync\n"
        "1:\tll %[before], 0(%[word])\n\t"
        "subu %[left], %[limit], %[before]\n\t"
        "subu %[left], %[left], %[count]\n\t"
        "bltz %[left], %l[full]\n\t"
        "nop\n\t"
        "addu %[left], %[before], %[count]\n\t"
        "sc %[left], 0(%[word])\n\t"
        "beq %[left], $0, 1b\n\t"
        "addiu %[tried], %[tried], 1\n\t"
        "sync\n\t"
        ".set pop"
        : [before] "=&r"(before), [left] "=&r"(left), [tried] "+&r"(tried)
        : [word] "r"(word), [count] "r"(count), [limit] "r"(limit)
        : "memory"
        : full);
    *was = before;
    *tries = tried;
    return 1;
full:
    *was = before;
    *tries = tried;
    return 0;
}

#endif
