/* pipeline: lines of text are parsed, what cannot be true is left out, and what remains is summed up. Three functions with channels between them; every PE does whatever there
 * is work for.
 *
 *     mogcc -O2 pipeline.c -o pipeline
 *     mogrun -n 8 ./pipeline           PE 0 makes the lines
 *     ./host ./pipeline 8              the host does (host.c), and waits while there is no room
 */
#include <mog.h>
#include <mog/channel.h>
#include <stdio.h>
#include <string.h>

#include "line.h"

struct reading {
    int sensor, value;
};

static mog_channel *lines, *readings, *plausible;
static MOG_SHARED unsigned begun, ended, bad, odd, done;
static MOG_SHARED struct {
    unsigned count;
    int sum;
} sensors[4];

static void add(unsigned *counter, unsigned n) { __atomic_fetch_add(counter, n, __ATOMIC_ACQ_REL); }

/* Each function takes what there is, if there is room for what it makes of it; so a slow one holds up those before it, up to the host. */
static int parse(void) {
    uint32_t at;
    struct reading *reading = mog_channel_ready(lines) ? mog_channel_try_talloc(readings, 1) : NULL;
    if (!reading) return 0;
    const uint32_t taken = mog_channel_try_take(lines, 1, 1, &at);
    char sensor = 'A';
    reading->value = -1000;
    if (taken) {
        add(&begun, 1);
        const struct line *line = mog_channel_deq(lines, at);
        if (sscanf(line->text, "%c %d", &sensor, &reading->value) != 2 || sensor < 'A' || sensor > 'D') {
            add(&bad, 1);
            sensor = 'A'; /* the room is there already: the next function leaves it out */
            reading->value = -1000;
        }
        mog_channel_tfree(lines, at, 1);
    }
    reading->sensor = taken ? sensor - 'A' : -1; /* others were faster */
    mog_channel_enq(readings, reading, 1);
    return taken != 0;
}

static int filter(void) {
    uint32_t at;
    struct reading *to = mog_channel_ready(readings) ? mog_channel_try_talloc(plausible, 4) : NULL;
    if (!to) return 0;
    const uint32_t taken = mog_channel_try_take(readings, 1, 4, &at);
    for (uint32_t i = 0; i < 4; ++i) to[i].sensor = -1;
    for (uint32_t i = 0; i < taken; ++i) {
        const struct reading *from = mog_channel_deq(readings, at + i);
        if (from->sensor < 0) continue;
        if (from->value >= -30 && from->value <= 60) to[i] = *from;
        else {
            if (from->value != -1000) add(&odd, 1);
            add(&ended, 1);
        }
    }
    if (taken) mog_channel_tfree(readings, at, taken);
    mog_channel_enq(plausible, to, 4);
    return taken != 0;
}

static int sum_up(void) {
    uint32_t at;
    const uint32_t taken = mog_channel_try_take(plausible, 1, 16, &at);
    for (uint32_t i = 0; i < taken; ++i) {
        const struct reading *reading = mog_channel_deq(plausible, at + i);
        if (reading->sensor < 0) continue;
        add(&sensors[reading->sensor].count, 1);
        __atomic_fetch_add(&sensors[reading->sensor].sum, reading->value, __ATOMIC_RELAXED);
        add(&ended, 1);
    }
    if (taken) mog_channel_tfree(plausible, at, taken);
    return taken != 0;
}

static int is_over(void) {
    const mog_channel_state state = mog_channel_get_state(lines);
    return state.closed && state.ready == 0 && __atomic_load_n(&ended, __ATOMIC_ACQUIRE) == __atomic_load_n(&begun, __ATOMIC_ACQUIRE);
}

int main(int argc, char **argv) {
    const int by_host = argc > 1 && strcmp(argv[1], "host") == 0;
    const mog_channel_options options = {.flags = MOG_CHANNEL_HOST, .done_count = 4};
    lines = mog_channel_open("lines", "struct line", sizeof(struct line), 256, &options);
    readings = mog_channel_open("readings", "struct reading", sizeof(struct reading), 64, NULL);
    plausible = mog_channel_open("plausible", "struct reading", sizeof(struct reading), 64, NULL);
    if (!lines || !readings || !plausible) return perror("pipeline"), 1;
    unsigned next = IPROC == 0 && !by_host ? 0 : LINES;
    while (next < LINES || !is_over()) {
        for (struct line *line; next < LINES && (line = mog_channel_try_talloc(lines, 1)); ++next) {
            *line = line_of(next);
            mog_channel_enq(lines, line, 1);
        }
        if (IPROC == 0 && !by_host && next == LINES) mog_channel_close(lines);
        if (!(parse() | filter() | sum_up())) __asm__ volatile("sll $0, $0, 5"); /* pause: others go first */
    }
    if (__atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL) != (unsigned)NPROC) return 0;
    for (int i = 0; i < 4; ++i) printf("%c: %u values, %d in all\n", 'A' + i, sensors[i].count, sensors[i].sum);
    printf("%u left out, %u not understood\n", odd, bad);
    return 0;
}
