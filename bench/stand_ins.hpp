// stand_ins.hpp: functions of MOG programs as programs of the u-SIMD machine, to see what registers for them cost and that nothing else
// comes out.
//
// The machine does not know MOG's memory, floats and the like. They are stood in for by functions of what they read (MachineOptions): if
// two ways of keeping values agree on any such function, they agree on the true one. Memory is a value, too: a store makes another one of
// it, a load reads it, and both are each lane's own; it is kept apart, as predicates are. A branch goes where a function of its condition
// says, so that loops end sooner than in the program.
#pragma once

#include <vector>

#include "assembler/divergence_report/mog_kernels.hpp"
#include "assembler/usimd/machine.hpp"

namespace mog::bench {

/// What is read where the function calls others, and where it leaves: registers, by name.
usimd::Program with_stand_ins(const MogKernel &function, std::uint32_t threads);

}  // namespace mog::bench
