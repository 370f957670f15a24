/* reserve.h: what `reserve` of isa.def does, in programs that have it: an addition that a limit bounds, of which lanes
 * of a warp that do it to one word in the same step make one (M. Orr, B. Beckmann, S. Reinhardt, D. Wood, "Fine-grain
 * Task Aggregation and Coordination on GPUs", 2014, Figure 5).
 *
 * What the word was is what it would have been if lanes had done it one after the other, the lowest first; so is what
 * it becomes. All compare-and-swaps are those of the lowest lane. */
#define RESERVE32(space, dst, a, pair) ACCESS(space, STORE, a, 2u, DO_RESERVE, dst, pair)
#define DO_RESERVE(space, dst, pair) u64 v_ = (pair); u32 tries_ = 0u; \
    FENCED(dst = mog_reserve(&space##_WORD(e_), (u32)v_, (u32)(v_ >> 32), &tries_);) D = (u64)tries_;
/* Whether there is room for `count` after `was`. Positions wrap. */
#define HAS_ROOM(was, count, limit) ((i32)((limit) - (count) - (was)) >= 0)

/* The lanes that come to this word together, where a warp can ask. */
#if defined(__CUDACC__) && !defined(LANES_AT) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
#define LANES_AT(word) mog_lanes_at((u64)(size_t)(word))
/* By halves: clang 14 gives the match of 64 bits a result of 64, which PTX does not have. */
FUNCTION u32 mog_lanes_at(u64 at)
{
    const u32 together = __activemask();
    return __match_any_sync(together, (u32)at) & __match_any_sync(together, (u32)(at >> 32));
}
#endif
#ifdef LANES_AT
FUNCTION u32 mog_reserve(u32 *word, u32 count, u32 limit, u32 *tries)
{
    const u32 lanes = LANES_AT(word), own = threadIdx.x & 31u, first = 31u - CLZ(lanes & (0u - lanes));
    for (;;) {
        const u32 was = __shfl_sync(lanes, NOW_AT(word), (int)first);
        u32 sum = was, mine = was, left, done = 1u;
        for (left = lanes; left != 0u; left &= left - 1u) {
            const u32 lane = 31u - CLZ(left & (0u - left));
            const u32 more = __shfl_sync(lanes, count, (int)lane), end = __shfl_sync(lanes, limit, (int)lane);
            if (lane == own) mine = sum;
            if (HAS_ROOM(sum, more, end)) sum += more;
        }
        if (own == first && sum != was) {
            (*tries)++;
            done = COMPARE_AND_SWAP(word, was, sum) == was ? 1u : 0u;
        }
        if (__shfl_sync(lanes, done, (int)first) != 0u) return mine;
    }
}
#else
FUNCTION u32 mog_reserve(DATA_SPACE u32 *word, u32 count, u32 limit, u32 *tries)
{
    u32 was = *(volatile DATA_SPACE u32 *)word;
    while (HAS_ROOM(was, count, limit)) {
        const u32 before = COMPARE_AND_SWAP(word, was, was + count);
        (*tries)++;
        if (before == was) break;
        was = before;
    }
    return was;
}
#endif
