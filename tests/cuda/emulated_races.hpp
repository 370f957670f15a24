// emulated_races.hpp: what ThreadSanitizer has to know of fibers, barriers and streams. Without MOG_EMULATION_RACES all of it is nothing.
//
// Kernels are compiled with -fsanitize=thread, the emulation is not: it sees what lanes do, and what the emulation copies by memmove. Each
// lane of each block is a thread of its own to it, though many share one, and switching from one to the other orders nothing. What
// does is said here: launches and barriers; not votes and shuffles, which CUDA does not let order memory either.
#pragma once

#ifdef MOG_EMULATION_RACES
#include <sanitizer/tsan_interface.h>
#endif

namespace mog_emulation::races {

#ifdef MOG_EMULATION_RACES
inline constexpr bool watched = true;
inline void *new_fiber() { return __tsan_create_fiber(0); }
inline void end_fiber(void *fiber) { __tsan_destroy_fiber(fiber); }
inline void *this_fiber() { return __tsan_get_current_fiber(); }
/* Before the stack is switched. */
inline void switch_to(void *fiber) { __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync); }
/* What was done before release comes before what is done after an acquire of the same place that follows it. */
inline void release(const void *place) { __tsan_release(const_cast<void *>(place)); }
inline void acquire(const void *place) { __tsan_acquire(const_cast<void *>(place)); }
#else
inline constexpr bool watched = false;
inline void *new_fiber() { return nullptr; }
inline void end_fiber(void *) {}
inline void *this_fiber() { return nullptr; }
inline void switch_to(void *) {}
inline void release(const void *) {}
inline void acquire(const void *) {}
#endif

/* Where __threadfence_system() releases: the host looks at what is behind it, and begins other work. */
inline char system_fence;

}  // namespace mog_emulation::races
