/* space_board_lanes.h: the same for lanes, one after the other where they write. */
namespace lanes {
struct Board {
    ::u32 *words;
};
#define BOARD_LANES (Board{spaces + BOARD_AT})
INLINE V load_word(Board board, unsigned one, Bits) { return V(board.words[one >> 2]); }
INLINE V load_word(Board board, V each, Bits m) { return V(gather(board.words, (each >> V(2u)).v, m)); }
INLINE void store_bytes(Board board, V each, V value, V mask, Bits m)
{
    alignas(64) ::u32 places[MOG_LANES], values[MOG_LANES], masks[MOG_LANES];
    store(places, each.v);
    store(values, value.v);
    store(masks, mask.v);
    for (unsigned k = 0; k < MOG_LANES; k++)
        for (unsigned byte = 0; byte < 4u; byte++)
            if ((m >> k & 1) && (masks[k] >> (8u * byte) & 0xffu) != 0u)
                ((unsigned char *)(board.words + (places[k] >> 2)))[byte] = (unsigned char)(values[k] >> (8u * byte));
}
template <class Place>
INLINE void store_word(Board board, Place place, V value, Bits m) { store_bytes(board, V(place), value, V(~0u), m); }
template <class Place>
INLINE void store_masked(Board board, Place place, V value, V mask, Bits m) { store_bytes(board, V(place), value, mask, m); }
template <class Place>
INLINE void store_part(Board board, Place place, V value, unsigned mask, Bits m)
{
    V shift = shift_in_word(place);
    store_bytes(board, V(place), value << shift, V(mask) << shift, m);
}
}
