// host.hpp: what the engine asks of the run around it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "runtime_host/linux/files.hpp"

namespace mog::mpi {

struct Host {
    std::function<void(std::string_view)> say;  ///< a sentence about the program, without newline at the end
    /// Of a PE that stands in a call: "in main at t.c:7"; empty if nothing is known.
    std::function<std::string(std::uint32_t pe)> place_of;
    /// What a PE has open as a descriptor; null: nothing.
    std::function<std::shared_ptr<OpenFile>(std::uint32_t pe, std::uint32_t descriptor)> file;
    std::function<double()> seconds;  ///< since the program's start
    std::function<bool()> is_over;    ///< the run's time is up, or it was cancelled: it ends, whatever is under way; empty: it never is
};

}  // namespace mog::mpi
