/* memory.c: allocators of OpenMP. All memory is of one kind; an allocator has an alignment, a size of its pool, and what to do without
 * memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openmp.h"

struct allocator {
    size_t alignment, pool, used;
    omp_alloctrait_value_t fallback;
    omp_allocator_handle_t other;
};

/* Before each piece. */
struct piece {
    void *memory;
    size_t bytes;
    struct allocator *allocator;
};

/* Whether a trait has one of these values, which follow each other. */
static bool within(omp_uintptr_t value, omp_alloctrait_value_t first, omp_alloctrait_value_t last) {
    return value >= first && value <= last;
}

omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count, const omp_alloctrait_t traits[]) {
    (void)space;
    struct allocator made = {sizeof(double), SIZE_MAX, 0, omp_atv_default_mem_fb, omp_null_allocator};
    for (int i = 0; i < count; ++i) {
        const omp_uintptr_t value = traits[i].value;
        if (value == (omp_uintptr_t)omp_atv_default) continue;
        bool valid = true;
        switch (traits[i].key) {
            case omp_atk_alignment:
                valid = value && !(value & (value - 1));
                if (value > made.alignment) made.alignment = value;
                break;
            case omp_atk_pool_size:
                valid = value != 0;
                made.pool = value;
                break;
            case omp_atk_fallback:
                valid = within(value, omp_atv_default_mem_fb, omp_atv_allocator_fb);
                made.fallback = (omp_alloctrait_value_t)value;
                break;
            case omp_atk_fb_data: made.other = (omp_allocator_handle_t)value; break;
            case omp_atk_sync_hint: valid = within(value, omp_atv_contended, omp_atv_private); break;
            case omp_atk_access: valid = within(value, omp_atv_all, omp_atv_cgroup); break;
            case omp_atk_pinned: valid = value == omp_atv_false; break; /* there is nothing that could pin memory */
            case omp_atk_partition: valid = within(value, omp_atv_environment, omp_atv_interleaved); break;
            default: valid = false; break;
        }
        if (!valid) return omp_null_allocator;
    }
    struct allocator *new = malloc(sizeof *new);
    if (!new) return omp_null_allocator;
    *new = made;
    return (omp_allocator_handle_t)(uintptr_t) new;
}
void omp_destroy_allocator(omp_allocator_handle_t allocator) {
    if (allocator > omp_thread_mem_alloc) free((void *)(uintptr_t)allocator);
}
void omp_set_default_allocator(omp_allocator_handle_t allocator) {
    omp_task(omp_self())->settings.allocator = allocator == omp_null_allocator ? omp_default_mem_alloc : allocator;
}
omp_allocator_handle_t omp_get_default_allocator(void) { return omp_task(omp_self())->settings.allocator; }

static struct allocator *named(omp_allocator_handle_t handle) {
    if (handle == omp_null_allocator) handle = omp_get_default_allocator();
    return handle > omp_thread_mem_alloc ? (struct allocator *)(uintptr_t)handle : NULL;
}

/* More in the pool by this much, or less. */
static bool fill(struct allocator *allocator, size_t more, size_t less) {
    size_t now = __atomic_load_n(&allocator->used, __ATOMIC_RELAXED), then;
    do {
        then = now - less;
        if (more > allocator->pool || then > allocator->pool - more) return false;
        then += more;
    } while (!__atomic_compare_exchange_n(&allocator->used, &now, then, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

/* `gives`: so much of the allocator's pool is given back with it. */
static void *allocate(size_t alignment, size_t bytes, struct allocator *allocator, size_t gives) {
    if (alignment < sizeof(double)) alignment = sizeof(double);
    if (allocator && alignment < allocator->alignment) alignment = allocator->alignment;
    const bool fits = !allocator || fill(allocator, bytes, gives);
    const size_t room = bytes + alignment + sizeof(struct piece);
    char *memory = fits && room > bytes ? malloc(room) : NULL;
    if (!memory) {
        if (allocator && fits) fill(allocator, gives, bytes);
        switch (allocator ? allocator->fallback : omp_atv_null_fb) {
            case omp_atv_default_mem_fb: return omp_aligned_alloc(alignment, bytes, omp_default_mem_alloc);
            case omp_atv_allocator_fb: return omp_aligned_alloc(alignment, bytes, allocator->other);
            case omp_atv_abort_fb: omp_fail("out of memory for %lu bytes", (unsigned long)bytes);
            default: return NULL;
        }
    }
    char *start = omp_align(memory + sizeof(struct piece), alignment);
    ((struct piece *)start)[-1] = (struct piece){memory, bytes, allocator};
    return start;
}
void *omp_aligned_alloc(size_t alignment, size_t bytes, omp_allocator_handle_t handle) {
    return bytes ? allocate(alignment, bytes, named(handle), 0) : NULL;
}
void omp_free(void *start, omp_allocator_handle_t handle) {
    (void)handle;
    if (!start) return;
    const struct piece *piece = (struct piece *)start - 1;
    if (piece->allocator) __atomic_sub_fetch(&piece->allocator->used, piece->bytes, __ATOMIC_RELAXED);
    free(piece->memory);
}
void *omp_alloc(size_t bytes, omp_allocator_handle_t allocator) { return omp_aligned_alloc(1, bytes, allocator); }
void *omp_aligned_calloc(size_t alignment, size_t count, size_t bytes, omp_allocator_handle_t allocator) {
    size_t total;
    void *start = __builtin_mul_overflow(count, bytes, &total) ? NULL : omp_aligned_alloc(alignment, total, allocator);
    return start ? memset(start, 0, total) : NULL;
}
void *omp_calloc(size_t count, size_t bytes, omp_allocator_handle_t allocator) { return omp_aligned_calloc(1, count, bytes, allocator); }
void *omp_realloc(void *old, size_t bytes, omp_allocator_handle_t allocator, omp_allocator_handle_t old_allocator) {
    if (!bytes) return omp_free(old, old_allocator), NULL;
    if (!old) return omp_alloc(bytes, allocator);
    struct piece *piece = (struct piece *)old - 1;
    const bool same = allocator == omp_null_allocator && old_allocator == omp_null_allocator;
    struct allocator *from = piece->allocator, *to = same ? from : named(allocator);
    void *start = allocate(1, bytes, to, to == from ? piece->bytes : 0);
    if (!start) return NULL;
    memcpy(start, old, piece->bytes < bytes ? piece->bytes : bytes);
    /* Its part of the pool has been given back, if the new one is in that. */
    if (to == from && ((struct piece *)start)[-1].allocator == from) piece->allocator = NULL;
    omp_free(old, old_allocator);
    return start;
}
GOMP(void *, alloc, (size_t alignment, size_t bytes, uintptr_t allocator)) {
    void *start = omp_aligned_alloc(alignment, bytes, (omp_allocator_handle_t)allocator);
    if (!start && bytes) omp_fail("out of memory for %lu bytes", (unsigned long)bytes);
    return start;
}
GOMP(void, free, (void *start, uintptr_t allocator)) { omp_free(start, (omp_allocator_handle_t)allocator); }

/* The directive `error`. */
GOMP(void, warning, (const char *text, size_t bytes)) {
    fprintf(stderr, "OpenMP: warning: %.*s\n", text ? (int)(bytes == SIZE_MAX ? strlen(text) : bytes) : 0, text ? text : "");
}
GOMP(void, error, (const char *text, size_t bytes)) {
    omp_fail("%.*s", text ? (int)(bytes == SIZE_MAX ? strlen(text) : bytes) : 0, text ? text : "");
}
