// memory_checker.cpp: what is found, and what is known of memory. heap.cpp and strings.cpp have the functions that are known.
#include "runtime_host/memory/memory_checker.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include "assembler/image/constants.hpp"
#include "runtime_host/faults/backtrace.hpp"
#include "runtime_host/memory/functions.hpp"

namespace mog {

using memory::Shadow;

namespace {

constexpr std::size_t most_calls = 24;               // that are kept of a place
constexpr std::size_t calls_that_tell = 5;           // errors with the same ones are one
constexpr std::chrono::milliseconds patience{1000};  // as messages about faults have it
constexpr std::size_t most_found = 1000;
constexpr std::size_t not_told = SIZE_MAX;
constexpr std::uint32_t call_and_delay_slot = 8;

template <typename T>
std::unique_ptr<T[], void (*)(void *)> zeros(std::size_t count) {
    auto *const memory = static_cast<T *>(std::calloc(count, sizeof(T)));  // pages that nobody touches take no room
    if (!memory) throw std::bad_alloc();
    return {memory, std::free};
}

/// The TEXT index at which a function begins, by its address and its names; nothing if it has no block of its own.
std::optional<std::uint32_t> beginning_of(const Image &image, std::uint32_t address) {
    const auto bears_name = [&](const std::string &label) {
        auto at = std::ranges::lower_bound(image.symbols, address, {}, &Symbol::address);
        for (; at != image.symbols.end() && at->address == address; ++at)
            if (at->is_code && at->name == label) return true;
        return false;
    };
    for (std::size_t i = 0; i < image.labels.size(); ++i)
        if (bears_name(image.labels[i])) return image.label_at[i];
    return std::nullopt;
}

}  // namespace

MemoryChecker::MemoryChecker(const Image &image, u32 processes, u32 pes, u32 data_bytes)
    : image_(image),
      process_count_(processes),
      data_bytes_(data_bytes),
      kept_most_(std::min(data_bytes / 16, 4u << 20)),
      marks_(image.text.size() + 1),
      constants_(image.text.size() + 1),
      processes_(processes),
      shadows_(pes) {
    std::map<std::string_view, u32> addresses;
    for (const Symbol &symbol : image.symbols)
        if (symbol.is_code) addresses.emplace(symbol.name, symbol.address);
    const std::span<const KnownFunction> known = known_functions();
    for (u32 number = 0; number < known.size(); ++number) {
        const auto found = addresses.find(known[number].name);
        if (found == addresses.end()) continue;
        const std::optional<u32> at = beginning_of(image, found->second);
        // The translator has calls of a function that only calls another one go to that at once.
        const bool is_release = known[number].work == HeapWork::names || known[number].work == HeapWork::names_sized;
        if (is_release && (!at || op_at(image, *at) == Op::ja_)) knows_families_ = false;
        if (!at || !functions_at_.emplace(*at, number).second) continue;
        marks_[*at] |= memory::begins_function;
    }
    knows_heap_ = !image.symbols.empty();
    const u32 ra = image.roles[static_cast<std::size_t>(Role::ra)];
    const auto function_of = [&](u32 address) -> u32 {
        auto symbol = std::ranges::upper_bound(image.symbols, address, {}, &Symbol::address);
        while (symbol != image.symbols.begin())
            if ((--symbol)->is_code) return symbol->address;
        return 0;
    };
    std::map<u32, std::vector<std::size_t>> saves;  // TEXT indices, by function
    for (std::size_t at = 0; at < image.text.size(); ++at) {
        const Op op = op_at(image, at);
        const u32 n = image.text[at] & 0xffu;
        if (info(op).operand == OperandKind::Const) constants_[at] = constant_at(image, at);
        if (image.jumps[at] == JumpKind::call) marks_[at] |= memory::calls;
        if (op == Op::stw_ && n == ra) saves[function_of(image.source_address[at])].push_back(at);
    }
    // A function saves its return address where it is known to be saved afterwards, and was not before; the first time, for later the
    // register may be for anything.
    const auto is_saved = [&](u32 address) {
        const auto rule = std::ranges::upper_bound(image.frames, address, {}, &FrameRule::address);
        return rule != image.frames.begin() && std::prev(rule)->ra != 0;
    };
    for (const auto &[function, places] : saves) {
        const auto address_of = [&](std::size_t at) { return image.source_address[at]; };
        const u32 first = address_of(std::ranges::min(places, {}, address_of));
        for (const std::size_t at : places)
            if (address_of(at) == first && !is_saved(first) && is_saved(first + 4)) marks_[at] |= memory::saves_return;
    }
}

MemoryChecker::~MemoryChecker() = default;

void MemoryChecker::begin(Process &process, const u32 *data) {
    process.values = zeros<u32>(data_bytes_ / 4 + 1);
    process.bytes = zeros<std::uint8_t>(data_bytes_ / 4 + 1);
    process.data = data;
    process.heap_end = data[MOG_CB_BRK];
}

Shadow &MemoryChecker::shadow_of(u32 pe, const u32 *data, u32 *registers) {
    Shadow &s = shadows_[pe];
    Process &process = process_of(pe);
    if (!process.values) begin(process, data);
    if (s.checker) return s;
    s.checker = this;
    s.pe = pe;
    s.values = process.values.get();
    s.bytes = process.bytes.get();
    s.data_bytes = data_bytes_;
    s.data = data;
    s.held = registers;
    s.marks = marks_.data();
    s.constants = constants_.data();
    s.sp = image_.roles[static_cast<std::size_t>(Role::sp)];
    s.ra = image_.roles[static_cast<std::size_t>(Role::ra)];
    s.stack_top = s.held[s.sp];
    return s;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

void MemoryChecker::allow(Process &process, u32 begin, u32 end) {
    for (u32 at = begin; at < end;) {
        std::uint8_t &word = process.bytes[(at - MOG_DATA_BASE) / 4];
        if ((at & 3) == 0 && end - at >= 4) {
            word = 0;
            at += 4;
        } else word &= static_cast<std::uint8_t>(~(1u << (at++ & 3)));
    }
}

void MemoryChecker::forbid(Process &process, u32 begin, u32 end) {
    for (u32 at = begin; at < end;) {
        std::uint8_t &word = process.bytes[(at - MOG_DATA_BASE) / 4];
        if ((at & 3) == 0 && end - at >= 4) {
            word = memory::no_access;
            at += 4;
        } else word |= static_cast<std::uint8_t>(1u << (at++ & 3));
    }
}

void MemoryChecker::is_written(u32 pe, u32 address, u32 bytes) {
    Shadow &s = shadows_[pe];
    if (s.checker && memory::is_own(s, address, bytes)) memory::set_values(s, address, address + bytes, 0);
}

void MemoryChecker::is_set(u32 pe, u32 number) {
    Shadow &s = shadows_[pe];
    if (number < s.registers.size()) s.registers[number] = 0;
    if (!s.checker || number != s.sp) return;
    // Another stack: a thread begins.
    s.stack_top = s.held[s.sp];
    s.callers.clear();
    s.entered.clear();
    s.quiet = 0;
}

void MemoryChecker::is_copied(u32 from_pe, u32 from, u32 to_pe, u32 to, u32 bytes) {
    Shadow &source = shadows_[from_pe], &target = shadows_[to_pe];
    if (!target.checker || !memory::is_own(target, to, bytes)) return;
    const bool knows_source = source.checker && memory::is_own(source, from, bytes);
    const auto byte_of = [](const Shadow &s, u32 address) { return s.values[(address - MOG_DATA_BASE) / 4] >> 8 * (address & 3) & 0xff; };
    std::vector<std::uint8_t> bits(bytes);  // the two may overlap
    for (u32 i = 0; knows_source && i < bytes; ++i) bits[i] = static_cast<std::uint8_t>(byte_of(source, from + i));
    for (u32 i = 0; i < bytes; ++i) memory::set_values(target, to + i, to + i + 1, bits[i]);
}

// ---- calls ----------------------------------------------------------------------------------------------------------

MemoryChecker::Calls MemoryChecker::calls_at(const Shadow &s, u32 at) const {
    Calls calls{at < image_.source_address.size() ? image_.source_address[at] : 0};
    const auto function_of = [&](u32 address) -> u32 {
        auto symbol = std::ranges::upper_bound(image_.symbols, address, {}, &Symbol::address);
        while (symbol != image_.symbols.begin())
            if ((--symbol)->is_code) return symbol->address;
        return 0;
    };
    const u32 sp = s.stack_pointer();
    for (auto call = s.callers.rbegin(); call != s.callers.rend() && calls.size() < most_calls; ++call) {
        // One that has returned, and no other call was made there since.
        if (call->sp < sp) continue;
        const u32 place = call->return_address - call_and_delay_slot;
        if (call->sp == sp && calls.size() == 1 && function_of(place) == function_of(calls.front())) continue;
        calls.push_back(place);
    }
    return calls;
}

MemoryChecker::u32 MemoryChecker::number_of(Calls calls) {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = call_numbers_.try_emplace(std::move(calls), static_cast<u32>(calls_.size()));
    if (is_new) calls_.push_back(at->first);
    return at->second;
}

std::string MemoryChecker::text_of(const Calls &calls) const {
    return backtrace_as_text(image_, {calls, calls.size() == most_calls ? "more are not kept" : ""});
}

/// The innermost call with a line.
SourcePlace MemoryChecker::place_of(const Calls &calls) const {
    for (const u32 address : calls)
        if (SourcePlace place = find_source(image_, address); !place.file.empty()) return place;
    return calls.empty() ? SourcePlace{} : find_source(image_, calls.front());
}

/// "in strlen, called from main at t.c:7".
std::string MemoryChecker::where(const Calls &calls) const {
    const SourcePlace own = find_source(image_, calls.front()), named = place_of(calls);
    std::string text;
    if (!own.function.empty()) text = "in " + own.function;
    if (named.file.empty()) return text;
    if (own.file.empty()) text += fmt::format("{}called from {}", text.empty() ? "" : ", ", named.function);
    return text + fmt::format(" at {}:{}", named.file, named.line);
}

// ---- what is found --------------------------------------------------------------------------------------------------

/// "4 bytes after a block of 40 bytes"; the calls that have to do with it go to `blocks`.
std::string MemoryChecker::describe(const Process &process, u32 address, std::string &blocks) const {
    constexpr u32 near = 256;
    const auto size_of = [](const Block &block) { return fmt::format("a block of {} byte{}", block.bytes, block.bytes == 1 ? "" : "s"); };
    const auto tell = [&](const Block &block, bool was_freed) {
        if (was_freed) blocks += "\nit was freed\n" + text_of(calls_[block.freed]);
        blocks += fmt::format("\n{}allocated\n", was_freed ? "and before " : "it was ") + text_of(calls_[block.allocated]);
    };
    const auto inside = [&](const std::map<u32, Block> &all) {
        auto at = all.upper_bound(address);
        if (at == all.begin()) return all.end();
        --at;
        return address - at->first < std::max(at->second.bytes, 1u) ? at : all.end();
    };
    if (const auto freed = inside(process.freed); freed != process.freed.end()) {
        tell(freed->second, true);
        return fmt::format("at byte {} of {} that was freed", address - freed->first, size_of(freed->second));
    }
    auto next = process.live.upper_bound(address);
    const bool has_before = next != process.live.begin();
    const auto before = has_before ? std::prev(next) : next;
    const u32 end = has_before ? before->first + before->second.bytes : 0;
    const u32 behind = has_before ? address - end : near, ahead = next != process.live.end() ? next->first - address : near;
    if (has_before && address < end) {
        tell(before->second, false);
        return fmt::format("at byte {} of {}, which ends before the last of them", address - before->first, size_of(before->second));
    }
    if (behind < near && behind <= ahead) {
        tell(before->second, false);
        return behind == 0 ? "right behind " + size_of(before->second) : fmt::format("{} bytes behind {}", behind, size_of(before->second));
    }
    if (ahead < near) {
        tell(next->second, false);
        return fmt::format("{} byte{} before {}", ahead, ahead == 1 ? "" : "s", size_of(next->second));
    }
    if (address < process.data[MOG_CB_BRK]) return "in the heap, where no block is";
    return "between the heap and the stack";
}

void MemoryChecker::find(u32 pe, const Calls &calls, Told what, std::string_view kind,
                         const std::function<std::pair<std::string, std::string>()> &say) {
    std::string key(kind);
    for (std::size_t i = 0; i < std::min(calls.size(), calls_that_tell); ++i) key += fmt::format(" {:x}", calls[i]);
    const std::lock_guard lock(mutex_);
    const u32 process = pe % process_count_;
    const auto [at, is_new] = found_at_.try_emplace(key, found_.size());
    if (is_new) {
        const std::size_t innermost = what == Told::lost ? calls.size() : std::min<std::size_t>(calls.size(), 2);
        const auto is_known = [&](u32 call) { return is_known_of(find_source(image_, call).function, what); };
        at->second =
            std::any_of(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(innermost), is_known) || found_.size() == most_found
                ? not_told
                : found_.size();
        if (at->second == not_told) return;
        found_any_ = true;
        const auto [sentence, details] = say();
        const std::string place = calls.empty() ? "" : where(calls);
        found_.push_back({sentence + (place.empty() ? "" : ", " + place), place_of(calls), {}, {}, Clock::now(), false});
        if (!calls.empty()) found_.back().text += "\n" + text_of(calls);
        found_.back().text += details;
    }
    if (at->second == not_told) return;
    Found &found = found_[at->second];
    if (found.processes.empty() || found.processes.back() != process) found.processes.push_back(process);
}

std::vector<MemoryChecker::Finding> MemoryChecker::take(bool all) {
    std::vector<Finding> taken;
    if (!found_any_) return taken;
    const std::lock_guard lock(mutex_);
    for (Found &found : found_) {
        if (found.processes.empty() || (!all && (found.was_told || Clock::now() - found.first_seen < patience))) continue;
        std::ranges::sort(found.processes);
        found.processes.erase(std::ranges::unique(found.processes).begin(), found.processes.end());
        std::vector<u32> others;
        std::ranges::set_difference(found.processes, found.told, std::back_inserter(others));
        found.processes.clear();
        if (others.empty()) continue;
        taken.push_back({found.text, others, found.was_told, found.place});
        found.was_told = true;
        const auto middle = static_cast<std::ptrdiff_t>(found.told.size());
        found.told.insert(found.told.end(), others.begin(), others.end());
        std::inplace_merge(found.told.begin(), found.told.begin() + middle, found.told.end());
    }
    return taken;
}

namespace memory {

void invalid_access(Shadow &s, u32 at, u32 address, u32 bytes, bool is_store) {
    MemoryChecker &checker = *s.checker;
    // Of the bytes the first one that is not the program's.
    u32 first = address;
    while (first + 1 < address + bytes && (s.bytes[(first - MOG_DATA_BASE) / 4] >> (first & 3) & 1) == 0 && !s.is_between(first)) ++first;
    checker.find(s.pe, checker.calls_at(s, at), Told::others, is_store ? "store" : "load", [&] {
        std::string blocks;
        const std::string place = checker.describe(checker.process_of(s.pe), first, blocks);
        return std::pair{fmt::format("{} {} byte{} {}", is_store ? "writes" : "reads", bytes, bytes == 1 ? "" : "s", place), blocks};
    });
}

void overwrites_return(Shadow &s, u32 at, u32 address) {
    MemoryChecker &checker = *s.checker;
    s.bytes[(address - MOG_DATA_BASE) / 4] &= no_access;
    checker.find(s.pe, checker.calls_at(s, at), Told::frames, "frame", [&] {
        return std::pair{std::string("writes behind what is in a frame of the stack: there is a return address of a function"),
                         std::string()};
    });
}

void undefined_address(Shadow &s, u32 at) {
    if (s.quiet != 0) return;
    MemoryChecker &checker = *s.checker;
    checker.find(s.pe, checker.calls_at(s, at), Told::values, "address", [] {
        return std::pair{std::string("an address comes from memory that has no value yet"), std::string()};
    });
}

void undefined_condition(Shadow &s, u32 at) {
    s.acc = 0;
    if (s.quiet != 0) return;
    MemoryChecker &checker = *s.checker;
    checker.find(s.pe, checker.calls_at(s, at), Told::values, "condition", [] {
        return std::pair{std::string("a condition depends on memory that has no value yet"), std::string()};
    });
}

void undefined_target(Shadow &s, u32 at) {
    if (s.quiet != 0) return;
    MemoryChecker &checker = *s.checker;
    checker.find(s.pe, checker.calls_at(s, at), Told::values, "target", [] {
        return std::pair{std::string("a jump goes where memory says that has no value yet"), std::string()};
    });
}

void enters(Shadow &s, u32 at, u32 &acc) { s.checker->enters(s, at, acc); }
void leaves(Shadow &s) { s.checker->leaves(s); }

}  // namespace memory

// ---- system calls ---------------------------------------------------------------------------------------------------

void MemoryChecker::call_reads(u32 pe, std::string_view call, u32 text_index, u32 address, u32 bytes) {
    Shadow &s = shadows_[pe];
    if (!s.checker || bytes == 0 || !memory::is_own(s, address, bytes)) return;
    for (u32 at = address; at < address + bytes; ++at) {
        const u32 word = (at - MOG_DATA_BASE) / 4;
        const bool is_none = (s.bytes[word] >> (at & 3) & 1) != 0;
        if (!is_none && (s.values[word] >> 8 * (at & 3) & 0xff) == 0) continue;
        find(pe, calls_at(s, text_index), Told::others, fmt::format("{} {}", call, is_none), [&] {
            std::string blocks;
            const std::string place = is_none ? describe(process_of(pe), at, blocks) : "";
            return std::pair{is_none ? fmt::format("the system call {} reads {}", call, place)
                                     : fmt::format("the system call {} reads memory that has no value yet, from byte {} of {} on", call,
                                                   at - address, bytes),
                             blocks};
        });
        return;
    }
}

void MemoryChecker::call_fills(u32 pe, std::string_view call, u32 text_index, u32 address, u32 bytes) {
    Shadow &s = shadows_[pe];
    if (!s.checker || bytes == 0 || !memory::is_own(s, address, bytes)) return;
    for (u32 at = address; at < address + bytes; ++at) {
        if ((s.bytes[(at - MOG_DATA_BASE) / 4] >> (at & 3) & 1) == 0) continue;
        find(pe, calls_at(s, text_index), Told::others, fmt::format("{} fills", call), [&] {
            std::string blocks;
            const std::string place = describe(process_of(pe), at, blocks);
            return std::pair{fmt::format("the system call {} may write {} bytes, of which byte {} is {}", call, bytes, at - address, place),
                             blocks};
        });
        return;
    }
}

void MemoryChecker::call_takes(u32 pe, std::string_view call, u32 text_index, u32 number, Role role) {
    Shadow &s = shadows_[pe];
    if (!s.checker || s.registers[image_.roles[static_cast<std::size_t>(role)]] == 0) return;
    find(pe, calls_at(s, text_index), Told::others, fmt::format("{} takes {}", call, number), [&] {
        return std::pair{fmt::format("argument {} of the system call {} has no value yet", number + 1, call), std::string()};
    });
}

}  // namespace mog
