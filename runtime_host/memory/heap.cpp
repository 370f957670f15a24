// heap.cpp: the functions of the heap, as the program calls them: blocks are made larger than they are asked for, and kept when they are
// given back.
#include <algorithm>

#include <fmt/format.h>

#include "runtime_host/memory/functions.hpp"
#include "runtime_host/memory/memory_checker.hpp"

namespace mog {

using memory::Entered;
using memory::Shadow;

namespace {

constexpr std::uint32_t guard = 16;  // bytes before and behind a block that nobody may touch
constexpr std::uint32_t most = 0x7fffff00u;

constexpr Role argument_roles[] = {Role::a0, Role::a1, Role::a2, Role::a3};

std::string_view name_of_family(int family) {
    constexpr std::string_view names[] = {"malloc or its like", "new", "new[]"};
    return names[family];
}
std::string_view name_of_release(int family) {
    constexpr std::string_view names[] = {"free", "delete", "delete[]"};
    return names[family];
}

}  // namespace

std::uint32_t MemoryChecker::argument(const Shadow &s, int n) const {
    return s.held[image_.roles[static_cast<std::size_t>(argument_roles[n])]];
}

/// A function may have its first argument in ACC, where all that call it do.
void MemoryChecker::set_argument(Shadow &s, int n, u32 value, u32 &acc) const {
    u32 &held = s.held[image_.roles[static_cast<std::size_t>(argument_roles[n])]];
    if (acc == held) acc = value;
    held = value;
}

void MemoryChecker::enters(Shadow &s, u32 at, u32 &acc) {
    if (s.quiet != 0) return;
    const u32 number = functions_at_.at(at);
    const KnownFunction &function = known_functions()[number];
    if (function.model != StringModel::none) looks_at(s, at, static_cast<int>(function.model));
    Entered entered{number, s.held[s.ra], s.stack_pointer(), 0, 0, 0, true};
    const int first = function.first;
    switch (function.work) {
        case HeapWork::none:
        case HeapWork::inside: break;
        case HeapWork::allocate:
            entered.bytes = argument(s, first);
            entered.front = guard;
            if (entered.bytes < most) set_argument(s, first, entered.bytes + 2 * guard, acc);
            break;
        case HeapWork::allocate_zero: {
            const std::uint64_t bytes = std::uint64_t{argument(s, first)} * argument(s, first + 1);
            entered.bytes = static_cast<u32>(std::min<std::uint64_t>(bytes, most));
            entered.front = guard;
            if (bytes >= most) break;
            set_argument(s, first, 1, acc);
            set_argument(s, first + 1, entered.bytes + 2 * guard, acc);
            break;
        }
        case HeapWork::align:
            entered.bytes = argument(s, first + 1);
            entered.front = std::max(guard, argument(s, first));
            if (entered.bytes < most - entered.front) set_argument(s, first + 1, entered.bytes + entered.front + guard, acc);
            break;
        case HeapWork::resize: {
            entered.address = argument(s, first);
            entered.bytes = argument(s, first + 1);
            entered.front = guard;
            Process &process = process_of(s.pe);
            if (const auto block = process.live.find(entered.address); block != process.live.end()) {
                entered.front = block->second.front;
                set_argument(s, first, entered.address - entered.front, acc);
            } else if (entered.address != 0) {
                begins_free(s, entered, at, entered.address, first, acc);
                entered.address = 0;
            }
            if (entered.bytes < most - entered.front) set_argument(s, first + 1, entered.bytes + entered.front + guard, acc);
            break;
        }
        case HeapWork::release: begins_free(s, entered, at, argument(s, first), first, acc); break;
        case HeapWork::measure: {
            Process &process = process_of(s.pe);
            const auto block = process.live.find(argument(s, first));
            if (block == process.live.end()) break;
            entered.address = block->first;
            set_argument(s, first, block->first - block->second.front, acc);
            break;
        }
        case HeapWork::names: entered.is_quiet = false; break;
        case HeapWork::names_sized: {
            entered.is_quiet = false;
            Process &process = process_of(s.pe);
            const auto block = process.live.find(argument(s, 0));
            const u32 bytes = argument(s, 1);
            if (block == process.live.end() || block->second.bytes == std::max(bytes, 1u)) break;
            find(s.pe, calls_at(s, at), Told::others, "size", [&] {
                return std::pair{fmt::format("deletes an object of {} bytes that was made with {}", bytes, block->second.bytes),
                                 "\nit was allocated\n" + text_of(calls_[block->second.allocated])};
            });
            break;
        }
    }
    s.quiet += entered.is_quiet;
    s.entered.push_back(entered);
}

/// The block goes to those that were freed; what the allocator gets instead is one that was freed long ago, or none.
void MemoryChecker::begins_free(Shadow &s, Entered &entered, u32 at, u32 address, int n, u32 &acc) {
    if (address == 0) return;
    Process &process = process_of(s.pe);
    const Calls calls = calls_at(s, at);
    const auto block = process.live.find(address);
    if (block == process.live.end()) {
        find(s.pe, calls, Told::others, "free", [&]() -> std::pair<std::string, std::string> {
            std::string blocks;
            if (process.freed.contains(address)) {
                const std::string place = describe(process, address, blocks);
                return {fmt::format("frees a block of {} bytes that was freed before", process.freed.at(address).bytes), blocks};
            }
            if (address >= process.data[MOG_CB_BRK] || address < image_.brk)
                return {fmt::format("frees {}, which is not in the heap",
                                    address >= s.stack_pointer() ? "memory of the stack" : "memory of a variable"),
                        ""};
            auto before = process.live.upper_bound(address);
            if (before != process.live.begin() && address - (--before)->first < before->second.bytes)
                return {
                    fmt::format("frees byte {} of a block of {} bytes, not its beginning", address - before->first, before->second.bytes),
                    "\nit was allocated\n" + text_of(calls_[before->second.allocated])};
            const std::string place = describe(process, address, blocks);
            return {fmt::format("frees an address that is no block's, {}", place), blocks};
        });
        set_argument(s, n, 0, acc);
        return;
    }
    // Who gave it is said by the outermost of the functions entered, if any.
    const int family = s.entered.empty() ? 0 : known_functions()[s.entered.front().function].family;
    if (const int given = static_cast<int>(block->second.family); knows_families_ && given != family)
        find(s.pe, calls, Told::others, "family", [&] {
            return std::pair{fmt::format("gives back by {} what {} gave", name_of_release(family), name_of_family(given)),
                             "\nit was allocated\n" + text_of(calls_[block->second.allocated])};
        });
    const u32 base = address - block->second.front, bytes = block->second.bytes + block->second.front + guard;
    takes_back(process, address, number_of(calls));
    entered.address = 0;
    if (bytes > kept_most_ / 2) {
        set_argument(s, n, base, acc);
        return;
    }
    process.kept.emplace_back(base, bytes);
    process.kept_bytes += bytes;
    u32 given_back = 0;
    if (process.kept_bytes > kept_most_) {
        given_back = process.kept.front().first;
        process.kept_bytes -= process.kept.front().second;
        process.kept.pop_front();
    }
    set_argument(s, n, given_back, acc);
}

void MemoryChecker::takes_back(Process &process, u32 address, u32 freed) {
    auto node = process.live.extract(address);
    Block &block = node.mapped();
    block.freed = freed;
    forbid(process, address, address + block.bytes);
    process.freed.insert_or_assign(address, block);
}

void MemoryChecker::leaves(Shadow &s) {
    const Entered entered = s.entered.back();
    const KnownFunction &function = known_functions()[entered.function];
    u32 &result = s.held[image_.roles[static_cast<std::size_t>(Role::v0)]];
    s.entered.pop_back();
    s.quiet -= entered.is_quiet;
    switch (function.work) {
        case HeapWork::allocate:
        case HeapWork::align:
        case HeapWork::allocate_zero: gives(s, entered); break;
        case HeapWork::resize: resizes(s, entered); break;
        case HeapWork::measure:
            if (const Process &process = process_of(s.pe); entered.address != 0 && process.live.contains(entered.address))
                result = process.live.at(entered.address).bytes;
            break;
        default: break;
    }
    if (entered.is_quiet) s.registers[image_.roles[static_cast<std::size_t>(Role::v0)]] = 0;
    // Those that went over into this one, for good.
    while (!s.entered.empty() && !s.entered.back().is_quiet && s.entered.back().return_address == entered.return_address &&
           s.entered.back().sp == entered.sp)
        s.entered.pop_back();
}

/// What the allocator has got from the system is nobody else's until it gives it.
void MemoryChecker::gives(Shadow &s, const Entered &entered) {
    Process &process = process_of(s.pe);
    u32 &result = s.held[image_.roles[static_cast<std::size_t>(Role::v0)]];
    const u32 end = process.data[MOG_CB_BRK];
    if (end > process.heap_end) forbid(process, process.heap_end, end);
    process.heap_end = std::max(process.heap_end, end);
    if (result == 0) return;
    const u32 base = result;
    result += entered.front;
    process.freed.erase(process.freed.lower_bound(base), process.freed.lower_bound(result + entered.bytes + guard));
    const KnownFunction &function = known_functions()[s.entered.empty() ? entered.function : s.entered.front().function];
    // The calls end at the function that is returned to: as if it were called just now.
    Calls calls{find_address(entered.function)};
    for (const u32 call : calls_at_return(s, entered)) calls.push_back(call);
    process.live[result] = {entered.bytes, entered.front, static_cast<Family>(function.family), number_of(std::move(calls)), 0};
    forbid(process, base, result);
    forbid(process, result + entered.bytes, (result + entered.bytes + guard + 3) & ~3u);
    allow(process, result, result + entered.bytes);
    const bool is_zero = known_functions()[entered.function].work == HeapWork::allocate_zero;
    memory::set_values(s, result, result + entered.bytes, is_zero ? 0 : ~0u);
}

void MemoryChecker::resizes(Shadow &s, const Entered &entered) {
    Process &process = process_of(s.pe);
    u32 &result = s.held[image_.roles[static_cast<std::size_t>(Role::v0)]];
    const auto block = process.live.find(entered.address);
    if (entered.address == 0 || block == process.live.end()) return gives(s, entered);
    if (result == 0) return;
    // What it had keeps what is known of its values; only what is new has none.
    const u32 kept = std::min(block->second.bytes, entered.bytes), target = result + entered.front;
    std::vector<u32> values((kept + 3) / 4 + 1);
    for (u32 i = 0; i < kept; ++i)
        values[i / 4] |= (s.values[(target + i - MOG_DATA_BASE) / 4] >> 8 * ((target + i) & 3) & 0xff) << 8 * (i & 3);
    const Family family = block->second.family;
    Calls calls{find_address(entered.function)};
    for (const u32 call : calls_at_return(s, entered)) calls.push_back(call);
    takes_back(process, entered.address, number_of(std::move(calls)));
    gives(s, entered);
    process.live[target].family = family;
    for (u32 i = 0; i < kept; ++i) memory::set_values(s, target + i, target + i + 1, values[i / 4] >> 8 * (i & 3) & 0xff);
}

std::uint32_t MemoryChecker::find_address(u32 function) const {
    const auto found = std::ranges::find(image_.symbols, known_functions()[function].name, &Symbol::name);
    return found == image_.symbols.end() ? 0 : found->address;
}

/// The calls that led to a function which is about to return.
MemoryChecker::Calls MemoryChecker::calls_at_return(const Shadow &s, const Entered &entered) const {
    Calls calls;
    for (auto call = s.callers.rbegin(); call != s.callers.rend() && calls.size() + 1 < 24; ++call)
        if (call->sp >= entered.sp && (!calls.empty() || call->return_address == entered.return_address))
            calls.push_back(call->return_address - 8);
    return calls;
}

// ---- the end --------------------------------------------------------------------------------------------------------

void MemoryChecker::ends_process(u32 number) {
    Process &process = processes_[number];
    if (!process.values) return;
    struct Piece {
        u32 begin, end;
        const Block *block;
        enum { unseen, reached, lost } state = unseen;
        bool is_part = false;  ///< of another one that is lost
    };
    std::vector<Piece> pieces;
    for (const auto &[address, block] : process.live) pieces.push_back({address, address + std::max(block.bytes, 1u), &block});
    const auto piece_of = [&](u32 address) -> Piece * {
        auto at = std::ranges::upper_bound(pieces, address, {}, &Piece::begin);
        if (at == pieces.begin()) return nullptr;
        --at;
        return address < at->end ? &*at : nullptr;
    };
    // All that can be got at from a piece of memory.
    std::vector<Piece *> open;
    const auto look_through = [&](u32 begin, u32 end, const auto &meets) {
        for (u32 at = (begin + 3) & ~3u; at + 4 <= end; at += 4)
            if (const u32 word = (at - MOG_DATA_BASE) / 4; process.data[word] >= image_.brk && process.values[word] == 0)
                if (Piece *piece = piece_of(process.data[word])) meets(*piece);
    };
    const auto reaches = [&](Piece &piece) {
        if (piece.state != Piece::unseen) return;
        piece.state = Piece::reached;
        open.push_back(&piece);
    };
    const u32 end = MOG_DATA_BASE + data_bytes_, floor = process.data[MOG_CB_FLOOR];
    u32 stack = floor != 0 ? floor : end;
    for (u32 pe = number; pe < shadows_.size(); pe += process_count_) {
        if (!shadows_[pe].checker) continue;
        const Shadow &s = shadows_[pe];
        for (u32 i = 0; i < image_.register_names.size(); ++i)
            if (Piece *piece = piece_of(s.held[i]); piece && s.registers[i] == 0) reaches(*piece);
        if (s.stack_pointer() >= process.data[MOG_CB_BRK] && s.stack_pointer() < end) stack = std::min(stack, s.stack_pointer());
    }
    look_through(MOG_DATA_BASE, image_.brk, reaches);
    look_through(stack, end, reaches);
    while (!open.empty()) {
        const Piece piece = *open.back();
        open.pop_back();
        look_through(piece.begin, piece.end, reaches);
    }
    // Of those that are lost, what others of them hold goes with these.
    for (Piece &first : pieces) {
        if (first.state != Piece::unseen) continue;
        first.state = Piece::lost;
        open.push_back(&first);
        while (!open.empty()) {
            Piece &from = *open.back();
            open.pop_back();
            look_through(from.begin, from.end, [&](Piece &piece) {
                if (&piece == &first) return;
                if (piece.state == Piece::unseen) open.push_back(&piece);
                if (piece.state != Piece::reached) {
                    piece.state = Piece::lost;
                    piece.is_part = true;
                }
            });
        }
    }
    struct Sum {
        std::uint64_t bytes = 0, blocks = 0;
    };
    std::map<u32, Sum> sums;
    Sum parts;
    for (const Piece &piece : pieces) {
        if (piece.state != Piece::lost) continue;
        Sum &sum = piece.is_part ? parts : sums[piece.block->allocated];
        sum.bytes += piece.block->bytes;
        ++sum.blocks;
    }
    const auto amount = [](const Sum &sum) {
        return fmt::format("{} byte{} in {} block{}", sum.bytes, sum.bytes == 1 ? "" : "s", sum.blocks, sum.blocks == 1 ? "" : "s");
    };
    for (const auto &[allocated, sum] : sums) {
        const Calls calls = calls_[allocated];
        find(number, calls, Told::lost, fmt::format("lost {} {}", sum.bytes, sum.blocks), [&] {
            return std::pair{fmt::format("nothing holds {} any more at the end, allocated", amount(sum)), std::string()};
        });
    }
    if (parts.blocks != 0)
        find(number, {}, Told::lost, fmt::format("lost with {} {}", parts.bytes, parts.blocks), [&] {
            return std::pair{fmt::format("with what is lost go {}, which only that holds", amount(parts)), std::string()};
        });
    process.live.clear();
}

}  // namespace mog
