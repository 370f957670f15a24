/* flow.c: what an element costs, and what reserving together saves. Arguments: what, elements of each PE.
 *
 *     one       one element at a time: talloc, enq, take, deq, tfree
 *     many      32 at a time
 *     alone     all PEs reserve one each at a time, each by itself, and count compare-and-swaps
 *     together  the same where lanes that meet reserve together
 *     bulk      each reserves sixteen in one call
 *     put_alone, put_together     as alone and together, but that all put first, 64 between two pauses, so that lanes are together, and then one takes
 */
#include <mog.h>
#include <mog/channel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static MOG_SHARED unsigned over, here;

static unsigned take(mog_channel *channel) {
    uint32_t at;
    unsigned sum = 0;
    const uint32_t taken = mog_channel_try_take(channel, 1, 64, &at);
    for (uint32_t k = 0; k < taken; ++k) sum += *(unsigned *)mog_channel_deq(channel, at + k);
    if (taken) mog_channel_tfree(channel, at, taken);
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const int puts = strncmp(argv[1], "put_", 4) == 0;
    const char *const how = argv[1] + 4 * puts;
    const int many = strcmp(how, "many") == 0, bulk = strcmp(how, "bulk") == 0, alone = strcmp(how, "alone") == 0, together = strcmp(how, "together") == 0;
    const uint32_t count = (uint32_t)atoi(argv[2]), step = many ? 32 : bulk ? 16 : 1;
    const mog_channel_options options = {(alone ? MOG_CHANNEL_ALONE : 0) | (alone || together || bulk ? MOG_CHANNEL_COUNTED : 0), 0, 0};
    mog_channel *channel = mog_channel_open("flow", "int", sizeof(int), puts ? count * (uint32_t)NPROC : 4096, &options);
    struct timespec begin, end;
    unsigned sum = 0;
    if (!channel) return 1;
    __atomic_add_fetch(&here, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&here, __ATOMIC_ACQUIRE) != (unsigned)NPROC) __asm__ volatile("sll $0, $0, 5");
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (uint32_t i = 0; i < count; i += step) {
        int *place;
        if (puts && i % 64 == 0) __asm__ volatile("sll $0, $0, 5"); /* pause: lanes go on together from here */
        while (!(place = mog_channel_try_talloc(channel, step))) sum += take(channel);
        for (uint32_t k = 0; k < step; ++k) place[k] = (int)(i + k);
        mog_channel_enq(channel, place, step);
        if (!puts) sum += take(channel);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    if (__atomic_add_fetch(&over, 1, __ATOMIC_ACQ_REL) != (unsigned)NPROC) return 0;
    for (uint32_t ready; puts && (ready = mog_channel_ready(channel)) > 0;) sum += take(channel);
    const mog_channel_statistics s = mog_channel_get_statistics(channel);
    printf("%.6f seconds %u elements %u reservations %u cas %u joined %u\n", seconds, count * (unsigned)NPROC, (unsigned)s.reservations, (unsigned)s.cas,
           (unsigned)s.joined, sum);
    return 0;
}
