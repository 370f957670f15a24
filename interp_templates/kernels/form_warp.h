/* form_warp.h: compiled blocks of a warp, whose lanes go through the code in step where they can: a thread's
 * (form_thread.h), but that one that stops leaves the group by way of where the others meet (convergence.hpp). COLD is
 * the label of that place, for the code at hand. */
#undef GO_COLD
#define GO_COLD { stopped = 1u; goto COLD; }
/* At such a place: those that have stopped go on to the next. */
#define PASS_ON(next) if (stopped != 0u) goto next;
/* Control that comes in is led through the heads of the loops around its place. */
#define LED_TO(entry) led_to = entry;
