/* qsort.c: qsort() keeps the order of what is equal, as glibc's does: programs whose results show that order would go another way than on
 * Linux. The halves are sorted, the first one rounded down, and merged, so that a program sees the comparisons that it sees there. Elements
 * of more than 32 bytes are moved once, at the end. Where there is no memory for a second half, it is heapsort, in place, which keeps no
 * order. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 32, ON_STACK = 1024 };

struct order {
    int (*compare)(const void *, const void *, void *);
    void *with;
    size_t size;
    char *room; /* for as much as is sorted */
};

/* What is moved: an element, one that is a word, or the address of one. */
enum parts { ELEMENTS, WORDS, ADDRESSES };

typedef uint32_t __attribute__((may_alias)) word;

static inline __attribute__((always_inline)) void merge_sort(const struct order *order, char *all, size_t count, enum parts parts,
                                                             void (*sort)(const struct order *, char *, size_t)) {
    if (count < 2) return;
    const size_t size = parts == ELEMENTS ? order->size : sizeof(word);
    size_t left = count / 2, right = count - left;
    char *a = all, *b = all + left * size, *to = order->room;
    sort(order, a, left);
    sort(order, b, right);
    for (; left > 0 && right > 0; to += size) {
        const int is_first =
            parts == ADDRESSES ? order->compare(*(void **)a, *(void **)b, order->with) <= 0 : order->compare(a, b, order->with) <= 0;
        char *const from = is_first ? a : b;
        if (parts == ELEMENTS) memcpy(to, from, size);
        else *(word *)to = *(word *)from;
        if (is_first) {
            a += size;
            --left;
        } else {
            b += size;
            --right;
        }
    }
    /* What is left of the second half stands where it belongs. */
    memcpy(to, a, left * size);
    memcpy(all, order->room, (count - right) * size);
}

static void sort_elements(const struct order *order, char *all, size_t count) { merge_sort(order, all, count, ELEMENTS, sort_elements); }
static void sort_words(const struct order *order, char *all, size_t count) { merge_sort(order, all, count, WORDS, sort_words); }
static void sort_addresses(const struct order *order, char *all, size_t count) { merge_sort(order, all, count, ADDRESSES, sort_addresses); }

static void swap(char *a, char *b, size_t size) {
    for (; size > 0; --size, ++a, ++b) {
        const char was = *a;
        *a = *b;
        *b = was;
    }
}

static int is_in_order(const struct order *order, const char *a, const char *b) { return order->compare(a, b, order->with) <= 0; }

static void heap_sort(const struct order *order, char *all, size_t count) {
    const size_t size = order->size;
    size_t next = count / 2, end = count;
    while (end > 1) {
        if (next > 0) --next;
        else swap(all, all + --end * size, size);
        for (size_t top = next, child; (child = 2 * top + 1) < end; top = child) {
            if (child + 1 < end && !is_in_order(order, all + (child + 1) * size, all + child * size)) ++child;
            if (is_in_order(order, all + child * size, all + top * size)) break;
            swap(all + top * size, all + child * size, size);
        }
    }
}

/* Each element to where its address stands, round by round of those that take each other's places. */
static void move_all(char *all, size_t count, size_t size, char **from, char *room) {
    for (size_t begin = 0; begin < count; ++begin) {
        if (from[begin] == all + begin * size) continue;
        memcpy(room, all + begin * size, size);
        size_t at = begin;
        for (;;) {
            char *const source = from[at], *const here = all + at * size;
            from[at] = here;
            if (source == all + begin * size) {
                memcpy(here, room, size);
                break;
            }
            memcpy(here, source, size);
            at = (size_t)(source - all) / size;
        }
    }
}

static void sort(void *all, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *with) {
    char on_stack[ON_STACK] __attribute__((aligned(8)));
    struct order order = {compare, with, size, NULL};
    if (count < 2 || size == 0) return;
    const int by_address = size > LARGE, before = errno;
    const size_t wanted = by_address ? 2 * count * sizeof(char *) + size : count * size;
    char *const room = wanted <= ON_STACK ? on_stack : malloc(wanted);
    if (!room) {
        errno = before;
        heap_sort(&order, all, count);
        return;
    }
    order.room = room;
    if (by_address) {
        char **const addresses = (char **)room;
        for (size_t i = 0; i < count; ++i) addresses[i] = (char *)all + i * size;
        order.room = (char *)(addresses + count);
        sort_addresses(&order, room, count);
        move_all(all, count, size, addresses, order.room);
    } else if (size == sizeof(word) && (uintptr_t)all % sizeof(word) == 0) {
        sort_words(&order, all, count);
    } else {
        sort_elements(&order, all, count);
    }
    if (room != on_stack) free(room);
}

/* An argument more in a register is nothing to a function that takes two. */
void qsort(void *all, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    sort(all, count, size, (int (*)(const void *, const void *, void *))(void *)compare, NULL);
}

void qsort_r(void *all, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *with) {
    sort(all, count, size, compare, with);
}
