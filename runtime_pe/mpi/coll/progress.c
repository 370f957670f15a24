/* progress.c: what goes on beside the calls of the program: schedules (schedule.h).
 *
 * In programs that have schedules __mog_mpi() (call.S) goes to __mog_mpi_beside() here. A call that would wait is begun without waiting,
 * while schedules are not done, and the PE waits for it and for their messages together. */
#include <stdlib.h>

#include "schedule.h"

static struct mpi_schedule *unfinished;
static unsigned next_number;
static int is_busy; /* functions of the program run */
/* Numbers of operations that the call under way waits for; 0: one that is done. */
static unsigned *waited_for, waited_for_count;

void __mog_mpi_progress(void) {
    is_busy = 1;
    for (struct mpi_schedule **s = &unfinished; *s;) {
        struct mpi_schedule *const next = (*s)->next;
        if (__mog_mpi_advance(*s)) *s = next;
        else s = &(*s)->next;
    }
    is_busy = 0;
}

void __mog_mpi_go_on(void) {
    if (unfinished && !is_busy) __mog_mpi_progress();
}

void __mog_mpi_add_schedule(struct mpi_schedule *s) {
    MPI_HOLD_TABLES
    struct mpi_schedule **last = &unfinished;
    while (*last) last = &(*last)->next;
    *last = s;
    s->number = s->request->number = MPI_SCHEDULE_NUMBER | (++next_number & ~MPI_SCHEDULE_NUMBER);
    __mog_mpi_progress();
}

static unsigned engine_wait(unsigned list, unsigned count, unsigned need) {
    return __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), list, count, need, 0, 0, 0, 0);
}

/* The engine gives numbers of operations that are done to others: this one now belongs to a message of a schedule. */
void __mog_mpi_number_given(unsigned number) {
    for (unsigned i = 0; i < waited_for_count; i++)
        if (waited_for[i] == number) waited_for[i] = 0;
}

static int is_unfinished(unsigned number) {
    for (const struct mpi_schedule *s = unfinished; s; s = s->next)
        if (s->number == number) return 1;
    return 0;
}

/* Messages end while this PE calls for something else, too; then a wait for the others could be one for ever. */
static int can_go_on(void) {
    for (const struct mpi_schedule *s = unfinished; s; s = s->next)
        if (!__mog_mpi_is_under_way(&s->send) && !__mog_mpi_is_under_way(&s->receive)) return 1;
    return 0;
}

/* Operations of the engine that schedules wait for, after the `count` that are at `numbers`, which has room for them. */
static unsigned add_numbers(unsigned *numbers, unsigned count) {
    for (const struct mpi_schedule *s = unfinished; s; s = s->next) {
        if (__mog_mpi_is_under_way(&s->send)) numbers[count++] = s->send.number;
        if (__mog_mpi_is_under_way(&s->receive)) numbers[count++] = s->receive.number;
    }
    return count;
}

static unsigned room_for(unsigned count) {
    for (const struct mpi_schedule *s = unfinished; s; s = s->next) count += 2;
    return count;
}

/* Until so many of these and of the messages of schedules are done, or a schedule can go on. Then schedules go on. */
static int wait_for_any(const unsigned *own, unsigned own_count, unsigned need) {
    unsigned *const numbers = malloc(room_for(own_count) * sizeof *numbers);
    if (!numbers) return -MPI_ERR_NO_MEM;
    for (unsigned i = 0; i < own_count; i++) numbers[i] = own[i];
    const unsigned count = add_numbers(numbers, own_count);
    /* Asked once the list is there: a message that ended before it was in the list, for the engine works while a PE has no turn, is not
     * waited for, and nothing else may ever wake it. */
    if (can_go_on()) {
        free(numbers);
        __mog_mpi_progress();
        return 0;
    }
    const int said = count == 0 ? 0 : (int)engine_wait(count == 1 ? numbers[0] : MPI_ADDRESS(numbers), count, need);
    free(numbers);
    __mog_mpi_progress();
    return said;
}

void __mog_mpi_wait_for_schedule(const struct mpi_request *request) {
    const volatile unsigned *const state = &request->more.result.state;
    while (!*state)
        if (!(__mog_mpi_rests_by_rounds && __mog_mpi_rests_by_rounds()) && wait_for_any(NULL, 0, 1) < 0) break;
}

/* MOG_MPI_wait, whose list may have numbers of schedules in it: how many are done. */
static int wait_for_list(const unsigned *list, unsigned count, unsigned need) {
    unsigned *const own = malloc((count + 1) * sizeof *own);
    unsigned own_count = 0;
    int said = 0;
    if (!own) return -MPI_ERR_NO_MEM;
    for (unsigned i = 0; i < count; i++)
        if (!(list[i] & MPI_SCHEDULE_NUMBER)) own[own_count++] = list[i];
    waited_for = own;
    waited_for_count = own_count;
    __mog_mpi_progress();
    while (said >= 0) {
        unsigned done = 0;
        for (unsigned i = 0; i < count; i++)
            if (list[i] & MPI_SCHEDULE_NUMBER && !is_unfinished(list[i])) done++;
        const int others = own_count == 0 ? 0 : (int)engine_wait(own_count == 1 ? own[0] : MPI_ADDRESS(own), own_count, 0);
        if (others < 0 || done + (unsigned)others >= need) {
            said = others < 0 ? others : (int)done + others;
            break;
        }
        said = wait_for_any(own, own_count, (unsigned)others + 1);
    }
    waited_for_count = 0;
    free(own);
    return said;
}

static int wait_for_message(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                            unsigned word7, volatile unsigned *state) {
    *state = 0;
    const int said = (int)__mog_mpi_engine(word0 | MOG_MPI_NONBLOCKING << 8, word1, word2, word3, word4, word5, word6, word7);
    const unsigned number = (unsigned)said;
    int waited = 0;
    while (said > 0 && !*state && waited >= 0) waited = wait_for_any(&number, 1, 1);
    return said < 0 ? said : waited < 0 ? waited : -(int)(*state >> 8);
}

static unsigned poll(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                     unsigned word7) {
    for (;;) {
        const int said =
            (int)__mog_mpi_engine(word0 | (MOG_MPI_NONBLOCKING | MOG_MPI_ASKS_ON) << 8, word1, word2, word3, word4, word5, word6, word7);
        if (said != 0) return (unsigned)said;
        __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_yield, MOG_MPI_ASKS_ON, 0, 0), 0, 0, 0, 0, 0, 0, 0);
        __mog_mpi_progress();
        if (!unfinished) return __mog_mpi_engine(word0, word1, word2, word3, word4, word5, word6, word7);
    }
}

unsigned __mog_mpi_beside(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                          unsigned word7) {
    const unsigned operation = word0 & 0xff;
    struct mog_mpi_more more = {0};
    const int has_schedules = unfinished && !is_busy;
    if (has_schedules && operation == MOG_MPI_wait)
        return (unsigned)wait_for_list(word2 == 1 ? &word1 : (const unsigned *)word1, word2, word3);
    if (has_schedules) __mog_mpi_progress();
    if (has_schedules && !(word0 >> 8 & MOG_MPI_NONBLOCKING)) {
        if (operation == MOG_MPI_probe) return poll(word0, word1, word2, word3, word4, word5, word6, word7);
        if (operation == MOG_MPI_send || operation == MOG_MPI_receive || (operation >= MOG_MPI_barrier && operation <= MOG_MPI_create)) {
            /* The result block is at the beginning of what collectives give. */
            volatile unsigned *const state = word7 ? (volatile unsigned *)word7 : &more.result.state;
            return (unsigned)wait_for_message(word0, word1, word2, word3, word4, word5, word6, MPI_ADDRESS(state), state);
        }
        while (operation == MOG_MPI_finalize && unfinished && wait_for_any(NULL, 0, 1) >= 0) continue;
    }
    const unsigned said = __mog_mpi_engine(word0, word1, word2, word3, word4, word5, word6, word7);
    if (operation == MOG_MPI_yield) __mog_mpi_go_on();
    return said;
}
