// compiler_speed.hpp: how fast the C++ compiler of this machine is, for those that are told how long it may take.
#pragma once

#include "support/result.hpp"
#include "support/subprocess.hpp"

namespace mog {

/// How many times as much it compiles in a second of a processor as where MOG's estimates of that were made. $MOG_COMPILER_SPEED if that
/// is set; else measured, by a small program that is compiled twice, for half a second, and kept in the cache. 1 where the compiler cannot
/// compile that. Error: what is set is no positive number.
Result<double> compiler_speed(const Command &compiler);

}  // namespace mog
