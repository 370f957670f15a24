/* form_warp.h: compiled blocks of a warp, whose lanes go through the code in step where they can: a thread's
 * (form_thread.h), but that one that stops leaves the group by way of where the others meet (convergence.hpp). COLD is
 * the label of that place, for the code at hand. */
#undef GO_COLD
#define GO_COLD { stopped = 1u; goto COLD; }
/* At such a place: those that have stopped go on to the next. */
#define PASS_ON(next) MEETING if (stopped != 0u) goto next;
/* Ways round a loop and out of it may come together at its bottom, and those between functions of a group and out of it
 * at its hub (convergence.hpp): at that label, where `by` says which one it is: to the block of this TEXT index, or out
 * of the group. */
#define MOG_OUT 0xffffffffu
#define GO_BY(label, to) { by = to##u; goto label; }
#define LEAVE_BY(label, to) { pc = PLACE_OF(to); by = MOG_OUT; goto label; }
#define LEAVE_ANYWHERE_BY(label) { by = MOG_OUT; goto label; }
#ifndef MEETING
#define MEETING
#endif
#define ON_WAY(to) if (by == (to))
/* From group to group, and from function to function within one, lanes go in turn, so that those that are behind catch
 * up with the others. Who does not go on comes back to the same place, where the others come, too: there is no other
 * way out. Within a group the deepest go, wherever they stand: control comes by there too often to ask more. */
#ifndef IS_DEEPEST
#define IS_DEEPEST(stack) 1
#define HAS_TURN(stack, place) 1
#endif
#define GO_IN_TURN(stack) if (!IS_DEEPEST(stack)) goto hub;
#undef TAKE_TURN
#define TAKE_TURN(stack, place) MEETING if (HAS_TURN(stack, place))
#undef TURN_IS_OVER
#define TURN_IS_OVER MEETING
#define ELSEWHERE s->cold = 1u; break;
/* Control that comes in is led through the heads of the loops around its place. */
#define LED_TO(entry) led_to = entry;

/* ---- copies of loops, for when all lanes come to them together (assembler/blocks/guarded_regions.hpp) ----
 *
 * They are there if MOG_COPIES is defined: 1, or 2 with those in which some of the lanes have blocks of their own.
 * Lanes are asked, where control comes to such a loop from outside, whether they have the same where they have to. If
 * so, each has it from the first lane: what it had before, but so that the compiler knows that it is the same. Nothing
 * rests on lanes staying together, and control that is led to a place inside does not come to copies. */
#define IF_TOGETHER(level, unled) if (MOG_COPIES >= (level) && (unled) && ALL_TOGETHER())
#define ASK(r) differ_ |= (r) ^ OF_FIRST(r);
#define IF_AGREED if (!ANY_OF_ALL(differ_))
#define AGREE(r) r = OF_FIRST(r);
#define GO_TOGETHER(to) goto g##to;
#define GO_TRYING(to) goto try##to;

/* ---- loops whose rounds are counted before they begin (assembler/blocks/counted_loops.hpp) ----
 *
 * Where control comes to such a loop from outside, it is asked how often its branch leads back for sure, how many
 * rounds the slice has instructions for, and whether what they access by addresses that go on is good in all of them.
 * These rounds ask no more; the others, the last one among them, are those of the loop as it is elsewhere. */
#define COUNT_ROUNDS(back, size) u32 rounds_ = passes / (size); \
    { const u32 back_ = (back); if (back_ < rounds_) rounds_ = back_; }
/* Where the lower one of two numbers, or the higher one, comes nearer by `step` each time. */
#define WHILE_DIFFERENT(low, high, step) \
    ((step) != 0u && ((high) - (low)) % (step) == 0u ? ((high) - (low)) / (step) : 0u)
#define WHILE_LESS(low, high, step) ((step) != 0u && (low) < (high) ? ((high) - (low) - 1u) / (step) + 1u : 0u)
#define WHILE_LESS_SIGNED(low, high, step) \
    ((step) != 0u && (i32)(low) < (i32)(high) ? ((high) - (low) - 1u) / (step) + 1u : 0u)
#define WHILE_NOT_MORE(low, high, step) ((step) != 0u && (low) <= (high) ? ((high) - (low)) / (step) + 1u : 0u)
#define WHILE_NOT_MORE_SIGNED(low, high, step) \
    ((step) != 0u && (i32)(low) <= (i32)(high) ? ((high) - (low)) / (step) + 1u : 0u)
/* Fewer are not worth the questions. */
#define IF_COUNTED(unled) if ((unled) && rounds_ >= 4u)
/* Accesses of 2^s bytes, the first at `a`, each next one `step` bytes further up, or down; and all of them perhaps up
 * to `more` bytes behind that. */
#ifdef MOG_UNCHECKED
#define GOES_UP(a, more, step, s)
#define GOES_DOWN(a, more, step, s)
#define STORES_GO_UP(a, more, step, s)
#define STORES_GO_DOWN(a, more, step, s)
#else
#define WAY_OF(step) ((u64)(rounds_ - 1u) * (step))
#define GOES_UP(a, more, step, s) { const u32 o_ = (a) - PRIVATE_BASE; \
    good_ &= (u32)(ROTR(o_, s) < data_bytes >> (s)) & (u32)(((step) & ((1u << (s)) - 1u)) == 0u) & \
             (u32)((u64)o_ + WAY_OF(step) + (more) + (1u << (s)) <= (u64)data_bytes); }
#define GOES_DOWN(a, more, step, s) { const u32 o_ = (a) - PRIVATE_BASE; \
    good_ &= (u32)(ROTR(o_, s) < data_bytes >> (s)) & (u32)(WAY_OF(step) <= (u64)o_) & \
             (u32)((u64)o_ + (more) + (1u << (s)) <= (u64)data_bytes); }
#define STORES_GO_UP(a, more, step, s) GOES_UP(a, more, step, s) \
    AWAY((u64)(a), (u64)(a) + WAY_OF(step) + (more) + (1u << (s)))
#define STORES_GO_DOWN(a, more, step, s) GOES_DOWN(a, more, step, s) \
    AWAY((u64)(a) - WAY_OF(step), (u64)(a) + (more) + (1u << (s)))
/* From what is read only. Addresses that are good are those of DATA, in which nothing goes round. */
#define AWAY(low, high) good_ &= (u32)(read_only_bytes == 0u || (high) <= (u64)MOG_READ_ONLY_BASE || \
    (low) >= (u64)MOG_READ_ONLY_BASE + read_only_bytes);
#endif
