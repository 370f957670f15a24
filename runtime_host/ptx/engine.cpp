// engine.cpp: the doors of the engine.
#include "runtime_host/ptx/engine.hpp"

#include <fmt/format.h>

namespace mog::ptx {

struct Module::Inside {};

Module::Module() : inside_(std::make_unique<Inside>()) {}
Module::~Module() = default;

Result<std::shared_ptr<Module>> Module::load(std::string_view, std::string_view name, const LoadOptions &) {
    return Error{"PTX is not read yet", std::string(name)};
}

const KernelInfo *Module::kernel(std::string_view) const { return nullptr; }
std::vector<std::string> Module::kernel_names() const { return {}; }
std::optional<ModuleVariable> Module::variable(std::string_view) const { return std::nullopt; }
std::vector<std::string> Module::variable_names() const { return {}; }

Result<LaunchCounts> launch(Module &, std::string_view kernel, const LaunchShape &, const void *, const LaunchOptions &) {
    return Error{fmt::format("no kernel is called {}", kernel)};
}

}  // namespace mog::ptx
