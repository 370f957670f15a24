/* shared.c: memory that all PEs share: pieces of the window that are allocated, objects with names (shm_open), and mappings without. What
 * is known of them is in the window itself, where each PE finds it. */
#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"

enum { PAGE = SHARED_PAGE, UNIT = 16, NAME_MOST = 255 };

/* A piece in use has this in front; `start` is where its memory begins, which may be before that. */
struct piece {
    char *start;
    size_t bytes;
};
/* One that is free. They stand by address, and no two of them touch. */
struct hole {
    struct hole *next;
    size_t bytes;
};

struct object {
    struct object *next;
    int number; /* its descriptor, from SHARED_FD on */
    int opened; /* descriptors of all PEs; of a mapping without a name: its turn */
    int mapped; /* mappings of all PEs */
    int linked; /* it can be opened by its name */
    char *data; /* null: it has no size yet */
    size_t bytes;
    mode_t mode;
    char name[];
};

static MOG_SHARED struct {
    unsigned lock;
    int told;
    char *top; /* never used from here on; null: nothing is in use */
    struct hole *holes;
    struct object *objects; /* with names, or descriptors */
    struct object *unnamed; /* in no order */
    int next_number;
} window;

extern const unsigned __mog_limit;
extern char __mog_shared_end[];

/* ---- without MOG there is one PE, for which Linux has the memory */

static __attribute__((constructor(101))) void have_window(void) {
    enum { BYTES = 64 << 20 };
    if (__mog_limit) return;
    const int fixed = MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE;
    if (linux_call6(LINUX_mmap2, MOG_WINDOW_BASE, BYTES, PROT_READ | PROT_WRITE, fixed, -1, 0) == (int)MOG_WINDOW_BASE)
        *(uintptr_t *)&__mog_window_end = MOG_WINDOW_BASE + BYTES;
}

static void lock(void) { shared_lock(&window.lock); }
static void unlock(void) { shared_unlock(&window.lock); }

/* ---- pieces, with the lock */

static char *up(char *address, size_t to) { return (char *)(((uintptr_t)address + to - 1) & ~(uintptr_t)(to - 1)); }

static void tell_full(size_t bytes) {
    if (__atomic_exchange_n(&window.told, 1, __ATOMIC_RELAXED)) return;
    char text[160];
    int length = snprintf(text, sizeof text,
                          "PE %d: no room for %lu bytes in the memory that PEs share, which has %lu KiB; --shared-memory=SIZE gives more\n",
                          IPROC, (unsigned long)bytes, (unsigned long)(__mog_window_end - MOG_WINDOW_BASE) / 1024);
    write(STDERR_FILENO, text, (size_t)length);
}

/* Zeros, or null. */
static void *take(size_t bytes, size_t alignment) {
    bytes = bytes < UNIT ? UNIT : (bytes + UNIT - 1) & ~(size_t)(UNIT - 1);
    if (bytes == 0 || bytes > __mog_window_end - MOG_WINDOW_BASE) return NULL;
    if (!window.top) window.top = up(__mog_shared_end, UNIT);
    for (struct hole **link = &window.holes; *link; link = &(*link)->next) {
        struct hole *hole = *link;
        char *start = (char *)hole, *end = start + hole->bytes, *data = up(start + sizeof(struct piece), alignment);
        if (data > end || (size_t)(end - data) < bytes) continue;
        struct hole *next = hole->next;
        if ((size_t)(end - data) >= bytes + 2 * UNIT) {
            struct hole *rest = (struct hole *)(data + bytes);
            rest->next = next;
            rest->bytes = (size_t)(end - data) - bytes;
            next = rest;
            end = data + bytes;
        }
        *link = next;
        memset(data, 0, (size_t)(end - data));
        ((struct piece *)data)[-1] = (struct piece){start, (size_t)(end - start)};
        return data;
    }
    char *start = window.top, *data = up(start + sizeof(struct piece), alignment), *limit = (char *)__mog_window_end;
    if (data > limit || (size_t)(limit - data) < bytes) return NULL;
    window.top = data + bytes;
    ((struct piece *)data)[-1] = (struct piece){start, (size_t)(window.top - start)};
    return data;
}

static void give(void *data) {
    const struct piece piece = ((struct piece *)data)[-1];
    struct hole *back = (struct hole *)piece.start, **link = &window.holes, *before = NULL;
    while (*link && *link < back) before = *link, link = &before->next;
    *back = (struct hole){*link, piece.bytes};
    *link = back;
    if (back->next && (char *)back + back->bytes == (char *)back->next)
        *back = (struct hole){back->next->next, back->bytes + back->next->bytes};
    if (before && (char *)before + before->bytes == (char *)back) *before = (struct hole){back->next, before->bytes + back->bytes};
}

void *__mog_shared_allocate(size_t bytes, size_t alignment) {
    lock();
    void *data = take(bytes, alignment);
    unlock();
    if (!data) {
        tell_full(bytes);
        errno = ENOMEM;
    }
    return data;
}

void *mog_shared_alloc(size_t bytes) { return __mog_shared_allocate(bytes, UNIT); }

void mog_shared_free(void *data) {
    if (!data) return;
    lock();
    give(data);
    unlock();
}

/* ---- objects */

static int fail(int number) {
    errno = number;
    return -1;
}

static struct object *make(const char *name) {
    struct object *made = take(sizeof *made + strlen(name) + 1, UNIT);
    if (made) strcpy(made->name, name);
    return made;
}

static void forget_unused(struct object **list, struct object *object) {
    if (object->opened > 0 || object->mapped > 0 || object->linked) return;
    while (*list != object) list = &(*list)->next;
    *list = object->next;
    if (object->data) give(object->data);
    give(object);
}

static struct object *find(const char *name) {
    struct object *found = window.objects;
    while (found && !(found->linked && strcmp(found->name, name) == 0)) found = found->next;
    return found;
}
static struct object *object_of(int fd) {
    struct object *found = window.objects;
    while (found && found->number != fd) found = found->next;
    if (!found) errno = EBADF;
    return found;
}

static const char *plain_name(const char *name) {
    while (*name == '/') ++name;
    const size_t length = strlen(name);
    errno = length > NAME_MOST ? ENAMETOOLONG : EINVAL;
    return length == 0 || length > NAME_MOST || strchr(name, '/') ? NULL : name;
}

int shm_open(const char *name, int flags, mode_t mode) {
    if (!(name = plain_name(name))) return -1;
    int fd = -1, error = 0;
    lock();
    struct object *found = find(name);
    if (found && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) error = EEXIST;
    else if (!found && !(flags & O_CREAT)) error = ENOENT;
    else if (!found && !(found = make(name))) error = ENOMEM;
    else if (!found->number) {
        found->number = SHARED_FD + window.next_number++;
        found->linked = 1;
        found->mode = S_IFREG | (mode & 0777);
        found->next = window.objects;
        window.objects = found;
    }
    if (!error) {
        ++found->opened;
        fd = found->number;
        if (flags & O_TRUNC && !found->mapped) found->bytes = 0;
    }
    unlock();
    return error ? fail(error) : fd;
}

int shm_unlink(const char *name) {
    if (!(name = plain_name(name))) return -1;
    lock();
    struct object *found = find(name);
    if (found) {
        found->linked = 0;
        forget_unused(&window.objects, found);
    }
    unlock();
    return found ? 0 : fail(ENOENT);
}

static int close_object(int fd) {
    lock();
    struct object *found = object_of(fd);
    if (found && --found->opened == 0) forget_unused(&window.objects, found);
    unlock();
    return found ? 0 : -1;
}

static size_t room(const struct object *object) {
    return object->data ? ((struct piece *)object->data)[-1].bytes - (size_t)(object->data - ((struct piece *)object->data)[-1].start) : 0;
}

/* It does not move while anybody has it mapped. */
static int truncate_object(int fd, off_t bytes) {
    if (bytes < 0) return fail(EINVAL);
    const size_t wanted = (size_t)bytes;
    int error = 0;
    lock();
    struct object *object = object_of(fd);
    if (!object) error = EBADF;
    else if (wanted > room(object)) {
        char *data = object->mapped ? NULL : take((wanted + PAGE - 1) & ~(size_t)(PAGE - 1), PAGE);
        if (!data) error = object->mapped ? EBUSY : ENOMEM;
        else {
            if (object->data) {
                memcpy(data, object->data, object->bytes);
                give(object->data);
            }
            object->data = data;
        }
    } else if (wanted < object->bytes) {
        memset(object->data + wanted, 0, object->bytes - wanted);
    }
    if (!error) object->bytes = wanted;
    unlock();
    if (error == ENOMEM) tell_full(wanted);
    return error ? fail(error) : 0;
}

static int status_of(int fd, struct stat *status) {
    lock();
    const struct object *object = object_of(fd);
    if (object) {
        memset(status, 0, sizeof *status);
        status->st_mode = object->mode;
        status->st_nlink = (nlink_t)object->linked;
        status->st_size = (off_t)object->bytes;
        status->st_blksize = PAGE;
        status->st_ino = (ino_t)(fd - SHARED_FD + 1);
    }
    unlock();
    return object ? 0 : -1;
}

/* ---- mappings */

/* The turn-th mapping without a name of each PE is the same for all. */
static int next_turn;

static struct object *unnamed(size_t bytes) {
    const int turn = __atomic_fetch_add(&next_turn, 1, __ATOMIC_RELAXED);
    for (struct object *found = window.unnamed; found; found = found->next)
        if (found->opened == turn) return found;
    struct object *made = make("");
    if (made && !(made->data = take(bytes, PAGE))) {
        give(made);
        made = NULL;
    }
    if (!made) return NULL;
    made->bytes = bytes;
    made->opened = turn;
    made->next = window.unnamed;
    return window.unnamed = made;
}

static void *map(int fd, size_t bytes, off_t offset) {
    int error = 0;
    char *start = MAP_FAILED;
    bytes = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
    lock();
    struct object *object = fd == -1 ? unnamed(bytes) : object_of(fd);
    if (!object) error = fd == -1 ? ENOMEM : EBADF;
    else if (offset < 0 || (size_t)offset > room(object) || bytes > room(object) - (size_t)offset) error = fd == -1 ? ENOMEM : ENXIO;
    else {
        ++object->mapped;
        start = object->data + offset;
    }
    unlock();
    if (error == ENOMEM) tell_full(bytes);
    if (error) errno = error;
    return start;
}

static int unmap(void *address, size_t bytes) {
    if ((uintptr_t)address % PAGE || bytes == 0) return fail(EINVAL);
    lock();
    struct object **lists[] = {&window.objects, &window.unnamed};
    for (int i = 0; i < 2; ++i)
        for (struct object *object = *lists[i]; object; object = object->next)
            if (object->data && (char *)address >= object->data && (char *)address < object->data + room(object)) {
                if (--object->mapped == 0 && i == 0) forget_unused(lists[i], object);
                break;
            }
    unlock();
    return 0;
}

const struct shared_calls __mog_shared_calls = {close_object, truncate_object, status_of, map, unmap};
