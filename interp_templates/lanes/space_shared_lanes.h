/* space_shared_lanes.h: the space "shared" (space_shared.h) for lanes: they write one after the other, and parts of
 * words as bytes. */
namespace lanes {
struct Shared {
    ::u32 *words;
};
#define SHARED_LANES (Shared{spaces + SHARED_AT})
INLINE V load_word(Shared shared, unsigned one, Bits) { return V(((volatile ::u32 *)shared.words)[one >> 2]); }
INLINE V load_word(Shared shared, V each, Bits m)
{
    __asm__ volatile("" : : : "memory");
    return V(gather(shared.words, (each >> V(2u)).v, m));
}
/* Functions of their own for all that goes from lane to lane. */
static __attribute__((noinline, unused)) void store_bytes_at(Shared shared, const V *each, const V *value,
                                                             const V *mask, Bits m)
{
    alignas(64) ::u32 places[MOG_LANES], values[MOG_LANES], masks[MOG_LANES];
    store(places, each->v);
    store(values, value->v);
    store(masks, mask->v);
    for (unsigned k = 0; k < MOG_LANES; k++) {
        if (!(m >> k & 1)) continue;
        volatile ::u32 *const word = shared.words + (places[k] >> 2);
        if (masks[k] == ~0u) *word = values[k];
        else if (masks[k] == 0xffffu) *(volatile unsigned short *)word = (unsigned short)values[k];
        else if (masks[k] == 0xffff0000u) ((volatile unsigned short *)word)[1] = (unsigned short)(values[k] >> 16);
        else
            for (unsigned byte = 0; byte < 4u; byte++)
                if ((masks[k] >> (8u * byte) & 0xffu) != 0u)
                    ((volatile unsigned char *)word)[byte] = (unsigned char)(values[k] >> (8u * byte));
    }
}
INLINE void store_bytes(Shared shared, V each, V value, V mask, Bits m)
{
    store_bytes_at(shared, &each, &value, &mask, m);
}
INLINE void store_word(Shared shared, V each, V value, Bits m)
{
    store_bytes(shared, each, value, V(~0u), m);
}
INLINE void store_masked(Shared shared, V each, V value, V mask, Bits m)
{
    store_bytes(shared, each, value, mask, m);
}
template <class Place>
INLINE void store_part(Shared shared, Place place, V value, unsigned mask, Bits m)
{
    V shift = shift_in_word(place);
    store_bytes(shared, place, (value & V(mask)) << shift, V(mask) << shift, m);
}
/* What a word was before it was compared with `old`. In memory of their own it is a step for all lanes, here one after
 * the other. */
static __attribute__((noinline, unused)) void compare_and_swap_at(Shared shared, const V *each, V *old, const V *value,
                                                                  Bits m)
{
    alignas(64) ::u32 places[MOG_LANES], olds[MOG_LANES], values[MOG_LANES];
    store(places, each->v);
    store(olds, old->v);
    store(values, value->v);
    for (unsigned k = 0; k < MOG_LANES; k++)
        if (m >> k & 1)
            __atomic_compare_exchange_n(shared.words + (places[k] >> 2), &olds[k], values[k], 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST);
    *old = V(load<::u32, 16>(olds));
}
INLINE V compare_and_swap(Shared shared, V each, V old, V value, Bits m)
{
    compare_and_swap_at(shared, &each, &old, &value, m);
    return old;
}
template <class Place>
INLINE V compare_and_swap(::u32 *mem, Place place, V old, V value, Bits m)
{
    const V was = load_word(mem, place, m);
    const Bits done = bits(was == old) & m;
    if (done) store_word(mem, place, value, done);
    return was;
}
/* The same of operations that change the word in any case: what it was. */
#define REPLACES_WORD(name, builtin, becomes) \
static __attribute__((noinline, unused)) void name##_at(Shared shared, const V *each, V *value, Bits m) \
{ \
    alignas(64) ::u32 places[MOG_LANES], values[MOG_LANES]; \
    store(places, each->v); \
    store(values, value->v); \
    for (unsigned k = 0; k < MOG_LANES; k++) \
        if (m >> k & 1) values[k] = builtin(shared.words + (places[k] >> 2), values[k], __ATOMIC_SEQ_CST); \
    *value = V(load<::u32, 16>(values)); \
} \
INLINE V name(Shared shared, V each, V value, Bits m) \
{ \
    name##_at(shared, &each, &value, m); \
    return value; \
} \
template <class Place> \
INLINE V name(::u32 *mem, Place place, V value, Bits m) \
{ \
    const V was = load_word(mem, place, m); \
    store_word(mem, place, becomes, m); \
    return was; \
}
REPLACES_WORD(fetch_add, __atomic_fetch_add, was + value)
REPLACES_WORD(fetch_and, __atomic_fetch_and, was & value)
REPLACES_WORD(fetch_or, __atomic_fetch_or, was | value)
REPLACES_WORD(fetch_xor, __atomic_fetch_xor, was ^ value)
REPLACES_WORD(exchange, __atomic_exchange_n, value)
}
