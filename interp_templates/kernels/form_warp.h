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
