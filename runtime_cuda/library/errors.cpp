// errors.cpp: tables of errors, and the last one.
#include "runtime_cuda/library/errors.hpp"

#include <atomic>
#include <iterator>

#include <fmt/format.h>

#include "support/say.hpp"

namespace mog::cuda {

namespace {

struct ErrorInfo {
    int number;
    const char *runtime, *driver, *text;
};

constexpr ErrorInfo errors[] = {
#define MOG_CUDA_ERROR(number, runtime, driver, text) {number, #runtime, #driver, text},
#define MOG_CUDA_RUNTIME_ERROR(number, runtime, text) {number, #runtime, nullptr, text},
#include "runtime_cuda/include/mog_cuda/errors.def"
#undef MOG_CUDA_ERROR
#undef MOG_CUDA_RUNTIME_ERROR
};

const ErrorInfo *find(int number) {
    for (const ErrorInfo &error : errors)
        if (error.number == number) return &error;
    return nullptr;
}

thread_local cudaError_t last = cudaSuccess;
std::atomic<cudaError_t> faulted{cudaSuccess};

}  // namespace

const char *error_name(int error, bool driver) {
    const ErrorInfo *found = find(error);
    if (!found) return nullptr;
    return driver ? found->driver : found->runtime;
}

const char *error_text(int error) {
    const ErrorInfo *found = find(error);
    return found ? found->text : nullptr;
}

cudaError_t note(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) last = error;
    return error;
}

cudaError_t last_error() {
    if (last == cudaSuccess) return fault_so_far();
    return last;
}

void forget_last_error() { last = cudaSuccess; }

void fault(cudaError_t error, std::string_view sentence) {
    cudaError_t none = cudaSuccess;
    faulted.compare_exchange_strong(none, error);
    tell(sentence);
}

cudaError_t fault_so_far() { return faulted.load(); }
void forget_fault() { faulted = cudaSuccess; }

void tell(std::string_view sentence) { say("mogcuda: {}\n", sentence); }

}  // namespace mog::cuda
