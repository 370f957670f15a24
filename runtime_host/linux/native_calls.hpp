// native_calls.hpp: functions of the host that PEs call by name, and the calls of one round.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/device/pe_memory.hpp"
#include "runtime_host/include/mog.h"

namespace mog {

/// Serves the calls of all PEs that call it in a round, ascending by PE: fills in their results.
using NativeFunction = std::function<void(std::span<mog_call> calls, PeMemory &memory)>;

class NativeFunctions {
public:
    /// The later one of two functions of the same name counts.
    void add(std::string_view name, NativeFunction function) {
        if (const std::optional<std::uint32_t> known = find(name)) functions_[*known].function = std::move(function);
        else functions_.push_back({std::string(name), std::move(function)});
    }
    /// The number by which PEs call it.
    std::optional<std::uint32_t> find(std::string_view name) const {
        for (std::uint32_t i = 0; i < functions_.size(); i++)
            if (functions_[i].name == name) return i;
        return {};
    }
    std::size_t size() const { return functions_.size(); }
    const std::string &name(std::size_t number) const { return functions_[number].name; }
    void call(std::size_t number, std::span<mog_call> calls, PeMemory &memory) const { functions_[number].function(calls, memory); }

private:
    struct Named {
        std::string name;
        NativeFunction function;
    };
    std::vector<Named> functions_;
};

}  // namespace mog
