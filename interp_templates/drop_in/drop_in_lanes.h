/* @stem@_lanes.cpp is compiled once for each instruction set that is worth it, or not at all: -march=x86-64-v3 (AVX2),
 * -march=x86-64-v4 (AVX-512), none of these (any processor). libmog takes the best that the processor has, and finds
 * out while it runs whether that or @stem@.cpp is faster. The objects stand on the linker's command line, not in a
 * library of theirs, which would not be looked at for them. -O1 makes it as fast as -O2, and takes two thirds of the
 * time. */

