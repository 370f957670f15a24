/* schedule_steps.c: who sends what to whom. All take as many steps as the number of ranks has binary digits, and combine in the order of
 * ranks, so that operations need not commute.
 *
 * A stage is a letter: its first, but n for a scan. In collectives of an intercommunicator each group does its own up and down.
 *
 *   up       Rank r, while r is a multiple of 2d, takes what r + d has and combines: 0 has all in the end.
 *   down     The same way back: all get what 0 has.
 *   scatter  Down, but each gets the part that belongs to it and to those to which it passes on.
 *   move     0 sends what it has to the root.
 *   tell     0 sends what it has to the root in the other group, which
 *   root     takes it from there.
 *   x        0 of each group sends what it has to that of the other one.
 *   scan     Rank r sends what it has to r + d and takes what r - d has: that of the 2d ranks up to r. */
#include "schedule.h"

static void send_to(struct mpi_schedule *s, int rank, char *buffer, int count) {
    s->send.peer = rank;
    s->send.buffer = buffer;
    s->send.count = count;
}

static void receive_from(struct mpi_schedule *s, int rank, char *buffer, int count) {
    s->receive.peer = rank;
    s->receive.buffer = buffer;
    s->receive.count = count;
}

/* Half of the least power of two that is not less than the number of ranks, and at least 1. */
static int first_step_down(int size) {
    int step = 1;
    while (step < size - step) step *= 2;
    return step;
}

/* Where the elements of this rank begin; of `size`: the end. */
static int begin_of(const struct mpi_schedule *s, int rank) {
    if (rank > s->size) rank = s->size;
    if (!s->reduction.counts) return rank * s->reduction.count;
    int begin = 0;
    for (int i = 0; i < rank; i++) begin += s->reduction.counts[i];
    return begin;
}

static void part(const struct mpi_schedule *s, int first, int end, char **buffer, int *count) {
    const int begin = begin_of(s, first);
    *buffer = s->own + (long)begin * s->type.extent;
    *count = begin_of(s, end) - begin;
}

/* The messages of step `d`; false: of this stage there is nothing left to do here. */
static int messages_of(struct mpi_schedule *s, int d) {
    const int r = s->rank;
    char *buffer = s->own;
    int count = s->total;
    switch (*s->stage) {
        case 'u':
            if (d >= s->size || r & (d - 1)) return 0;
            if (r & d) send_to(s, r - d, s->own, s->total);
            else if (d < s->size - r) receive_from(s, r + d, s->other, s->total);
            return 1;
        case 'd':
        case 's':
            if (r % (2 * d) == 0 && d < s->size - r) {
                if (*s->stage == 's') part(s, r + d, r + 2 * d, &buffer, &count);
                send_to(s, r + d, buffer, count);
            } else if (r % (2 * d) == d) {
                if (*s->stage == 's') part(s, r, r + d, &buffer, &count);
                receive_from(s, r - d, buffer, count);
            }
            return 1;
        case 'm':
            if (d != 1 || s->reduction.root == 0) return 0;
            if (r == 0) send_to(s, s->reduction.root, s->own, s->total);
            else if (r == s->reduction.root) receive_from(s, 0, s->own, s->total);
            return 1;
        case 't':
        case 'x':
            if (d != 1 || r != 0) return 0;
            send_to(s, *s->stage == 't' ? s->reduction.root : 0, s->own, s->total);
            s->send.is_remote = 1;
            if (*s->stage == 'x') receive_from(s, 0, s->other, s->total);
            return 1;
        case 'r':
            if (d != 1) return 0;
            receive_from(s, 0, s->own, s->total);
            return 1;
        default: /* scan */
            if (d >= s->size) return 0;
            if (d < s->size - r) send_to(s, r + d, s->own, s->total);
            if (r >= d) receive_from(s, r - d, s->other, s->total);
            return 1;
    }
}

int __mog_mpi_next_step(struct mpi_schedule *s) {
    while (*s->stage) {
        const int is_down = *s->stage == 'd' || *s->stage == 's';
        const int d = s->step == 0 ? is_down ? first_step_down(s->size) : 1 : is_down ? s->step / 2 : s->step * 2;
        s->send.buffer = s->receive.buffer = NULL;
        s->send.is_remote = 0;
        if (d == 0 || !messages_of(s, d)) {
            s->stage++;
            s->step = 0;
            continue;
        }
        s->step = d;
        if (s->send.buffer || s->receive.buffer) return 1;
    }
    return 0;
}

void __mog_mpi_end_step(struct mpi_schedule *s) {
    MPI_Datatype type = s->reduction.type;
    int count = s->total;
    if (s->receive.buffer && (*s->stage == 'u' || *s->stage == 'x')) {
        if (*s->stage == 'u') s->function(s->own, s->other, &count, &type);
        char *const combined = s->other;
        s->other = s->own;
        s->own = combined;
    } else if (s->receive.buffer && *s->stage == 'n') {
        if (s->before && s->has_before) s->function(s->other, s->before, &count, &type);
        else if (s->before) __mog_mpi_copy_elements(s->before, s->other, count, type);
        s->has_before = 1;
        s->function(s->other, s->own, &count, &type);
    }
}
