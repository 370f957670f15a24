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

static _Thread_local omp_allocator_handle_t usual = omp_default_mem_alloc;

omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count, const omp_alloctrait_t traits[]) {
    (void)space;
    struct allocator *new = malloc(sizeof *new);
    if (!new) return omp_null_allocator;
    *new = (struct allocator){sizeof(double), SIZE_MAX, 0, omp_atv_default_mem_fb, omp_null_allocator};
    for (int i = 0; i < count; ++i) {
        const omp_uintptr_t value = traits[i].value;
        if (value == (omp_uintptr_t)omp_atv_default) continue;
        switch (traits[i].key) {
            case omp_atk_alignment:
                if (value && !(value & (value - 1))) new->alignment = value;
                break;
            case omp_atk_pool_size: new->pool = value; break;
            case omp_atk_fallback: new->fallback = (omp_alloctrait_value_t)value; break;
            case omp_atk_fb_data: new->other = (omp_allocator_handle_t)value; break;
            default: break;
        }
    }
    return (omp_allocator_handle_t)(uintptr_t) new;
}
void omp_destroy_allocator(omp_allocator_handle_t allocator) {
    if (allocator > omp_thread_mem_alloc) free((void *)(uintptr_t)allocator);
}
void omp_set_default_allocator(omp_allocator_handle_t allocator) {
    usual = allocator == omp_null_allocator ? omp_default_mem_alloc : allocator;
}
omp_allocator_handle_t omp_get_default_allocator(void) { return usual; }

void *omp_aligned_alloc(size_t alignment, size_t bytes, omp_allocator_handle_t handle) {
    if (!bytes) return NULL;
    if (handle == omp_null_allocator) handle = usual;
    struct allocator *allocator = handle > omp_thread_mem_alloc ? (struct allocator *)(uintptr_t)handle : NULL;
    if (alignment < sizeof(double)) alignment = sizeof(double);
    if (allocator && alignment < allocator->alignment) alignment = allocator->alignment;
    const bool fits = !allocator || __atomic_add_fetch(&allocator->used, bytes, __ATOMIC_RELAXED) <= allocator->pool;
    const size_t room = bytes + alignment + sizeof(struct piece);
    char *memory = fits && room > bytes ? malloc(room) : NULL;
    if (!memory) {
        if (allocator) __atomic_sub_fetch(&allocator->used, bytes, __ATOMIC_RELAXED);
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
    void *start = omp_alloc(bytes, allocator);
    if (!start || !old) return start;
    const size_t before = ((struct piece *)old)[-1].bytes;
    memcpy(start, old, before < bytes ? before : bytes);
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
