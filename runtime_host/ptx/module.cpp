// module.cpp: a program becomes a module: its variables have memory, its functions operations, its kernels descriptions.
#include "runtime_host/ptx/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "support/compilers/simd.hpp"
#include "support/environment.hpp"
#include "support/sizes.hpp"
#include "translator/ptx/calls/call_graph.hpp"
#include "translator/ptx/passes.hpp"

namespace mog::ptx {
namespace {

constexpr std::align_val_t variable_alignment{256};
/// Of a thread whose kernel calls functions with memory of their own. Pages that are not touched cost nothing; the odd end keeps threads
/// out of each other's cache lines.
constexpr std::uint64_t stack_bytes = (std::uint64_t{1} << 16) + 192;

}  // namespace

Module::Inside::~Inside() {
    for (void *const one : memory)
        if (one != nullptr) ::operator delete(one, variable_alignment);
}

Result<void> Module::Inside::place_variables(const LoadOptions &options) {
    memory.resize(program.variables.size());
    addresses.variables.resize(program.variables.size());
    for (std::size_t at = 0; at < program.variables.size(); ++at) {
        const Variable &variable = program.variables[at];
        if (variable.space == Space::shared) continue;
        if (variable.is_extern)
            return Error{fmt::format("{} is .extern, and no text defines it", variable.name), program.text_of(variable.place)};
        void *begin = options.place ? options.place(variable.name, variable.size, variable.alignment) : nullptr;
        if (begin == nullptr) {
            begin = memory[at] = ::operator new(std::max<std::size_t>(variable.size, 16), variable_alignment, std::nothrow);
            if (begin == nullptr)
                return Error{fmt::format("there is no room for {}, {}", variable.name, format_amount(variable.size)),
                             program.text_of(variable.place)};
        }
        std::memset(begin, 0, variable.size);
        std::memcpy(begin, variable.bytes.data(), variable.bytes.size());
        addresses.variables[at] = reinterpret_cast<std::uintptr_t>(begin);
        variables.add(begin, variable.size);
    }
    function_cells.resize(program.functions.size());
    for (std::uint32_t at = 0; at < program.functions.size(); ++at) {
        addresses.functions.push_back(reinterpret_cast<std::uintptr_t>(&function_cells[at]));
        functions_at.emplace(addresses.functions.back(), at);
    }
    return {};
}

Result<void> Module::Inside::fill_variables() {
    for (std::size_t at = 0; at < program.variables.size(); ++at) {
        const Variable &variable = program.variables[at];
        for (const Fixup &fixup : variable.fixups) {
            std::uint64_t address = 0;
            if (fixup.is_function) {
                address = addresses.functions[static_cast<std::size_t>(program.function(fixup.symbol) - program.functions.data())];
            } else {
                const auto found = std::ranges::find(program.variables, fixup.symbol, &Variable::name);
                address = addresses.variables[static_cast<std::size_t>(found - program.variables.begin())];
            }
            address = (address + static_cast<std::uint64_t>(fixup.addend)) >> fixup.shift;
            if (fixup.offset + fixup.bytes > variable.size || fixup.bytes > sizeof address)
                return Error{fmt::format("{} is too small for an address in it", variable.name), program.text_of(variable.place)};
            std::memcpy(reinterpret_cast<std::byte *>(addresses.variables[at]) + fixup.offset, &address, fixup.bytes);
        }
    }
    return {};
}

/// By kernel: which functions it comes to.
std::vector<std::vector<bool>> Module::Inside::find_reached() const {
    const CallGraph calls(program);
    std::vector<std::vector<bool>> reached(program.functions.size());
    for (std::uint32_t from = 0; from < program.functions.size(); ++from)
        if (program.functions[from].is_entry) reached[from] = calls.reached_from(from);
    return reached;
}

/// Offsets of shared variables: those of different kernels may be in the same place. What has no size comes behind all others.
void Module::Inside::place_shared() {
    const auto reached = find_reached();
    std::vector<std::vector<bool>> named(program.functions.size(), std::vector<bool>(program.variables.size()));
    for (std::size_t at = 0; at < program.functions.size(); ++at) {
        const Function &function = program.functions[at];
        for (const auto *operands : {&function.operands, &function.elements})
            for (const Operand &operand : *operands)
                if (operand.kind == Operand::Kind::module_variable) named[at][operand.index] = true;
    }
    std::vector<std::uint64_t> end(program.functions.size());
    std::vector<bool> has_dynamic(program.functions.size());
    for (const bool is_dynamic : {false, true}) {
        for (std::size_t variable = 0; variable < program.variables.size(); ++variable) {
            const Variable &one = program.variables[variable];
            if (one.space != Space::shared || (one.size == 0) != is_dynamic) continue;
            std::vector<std::size_t> users;
            for (std::size_t kernel = 0; kernel < reached.size(); ++kernel)
                for (std::size_t function = 0; function < reached[kernel].size(); ++function)
                    if (reached[kernel][function] && named[function][variable]) {
                        users.push_back(kernel);
                        break;
                    }
            std::uint64_t offset = 0;
            for (const std::size_t kernel : users) offset = std::max(offset, end[kernel]);
            offset = round_up(offset, is_dynamic ? 16 : one.alignment);
            addresses.variables[variable] = offset;
            for (const std::size_t kernel : users) end[kernel] = offset + one.size;
        }
    }
    for (std::uint32_t at = 0; at < program.functions.size(); ++at) {
        const Function &function = program.functions[at];
        if (!function.is_entry || !function.has_body) continue;
        KernelInfo &kernel = kernels[function.name];
        kernel.name = function.name;
        kernel.static_shared_bytes = static_cast<std::uint32_t>(end[at]);
        kernel.max_threads = function.max_threads;
        if (function.required_block)
            kernel.required_block = Dim3{(*function.required_block)[0], (*function.required_block)[1], (*function.required_block)[2]};
        std::uint64_t bytes = 0;
        for (const Formal &formal : function.parameters) {
            const Variable &variable = function.variables[formal.index];
            bytes = round_up(bytes, variable.alignment);
            kernel.parameters.push_back({static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(variable.size), variable.alignment});
            bytes += variable.size;
        }
        kernel.parameter_bytes = static_cast<std::uint32_t>(bytes);
        kernel_functions[function.name] = at;
    }
}

Result<void> Module::Inside::build(const LoadOptions &options) {
    if (auto placed = place_variables(options); !placed) return placed.error();
    place_shared();
    if (auto filled = fill_variables(); !filled) return filled.error();
    codes.resize(program.functions.size());
    for (std::size_t at = 0; at < program.functions.size(); ++at) {
        if (!program.functions[at].has_body) continue;
        auto code = decode(program, program.functions[at], addresses, options.late_errors);
        if (!code) return code.error();
        codes[at] = std::move(*code);
    }
    const auto reached = find_reached();
    for (auto &[name, kernel] : kernels) {
        const std::uint32_t function = kernel_functions[name];
        const Code &code = *codes[function];
        kernel.local_bytes = code.local_bytes;
        kernel.registers = code.registers;
        bool has_stack = false;
        for (std::size_t at = 0; at < codes.size(); ++at)
            if (at != function && reached[function][at] && codes[at] != nullptr && codes[at]->local_bytes != 0) has_stack = true;
        local_bytes[name] =
            has_stack ? std::max<std::uint64_t>(stack_bytes, round_up(2 * code.local_bytes, 64) + stack_bytes) : code.local_bytes;
    }
    return {};
}

KernelBuild &Module::Inside::build_of(std::uint32_t function, const Dim3 &block) {
    const std::scoped_lock lock(builds_mutex_);
    std::unique_ptr<KernelBuild> &build = builds_[{function, block.x, block.y, block.z}];
    if (build == nullptr)
        build = std::make_unique<KernelBuild>([this, function, block]() {
            KernelShape shape{block.x, block.y, block.z, best_simd()};
            shape.has_facts = environment_variable("MOG_PTX_FACTS", "1") != "0";
            shape.piece = static_cast<std::uint32_t>(std::strtoul(environment_variable("MOG_PTX_PIECE", "0").c_str(), nullptr, 10));
            std::vector<const FunctionPlaces *> places;
            for (const auto &code : codes) places.push_back(code == nullptr ? nullptr : &code->places);
            return kernel_source(program, function, places, shape);
        });
    return *build;
}

Module::Module() : inside_(std::make_unique<Inside>()) {}
Module::~Module() = default;

Result<std::shared_ptr<Module>> Module::load(std::string_view text, std::string_view name, const LoadOptions &options) {
    auto program = parse(text, name);
    if (!program) return program.error();
    if (auto passed = run_passes(*program); !passed) return passed.error();
    std::shared_ptr<Module> module(new Module);
    if (!options.registers.empty()) {
        const auto how = read_registers_options(options.registers);
        if (!how) return how.error();
        auto given = give_registers(*program, *how);
        if (!given) return given.error();
        module->inside_->registers = std::move(*given);
    }
    module->inside_->program = std::move(*program);
    if (auto built = module->inside_->build(options); !built) return built.error();
    return module;
}

const KernelInfo *Module::kernel(std::string_view name) const {
    const auto found = inside_->kernels.find(name);
    return found == inside_->kernels.end() ? nullptr : &found->second;
}

std::vector<std::string> Module::kernel_names() const {
    std::vector<std::string> names;
    for (const Function &function : inside_->program.functions)
        if (function.is_entry && function.has_body) names.push_back(function.name);
    return names;
}

std::optional<ModuleVariable> Module::variable(std::string_view name) const {
    const auto &variables = inside_->program.variables;
    const auto found = std::ranges::find(variables, name, &Variable::name);
    if (found == variables.end() || found->space == Space::shared) return std::nullopt;
    return ModuleVariable{reinterpret_cast<void *>(inside_->addresses.variables[static_cast<std::size_t>(found - variables.begin())]),
                          found->size, found->space == Space::constant};
}

std::vector<std::string> Module::variable_names() const {
    std::vector<std::string> names;
    for (const Variable &variable : inside_->program.variables)
        if (variable.space != Space::shared) names.push_back(variable.name);
    return names;
}

}  // namespace mog::ptx
