// call_graph.hpp: who calls whom in a program of PTX, also through addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "translator/ptx/program.hpp"

namespace mog::ptx {

class CallGraph {
public:
    explicit CallGraph(const Program &program);

    /// By function: those that `from` comes to, itself too. Calls through addresses may come to any function whose address is taken.
    std::vector<bool> reached_from(std::uint32_t from) const;
    bool is_address_taken(std::uint32_t function) const { return is_taken_[function]; }

private:
    std::vector<std::vector<std::uint32_t>> calls_;  // by function
    std::vector<bool> is_taken_, calls_taken_;
};

}  // namespace mog::ptx
