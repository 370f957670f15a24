// agent_expression.hpp: gdb's bytecode for expressions ("The GDB Agent Expression Mechanism" in its manual): conditions of breakpoints.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace mog::gdb {

/// What an expression asks about the PE; nothing: it is not known.
struct AgentContext {
    std::function<std::optional<std::uint32_t>(std::uint32_t number)> reg;
    std::function<std::optional<std::uint64_t>(std::uint32_t address, std::uint32_t bytes)> memory;
};

/// The value of an expression; nothing: it cannot be told, for what it asks is not known, it divides by zero, it is no expression or has no
/// end.
std::optional<std::uint64_t> evaluate(std::string_view code, const AgentContext &context);

/// Whether its value may be something else than 0, whatever that is which is not known; true also if it cannot be told.
bool may_hold(std::string_view code, const AgentContext &context);

}  // namespace mog::gdb
