/* c++config.h: what g++'s library was configured for is Linux with threads; a PE has neither threads nor futexes. */
#include_next <bits/c++config.h>

#undef _GLIBCXX_HAS_GTHREADS
#undef _GLIBCXX_HAVE_LINUX_FUTEX
