// modules.cpp: what programs register, and launches.
//
// Variables of registered modules live where the program's shadows of them are: clang makes one on the host for each, of the same
// size. So variables of managed memory are what both sides name, and nothing is copied.
#include "runtime_cuda/library/modules.hpp"

#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "runtime_cuda/library/extracted.hpp"
#include "runtime_cuda/library/memory.hpp"
#include "runtime_cuda/library/run_options.hpp"
#include "support/environment.hpp"

namespace mog::cuda {

class ModuleOfProgram {
public:
    const void *image;
    std::map<std::string, std::pair<void *, std::size_t>, std::less<>> shadows;
    std::vector<std::string> kernels;
    bool tried = false;
    std::shared_ptr<ptx::Module> loaded;
    std::string number;  // which of the program's modules
};

namespace {

struct Registered {
    ModuleOfProgram *module;
    std::string name;
    std::size_t bytes = 0;
    std::optional<Kernel> kernel{};
};

struct Program {
    std::recursive_mutex mutex;
    std::vector<std::unique_ptr<ModuleOfProgram>> modules;
    std::map<const void *, Registered> kernels, variables;
};
Program &program() {
    static Program &kept = *new Program;
    return kept;
}

// Machine code in NVIDIA's container, as CUDA's binary utilities show it, begins so; ELF files as any do.
constexpr std::uint32_t container_magic = 0xba55ed50;
constexpr std::string_view elf_magic = "\177ELF";

/// The module, loaded; an empty pointer: it could not be, which has been told.
ptx::Module *load(ModuleOfProgram &module) {
    if (std::exchange(module.tried, true)) return module.loaded.get();
    Result<std::string_view> text = ptx_of_image(module.image);
    std::string extracted;
    if (!text) {
        if (std::optional<std::string> found = extracted_ptx(module.kernels)) {
            extracted = std::move(*found);
            text = std::string_view(extracted);
        } else {
            tell(text.error().text());
            return nullptr;
        }
    }
    ptx::LoadOptions options;
    options.place = [&module](std::string_view name, std::uint64_t bytes, std::uint64_t) -> void * {
        const auto shadow = module.shadows.find(name);
        return shadow != module.shadows.end() && shadow->second.second >= bytes ? shadow->second.first : nullptr;
    };
    Result<std::shared_ptr<ptx::Module>> loaded = load_module(*text, fmt::format("module {}", module.number), options);
    if (loaded) module.loaded = *loaded;
    else tell(loaded.error().text());
    return module.loaded.get();
}

}  // namespace

Result<std::string_view> ptx_of_image(const void *image) {
    const char *bytes = static_cast<const char *>(image);
    if (!bytes) return Error{"there is no image"};
    std::uint32_t magic;
    std::memcpy(&magic, bytes, sizeof magic);
    if (magic == container_magic)
        return Error{
            "this program was compiled to NVIDIA's container of machine code and packed PTX: run it by `mogcuda PROGRAM`, which has "
            "cuobjdump of your "
            "CUDA Toolkit take the PTX out, or compile it with mogcuda"};
    if (std::memcmp(bytes, elf_magic.data(), elf_magic.size()) == 0)
        return Error{
            "this is machine code for a GPU, without PTX: compile with nvcc -gencode arch=compute_80,code=compute_80, or with mogcuda"};
    return std::string_view(bytes);
}

Result<std::shared_ptr<ptx::Module>> load_module(std::string_view text, std::string_view name, const ptx::LoadOptions &options) {
    ptx::LoadOptions with_registers = options;
    with_registers.registers = environment_variable("MOGCUDA_REGISTERS");
    Result<std::shared_ptr<ptx::Module>> loaded = ptx::Module::load(text, name, with_registers);
    if (!loaded) return loaded;
    for (const std::string &variable : (*loaded)->variable_names())
        if (const std::optional<ptx::ModuleVariable> found = (*loaded)->variable(variable)) know_variable(found->address, found->size);
    return loaded;
}

ModuleOfProgram *register_image(const void *image) {
    const std::lock_guard lock(program().mutex);
    program().modules.push_back(std::make_unique<ModuleOfProgram>());
    ModuleOfProgram &module = *program().modules.back();
    module.image = image;
    module.number = std::to_string(program().modules.size());
    return &module;
}

void register_kernel(ModuleOfProgram *module, const void *function, std::string_view name) {
    const std::lock_guard lock(program().mutex);
    module->kernels.emplace_back(name);
    program().kernels.insert_or_assign(function, Registered{module, std::string(name)});
}

void register_variable(ModuleOfProgram *module, void *variable, std::string_view name, std::size_t bytes, bool) {
    const std::lock_guard lock(program().mutex);
    module->shadows.insert_or_assign(std::string(name), std::pair(variable, bytes));
    program().variables.insert_or_assign(variable, Registered{module, std::string(name), bytes});
}

void register_end(ModuleOfProgram *module) {
    const std::lock_guard lock(program().mutex);
    // The host may read managed variables before any kernel runs. Modules without variables are loaded when a kernel is wanted.
    if (!module->shadows.empty()) load(*module);
}

void unregister(ModuleOfProgram *module) {
    wait_for_all();
    const std::lock_guard lock(program().mutex);
    std::erase_if(program().kernels, [module](const auto &entry) { return entry.second.module == module; });
    std::erase_if(program().variables, [module](const auto &entry) { return entry.second.module == module; });
    if (module->loaded)
        for (const std::string &variable : module->loaded->variable_names())
            if (const std::optional<ptx::ModuleVariable> found = module->loaded->variable(variable)) forget_variable(found->address);
    std::erase_if(program().modules, [module](const auto &kept) { return kept.get() == module; });
    if (program().modules.empty()) show_statistics();
}

Kernel *find_kernel(const void *function, cudaError_t &error) {
    const std::lock_guard lock(program().mutex);
    const auto found = program().kernels.find(function);
    if (found == program().kernels.end()) {
        error = cudaErrorInvalidDeviceFunction;
        return nullptr;
    }
    Registered &registered = found->second;
    if (!registered.kernel) {
        if (!load(*registered.module)) {
            error = cudaErrorInvalidPtx;
            return nullptr;
        }
        const ptx::KernelInfo *info = registered.module->loaded->kernel(registered.name);
        if (!info) {
            tell(fmt::format("the PTX of module {} has no kernel {}", registered.module->number, registered.name));
            error = cudaErrorInvalidDeviceFunction;
            return nullptr;
        }
        registered.kernel = Kernel{registered.module->loaded, info};
    }
    error = cudaSuccess;
    return &*registered.kernel;
}

bool find_variable(const void *shadow, Variable &variable, cudaError_t &error) {
    const std::lock_guard lock(program().mutex);
    const auto found = program().variables.find(shadow);
    error = cudaErrorInvalidSymbol;
    if (found == program().variables.end() || !load(*found->second.module)) return false;
    // One that no kernel names is not in the PTX; what the host copies there and back is the shadow's.
    const std::optional<ptx::ModuleVariable> in_module = found->second.module->loaded->variable(found->second.name);
    variable = in_module ? Variable{in_module->address, in_module->size} : Variable{const_cast<void *>(shadow), found->second.bytes};
    error = cudaSuccess;
    return true;
}

cudaError_t check_launch(const Kernel &kernel, const Launch &launch) {
    const ptx::KernelInfo &info = *kernel.info;
    const ptx::Dim3 &block = launch.block, &grid = launch.grid;
    if (!block.count() || !grid.count() || block.x > 1024 || block.y > 1024 || block.z > 64 || block.count() > 1024)
        return cudaErrorInvalidConfiguration;
    if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) return cudaErrorInvalidConfiguration;
    if (block.count() > info.max_threads) return cudaErrorLaunchOutOfResources;
    if (launch.shared_bytes > static_cast<std::size_t>(kernel.dynamic_shared_bytes) ||
        launch.shared_bytes + info.static_shared_bytes > static_cast<std::size_t>(most_shared_bytes))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

std::string gather_parameters(const ptx::KernelInfo &info, void **arguments) {
    std::string block(info.parameter_bytes, '\0');
    for (std::size_t i = 0; i < info.parameters.size(); i++)
        std::memcpy(block.data() + info.parameters[i].offset, arguments[i], info.parameters[i].size);
    return block;
}

void add_launch(const Kernel &kernel, const Launch &launch, std::string parameters, const StreamRef &stream) {
    add(stream, [module = kernel.module, info = kernel.info, launch, parameters = std::move(parameters)] {
        if (fault_so_far() != cudaSuccess) return;
        ptx::LaunchOptions options = run_options(*info);
        ptx::Fault what = ptx::Fault::none;
        options.fault = &what;
        options.cooperative = launch.cooperative;
        const ptx::LaunchShape shape{launch.grid, launch.block, static_cast<std::uint32_t>(launch.shared_bytes)};
        Result<ptx::LaunchCounts> counts = ptx::launch(*module, info->name, shape, parameters.data(), options);
        if (counts) return count_launch(*info, *counts);
        // What a run that is to be checked finds has been told, and does not keep it from its other kernels.
        if (options.check && was_found()) return;
        cudaError_t error = cudaErrorLaunchFailure;
        switch (what) {
            case ptx::Fault::illegal_address: error = cudaErrorIllegalAddress; break;
            case ptx::Fault::misaligned: error = cudaErrorMisalignedAddress; break;
            case ptx::Fault::assertion: error = cudaErrorAssert; break;
            case ptx::Fault::illegal_instruction:
            case ptx::Fault::unsupported: error = cudaErrorIllegalInstruction; break;
            default: break;
        }
        fault(error, counts.error().text());
    });
}

}  // namespace mog::cuda
