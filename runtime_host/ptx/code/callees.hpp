// callees.hpp: the functions that a kernel comes to, who of them is compiled with it, and where each is called.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime_host/ptx/code/kernel_facts.hpp"
#include "translator/ptx/calls/call_graph.hpp"

namespace mog::ptx {

class Callees {
public:
    Callees(const Program &program, std::uint32_t kernel, std::span<const FunctionPlaces *const> places);

    /// Functions with a body that the kernel comes to, in order.
    const std::vector<std::uint32_t> &reached() const { return reached_; }
    /// How what they give back may depend on memory that others write.
    Waits waits() const { return waits_; }
    /// Whether one of them, or the kernel, calls a function of the engine, which may end the launch.
    bool may_end_launch() const { return may_end_launch_; }
    /// Whether lanes may end in one of them.
    bool may_exit() const { return may_exit_; }

    /// Of a thread, that a function wants.
    std::uint32_t local_bytes(std::uint32_t function) const { return places_[function]->local_bytes; }

    /// Why functions stay interpreted: they are not called any more.
    void leave(std::uint32_t function, std::string why) { why_not_.emplace(function, std::move(why)); }
    /// What a call may come to in compiled code.
    std::vector<std::uint32_t> targets(const Function &caller, const Instruction &call) const;
    /// Why a call by name is none.
    std::string why_not(const Function &caller, const Instruction &call) const;

private:
    bool fits(const Function &caller, const Instruction &call, std::uint32_t callee) const;

    const Program &program_;
    std::span<const FunctionPlaces *const> places_;
    CallGraph graph_;
    std::vector<std::uint32_t> reached_;
    std::map<std::uint32_t, std::string> why_not_;
    Waits waits_ = Waits::no;
    bool may_end_launch_ = false, may_exit_ = false;
};

}  // namespace mog::ptx
