/* @stem@_lanes.cpp: the hottest code of @program@, compiled for 16 PEs at once; @stem@.h says how to compile it. Generated. */
#define MOG_ENGINE_LANES
#define MOG_WARP MOG_LANES

/* What no code is here for: the interpreter, for PEs whose words of memory lie side by side. */
#include "@stem@.cpp"
#define MOG_INTERPRETER @name@_interpreter::mog_run

/* Objects for several instruction sets may be in one application. */
#if defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define lanes @name@_in_lanes_avx512
#define MOG_LANES_CODE @name@_lanes_avx512
#define MOG_LANES_SIMD "avx512"
#elif defined(__AVX512F__)
#error "@stem@_lanes.cpp: this is AVX-512 without what comes with it on all processors but the first: compile with -march=x86-64-v4"
#elif defined(__AVX2__)
#define lanes @name@_in_lanes_avx2
#define MOG_LANES_CODE @name@_lanes_avx2
#define MOG_LANES_SIMD "avx2"
#else
#define lanes @name@_in_lanes_portable
#define MOG_LANES_CODE @name@_lanes_portable
#define MOG_LANES_SIMD "portable"
#endif

//@ INTERPRETER

extern "C" {
extern const mog_lanes_code MOG_LANES_CODE;
const mog_lanes_code MOG_LANES_CODE = {@launch_version@u, @checksum@u, MOG_LANES_SIMD,
                                       reinterpret_cast<mog_kernel *>(&@name@_interpreter::mog_init),
                                       reinterpret_cast<mog_kernel *>(&@name@_interpreter::mog_transfer),
                                       reinterpret_cast<mog_kernel *>(&mog_run_lanes)};
}
