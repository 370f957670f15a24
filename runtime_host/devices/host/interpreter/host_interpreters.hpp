// host_interpreters.hpp: the interpreters that host_interpreter_slice.cpp is compiled to.
#pragma once

#include "runtime_host/devices/host/interpreter/host_interpreter.hpp"

namespace mog::host_interpreters {

HostInterpreter run_native;  ///< floats and doubles by the processor
HostInterpreter run_pair;    ///< doubles by pairs of floats
HostInterpreter run_soft;    ///< doubles in integers
HostInterpreter run_fcsr;    ///< floats too, with the FPU's control register

/// As run_native, but memory is laid for lanes, MOG_LANES PEs' words side by side; and where an entry is not 0 it ends, with the passes
/// that are left.
void run_lanes(const std::uint16_t *text, const std::uint32_t *cpool, const std::uint32_t *code_map, std::uint32_t *data,
               std::uint32_t data_words, std::uint32_t *state, std::uint32_t stride, std::uint32_t *requests, std::uint32_t *nrequests,
               const std::uint32_t *active, std::uint32_t passes, std::uint32_t first, std::uint32_t count, const std::uint32_t *entry_of,
               std::uint32_t *left, const HostProgram *program, std::uint32_t work_item);

}  // namespace mog::host_interpreters
