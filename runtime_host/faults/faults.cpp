// faults.cpp: from a stop code and a stopped PE to a message that the program's author understands.
#include "runtime_host/faults/faults.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "assembler/image/spaces.hpp"
#include "runtime_host/faults/backtrace.hpp"
#include "runtime_host/faults/fault_details.hpp"
#include "runtime_host/linux/guest_abi.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

constexpr std::uint32_t null_page = 0x10000;
// A heap that comes this near to the stack grows no more (runtime_pe's sbrk keeps 4 KiB free and grows by pages).
constexpr std::uint32_t full_gap = 0x3000;
// A program that goes wrong in ever different ways is not shown in full each time.
constexpr std::size_t most_details = 32;

std::uint32_t signal_of_stop(std::uint32_t stop) {
    switch (stop) {
#define MOG_STOP_SIGNAL(name, code, signal, sentence) \
    case code: return signal;
        MOG_STOPS(MOG_STOP_SIGNAL)
        default: return 4;
    }
}

std::string sentence_of(std::uint32_t stop, std::uint32_t info) {
    switch (stop) {
#define MOG_STOP_SENTENCE(name, code, signal, sentence) \
    case code: return fmt::format(fmt::runtime(sentence), info);
        MOG_STOPS(MOG_STOP_SENTENCE)
        default: return fmt::format("stops for an unknown reason, code {}", stop);
    }
}

/// Whether it wanted to get at an address: at memory, or at code.
bool is_access(const Ending &ending) {
    return ending.by == Ending::By::Fault && ending.stop >= MOG_STOP_LOAD_RANGE && ending.stop <= MOG_STOP_JUMP_RANGE;
}

/// "in main at t.c:7"; `preposition`: in, or from for callers.
std::string describe(const SourcePlace &place, std::string_view preposition = "in") {
    std::string text;
    if (!place.function.empty()) text += fmt::format("{} {}", preposition, place.function);
    if (!place.file.empty()) text += fmt::format("{}at {}:{}", text.empty() ? "" : " ", place.file, place.line);
    return text;
}

}  // namespace

std::uint32_t signal_of(const Ending &ending) {
    if (ending.by == Ending::By::Fault) return signal_of_stop(ending.stop);
    return ending.by == Ending::By::Signal ? ending.signal : 0;
}

FaultLog::FaultLog(const Image &image, std::uint32_t nproc, Limits limits, std::function<void(std::string_view)> say)
    : image_(image), nproc_(nproc), limits_(std::move(limits)), say_(std::move(say)) {}

bool FaultLog::wants_stack(const StoppedPe &pe) const { return find_source(image_, pe.address()).file.empty(); }

/// Where it happened: the instruction's own place if it has a source line; else the nearest caller that has one.
FaultLog::Place FaultLog::place(const Ending &ending, StoppedPe &pe) const {
    const SourcePlace own = find_source(image_, pe.address());
    if (!own.file.empty()) return {describe(own), own.function, own};
    const auto has_line = [](const Image &image, std::uint32_t address) { return !find_source(image, address).file.empty(); };
    const SourcePlace from = find_source(image_, unwind(image_, pe, has_line).frames.back());
    // A signal comes out of a system call deep in the library: who asked the library is what counts.
    const bool calls_library = ending.by == Ending::By::Signal || ending.by == Ending::By::Deadlock || ending.by == Ending::By::Abort;
    if (calls_library && !from.file.empty()) return {describe(from), from.function, from};
    std::string text = own.function.empty() && pe.address() ? fmt::format("at code address {:#x}", pe.address()) : describe(own);
    if (from.file.empty()) return {text, own.function, {}};
    return {text.empty() ? describe(from) : fmt::format("{}, called {}", text, describe(from, "from")), own.function + " " + from.function,
            from};
}

std::string FaultLog::what(const Ending &ending, const StoppedPe &pe) const {
    switch (ending.by) {
        case Ending::By::Signal: {
            if (ending.signal == guest::SIGABRT_MIPS) return "calls abort()";
            const std::string_view name = guest::signal_name(ending.signal);
            return name.empty() ? fmt::format("sends itself signal {}", ending.signal) : fmt::format("sends itself {}", name);
        }
        case Ending::By::Fuel: return fmt::format("out of fuel after {} instructions (--fuel)", limits_.fuel);
        case Ending::By::Timeout: return fmt::format("ended, still running after {} s (--timeout)", limits_.timeout);
        case Ending::By::Interrupt: return "interrupted (SIGINT)";
        case Ending::By::Deadlock: return "deadlock: " + ending.text;
        case Ending::By::Abort: return ending.text;
        case Ending::By::Fault: break;
    }
    std::string text = sentence_of(ending.stop, ending.info);
    if (is_access(ending) && ending.info < null_page) text = "null pointer: " + text;
    const std::uint32_t sp = pe.facts().sp, brk = pe.facts().brk;
    const bool heap_is_full = sp >= brk && sp - brk < full_gap;
    if (ending.stop == MOG_STOP_STORE_RANGE && unwritable_of(image_).has(ending.info))
        return fmt::format("writes to address {:#x}, which is read only: {}", ending.info, name_of_data(image_, ending.info));
    if (ending.stop == MOG_STOP_LOAD_RANGE || ending.stop == MOG_STOP_STORE_RANGE)
        if (heap_is_full) text += fmt::format(" (its memory is full: {})", limits_.memory_hint);
    if (ending.stop == MOG_STOP_STACK && thread_of(pe).empty()) text = fmt::format("stack overflow: {} ({})", text, limits_.memory_hint);
    else if (ending.stop == MOG_STOP_STACK)
        text = fmt::format(
            "stack overflow: the stack pointer {:#x} is below the thread's stack (pthread_attr_setstacksize, OMP_STACKSIZE, "
            "CILK_STACK_SIZE)",
            ending.info);
    return text;
}

std::string FaultLog::thread_of(const StoppedPe &pe) const {
    const std::uint32_t thread = limits_.processes != 0 ? pe.pe() / limits_.processes : 0;
    return thread == 0 ? "" : fmt::format("thread {}: ", thread);
}

void FaultLog::add_details(Cause &cause, const Place &place, StoppedPe &pe, bool shows_registers) {
    if (limits_.show_source) cause.source = source_line(place.source);
    cause.calls = backtrace_as_text(image_, unwind(image_, pe));
    if (!shows_registers || !limits_.show_registers) return;
    if (live_.empty()) live_ = live_registers(image_);
    if (pe.facts().text_index < live_.size())
        cause.registers = registers_as_text(image_, live_registers(image_, live_, pe.facts().text_index), pe);
}

/// The cause of a PE's end, with its number.
std::uint32_t FaultLog::keep(const Ending &ending, const Place &where, const StoppedPe &pe) {
    std::string text = what(ending, pe);
    if (const std::size_t at = text.find("{}"); ending.peer && at != std::string::npos)
        text.replace(at, 2, fmt::format("rank {}", *ending.peer));
    const auto next = static_cast<std::uint32_t>(end_causes_.size());
    const auto [found, is_new] = end_cause_numbers_.try_emplace({pe.address(), text + where.text}, next);
    if (is_new) {
        const SourcePlace place = where.source.file.empty() ? find_source(image_, pe.address()) : where.source;
        end_causes_.push_back({std::move(text), place, pe.address(), is_access(ending) ? ending.info : 0});
    }
    return found->second;
}

FaultLog::Recorded FaultLog::record(const Ending &ending, StoppedPe &pe) {
    const Place where = place(ending, pe);
    const bool by_limit = ending.by == Ending::By::Fuel || ending.by == Ending::By::Timeout || ending.by == Ending::By::Interrupt;
    Cause &cause = causes_[{ending.by, ending.stop, ending.signal, by_limit ? where.group : where.text + ending.text}];
    // The lowest rank is shown, whichever device was quicker with another.
    const std::uint32_t rank = rank_of(pe);
    const bool is_first = cause.ranks.empty() || (cause.told == 0 && rank < cause.first);
    if (is_first) {
        cause.sentence = thread_of(pe) + what(ending, pe) + (where.text.empty() ? "" : ", " + where.text);
        if (cause.ranks.empty()) cause.first_seen = Clock::now();
        cause.first = rank;
        if (causes_.size() <= most_details)
            add_details(cause, where, pe, ending.by != Ending::By::Deadlock && ending.by != Ending::By::Abort);
    }
    const std::uint32_t kept = limits_.keeps_causes ? keep(ending, where, pe) : 0;
    cause.ranks.push_back(rank);
    if (ending.peer) cause.peers.push_back(static_cast<std::uint32_t>(*ending.peer));
    if (ending.by == Ending::By::Deadlock || ending.by == Ending::By::Abort) return {ending.status, is_first, kept};
    if (ending.by == Ending::By::Interrupt) return {interrupt_status, is_first, kept};
    return {by_limit ? limit_status : static_cast<int>(128 + signal_of(ending)), is_first, kept};
}

void FaultLog::lacks_memory(std::uint32_t pe, std::uint64_t bytes, std::uint64_t memory) {
    // A program may ask for its break itself, again and again.
    if (pe >= lacked_memory_.size()) lacked_memory_.resize(pe + 1);
    if (lacked_memory_[pe]) return;
    lacked_memory_[pe] = true;
    Cause &cause = memory_;
    const std::uint32_t rank = limits_.first_rank + pe;
    if (cause.ranks.empty()) cause.first_seen = Clock::now();
    if (cause.ranks.empty() || (cause.told == 0 && rank < cause.first)) {
        cause.first = rank;
        constexpr std::uint64_t most = std::uint64_t{1} << 31;
        const std::uint64_t enough = std::bit_ceil(memory + bytes);
        cause.sentence =
            fmt::format("no memory for {} bytes more, so that malloc and its like fail with ENOMEM: {} ({})", bytes,
                        enough < most ? fmt::format("{} for each PE would do", format_size(enough)) : "that is more than a PE can have",
                        limits_.memory_hint);
    }
    cause.ranks.push_back(rank);
}

void FaultLog::tell(Cause &cause) {
    const auto new_ranks = cause.ranks.begin() + static_cast<std::ptrdiff_t>(cause.told);
    std::sort(new_ranks, cause.ranks.end());
    cause.ranks.erase(std::unique(new_ranks, cause.ranks.end()), cause.ranks.end());  // runs that were repeated
    const bool is_again = cause.told != 0;
    std::string text = name_ranks({new_ranks, cause.ranks.end()}, nproc_);
    if (is_again) text += fmt::format("as PE {} before: ", cause.first);
    text += cause.sentence;
    if (!limits_.repeated_by.empty()) text += fmt::format(" ({})", limits_.repeated_by);
    cause.told = cause.ranks.size();
    if (!cause.peers.empty()) {
        std::sort(cause.peers.begin(), cause.peers.end());
        cause.peers.erase(std::unique(cause.peers.begin(), cause.peers.end()), cause.peers.end());
        if (const std::size_t at = text.find("{}"); at != std::string::npos)
            text.replace(at, 2, fmt::format("rank{} {}", cause.peers.size() == 1 ? "" : "s", fold_ranks(cause.peers)));
    }
    if (!is_again && !cause.calls.empty()) {
        const std::string of = nproc_ == 1 ? "" : fmt::format(" of PE {}", cause.first);
        if (!cause.source.empty()) text += "\n" + cause.source;
        if (cause.ranks.size() > 1) text += fmt::format("\ncalls{}:", of);
        text += "\n" + cause.calls;
        if (!cause.registers.empty()) text += fmt::format("\nregisters{}:\n{}", of, cause.registers);
    }
    say_(text);
}

void FaultLog::tell_early() {
    if (!memory_.ranks.empty() && memory_.told == 0 && Clock::now() - memory_.first_seen > limits_.patience) tell(memory_);
    for (auto &[key, cause] : causes_)
        if (cause.told == 0 && Clock::now() - cause.first_seen > limits_.patience) tell(cause);
}

void FaultLog::tell_all() {
    if (memory_.told < memory_.ranks.size()) tell(memory_);
    for (auto &[key, cause] : causes_)
        if (cause.told < cause.ranks.size()) tell(cause);
}

bool FaultLog::Cause::is_sound(std::uint32_t nproc) const {
    return told <= ranks.size() && first < nproc && std::ranges::all_of(ranks, [&](std::uint32_t pe) { return pe < nproc; });
}

bool FaultLog::restore(std::uint32_t nproc) {
    if (lacked_memory_.size() > nproc || end_causes_.empty() || !memory_.is_sound(nproc)) return false;
    memory_.first_seen = Clock::now();
    for (auto &[key, cause] : causes_) {
        if (std::get<0>(key) > Ending::By::Interrupt || !cause.is_sound(nproc)) return false;
        cause.first_seen = Clock::now();
    }
    return std::ranges::all_of(end_cause_numbers_, [&](const auto &number) { return number.second < end_causes_.size(); });
}

}  // namespace mog
