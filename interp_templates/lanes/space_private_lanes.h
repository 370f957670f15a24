/* space_private_lanes.h: the space "private" (space_private.h) for lanes, whose words of DATA lie side by side.
 *
 * A space's page for lanes has NAME_LANES, its memory, of a type of its own, and functions of that type, at a PLACE
 * (lanes.h) that is good, for the lanes in m:
 *   load_word     the word that the place is in
 *   store_word    a word there
 *   store_part    the bits of `mask` at the place, of `value`'s lowest
 *   store_masked  the bits of `mask` in the word that the place is in; `value` has no others
 */
namespace lanes {
#define PRIVATE_LANES mem
INLINE ::u32 *row(::u32 *mem, unsigned o) { return mem + (size_t)(o >> 2) * MOG_LANES; }
INLINE V index(V o) { return ((o >> V(2u)) << V(4u)) + V(load<::u32, 16>(lane_number)); }
INLINE V load_word(::u32 *mem, unsigned one, Bits) { return V(load<::u32, 16>(row(mem, one))); }
INLINE V load_word(::u32 *mem, V each, Bits m) { return V(gather(mem, index(each).v, m)); }
INLINE void store_word(::u32 *mem, unsigned one, V value, Bits m) { store_lanes(row(mem, one), value.v, m); }
INLINE void store_word(::u32 *mem, V each, V value, Bits m) { scatter(mem, index(each).v, value.v, m); }
template <class Place>
INLINE void store_masked(::u32 *mem, Place place, V value, V mask, Bits m)
{
    store_word(mem, place, (load_word(mem, place, m) & ~mask) | value, m);
}
template <class Place>
INLINE void store_part(::u32 *mem, Place place, V value, unsigned mask, Bits m)
{
    V shift = shift_in_word(place), part = V(mask) << shift;
    store_masked(mem, place, (value << shift) & part, part, m);
}
}
