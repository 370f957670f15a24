#include "@stem@.h"

#include <string.h>

#ifdef __FAST_MATH__
#error "the interpreter computes floats as IEEE 754 wants it: compile this file without -ffast-math"
#endif
/* What dialect_host.h asks for, whatever the options of this build; and what compiled blocks of g++ take minutes without. */
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "wrapv", "no-strict-aliasing", "no-tree-vrp", "no-thread-jumps", "align-labels=32")
#endif

/* Compiled blocks give names of their surroundings a narrower meaning. */
#pragma GCC diagnostic ignored "-Wshadow"

#define KERNEL static
#define MOG_ENGINE_SWITCH
//@ DEFINITIONS

namespace @name@_interpreter {
namespace {
//@ INTERPRETER

}  // namespace
}  // namespace @name@_interpreter

#ifndef MOG_ENGINE_LANES
//@ LANES
static const mog_native_code @name@_code = {
    @launch_version@u, @checksum@u, reinterpret_cast<mog_kernel *>(&@name@_interpreter::mog_init),
    reinterpret_cast<mog_kernel *>(&@name@_interpreter::mog_transfer), reinterpret_cast<mog_kernel *>(&@name@_interpreter::mog_run),
    {@lanes@}};

extern "C" const mog_parts @name@_parts = {@name@_image, @NAME@_IMAGE_BYTES, &@name@_code, nullptr, nullptr};
#endif
