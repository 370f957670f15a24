/* lanes.c: compiled blocks for MOG_LANES PEs at once.
 *
 * A warp's lanes that stand at the same place go on together until they part, at a branch, or meet others. Those that
 * stand lowest go first. What has no compiled code is done lane by lane by the interpreter (interpreter.c, in another
 * object), until it comes to a place that has.
 */
#ifndef MOG_INTERPRETER  /* whose text stands before this one */
extern "C" void mog_run(const u16 *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                        u32 stride, u32 *requests, u32 *nrequests, const u32 *active, u32 passes, u32 first, u32 count,
                        const u32 *entry_of, u32 *left SPACES_PARAMETER, u32 work_item);
#define MOG_INTERPRETER mog_run
#endif

namespace lanes {
#define GROUP_PARAMETERS Warp *s, Turn turn, ::u32 *rows, size_t stride, ::u32 *mem, ::u32 data_bytes, \
    const ::u32 *code_map, const ::u32 *entry_of SPACES_PARAMETER
#define GROUP_ARGUMENTS s, turn, rows, stride, mem, data_bytes, code_map, entry_of SPACES_ARGUMENT
#define GROUP(number) static __attribute__((noinline)) void mog_group_##number(GROUP_PARAMETERS)

//@ GROUPS

FUNCTION void run_group(::u32 group, GROUP_PARAMETERS)
{
    switch (group) {
#define CALL(number) case number##u: mog_group_##number(GROUP_ARGUMENTS); break;
//@ CALLS
    }
}
}

/* Runs the lanes of `running`, PEs MOG_LANES * warp and so on, for about `passes` instructions of the warp: those that
 * lanes execute together count once. `divergence`: which copies of loops may be entered: 0 none, 1 those that all lanes
 * go through alike, 2 all. `counts`: by mog_lane_count, added. The other parameters are mog_run's; `entry_of` has all
 * blocks. */
KERNEL void mog_run_lanes(const u16 *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                          u32 stride, u32 *requests, u32 *nrequests, u32 warp, u32 running, u32 passes,
                          const u32 *entry_of, u32 divergence, u64 *counts SPACES_PARAMETER)
{
    /* What a lane may do in the interpreter before others have their turn. */
    const u32 cold_passes = 20000u;
    u32 pe = warp * MOG_LANES;
    u32 *rows = state + pe;
    u32 *mem = data + (size_t)pe * data_words;
    lanes::Warp w;
    u32 k;
    for (k = 0u; k < MOG_LANES; k++) w.pcs[k] = rows[(size_t)MOG_S_PC * stride + k];
    w.running = (lanes::Bits)running;
    w.passes = (int)passes;
    w.divergence = divergence;
    w.executed = w.asked = w.held = w.guarded = w.scalars = 0u;
    while (w.running != 0 && w.passes > 0) {
        int before = w.passes;
        const lanes::Turn turn = lanes::choose(&w);
        if (entry_of[turn.pc] != 0u) {
            lanes::run_group(entry_of[turn.pc] >> 16, &w, turn, rows, stride, mem, 4u * data_words, code_map,
                             entry_of SPACES_ARGUMENT);
            if (before != w.passes || lanes::choose(&w).m != turn.m) continue;
            /* Nothing was done: the first instruction is one for the interpreter. */
        }
        for (k = 0u; k < MOG_LANES; k++) {
            u32 request[MOG_Q_WORDS], stopped = 0u, lane = pe + k, left = 0u;
            if (!(turn.m >> k & 1)) continue;
            rows[(size_t)MOG_S_PC * stride + k] = w.pcs[k];
            MOG_INTERPRETER(text, cpool, code_map, data, data_words, state, stride, request, &stopped, &lane,
                            cold_passes, 0u, 1u, entry_of, &left SPACES_ARGUMENT, 0u);
            w.pcs[k] = rows[(size_t)MOG_S_PC * stride + k];
            if (stopped != 0u) left = request[MOG_Q_LEFT];
            w.executed += cold_passes - left;
            w.passes -= (int)(cold_passes - left);
            if (stopped == 0u) continue;
            w.running &= (lanes::Bits)~(1u << k);
            request[MOG_Q_LEFT] = w.passes > 0 ? (u32)w.passes : 0u;  /* of the warp's, not of its turn */
            memcpy(requests + (size_t)__atomic_fetch_add(nrequests, 1u, __ATOMIC_RELAXED) * MOG_Q_WORDS, request,
                   sizeof request);
        }
    }
    for (k = 0u; k < MOG_LANES; k++) rows[(size_t)MOG_S_PC * stride + k] = w.pcs[k];
    counts[MOG_L_EXECUTED] += w.executed;
    counts[MOG_L_PASSES] += (u64)((int)passes - w.passes);
    counts[MOG_L_ASKED] += w.asked;
    counts[MOG_L_HELD] += w.held;
    counts[MOG_L_GUARDED] += w.guarded;
    counts[MOG_L_SCALARS] += w.scalars;
    counts[MOG_L_REGIONS] = lanes::regions;
}
