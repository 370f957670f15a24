/* space_constants_lanes.h: the space "constants" (space_constants.h) for lanes: they only load there. */
namespace lanes {
struct Constants {
    const ::u32 *words;
};
#define CONSTANTS_LANES (Constants{spaces + CONSTANTS_AT})
INLINE V load_word(Constants constants, V each, unsigned one, bool together, Bits m)
{
    return together ? V(constants.words[one >> 2]) : V(gather(constants.words, (each >> V(2u)).v, m));
}
}
