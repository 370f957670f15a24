// host_interpreters.hpp: the interpreters that host_interpreter_slice.cpp is compiled to.
#pragma once

#include "runtime_host/devices/host/host_interpreter.hpp"

namespace mog::host_interpreters {

HostInterpreter run_native;  ///< floats and doubles by the processor
HostInterpreter run_pair;    ///< doubles by pairs of floats
HostInterpreter run_soft;    ///< doubles in integers
HostInterpreter run_fcsr;    ///< floats too, with the FPU's control register

}  // namespace mog::host_interpreters
