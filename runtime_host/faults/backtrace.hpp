// backtrace.hpp: the chain of calls that a stopped PE is in, by the frame rules of its image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime_host/faults/stopped_pe.hpp"

namespace mog {

struct Backtrace {
    std::vector<std::uint32_t> frames;  ///< MIPS addresses, innermost first: where it stands, then each call
    std::string end;                    ///< why the outermost frame is not the program's start; empty if it is
};

inline constexpr std::size_t most_frames_of_backtrace = 1u << 20;

/// For many PEs of a program, which all begin in the same function.
class Unwinder {
public:
    explicit Unwinder(const Image &image);

    /// Walks from the PE's place outwards, or until `enough` says so for a frame's address. Always ends:
    /// each frame must lie above the one it called.
    Backtrace unwind(StoppedPe &pe, bool (*enough)(const Image &image, std::uint32_t address) = nullptr,
                     std::size_t most_frames = most_frames_of_backtrace) const;

private:
    const Image &image_;
    std::uint32_t start_ = 0, start_size_ = 0, thread_start_ = 0, thread_start_size_ = 0;
};

/// The same for one.
inline Backtrace unwind(const Image &image, StoppedPe &pe, bool (*enough)(const Image &image, std::uint32_t address) = nullptr,
                        std::size_t most_frames = most_frames_of_backtrace) {
    return Unwinder(image).unwind(pe, enough, most_frames);
}

/// A line for each frame, "#0  0x00400a3c in parse (prog.c:42)"; recursion is folded. No newline at the end.
std::string backtrace_as_text(const Image &image, const Backtrace &backtrace);

}  // namespace mog
