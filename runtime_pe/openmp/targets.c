/* targets.c: there are no other devices: what is for one is done here, as OpenMP says. Teams are one after the other. */
#include <stdlib.h>
#include <string.h>

#include "openmp.h"

enum { FIRSTPRIVATE = 12, KIND = 0xff, ALIGNMENT = 8 };

/* As if no parallel region were around it. */
static void do_here(void (*function)(void *), void *data, struct contention *contention, const struct settings *settings) {
    struct team *team = omp_new_team(1);
    team->level = team->active_level = 0;
    team->contention = contention;
    contention->busy = 1;
    omp_start_team(team, function, data);
    omp_task(&omp_own)->settings = *settings;
    function(data);
    omp_end_team();
}

/* What a target region begins with is what the program began with. gcc says in `arguments` how many teams and threads are wanted, each in a
 * word or two: the device it is for (0: all), what it is, and whether its value is in the next word or above VALUE. */
enum { DEVICES = 0x7f, IN_NEXT_WORD = 0x80, WHAT = 0xff00, THREAD_LIMIT = 0x200, VALUE = 16 };
static void do_target(void (*function)(void *), void *data, void **arguments) {
    struct contention contention = {.limit = omp_environment.thread_limit, .league = 1};
    omp_self();
    while (arguments && *arguments) {
        const intptr_t word = (intptr_t)*arguments++, value = word & IN_NEXT_WORD ? (intptr_t)*arguments++ : word >> VALUE;
        if (!(word & DEVICES) && (word & WHAT) == THREAD_LIMIT && value > 0) contention.limit = (unsigned)value;
    }
    do_here(function, data, &contention, &omp_environment.first);
}

/* Copies of what is private lie one after the other. */
static void do_with_copies(void (*function)(void *), size_t count, void **addresses, const size_t *sizes, const unsigned short *kinds,
                           void **arguments) {
    size_t room = 0;
    for (size_t i = 0; i < count; ++i)
        if ((kinds[i] & KIND) == FIRSTPRIVATE) room += sizes[i] + ((size_t)1 << (kinds[i] >> ALIGNMENT));
    char *memory = room ? malloc(room) : NULL, *free_from = memory;
    if (room && !memory) omp_fail("out of memory for a target region");
    for (size_t i = 0; i < count; ++i)
        if ((kinds[i] & KIND) == FIRSTPRIVATE) {
            free_from = omp_align(free_from, (size_t)1 << (kinds[i] >> ALIGNMENT));
            addresses[i] = memcpy(free_from, addresses[i], sizes[i]);
            free_from += sizes[i];
        }
    do_target(function, addresses, arguments);
    free(memory);
}

GOMP(void, target,
     (int device, void (*function)(void *), const void *unused, size_t count, void **addresses, size_t *sizes, unsigned char *kinds)) {
    (void)device, (void)unused, (void)count, (void)sizes, (void)kinds;
    do_target(function, addresses, NULL);
}
GOMP(void, target_ext,
     (int device, void (*function)(void *), size_t count, void **addresses, size_t *sizes, unsigned short *kinds, unsigned flags,
      void **depend, void **arguments)) {
    (void)device, (void)flags;
    if (depend) omp_wait_for_dependences(omp_self(), depend);
    do_with_copies(function, count, addresses, sizes, kinds, arguments);
}
GOMP(void, target_data, (int device, const void *unused, size_t count, void **addresses, size_t *sizes, unsigned char *kinds)) {
    (void)device, (void)unused, (void)count, (void)addresses, (void)sizes, (void)kinds;
}
GOMP(void, target_data_ext, (int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds)) {
    (void)device, (void)count, (void)addresses, (void)sizes, (void)kinds;
}
GOMP(void, target_end_data, (void)) {}
GOMP(void, target_update, (int device, const void *unused, size_t count, void **addresses, size_t *sizes, unsigned char *kinds)) {
    (void)device, (void)unused, (void)count, (void)addresses, (void)sizes, (void)kinds;
}
GOMP(void, target_update_ext,
     (int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds, unsigned flags, void **depend)) {
    (void)device, (void)count, (void)addresses, (void)sizes, (void)kinds, (void)flags;
    if (depend) omp_wait_for_dependences(omp_self(), depend);
}
GOMP(void, target_enter_exit_data,
     (int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds, unsigned flags, void **depend)) {
    (void)device, (void)count, (void)addresses, (void)sizes, (void)kinds, (void)flags;
    if (depend) omp_wait_for_dependences(omp_self(), depend);
}

/* ---- teams ---- */

GOMP(void, teams_reg, (void (*function)(void *), void *data, unsigned wanted, unsigned threads, unsigned flags)) {
    (void)flags;
    struct context *own = omp_self();
    const struct settings settings = omp_task(own)->settings;
    if (!wanted) wanted = omp_environment.teams ? (unsigned)omp_environment.teams : 1;
    if (!threads) threads = (unsigned)omp_environment.teams_threads;
    struct contention contention = {.limit = threads ? threads : own->team->contention->limit, .league = wanted};
    for (; contention.number < wanted; ++contention.number) do_here(function, data, &contention, &settings);
}
/* Within a target region. Whether there is another team to do. */
GOMP(bool, teams4, (unsigned least, unsigned most, unsigned threads, bool first)) {
    struct contention *contention = omp_self()->team->contention;
    (void)most;
    if (!first) return ++contention->number < contention->league;
    if (threads) contention->limit = threads;
    contention->league = least ? least : 1;
    contention->number = 0;
    return true;
}
GOMP(void, teams, (unsigned wanted, unsigned threads)) { GOMP_teams4(wanted, wanted, threads, true); }
int omp_get_num_teams(void) { return (int)omp_self()->team->contention->league; }
int omp_get_team_num(void) { return (int)omp_self()->team->contention->number; }
void omp_set_num_teams(int count) {
    omp_self();
    if (count >= 0) omp_environment.teams = count;
}
int omp_get_max_teams(void) {
    omp_self();
    return omp_environment.teams;
}
void omp_set_teams_thread_limit(int threads) {
    omp_self();
    if (threads >= 0) omp_environment.teams_threads = threads;
}
int omp_get_teams_thread_limit(void) {
    omp_self();
    return omp_environment.teams_threads;
}

/* ---- devices ---- */

void omp_set_default_device(int device) { omp_task(omp_self())->settings.device = device; }
int omp_get_default_device(void) { return omp_task(omp_self())->settings.device; }
int omp_get_num_devices(void) { return 0; }
int omp_get_device_num(void) { return 0; }
int omp_is_initial_device(void) { return 1; }
int omp_get_initial_device(void) { return 0; }
void *omp_target_alloc(size_t bytes, int device) { return device == 0 ? malloc(bytes) : NULL; }
void omp_target_free(void *memory, int device) {
    if (device == 0) free(memory);
}
int omp_target_is_present(const void *address, int device) { return (void)address, device == 0; }
int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_place, size_t from_place, int to_device, int from_device) {
    if (to_device || from_device) return EINVAL;
    memcpy((char *)to + to_place, (const char *)from + from_place, bytes);
    return 0;
}
int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dimensions, const size_t *volume, const size_t *to_offsets,
                           const size_t *from_offsets, const size_t *to_sizes, const size_t *from_sizes, int to_device, int from_device) {
    if (!to && !from) return INT32_MAX; /* how many dimensions there may be */
    if (to_device || from_device || dimensions < 1) return EINVAL;
    size_t to_slice = element, from_slice = element;
    for (int i = 1; i < dimensions; ++i) to_slice *= to_sizes[i], from_slice *= from_sizes[i];
    char *target = (char *)to + to_offsets[0] * to_slice;
    const char *source = (const char *)from + from_offsets[0] * from_slice;
    if (dimensions == 1) {
        memcpy(target, source, element * volume[0]);
        return 0;
    }
    for (size_t i = 0; i < volume[0]; ++i, target += to_slice, source += from_slice) {
        int error = omp_target_memcpy_rect(target, source, element, dimensions - 1, volume + 1, to_offsets + 1, from_offsets + 1,
                                           to_sizes + 1, from_sizes + 1, 0, 0);
        if (error) return error;
    }
    return 0;
}
int omp_target_associate_ptr(const void *here, const void *there, size_t bytes, size_t place, int device) {
    return (void)here, (void)there, (void)bytes, (void)place, (void)device, EINVAL;
}
int omp_target_disassociate_ptr(const void *here, int device) { return (void)here, (void)device, EINVAL; }
int omp_pause_resource_all(omp_pause_resource_t kind) {
    if ((kind != omp_pause_soft && kind != omp_pause_hard) || omp_in_parallel()) return -1;
    omp_dismiss();
    return 0;
}
int omp_pause_resource(omp_pause_resource_t kind, int device) { return device ? -1 : omp_pause_resource_all(kind); }
