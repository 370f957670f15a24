// backtrace.cpp: unwinding, and its text.
#include "runtime_host/faults/backtrace.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mog {

namespace {

constexpr std::size_t longest_round = 8;  // frames of a mutual recursion that is recognised
constexpr std::size_t rounds_shown = 2;   // before the rest is folded
constexpr std::size_t lines_at_start = 60, lines_at_end = 8;

const FrameRule *find_rule(const Image &image, std::uint32_t address) {
    auto rule = std::upper_bound(image.frames.begin(), image.frames.end(), address,
                                 [](std::uint32_t a, const FrameRule &r) { return a < r.address; });
    return rule == image.frames.begin() ? nullptr : &*--rule;
}

bool is_code(const Image &image, std::uint32_t address) {
    return address >= image.code_base && (address & 3) == 0 && (address - image.code_base) / 4 < image.code_map.size();
}

/// The function in which the program begins; of size 0 if it has no symbol.
Symbol start_function(const Image &image) {
    const std::uint32_t entry = image.entry < image.source_address.size() ? image.source_address[image.entry] : 0;
    for (const Symbol &symbol : image.symbols)
        if (symbol.is_code && entry - symbol.address < symbol.size) return symbol;
    return {};
}

std::string written_count(std::size_t count) {
    if (count < 1000) return fmt::format("{}", count);
    return fmt::format("{},{:03}", written_count(count / 1000), count % 1000);
}

std::string frame_line(const Image &image, std::size_t number, std::uint32_t address) {
    const SourcePlace place = find_source(image, address);
    std::string line = fmt::format("#{:<2} {:#010x} in {}", number, address, place.function.empty() ? "??" : place.function);
    if (!place.file.empty()) line += fmt::format(" ({}:{})", place.file, place.line);
    return line;
}

/// How often the `size` frames at `at` stand there one after the other.
std::size_t count_rounds(const std::vector<std::uint32_t> &frames, std::size_t at, std::size_t size) {
    std::size_t same = at + size;
    while (same < frames.size() && frames[same] == frames[same - size]) same++;
    return (same - at) / size;
}

}  // namespace

Unwinder::Unwinder(const Image &image) : image_(image) {
    const Symbol start = start_function(image);
    start_ = start.address;
    start_size_ = start.size;
    const auto thread =
        std::ranges::find_if(image.symbols, [](const Symbol &symbol) { return symbol.is_code && symbol.name == "__mog_clone"; });
    if (thread == image.symbols.end()) return;
    thread_start_ = thread->address;
    thread_start_size_ = thread->size;
}

Backtrace Unwinder::unwind(StoppedPe &pe, bool (*enough)(const Image &image, std::uint32_t address), std::size_t most_frames) const {
    Backtrace trace;
    std::uint32_t address = pe.address(), sp = pe.facts().sp, fp = pe.facts().fp, ra = pe.facts().ra;
    for (;;) {
        const bool is_first = trace.frames.empty();
        trace.frames.push_back(address);
        if (enough && enough(image_, address)) return trace;
        if (address - start_ < start_size_) return trace;                             // the program's start has no caller
        if (!is_first && address - thread_start_ < thread_start_size_) return trace;  // nor has a thread's; who is in it begins another one
        if (trace.frames.size() == most_frames) {
            trace.end = "there are more than can be shown";
            return trace;
        }
        const FrameRule *rule = find_rule(image_, address);
        if (!rule || rule->base == FrameRule::Base::None) {
            trace.end = "nothing is known of this function's frame";
            return trace;
        }
        const std::uint32_t cfa = (rule->base == FrameRule::Base::Sp ? sp : fp) + static_cast<std::uint32_t>(rule->offset);
        const std::uint64_t end = std::uint64_t{MOG_DATA_BASE} + pe.data_bytes();
        if ((cfa & 3) != 0 || cfa < MOG_DATA_BASE || cfa > end || cfa < sp || (cfa == sp && !is_first)) {
            trace.end = fmt::format("the stack is damaged: the caller's frame would be at {:#x}", cfa);
            return trace;
        }
        if (rule->ra != 0) {
            const std::optional<std::uint32_t> saved = pe.word(cfa + static_cast<std::uint32_t>(rule->ra));
            if (!saved) {
                trace.end = "its return address cannot be read";
                return trace;
            }
            ra = *saved;
        } else if (!is_first) {
            trace.end = "it did not save its return address";
            return trace;
        }
        if (rule->fp != 0) fp = pe.word(cfa + static_cast<std::uint32_t>(rule->fp)).value_or(0);
        sp = cfa;
        if (!is_code(image_, ra - 8)) {
            trace.end = fmt::format("its return address {:#x} is no code; is the stack damaged?", ra);
            return trace;
        }
        address = ra - 8;  // the call; behind it is its delay slot
    }
}

std::string backtrace_as_text(const Image &image, const Backtrace &backtrace) {
    const std::vector<std::uint32_t> &frames = backtrace.frames;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < frames.size();) {
        std::size_t size = 1, rounds = 1;
        for (std::size_t s = 1; s <= longest_round && at + s <= frames.size() && rounds <= rounds_shown + 2; s++) {
            size = s;
            rounds = count_rounds(frames, at, s);
        }
        if (rounds <= rounds_shown + 2) {
            lines.push_back(frame_line(image, at, frames[at]));
            at++;
            continue;
        }
        for (std::size_t i = 0; i < rounds_shown * size; i++) lines.push_back(frame_line(image, at + i, frames[at + i]));
        const std::string more = written_count(rounds - rounds_shown);
        lines.push_back(size == 1 ? fmt::format("... {} more of this frame", more)
                                  : fmt::format("... {} more rounds of these {} frames", more, size));
        at += rounds * size;
    }
    std::string text;
    for (std::size_t i = 0; i < lines.size(); i++) {
        if (i == lines_at_start && lines.size() > lines_at_start + lines_at_end) {
            const std::size_t left_out = lines.size() - lines_at_start - lines_at_end;
            text += fmt::format("\n... {} lines left out", written_count(left_out));
            i += left_out;
        }
        text += (i ? "\n" : "") + lines[i];
    }
    if (!backtrace.end.empty()) text += fmt::format("\n(the calls end here: {})", backtrace.end);
    return text;
}

}  // namespace mog
