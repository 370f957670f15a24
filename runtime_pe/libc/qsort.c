/* qsort.c: qsort() keeps the order of what is equal, as glibc's does: programs whose results show that order would go another way than on
 * Linux. The halves are sorted, the first one rounded down, and merged, so that a program sees the comparisons that it sees there. Elements
 * of more than 32 bytes are moved once, at the end. Where there is no memory for a second half, it is heapsort, in place, which keeps no
 * order. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 32, ON_STACK = 1024 };

struct order {
    int (*compare)(const void *, const void *, void *);
    void *with;
    size_t size; /* of what is moved: an element, or its address */
    int by_address;
    char *room; /* for as much as is sorted */
};

static int is_in_order(const struct order *order, const char *a, const char *b) {
    if (order->by_address) return order->compare(*(void *const *)a, *(void *const *)b, order->with) <= 0;
    return order->compare(a, b, order->with) <= 0;
}

static void move(const struct order *order, char *to, const char *from) {
    typedef uint32_t __attribute__((may_alias)) word;
    if (order->size == sizeof(word) && ((uintptr_t)to | (uintptr_t)from) % sizeof(word) == 0) *(word *)to = *(const word *)from;
    else memcpy(to, from, order->size);
}

static void merge_sort(const struct order *order, char *all, size_t count) {
    if (count < 2) return;
    const size_t size = order->size;
    size_t left = count / 2, right = count - left;
    char *a = all, *b = all + left * size, *to = order->room;
    merge_sort(order, a, left);
    merge_sort(order, b, right);
    for (; left > 0 && right > 0; to += size) {
        if (is_in_order(order, a, b)) {
            move(order, to, a);
            a += size;
            --left;
        } else {
            move(order, to, b);
            b += size;
            --right;
        }
    }
    /* What is left of the second half stands where it belongs. */
    memcpy(to, a, left * size);
    memcpy(all, order->room, (count - right) * size);
}

static void swap(char *a, char *b, size_t size) {
    for (; size > 0; --size, ++a, ++b) {
        const char was = *a;
        *a = *b;
        *b = was;
    }
}

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
    struct order order = {compare, with, size, size > LARGE, on_stack};
    size_t wanted = 0;
    if (count < 2 || size == 0) return;
    const int too_large = order.by_address
                              ? __builtin_mul_overflow(count, 2 * sizeof(char *), &wanted) || __builtin_add_overflow(wanted, size, &wanted)
                              : __builtin_mul_overflow(count, size, &wanted);
    if (too_large || (wanted > ON_STACK && !(order.room = malloc(wanted)))) {
        order.by_address = 0;
        heap_sort(&order, all, count);
        return;
    }
    if (order.by_address) {
        char **const addresses = (char **)order.room, *const allocated = order.room;
        for (size_t i = 0; i < count; ++i) addresses[i] = (char *)all + i * size;
        order.size = sizeof(char *);
        order.room = (char *)(addresses + count);
        merge_sort(&order, (char *)addresses, count);
        move_all(all, count, size, addresses, (char *)(addresses + 2 * count));
        order.room = allocated;
    } else {
        merge_sort(&order, all, count);
    }
    if (order.room != on_stack) free(order.room);
}

static int without(const void *a, const void *b, void *compare) { return ((int (*)(const void *, const void *))compare)(a, b); }

void qsort(void *all, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    sort(all, count, size, without, (void *)compare);
}

void qsort_r(void *all, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *with) {
    sort(all, count, size, compare, with);
}
