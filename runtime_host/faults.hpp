// faults.hpp: what is told about PEs that a fault or a signal ended: one message for each distinct cause and place,
// however many PEs it hit.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime_host/device.hpp"

namespace mog {

/// "3, 7-9" for {3, 7, 8, 9}; `ranks` ascending. After `limit` pieces the rest is only counted.
std::string fold_ranks(std::span<const std::uint32_t> ranks, std::size_t limit = 16);

class FaultLog {
public:
    /// `say` gets lines. `memory_hint`: what to suggest when memory was too small, e.g. "--mem SIZE, now 128K".
    FaultLog(const Image &image, std::uint32_t nproc, std::string memory_hint,
             std::function<void(std::string_view)> say);

    /// A PE stopped by a fault (stop >= MOG_STOP_FIRST_FAULT), or by `signal` in a system call. `stack`: words of its
    /// stack from the stack pointer upwards, to find the caller if the place itself has no source line. `brk`: the end
    /// of its heap. Returns the status of the PE.
    int record(const Request &request, std::uint32_t signal, std::uint32_t brk, std::span<const std::uint32_t> stack);

    /// True if a stack would help to say where the request comes from.
    bool wants_stack(const Request &request) const;

    /// Tells about causes that were first seen a while ago and not told yet; the run goes on.
    void tell_early();
    /// Tells the rest.
    void tell_all();

private:
    using Clock = std::chrono::steady_clock;
    struct Cause {
        std::string sentence;  ///< what happened, with the first PE's address, and where
        std::vector<std::uint32_t> ranks;
        std::size_t told = 0;  ///< how many of the ranks were told of
        Clock::time_point first_seen;
    };

    std::uint32_t mips_address(std::uint32_t text_index) const;
    std::string place(const Request &request, std::uint32_t address, std::span<const std::uint32_t> stack) const;
    std::string what(const Request &request, std::uint32_t signal, std::uint32_t brk) const;
    void tell(Cause &cause);

    const Image &image_;
    std::uint32_t nproc_;
    std::string memory_hint_;
    std::function<void(std::string_view)> say_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, Cause> causes_;
};

}  // namespace mog
