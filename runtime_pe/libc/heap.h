/* heap.h: what malloc and free are in a program with threads: threads/heap.c. */
#ifndef MOG_HEAP_H
#define MOG_HEAP_H

#include <stddef.h>

void *__mog_thread_malloc(size_t bytes) __attribute__((weak));
void __mog_thread_free(void *piece) __attribute__((weak));

#endif
