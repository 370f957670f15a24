/* form_part.h: compiled blocks that are compiled once for all programs that have them: form_warp.h's, but what differs
 * between programs is a SYMBOL, which stands in the table of the program at hand. The first is the TEXT index where the
 * group begins, from which the group counts its places. */
extern "C" __constant__ u32 MOG_SYMBOLS[];
#define SYMBOL(k) MOG_SYMBOLS[k]
#undef TRAP
#define TRAP(cause, why) { pc = SYMBOL(0) + (u32)at_; passes += left_; s->nans = nans_; GO_COLD }
#undef PLACE_OF
#define PLACE_OF(to) (to)
#undef ENTER
#define ENTER(at, needed, counted) \
    if (passes < (needed)) { pc = SYMBOL(0) + (at); s->nans = nans_; GO_COLD } passes -= (counted);
/* The place of an address of code, if it is one of the group's. */
FUNCTION u32 mog_code_at(u32 a, CONSTANT_BUFFER u32 *code_map)
{
    u32 index = MOG_NO_CODE;
    FIND_CODE(a, index)
    return index;
}
#define KNOWN_PLACE(a) (mog_code_at(a, code_map) - SYMBOL(0))
