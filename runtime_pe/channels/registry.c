/* registry.c: what lies in the window under a name, which PEs and the host find in one list; and words that PEs sleep on. */
#include <mog.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "steps.h"

/* The host finds the list by this name. */
MOG_SHARED struct {
    uint32_t first;
    unsigned lock;   /* 0; 1: somebody has it; 2: and others may wait */
    uint32_t hosted; /* the first of the graphs that the host schedules */
} __mog_channels;
_Static_assert(__builtin_offsetof(typeof(__mog_channels), hosted) == CHANNELS_HOSTED, "the host looks there");

void __mog_channel_sleep(const void *word, uint32_t value) { linux_call(LINUX_futex, (int)word, LINUX_FUTEX_WAIT, (int)value, 0); }
void __mog_channel_wake(const void *word) { linux_call(LINUX_futex, (int)word, LINUX_FUTEX_WAKE, INT32_MAX, 0); }

static void lock(void) {
    if (compare_and_swap(&__mog_channels.lock, 0, 1)) return;
    while (__atomic_exchange_n(&__mog_channels.lock, 2, __ATOMIC_ACQUIRE)) __mog_channel_sleep(&__mog_channels.lock, 2);
}
static void unlock(void) {
    if (__atomic_exchange_n(&__mog_channels.lock, 0, __ATOMIC_RELEASE) == 2) __mog_channel_wake(&__mog_channels.lock);
}

void __mog_channel_say(const char *format, ...) {
    char text[1024];
    int used = snprintf(text, sizeof text, "PE %d: ", IPROC);
    va_list arguments;
    va_start(arguments, format);
    used += vsnprintf(text + used, sizeof text - 1 - (size_t)used, format, arguments);
    va_end(arguments);
    if (used > (int)sizeof text - 2) used = sizeof text - 2;
    text[used++] = '\n';
    write(STDERR_FILENO, text, (size_t)used);
}

void *__mog_window_piece(uint32_t bytes) {
    enum { LINE = 64 };
    if (bytes > UINT32_MAX - LINE) return errno = ENOMEM, NULL;
    char *piece = mog_shared_alloc(bytes + LINE);
    return piece ? (void *)(((uintptr_t)piece + LINE - 1) & ~(uintptr_t)(LINE - 1)) : NULL;
}

uint32_t __mog_window_text(const char *text) {
    char *copy = mog_shared_alloc(strlen(text) + 1);
    return copy ? address_of(strcpy(copy, text)) : 0;
}

void *__mog_find_or_make(const char *name, uint32_t kind, uint32_t bytes, int (*make)(void *block, const void *with), const void *with) {
    lock();
    uint32_t *found = CHANNEL_WORD(__mog_channels.first);
    while (found && !(found[CHANNEL_KIND / 4] == kind && strcmp((const char *)CHANNEL_WORD(found[CHANNEL_NAME / 4]), name) == 0))
        found = CHANNEL_WORD(found[CHANNEL_NEXT / 4]);
    if (!found && make && (found = __mog_window_piece(bytes))) {
        found[CHANNEL_KIND / 4] = kind;
        if ((found[CHANNEL_NAME / 4] = __mog_window_text(name)) && make(found, with)) {
            found[CHANNEL_NEXT / 4] = __mog_channels.first;
            CHANNEL_STORE(0, address_of(&__mog_channels.first), address_of(found));
        } else {
            found = NULL; /* its pieces stay: whoever has filled the window is told so, and ends */
        }
    } else if (!found && !make) {
        errno = ENOENT;
    }
    unlock();
    return found;
}

void __mog_graph_is_hosted(uint32_t graph) {
    lock();
    CHANNEL_STORE(0, graph + GRAPH_NEXT_HOSTED, __mog_channels.hosted);
    CHANNEL_STORE(0, address_of(&__mog_channels.hosted), graph);
    unlock();
}
