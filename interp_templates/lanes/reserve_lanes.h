/* reserve_lanes.h: `reserve` (reserve.h) for lanes. Those at one word of the space "shared" change it with one
 * compare-and-swap; in memory of their own each is alone. */
namespace lanes {
#ifdef SHARED_LANES
/* `count` becomes what the word was, `limit` how many compare-and-swaps there were. */
static __attribute__((noinline, unused)) void reserve_at(Shared shared, const V *each, V *count, V *limit, Bits m)
{
    alignas(64) ::u32 places[MOG_LANES], counts[MOG_LANES], limits[MOG_LANES];
    store(places, each->v);
    store(counts, count->v);
    store(limits, limit->v);
    for (unsigned left = m; left != 0;) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        ::u32 *const word = shared.words + (places[first] >> 2);
        unsigned at_word = 0;
        for (unsigned k = first; k < MOG_LANES; k++)
            if ((left >> k & 1) && places[k] == places[first]) at_word |= 1u << k;
        ::u32 was = __atomic_load_n(word, __ATOMIC_SEQ_CST), tries = 0, before[MOG_LANES];
        for (;;) {
            ::u32 sum = was;
            for (unsigned k = first; k < MOG_LANES; k++) {
                if (!(at_word >> k & 1)) continue;
                before[k] = sum;
                if ((::i32)(limits[k] - counts[k] - sum) >= 0) sum += counts[k];
            }
            if (sum == was) break;
            tries++;
            if (__atomic_compare_exchange_n(word, &was, sum, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) break;
        }
        for (unsigned k = first; k < MOG_LANES; k++) {
            if (!(at_word >> k & 1)) continue;
            counts[k] = before[k];
            limits[k] = k == first ? tries : 0u;
        }
        left &= ~at_word;
    }
    *count = V(load<::u32, 16>(counts));
    *limit = V(load<::u32, 16>(limits));
}
INLINE V reserve(Shared shared, V each, V count, V limit, Bits m, V &tries)
{
    reserve_at(shared, &each, &count, &limit, m);
    tries = limit;
    return count;
}
#endif
template <class Place>
INLINE V reserve(::u32 *mem, Place place, V count, V limit, Bits m, V &tries)
{
    const V was = load_word(mem, place, m);
    const Bits fits = bits(limit - count - was < V(0x80000000u)) & m;
    if (fits) store_word(mem, place, was + count, fits);
    tries = choose_lanes(fits, splat(1u), splat(0u));
    return was;
}
}
#undef DO_RESERVE
#define DO_RESERVE(space, dst, pair) const u64 v_ = (pair); V tries_(0u); \
    dst = reserve(space##_LANES, PLACE, LOW(v_), HIGH(v_), m, tries_); D = TWO(tries_, V(0u));
#define DO_RESERVE_APART(space, kind, s, x, y) TRY_ACCESS(space, kind, s, DO_RESERVE, x, y)
