// module.hpp: what a module is inside.
#pragma once

#include <array>
#include <map>

#include "runtime_host/ptx/code.hpp"
#include "runtime_host/ptx/engine.hpp"
#include "translator/ptx/registers/give_registers.hpp"

namespace mog::ptx {

struct Module::Inside {
    Program program;
    std::vector<std::unique_ptr<Code>> codes;  ///< by Program::functions; nullptr: it has no body
    Addresses addresses;
    std::unordered_map<std::uint64_t, std::uint32_t> functions_at;
    std::map<std::string, KernelInfo, std::less<>> kernels;
    std::map<std::string, std::uint32_t, std::less<>> kernel_functions;
    std::map<std::string, std::uint64_t, std::less<>> local_bytes;  ///< of a thread, by kernel
    std::vector<void *> memory;                                     ///< of variables; nullptr: of .shared, or elsewhere
    std::vector<GivenRegisters> registers;                          ///< LoadOptions::registers
    std::atomic<std::uint32_t> launches{0};
    Allocations variables;
    /// What stands at the address of a function: nothing is read from it.
    std::vector<std::uint64_t> function_cells;

    Result<void> build(const LoadOptions &options);
    /// Code for a kernel, by Program::functions, in blocks of a shape.
    KernelBuild &build_of(std::uint32_t function, const Dim3 &block);
    ~Inside();

private:
    std::mutex builds_mutex_;
    std::map<std::array<std::uint32_t, 4>, std::unique_ptr<KernelBuild>> builds_;
    Result<void> place_variables(const LoadOptions &options);
    void place_shared();
    Result<void> fill_variables();
    std::vector<std::vector<bool>> find_reached() const;
};

}  // namespace mog::ptx
