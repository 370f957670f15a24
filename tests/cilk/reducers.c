/* Reducers of OpenCilk and of Cilk Plus, also some for which the order matters. */
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void zero(void *view) { *(long *)view = 0; }
static void plus(void *left, void *right) { *(long *)left += *(long *)right; }

/* A list of numbers: views are appended to each other. */
struct node {
    struct node *next;
    int value;
};
typedef struct {
    struct node *first, **end;
    int count;
} list;
static void empty(void *view) {
    list *new = view;
    new->first = NULL;
    new->end = NULL;
    new->count = 0;
}
static void join(void *left, void *right) {
    list *a = left, *b = right;
    if (!b->first) return;
    if (a->first) *a->end = b->first;
    else a->first = b->first;
    a->end = b->end;
    a->count += b->count;
}
static void append(list *to, int value) {
    struct node *node = malloc(sizeof *node);
    node->next = NULL;
    node->value = value;
    if (to->first) *to->end = node;
    else to->first = node;
    to->end = &node->next;
    ++to->count;
}
/* A number that tells whether all came in order; and gives the list back. */
static uint32_t hash_of(list *all) {
    uint32_t hash = 0;
    for (struct node *node = all->first, *next; node; node = next) {
        next = node->next;
        hash = hash * 31 + (uint32_t)node->value;
        free(node);
    }
    return hash;
}

/* Functions x -> a x + b, one after the other: not commutative. */
typedef struct {
    uint32_t a, b;
} line;
static void same(void *view) { *(line *)view = (line){1, 0}; }
static void then(void *left, void *right) {
    line *first = left, *second = right;
    *first = (line){second->a * first->a, second->a * first->b + second->b};
}
typedef line cilk_reducer(same, then) line_reducer;

static long cilk_reducer(zero, plus) total = 3;
list cilk_reducer(empty, join) found;
line_reducer applied = {1, 0};
CILK_C_REDUCER_OPADD(visits, int, 100);

static void walk(int low, int high) {
    if (high - low < 3) {
        for (int i = low; i < high; ++i) {
            total += i;
            append(&found, i);
            applied.b = applied.b * 5 + i;
            applied.a *= 5;
            ++REDUCER_VIEW(visits);
        }
        return;
    }
    const int third = (high - low) / 3;
    cilk_spawn walk(low, low + third);
    append(&found, -low);
    cilk_spawn walk(low + third, low + 2 * third);
    walk(low + 2 * third, high);
    cilk_sync;
    append(&found, -high);
}

static void through_pointer(long cilk_reducer(zero, plus) * sum, int n) {
    if (n == 0) return;
    *sum += n;
    cilk_spawn through_pointer(sum, n - 1);
    sum[0] += 2 * *sum * 0 + 1;
}
/* A reducer of its own for each call, several at once. */
static long of_its_own(int n) {
    long cilk_reducer(zero, plus) sum = 1000 * n;
    list cilk_reducer(empty, join) own = {NULL, NULL, 0};
    cilk_for (int i = 0; i < 20; ++i) {
        sum += i;
        append(&own, i * n);
    }
    long other = 0;
    if (n > 0) other = cilk_spawn of_its_own(n - 1);
    sum += 5;
    through_pointer(&sum, 3);
    cilk_sync;
    sum += other;
    return sum + hash_of(&own) % 1000 + own.count;
}

/* Names that are a reducer's elsewhere. */
struct has_member {
    int total, found;
};
static int shadows(int total) {
    struct has_member one = {.total = total, .found = 2};
    int applied = one.total * 2;
    cilk_for (int i = 0; i < 4; ++i) (void)i;
    return applied + total + one.found;
}

static void of_cilk_plus(void) {
    CILK_C_REDUCER_OPMUL(product, uint, 1);
    CILK_C_REDUCER_OPAND(all_bits, ushort, 0xffff);
    CILK_C_REDUCER_OPOR(any_bits, ulong, 0);
    CILK_C_REDUCER_OPXOR(odd_bits, longlong, 0);
    CILK_C_REDUCER_MAX(largest, double, -1);
    CILK_C_REDUCER_MIN(smallest, schar, 100);
    CILK_C_REDUCER_MAX_INDEX(peak, int, -1, 0);
    CILK_C_REDUCER_MIN_INDEX(dip, float, 0, 1e9f);
    CILK_C_REGISTER_REDUCER(product);
    CILK_C_REGISTER_REDUCER(all_bits);
    CILK_C_REGISTER_REDUCER(any_bits);
    CILK_C_REGISTER_REDUCER(odd_bits);
    CILK_C_REGISTER_REDUCER(largest);
    CILK_C_REGISTER_REDUCER(smallest);
    CILK_C_REGISTER_REDUCER(peak);
    CILK_C_REGISTER_REDUCER(dip);
#pragma cilk grainsize 2
    cilk_for (int i = 0; i < 50; ++i) {
        const int height = (i * 37 + 11) % 41;
        REDUCER_VIEW(product) *= 2 * i + 1;
        REDUCER_VIEW(all_bits) &= (unsigned short)~(1u << (i % 9));
        REDUCER_VIEW(any_bits) |= 1ul << (i % 23);
        REDUCER_VIEW(odd_bits) ^= (long long)i * i << (i % 30);
        CILK_C_REDUCER_MAX_CALC(largest, height * 0.5);
        CILK_C_REDUCER_MIN_CALC(smallest, (signed char)(height - 20));
        CILK_C_REDUCER_MAX_INDEX_CALC(peak, i, height);
        CILK_C_REDUCER_MIN_INDEX_CALC(dip, i, height / 4.0f);
    }
    CILK_C_UNREGISTER_REDUCER(product);
    CILK_C_UNREGISTER_REDUCER(all_bits);
    CILK_C_UNREGISTER_REDUCER(any_bits);
    CILK_C_UNREGISTER_REDUCER(odd_bits);
    CILK_C_UNREGISTER_REDUCER(largest);
    CILK_C_UNREGISTER_REDUCER(smallest);
    CILK_C_UNREGISTER_REDUCER(peak);
    CILK_C_UNREGISTER_REDUCER(dip);
    printf("%u %x %lx %lld %g %d %d at %d, %g at %d\n", product.value, all_bits.value, any_bits.value, odd_bits.value, largest.value, smallest.value,
           peak.value.value, (int)peak.value.index, (double)dip.value.value, (int)dip.value.index);
}

int main(void) {
    CILK_C_REGISTER_REDUCER(visits);
    for (int round = 0; round < 3; ++round) {
        walk(0, 2000);
        printf("%ld %d %08lx %08lx %08lx\n", total, found.count, (unsigned long)hash_of(&found), (unsigned long)applied.a, (unsigned long)applied.b);
        empty(&found);
    }
    CILK_C_UNREGISTER_REDUCER(visits);
    printf("%d\n", visits.value);
    printf("%ld\n", of_its_own(30));
    through_pointer(&total, 50);
    printf("%ld %d\n", total, shadows(4));
    of_cilk_plus();
    return 0;
}
