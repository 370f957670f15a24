// call_trace.hpp: --strace: lines about PEs, among what they print.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "runtime_host/population/population.hpp"

namespace mog {

class CallTrace {
public:
    explicit CallTrace(Population &population) : population_(population) {}

    bool is_on() const { return population_.config.options.strace; }
    /// Somebody wants to see what this PE calls.
    bool shows(std::uint32_t pe) const {
        const Options &options = population_.config.options;
        return options.strace && (options.strace_ranks.empty() || std::ranges::binary_search(options.strace_ranks, rank_of(pe)));
    }
    /// A line about a PE, if so.
    void put(std::uint32_t pe, std::string_view line) {
        if (shows(pe)) population_.output.put_line(STDERR_FILENO, fmt::format("[{}] {}\n", rank_of(pe), line));
    }

private:
    std::uint32_t rank_of(std::uint32_t pe) const { return population_.config.first_rank + population_.config.process_of(pe); }

    Population &population_;
};

}  // namespace mog
