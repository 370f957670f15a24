/* threads.c: MPI_THREAD_MULTIPLE. The engine knows one call of a rank at a time, so a thread does not wait in it: what would wait is begun,
 * and the thread asks from round to round whether it is done. Tables of the library are one thread's at a time. */
#include <pthread.h>

#include "mpi_internal.h"

unsigned __mog_mpi_engine(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                          unsigned word7);
/* Of progress.c, in programs with something to do beside their calls: the call, and what there is to do, where there is no call. */
unsigned __mog_mpi_beside(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                          unsigned word7) __attribute__((weak));
void __mog_mpi_go_on(void) __attribute__((weak));
/* In threads/clone.S, of programs that create threads. */
extern int __mog_clone(void) __attribute__((weak));

static int is_multiple; /* several threads may call at the same time */
static pthread_mutex_t tables = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void __mog_mpi_lock(void) {
    if (is_multiple) pthread_mutex_lock(&tables);
}
void __mog_mpi_unlock(void) {
    if (is_multiple) pthread_mutex_unlock(&tables);
}

static unsigned engine(const unsigned *w, unsigned flags, unsigned result) {
    const unsigned word0 = w[0] | flags << 8;
    if (!__mog_mpi_beside) return __mog_mpi_engine(word0, w[1], w[2], w[3], w[4], w[5], w[6], result);
    __mog_mpi_lock();
    const unsigned said = __mog_mpi_beside(word0, w[1], w[2], w[3], w[4], w[5], w[6], result);
    __mog_mpi_unlock();
    return said;
}

/* Until the next round. The tables are others' meanwhile: who takes them again at once would keep them for ever. */
static void rest(void) {
    __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_yield, MOG_MPI_ASKS_ON, 0, 0), 0, 0, 0, 0, 0, 0, 0);
    if (!__mog_mpi_go_on) return;
    __mog_mpi_lock();
    __mog_mpi_go_on();
    __mog_mpi_unlock();
}

int __mog_mpi_rests_by_rounds(void) {
    if (is_multiple) rest();
    return is_multiple;
}

/* What was begun with this result block: as the call says that waits. */
static unsigned end_of(unsigned said, const struct mog_mpi_result *result) {
    if ((int)said < 0) return said;
    while (said && !__atomic_load_n(&result->state, __ATOMIC_ACQUIRE)) rest();
    return (unsigned)-(int)(result->state >> 8);
}

unsigned __mog_mpi_of_thread(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                             unsigned word7) {
    const unsigned w[8] = {word0, word1, word2, word3, word4, word5, word6, word7}, operation = word0 & 0xff;
    const int waits = is_multiple && !(word0 >> 8 & MOG_MPI_NONBLOCKING);
    if (waits && (operation == MOG_MPI_send || operation == MOG_MPI_receive)) {
        struct mog_mpi_result own = {0, 0, 0, 0}, *const result = word7 ? (struct mog_mpi_result *)word7 : &own;
        return end_of(engine(w, MOG_MPI_NONBLOCKING, MPI_ADDRESS(result)), result);
    }
    if (waits && operation == MOG_MPI_probe) {
        unsigned said;
        while (!(said = engine(w, MOG_MPI_NONBLOCKING | MOG_MPI_ASKS_ON, word7))) rest();
        return (int)said < 0 || word0 >> 8 & MOG_MPI_MATCHED ? said : 0;
    }
    /* Once: a number may be that of another thread's operation by then. Who waits looks at result blocks, and comes again. */
    if (waits && operation == MOG_MPI_wait && word3 != 0) {
        const unsigned asks[8] = {word0, word1, word2}, done = engine(asks, MOG_MPI_ASKS_ON, 0);
        if ((int)done >= 0 && done < word3) rest();
        return done;
    }
    const int is_collective =
        (operation >= MOG_MPI_barrier && operation <= MOG_MPI_create) || operation == MOG_MPI_join || operation == MOG_MPI_merge;
    if (waits && is_collective) {
        struct mog_mpi_more more = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, 0};
        if (word7) more = *(const struct mog_mpi_more *)word7;
        more.result.state = 0;
        return end_of(engine(w, MOG_MPI_NONBLOCKING, MPI_ADDRESS(&more)), &more.result);
    }
    return engine(w, 0, word7);
}

MPI_DEFINE(Init_thread, int *argc, char ***argv, int required, int *provided) {
    (void)argc, (void)argv;
    const int code = __mog_mpi_begin(required, provided);
    is_multiple = code == MPI_SUCCESS && __mog_clone && required >= MPI_THREAD_MULTIPLE;
    return code;
}
