// errors.hpp: errors of the CUDA runtime and driver: names, texts, which was the last one, and faults that nothing after them survives.
#pragma once

#include <string_view>

#include "runtime_cuda/include/cuda_runtime_api.h"
#include "runtime_host/ptx/engine.hpp"

namespace mog::cuda {

/// nullptr: there is no such error. For the driver also where only the runtime has it.
const char *error_name(int error, bool driver);
const char *error_text(int error);

/// Notes an error of this thread's call, for cudaGetLastError(). Returns it.
cudaError_t note(cudaError_t error);
cudaError_t last_error();
void forget_last_error();

/// A fault of a kernel: all calls fail with it until the device is reset. The sentence goes to standard error.
void fault(cudaError_t error, std::string_view sentence);
/// cudaSuccess: none.
cudaError_t fault_so_far();
void forget_fault();

/// One sentence for the user on standard error: "mogcuda: ...".
void tell(std::string_view sentence);

}  // namespace mog::cuda
