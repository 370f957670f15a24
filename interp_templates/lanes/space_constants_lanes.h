/* space_constants_lanes.h: the space "constants" (space_constants.h) for lanes: they only load there. */
namespace lanes {
struct Constants {
    const ::u32 *words;
};
#define CONSTANTS_LANES (Constants{spaces + CONSTANTS_AT})
INLINE V load_word(Constants constants, unsigned one, Bits) { return V(constants.words[one >> 2]); }
INLINE V load_word(Constants constants, V each, Bits m) { return V(gather(constants.words, (each >> V(2u)).v, m)); }
}
