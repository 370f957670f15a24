// faults.cpp: from a stop code, a TEXT index and a stack to a sentence that the program's author understands.
#include "runtime_host/faults.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/guest_abi.hpp"

namespace mog {

namespace {

constexpr std::uint32_t null_page = 0x10000;
// A heap that comes this near to the stack grows no more (runtime_pe's sbrk keeps 4 KiB free and grows by pages).
constexpr std::uint32_t full_gap = 0x3000;

std::uint32_t signal_of(std::uint32_t stop) {
    switch (stop) {
#define MOG_STOP_SIGNAL(name, code, signal, sentence) \
    case code:                                        \
        return signal;
        MOG_STOPS(MOG_STOP_SIGNAL)
        default:
            return 4;
    }
}

std::string sentence_of(std::uint32_t stop, std::uint32_t info) {
    switch (stop) {
#define MOG_STOP_SENTENCE(name, code, signal, sentence) \
    case code:                                          \
        return fmt::format(fmt::runtime(sentence), info);
        MOG_STOPS(MOG_STOP_SENTENCE)
        default:
            return fmt::format("stops for an unknown reason, code {}", stop);
    }
}

/// "in main at t.c:7"; `preposition`: in, or from for callers.
std::string describe(const SourcePlace &place, std::string_view preposition = "in") {
    std::string text;
    if (!place.function.empty()) text += fmt::format("{} {}", preposition, place.function);
    if (!place.file.empty()) text += fmt::format("{}at {}:{}", text.empty() ? "" : " ", place.file, place.line);
    return text;
}

}  // namespace

std::string fold_ranks(std::span<const std::uint32_t> ranks, std::size_t limit) {
    std::string text;
    std::size_t pieces = 0;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t end = i + 1;
        while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) end++;
        if (pieces++ == limit) return fmt::format("{}, ... ({} in all)", text, ranks.size());
        if (!text.empty()) text += ", ";
        text += end - i == 1 ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[end - 1]);
        i = end;
    }
    return text;
}

FaultLog::FaultLog(const Image &image, std::uint32_t nproc, std::string memory_hint,
                   std::function<void(std::string_view)> say)
    : image_(image), nproc_(nproc), memory_hint_(std::move(memory_hint)), say_(std::move(say)) {}

std::uint32_t FaultLog::mips_address(std::uint32_t text_index) const {
    return text_index < image_.source_address.size() ? image_.source_address[text_index] : 0;
}

bool FaultLog::wants_stack(const Request &request) const {
    return find_source(image_, mips_address(request[MOG_Q_PC])).file.empty();
}

/// Where it happened: the instruction's own place if it has a source line; else the nearest caller that has one.
/// Callers are guessed from $ra and from what looks like return addresses on the stack, which for code without frame
/// pointers is the best there is.
std::string FaultLog::place(const Request &request, std::uint32_t address, std::span<const std::uint32_t> stack) const {
    SourcePlace own = find_source(image_, address);
    if (!own.file.empty()) return describe(own);
    auto caller = [&](std::uint32_t word) -> SourcePlace {
        std::uint32_t offset = word - image_.code_base;
        // A return address is one that `j` may go to; it stands behind the call and its delay slot.
        if ((word & 3) != 0 || offset / 4 >= image_.code_map.size() || image_.code_map[offset / 4] == MOG_NO_CODE)
            return {};
        return find_source(image_, word - 8);
    };
    SourcePlace from = caller(request[MOG_Q_RA]);
    for (std::size_t i = 0; i < stack.size() && from.file.empty(); i++) {
        SourcePlace next = caller(stack[i]);
        if (!next.file.empty()) from = next;
    }
    // A signal comes out of a system call deep in the library: who asked the library is what counts.
    if (request[MOG_Q_STOP] == MOG_STOP_SYS && !from.file.empty()) return describe(from);
    std::string text = own.function.empty() && address ? fmt::format("at code address {:#x}", address) : describe(own);
    if (from.file.empty()) return text;
    return text.empty() ? describe(from) : fmt::format("{}, called {}", text, describe(from, "from"));
}

std::string FaultLog::what(const Request &request, std::uint32_t signal, std::uint32_t brk) const {
    std::uint32_t stop = request[MOG_Q_STOP], info = request[MOG_Q_INFO];
    if (signal == guest::SIGABRT_MIPS) return "calls abort()";
    if (signal) {
        std::string_view name = guest::signal_name(signal);
        return name.empty() ? fmt::format("sends itself signal {}", signal) : fmt::format("sends itself {}", name);
    }
    bool is_access = stop >= MOG_STOP_LOAD_RANGE && stop <= MOG_STOP_JUMP_RANGE;
    std::string text = sentence_of(stop, info);
    if (is_access && info < null_page) text = "null pointer: " + text;
    std::uint32_t sp = request[MOG_Q_SP];
    bool heap_is_full = sp >= brk && sp - brk < full_gap;
    if (stop == MOG_STOP_LOAD_RANGE || stop == MOG_STOP_STORE_RANGE)
        if (heap_is_full) text += fmt::format(" (its memory is full: {})", memory_hint_);
    if (stop == MOG_STOP_STACK) text = fmt::format("stack overflow: {} ({})", text, memory_hint_);
    return text;
}

int FaultLog::record(const Request &request, std::uint32_t signal, std::uint32_t brk,
                     std::span<const std::uint32_t> stack) {
    std::uint32_t address = mips_address(request[MOG_Q_PC]);
    std::string where = place(request, address, stack);
    Cause &cause = causes_[{request[MOG_Q_STOP], signal, where}];
    if (cause.ranks.empty()) {
        cause.sentence = what(request, signal, brk) + (where.empty() ? "" : ", " + where);
        cause.first_seen = Clock::now();
    }
    cause.ranks.push_back(request[MOG_Q_PE]);
    return static_cast<int>(128 + (signal ? signal : signal_of(request[MOG_Q_STOP])));
}

void FaultLog::tell(Cause &cause) {
    std::sort(cause.ranks.begin(), cause.ranks.end());
    cause.told = cause.ranks.size();
    bool many = cause.ranks.size() > 1;
    std::string who = nproc_ == 1 ? "" : fmt::format("PE{} {}: ", many ? "s" : "", fold_ranks(cause.ranks));
    say_(who + cause.sentence);
}

void FaultLog::tell_early() {
    constexpr auto patience = std::chrono::seconds(1);
    for (auto &[key, cause] : causes_)
        if (cause.told == 0 && Clock::now() - cause.first_seen > patience) tell(cause);
}

void FaultLog::tell_all() {
    for (auto &[key, cause] : causes_)
        if (cause.told < cause.ranks.size()) tell(cause);
}

}  // namespace mog
