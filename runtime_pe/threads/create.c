/* create.c: threads begin and end. A thread's memory is one piece: its stack, and above it its thread-local variables, of which one is the
 * description of the thread. Pieces of threads that ended serve again. */
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_pe/start/guards.h"
#include "thread.h"

int __mog_clone(unsigned flags, void *stack, unsigned *parent_tid, void *thread_pointer, int *child_tid, void (*start)(struct thread *),
                struct thread *argument);
/* mog.ld has these: thread-local variables as the linker left them, their bytes with those that are zero, and room for a copy. */
extern char __mog_tls[], __mog_tls_image[], __mog_tls_data_bytes[], __mog_tls_bytes[], __mog_tls_alignment[];

/* <sys/lock.h> declares locks so that programs without threads have none; those with threads have them by this. */
extern const char __mog_has_locks;
static const char *const locks __attribute__((used)) = &__mog_has_locks;

enum { THREAD_POINTER_BIAS = 0x7000 /* TLS_TP_OFFSET of MIPS's ABI */, PAGE = 4096, LINE = 64, LOOK_AT = 8, LEAST_STACK = 2048 };
/* Who joins a thread lets others go first so many times before it sleeps: short ones have ended by then, and nobody need be woken. */
enum { JOIN_LOOKS = 3 };

static unsigned threads = 1; /* that have not ended */

/* One more, or one less: how many there are. A function by this name, for it orders nothing that a program may build upon: whoever looks
 * for races (mogrun --check-races) does not take a thread that began after another one's end for one that had waited for that. */
unsigned __mog_count_threads(unsigned more) { return __atomic_add_fetch(&threads, more, __ATOMIC_ACQ_REL); }

static unsigned stacks; /* that were found for threads which have not been joined: who has ended has it, too */
unsigned __mog_count_stacks(void) { return __atomic_load_n(&stacks, __ATOMIC_RELAXED); }

/* What is mapped for a stack of so many bytes. Stacks are an odd number of pages apart, see free_at_end. */
static size_t block_bytes(size_t stack) {
    const size_t pages = (stack + PAGE - 1) / PAGE;
    return (stack > LEAST_USUAL_STACK ? pages | 1 : pages) * PAGE;
}

/* Kinds of memory for a thread: what those get whose attributes do not say, the longest first, and others. */
enum kind { USUAL_KINDS = 5, SAID = USUAL_KINDS };
_Static_assert(MOST_USUAL_STACK >> (USUAL_KINDS - 1) == LEAST_USUAL_STACK, "each has half of the one before");
static enum kind kind_of(size_t bytes) {
    enum kind kind = 0;
    while (kind < SAID && bytes != block_bytes(MOST_USUAL_STACK >> kind)) ++kind;
    return kind;
}

__LOCK_INIT(static, ended_lock)
static struct thread *ended[USUAL_KINDS + 1]; /* whose memory may serve again once they are not alive */

/* Before anything has written to a thread-local variable. */
void __mog_begin_threads(void) {
    memcpy(__mog_tls_image, __mog_tls, (size_t)__mog_tls_data_bytes);
    __mog_begin_self();
}

static char *thread_pointer(void) {
    char *pointer;
    __asm__("rdhwr %0, $29" : "=v"(pointer));
    return pointer;
}

static void sleep_until_dead(struct thread *thread) {
    for (int now; (now = ATOMIC_LOAD(&thread->alive));) linux_call6(LINUX_futex, (int)&thread->alive, LINUX_FUTEX_WAIT, now, 0, 0, 0);
}

static void recycle(struct thread *thread) {
    if (!thread->block) return;
    __atomic_fetch_sub(&stacks, 1, __ATOMIC_RELAXED);
    __mog_acquire(&ended_lock);
    struct thread **const first = &ended[kind_of(thread->block_bytes)];
    thread->next = *first;
    *first = thread;
    __mog_release(&ended_lock);
}

/* A thread that ended, whose memory is enough: one that Linux has nothing to do with any more, or any, or only one that is about to leave,
 * which is waited for. Null: there is none. */
enum which_ended { GONE, ANY, LEAVING };
static struct thread *take_of(enum kind kind, size_t bytes, enum which_ended which) {
    int looks = LOOK_AT;
    for (struct thread **link = &ended[kind]; *link && (looks-- || which != GONE); link = &(*link)->next) {
        struct thread *thread = *link;
        const bool fits = kind != SAID || !bytes || thread->block_bytes == bytes;
        if (!fits || (which != ANY && (which == LEAVING) != (ATOMIC_LOAD(&thread->alive) != 0))) continue;
        *link = thread->next;
        return thread;
    }
    return NULL;
}
/* `bytes`: what its memory has at least, if it is for any thread; just so many otherwise. 0: any. */
static struct thread *take_ended(size_t bytes, enum which_ended which) {
    __mog_acquire(&ended_lock);
    struct thread *found = NULL;
    const enum kind kind = bytes ? kind_of(bytes) : USUAL_KINDS - 1;
    if (kind == SAID || !bytes) found = take_of(SAID, bytes, which);
    for (int usual = kind; !found && kind != SAID && usual >= 0; --usual) found = take_of(usual, bytes, which);
    __mog_release(&ended_lock);
    if (found) sleep_until_dead(found);
    return found;
}

static size_t tls_alignment(void) {
    size_t alignment = (size_t)__mog_tls_alignment;
    return alignment < 16 ? 16 : alignment;
}
/* Of the thread-local variables, in memory that ends at `end`. */
static char *tls_before(char *end) { return (char *)(((uintptr_t)end - (size_t)__mog_tls_bytes) & ~(tls_alignment() - 1)); }
/* How much of a block is left free at its end. What threads touch first would lie in the same lines of their pages, which have the same
 * places in a processor's caches, where few of a thousand threads' find room. A quarter of a page is spread over, so that one still is
 * enough for what little a thread may need. */
static size_t free_at_end(const char *block, size_t bytes) {
    return bytes > LEAST_USUAL_STACK ? (uintptr_t)block / PAGE % (PAGE / 4 / LINE) * LINE : 0;
}
static struct thread *thread_in(char *tls) {
    return (struct thread *)(tls + ((char *)&__mog_self - (thread_pointer() - THREAD_POINTER_BIAS)));
}

/* Memory of so many bytes for a thread, or of more; null: there is none. */
static char *look_for_block(size_t *found) {
    const size_t bytes = *found;
    struct thread *old = take_ended(bytes, GONE);
    for (;;) {
        if (old) {
            *found = old->block_bytes;
            return old->block;
        }
        const int result =
            linux_call6(LINUX_mmap2, 0, (int)bytes, LINUX_PROT_READ | LINUX_PROT_WRITE, LINUX_MAP_PRIVATE | LINUX_MAP_ANONYMOUS, -1, 0);
        if (result > 0 || result < -LINUX_EDQUOT) return (char *)result;
        if ((old = take_ended(bytes, ANY))) continue;
        /* Of other sizes. */
        struct thread *other = take_ended(0, ANY);
        if (!other) return NULL;
        linux_call(LINUX_munmap, (int)other->block, (int)other->block_bytes, 0, 0);
    }
}

static char *find_block(size_t *found) {
    char *const block = look_for_block(found);
    if (block) __atomic_fetch_add(&stacks, 1, __ATOMIC_RELAXED);
    return block;
}

/* ---- destructors of C++'s thread-local objects ---- */

struct thread_exit {
    struct thread_exit *before;
    void (*function)(void *);
    void *argument;
};

int __mog_thread_atexit(void (*function)(void *), void *argument) {
    struct thread *self = &__mog_self;
    struct thread_exit *new = malloc(sizeof *new);
    if (!new) return -1;
    *new = (struct thread_exit){self->exits, function, argument};
    self->exits = new;
    return 0;
}

void __mog_run_thread_exits(void) {
    struct thread *self = &__mog_self;
    for (struct thread_exit *last; (last = self->exits);) {
        self->exits = last->before;
        last->function(last->argument);
        free(last);
    }
}

/* ---- threads ---- */

static void begin(struct thread *self) {
    struct _reent *main_reent = _GLOBAL_REENT, *own = &self->reent;
    _REENT_INIT_PTR(own);
    /* Streams are everybody's. */
    own->_stdin = main_reent->_stdin;
    own->_stdout = main_reent->_stdout;
    own->_stderr = main_reent->_stderr;
    own->__sdidinit = 1;
    _impure_ptr = own;
    __mog_end_thread(self->start(self->argument));
}

int pthread_create(pthread_t *restrict result, const pthread_attr_t *restrict wanted, void *(*start)(void *), void *restrict argument) {
    char *const own = wanted ? wanted->__memory : NULL;
    const size_t said = wanted ? wanted->__stack : 0;
    const bool is_usual = !said;
    size_t bytes = own ? said : block_bytes(is_usual ? __mog_usual_stack() : said);
    if (bytes < (size_t)__mog_tls_bytes + tls_alignment() + LEAST_STACK) return EINVAL;
    char *memory = own ? own : find_block(&bytes);
    if (!memory && is_usual) { /* the heap has more of the memory than was thought of */
        bytes = block_bytes(LEAST_USUAL_STACK);
        memory = find_block(&bytes);
    }
    if (!memory) return EAGAIN;

    char *tls = tls_before(memory + bytes - (own ? 0 : free_at_end(memory, bytes)));
    memcpy(tls, __mog_tls_image, (size_t)__mog_tls_data_bytes);
    memset(tls + (size_t)__mog_tls_data_bytes, 0, (size_t)(__mog_tls_bytes - __mog_tls_data_bytes));
    struct thread *thread = thread_in(tls);
    thread->alive = 1;
    thread->state = wanted && wanted->__detached ? THREAD_DETACHED : THREAD_JOINABLE;
    thread->start = start;
    thread->argument = argument;
    thread->block = own ? NULL : memory;
    thread->block_bytes = bytes;
    thread->stack = memory;
    if (__mog_blocked_signals) {
        const sigset_t *const blocked = __mog_blocked_signals();
        *(sigset_t *)in_thread(thread, blocked) = *blocked;
    }
    *result = (pthread_t)thread;
    if (__mog_enlist) __mog_enlist(thread);

    __mog_count_threads(1);
    const unsigned flags = LINUX_CLONE_VM | LINUX_CLONE_FS | LINUX_CLONE_FILES | LINUX_CLONE_SIGHAND | LINUX_CLONE_THREAD |
                           LINUX_CLONE_SYSVSEM | LINUX_CLONE_SETTLS | LINUX_CLONE_PARENT_SETTID | LINUX_CLONE_CHILD_CLEARTID;
    for (int has_waited = 1;;) {
        const int number = __mog_clone(flags, tls, &thread->id, tls + THREAD_POINTER_BIAS, &thread->alive, begin, thread);
        if (number > 0) return 0;
        /* Threads that are joined may not have left yet; there is room once they have. */
        struct thread *leaving = number == -EAGAIN ? take_ended(0, LEAVING) : NULL;
        if (!leaving && !has_waited) break;
        has_waited = leaving != NULL;
        if (!leaving) continue; /* once more: nobody is about to leave, and MOG says so */
        linux_call(LINUX_munmap, (int)leaving->block, (int)leaving->block_bytes, 0, 0);
    }
    __mog_count_threads(-1u);
    if (__mog_delist) __mog_delist(thread);
    thread->alive = 0;
    recycle(thread);
    return EAGAIN;
}

_Noreturn void __mog_end_thread(void *result) {
    struct thread *self = &__mog_self;
    self->cancel_state = PTHREAD_CANCEL_DISABLE;
    while (self->cleanup) {
        struct __mog_cleanup *handler = self->cleanup;
        self->cleanup = handler->__before;
        handler->__function(handler->__argument);
    }
    __mog_run_thread_exits();
    if (__mog_run_destructors) __mog_run_destructors(self);
    if (__mog_leave_robust) __mog_leave_robust(self);
    if (__mog_delist) __mog_delist(self);
    if (__mog_count_threads(-1u) == 0) exit(0);
    if (self->id != 1) {
        _impure_ptr = _GLOBAL_REENT; /* what is given back must not be that of who gives it */
        self->reent.__sdidinit = 0;
        _reclaim_reent(&self->reent);
    }
    __mog_empty_bins(self);
    self->result = result;
    if (__atomic_exchange_n(&self->state, THREAD_ENDED, __ATOMIC_ACQ_REL) == THREAD_DETACHED) recycle(self);
    else if (__atomic_fetch_or(&self->ended, 2, __ATOMIC_ACQ_REL) & 4) __mog_wake(&self->ended, INT32_MAX);
    for (;;) linux_call(LINUX_exit, 0, 0, 0, 0);
}

void pthread_exit(void *result) { __mog_end_thread(result); }

static int join(struct thread *thread, void **result, const struct deadline *until) {
    if (thread == &__mog_self) return EDEADLK;
    if (ATOMIC_LOAD(&thread->state) == THREAD_DETACHED) return EINVAL;
    cancellation_point();
    int looks = JOIN_LOOKS;
    for (unsigned now; !((now = ATOMIC_LOAD(&thread->ended)) & 2);) {
        if (looks-- > 0) {
            relax();
            continue;
        }
        if (!(now & 4)) {
            compare_and_swap(&thread->ended, now, now | 4);
            continue;
        }
        int error = __mog_wait_cancellable(&thread->ended, now, until);
        if (error == EINTR) cancellation_point();
        else if (error) return error;
    }
    if (result) *result = thread->result;
    if (thread->block) recycle(thread);
    else sleep_until_dead(thread); /* the memory is the program's again */
    return 0;
}

int pthread_join(pthread_t thread, void **result) { return join((struct thread *)thread, result, NULL); }
int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until) {
    return join((struct thread *)thread, result, &(struct deadline){CLOCK_REALTIME, until});
}
int pthread_tryjoin_np(pthread_t thread, void **result) {
    if (!(ATOMIC_LOAD(&((struct thread *)thread)->ended) & 2)) return EBUSY;
    return pthread_join(thread, result);
}

int pthread_detach(pthread_t number) {
    struct thread *thread = (struct thread *)number;
    int state = THREAD_JOINABLE;
    if (__atomic_compare_exchange_n(&thread->state, &state, THREAD_DETACHED, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return 0;
    if (state == THREAD_DETACHED) return EINVAL;
    recycle(thread);
    return 0;
}
