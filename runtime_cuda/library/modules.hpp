// modules.hpp: PTX that programs bring, their kernels and variables, and launches of these.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_cuda/library/errors.hpp"
#include "runtime_cuda/library/work.hpp"
#include "runtime_host/ptx/engine.hpp"

namespace mog::cuda {

class ModuleOfProgram;

/// A kernel as programs name it: by the address of its function on the host, or by name.
struct Kernel {
    std::shared_ptr<ptx::Module> module;
    const ptx::KernelInfo *info = nullptr;
    int dynamic_shared_bytes = 48 * 1024;  ///< as many as a launch may ask for (cudaFuncAttributeMaxDynamicSharedMemorySize)
};

/// What is at an address that modules are loaded from: the PTX text. Errors: a sentence for what cannot be run, such as machine code alone.
Result<std::string_view> ptx_of_image(const void *image);

/// Loads PTX, and lets the checks know of its variables.
Result<std::shared_ptr<ptx::Module>> load_module(std::string_view text, std::string_view name, const ptx::LoadOptions &options = {});

/// What a compiled program registers of one of its sources (the functions of clang's code for CUDA, in LLVM's sources).
ModuleOfProgram *register_image(const void *image);
void register_kernel(ModuleOfProgram *module, const void *function, std::string_view name);
void register_variable(ModuleOfProgram *module, void *variable, std::string_view name, std::size_t bytes, bool constant);
/// All of it is registered: variables get their values.
void register_end(ModuleOfProgram *module);
void unregister(ModuleOfProgram *module);

/// The kernel of a registered function; loads its module. nullptr: `error` says why.
Kernel *find_kernel(const void *function, cudaError_t &error);
struct Variable {
    void *address;
    std::size_t bytes;
};
/// The variable whose shadow on the host this is.
bool find_variable(const void *shadow, Variable &variable, cudaError_t &error);

struct Launch {
    ptx::Dim3 grid, block;
    std::size_t shared_bytes = 0;
    bool cooperative = false;
};
/// Whether a launch can be: cudaSuccess, or cudaErrorInvalidConfiguration and its like.
cudaError_t check_launch(const Kernel &kernel, const Launch &launch);
/// Adds it to a stream; `parameters` are KernelInfo::parameter_bytes. What goes wrong later is a fault of the device.
void add_launch(const Kernel &kernel, const Launch &launch, std::string parameters, const StreamRef &stream);
/// Parameters from the addresses of the arguments.
std::string gather_parameters(const ptx::KernelInfo &info, void **arguments);

/// As many blocks as a processor of the device (a core) runs at once.
constexpr int blocks_at_once = 8;
/// Shared memory of a block: what each has, and what some may have if they ask.
constexpr int shared_bytes = 48 * 1024, most_shared_bytes = 163 * 1024;

}  // namespace mog::cuda
