// observer.cpp: counts of what warps do, as a card's profiler gives them, and checks of what they access.
#include "runtime_host/ptx/observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime_host/ptx/shadow.hpp"

namespace mog::ptx {
namespace {

constexpr std::uint64_t sector_bytes = 32;
constexpr unsigned banks = 32, bank_bytes = 4;

class Looker : public Observer {
public:
    explicit Looker(Launch &launch) : Observer(launch), counts_(launch.options.count), checks_(launch.options.check), kinds_(form_count()) {
        if (!checks_) return;
        const std::scoped_lock lock(launch.mutex);
        if (launch.shadow == nullptr) launch.shadow = std::make_shared<GlobalShadow>();
        global_ = static_cast<GlobalShadow *>(launch.shadow.get());
    }

    void begin_block(BlockRun &block) override {
        if (checks_) shadows_[&block] = std::make_unique<BlockShadow>(launch_.shared_bytes, launch_.shape.block.count());
    }
    void end_block(BlockRun &block) override { shadows_.erase(&block); }

    void before(BlockRun &block, const Warp &warp, const Group &group, const Op &op, std::uint32_t mask) override {
        if (counts_) count(block, group, op, mask);
        if (checks_) check(block, warp, group, op, mask);
    }
    void parted() override { ++result_.parting_branches; }

    void finish() override {
        for (std::size_t form = 0; form < kinds_.size(); ++form)
            if (kinds_[form] != 0) result_.by_kind[std::string(info(static_cast<Form>(form)).root)] += kinds_[form];
        const std::scoped_lock lock(launch_.mutex);
        launch_.counts.add(result_);
    }

private:
    /// Where an address is, once it is known of which memory.
    struct Where {
        Space space = Space::global;
        std::uint64_t address = 0;  ///< of .shared and .local the offset
    };
    Where where(const BlockRun &block, const Op &op, unsigned lane) const {
        const Machine &machine = block.machine();
        const std::uint64_t given =
            reinterpret_cast<const std::uint64_t *>(machine.frame + op.a)[lane] + static_cast<std::uint64_t>(op.value);
        if (op.space == Space::shared || op.space == Space::local || op.space == Space::param) return {op.space, given};
        const std::uint64_t in_shared = given - reinterpret_cast<std::uintptr_t>(machine.shared);
        if (in_shared < machine.shared_bytes) return {Space::shared, in_shared};
        if (machine.local != nullptr) {
            const std::uint64_t in_local = given - reinterpret_cast<std::uintptr_t>(machine.local);
            if (in_local < machine.local_stride * warp_lanes) return {Space::local, in_local % machine.local_stride};
        }
        return {Space::global, given};
    }

    void count(const BlockRun &block, const Group &group, const Op &op, std::uint32_t mask) {
        if ((op.flags & op_begins_instruction) != 0) {
            ++result_.warp_instructions;
            const auto lanes = static_cast<unsigned>(std::popcount(op.control == Control::branch ? group.mask : mask));
            result_.thread_instructions += lanes;
            ++result_.by_lanes[lanes];
            const Function &function = *group.frame->code->function;
            if (op.instruction < function.code.size())
                ++kinds_[static_cast<std::size_t>(launch_.program.opcode_of(function.code[op.instruction]).form)];
        }
        if (op.control == Control::branch) ++result_.branches;
        if (op.control >= Control::barrier && op.control <= Control::barrier_count) ++result_.barriers;
        if ((op.flags & (op_reads_memory | op_writes_memory)) == 0 || op.lane_bytes == 0) return;
        std::array<std::uint64_t, 2 * warp_lanes> sectors;
        std::array<std::uint64_t, 4 * warp_lanes> words;
        std::size_t sector_count = 0, word_count = 0;
        std::uint64_t local_bytes = 0;
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            const Where at = where(block, op, static_cast<unsigned>(std::countr_zero(left)));
            if (at.space == Space::global) {
                const std::uint64_t first = at.address / sector_bytes, last = (at.address + op.lane_bytes - 1) / sector_bytes;
                // Lanes side by side often share one.
                if (sector_count == 0 || sectors[sector_count - 1] != first) sectors[sector_count++] = first;
                if (last != first) sectors[sector_count++] = last;
            } else if (at.space == Space::shared) {
                for (unsigned byte = 0; byte < op.lane_bytes && word_count < words.size(); byte += bank_bytes)
                    words[word_count++] = (at.address + byte) / bank_bytes;
            } else if (at.space == Space::local) {
                local_bytes += op.lane_bytes;
            }
        }
        if (local_bytes != 0) ++result_.local_accesses;
        result_.local_bytes += local_bytes;
        if (sector_count != 0) {
            std::sort(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(sector_count));
            ++result_.global_accesses;
            result_.global_sectors += static_cast<std::uint64_t>(
                std::unique(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(sector_count)) - sectors.begin());
        }
        if (word_count != 0) {
            std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(word_count));
            const auto end = std::unique(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(word_count));
            std::array<unsigned, banks> of_bank{};
            for (auto word = words.begin(); word != end; ++word) ++of_bank[*word % banks];
            // 8 and 16 bytes of a lane take two and four rounds in any case.
            const unsigned least = std::max(1u, op.lane_bytes / bank_bytes * static_cast<unsigned>(std::popcount(mask)) / banks);
            const unsigned most = *std::ranges::max_element(of_bank);
            ++result_.shared_accesses;
            result_.shared_bytes += static_cast<std::uint64_t>(end - words.begin()) * bank_bytes;
            if (most > least) result_.bank_conflicts += most - least;
        }
    }

    /// Once of each kind and operation.
    void tell(const char *kind, const Op &op, std::string text) {
        Finding finding{kind, std::move(text)};
        const std::scoped_lock lock(launch_.mutex);
        if (!launch_.found.emplace(kind, &op).second || launch_.findings >= launch_.options.most_findings) return;
        ++launch_.findings;
        if (launch_.options.found) launch_.options.found(finding);
    }

    void check(BlockRun &block, const Warp &warp, const Group &group, const Op &op, std::uint32_t mask) {
        BlockShadow &shadow = *shadows_[&block];
        if ((op.control == Control::barrier || op.control == Control::barrier_vote || op.control == Control::barrier_count) &&
            op.modes != 0 && group.mask != warp.live) {
            tell("divergent barrier", op,
                 fmt::format("{}: {} of {} threads of the warp come to it, and it is for all of a warp together (barrier.sync is not)",
                             block.where(warp, group, lane_of(mask)), std::popcount(mask), std::popcount(warp.live)));
        }
        if (op.control == Control::warp_barrier) ++shadow.warp_epochs[warp.number];
        if (op.control == Control::fence || ((op.flags & op_is_atomic) != 0 && (op.flags & op_writes_memory) != 0))
            for_threads(warp, mask, [&](unsigned thread) { shadow.synchronised[thread] = ++shadow.events; });
        if ((op.flags & (op_reads_memory | op_writes_memory)) == 0) return;
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            if (!check_lane(block, warp, group, op, lane, shadow)) return;
        }
    }

    static unsigned lane_of(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }
    template <typename Do>
    static void for_threads(const Warp &warp, std::uint32_t mask, Do each) {
        for (std::uint32_t left = mask; left != 0; left &= left - 1) each(warp.number * warp_lanes + lane_of(left));
    }

    static const char *what_it_does(const Op &op) {
        const bool reads = (op.flags & op_reads_memory) != 0, writes = (op.flags & op_writes_memory) != 0;
        return reads && writes ? "changes" : reads ? "reads" : "writes";
    }

    /// False: the launch is over.
    bool check_lane(BlockRun &block, const Warp &warp, const Group &group, const Op &op, unsigned lane, BlockShadow &shadow) {
        const Where at = where(block, op, lane);
        const auto place = [&] { return block.where(warp, group, lane); };
        const auto act = [&] {
            return fmt::format("{} {} bytes of {} memory at {:#x}", what_it_does(op), op.bytes, text_of(at.space), at.address);
        };
        if (at.address % std::max<unsigned>(op.bytes, op.lane_bytes) != 0)
            tell("misaligned", op,
                 fmt::format("{}: it {}, which is no multiple of {}", place(), act(), std::max<unsigned>(op.bytes, op.lane_bytes)));
        std::string why;
        if (at.space == Space::shared && at.address + op.bytes > launch_.shared_bytes) {
            why = fmt::format("the block has {} bytes", launch_.shared_bytes);
        } else if (at.space == Space::local && at.address + op.bytes > launch_.local_bytes) {
            why = fmt::format("a thread has {} bytes", launch_.local_bytes);
        } else if (at.space == Space::global && !is_allocated(block, at.address, op.bytes)) {
            why = launch_.options.allocations->describe(at.address);
        }
        if (!why.empty()) {
            const std::string text = fmt::format("it {}: {}", act(), why);
            tell("out of bounds", op, fmt::format("{}: {}", place(), text));
            block.fail(warp, op, 1u << lane, text, Fault::illegal_address);
            return false;
        }
        const unsigned thread = warp.number * warp_lanes + lane;
        Access access;
        access.block = block.number();
        access.thread = thread;
        access.epoch = block.epoch();
        access.warp_epoch = shadow.warp_epochs[warp.number];
        access.event = shadow.events;
        access.is_atomic = (op.flags & op_is_atomic) != 0;
        access.code = group.frame->code;
        access.instruction = op.instruction;
        const bool reads = (op.flags & op_reads_memory) != 0, writes = (op.flags & op_writes_memory) != 0;
        if (at.space == Space::shared) {
            for (unsigned byte = 0; byte < op.bytes; ++byte) {
                Cell &cell = shadow.cells[at.address + byte];
                access.value = value_of(block, op, lane, byte, 1);
                if (reads && !cell.written.is_there()) {
                    tell("uninitialised", op, fmt::format("{}: it {}, which no thread wrote before", place(), act()));
                    cell.written.thread = Access::nobody_in_particular;
                }
                const Access *const other = conflict(cell, access, reads, writes, same_value(block, op, lane, byte),
                                                     [&](const Access &one) { return shadow.is_ordered(one, access); });
                if (other != nullptr) tell_race(op, place(), act(), *other);
                note(cell, access, reads, writes);
            }
        } else if (at.space == Space::global) {
            for (unsigned byte = 0; byte < op.bytes; byte += 4) {
                const bool same = same_value(block, op, lane, byte);
                access.value = value_of(block, op, lane, byte, std::min<std::size_t>(4, op.bytes - byte));
                std::optional<Access> other;
                global_->with_cell((at.address + byte) / 4, [&](Cell &cell) {
                    const Access *const one = conflict(cell, access, reads, writes, same, [&](const Access &before) {
                        // Between blocks nothing but atomics and fences makes an order.
                        if (before.block != access.block)
                            return global_->has_synchronised(before.block) && shadow.synchronised[thread] != 0;
                        return shadow.is_ordered(before, access);
                    });
                    if (one != nullptr) other = *one;
                    note(cell, access, reads, writes);
                });
                if (other) tell_race(op, place(), act(), *other);
            }
            if (access.is_atomic && writes) global_->note_synchronised(access.block);
        }
        return true;
    }

    bool is_allocated(const BlockRun &block, std::uint64_t address, std::uint64_t bytes) {
        const Allocations *const all = launch_.options.allocations;
        if (all == nullptr) return true;
        if (all->version() != version_) {
            version_ = all->version();
            known_begin_ = known_bytes_ = 0;
        }
        if (address - known_begin_ < known_bytes_ && bytes <= known_bytes_ - (address - known_begin_)) return true;
        for (const Allocations *const one : {all, launch_.variables}) {
            const auto range = one->find(address);
            if (!range) continue;
            known_begin_ = range->first;
            known_bytes_ = range->second;
            return bytes <= known_bytes_ - (address - known_begin_);
        }
        // Parameters by address, and what malloc gave in a kernel.
        std::uint64_t given = 0;
        for (const Formal &formal : launch_.kernel.function->parameters)
            given += launch_.kernel.function->variables[formal.index].size + 16;
        if (address - reinterpret_cast<std::uintptr_t>(launch_.parameters) < given) return true;
        // Variables of .param in frames.
        const std::uint64_t in_frame = address - reinterpret_cast<std::uintptr_t>(block.machine().frame);
        if (in_frame < (std::uint64_t{1} << 24) && launch_.kernel.calls_others) return true;
        const std::scoped_lock lock(launch_.mutex);
        return std::ranges::any_of(launch_.heap, [&](const auto &one) {
            const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(one.first);
            return address - begin < one.second && bytes <= one.second - (address - begin);
        });
    }

    /// What a store writes, of up to `bytes` from `byte` on.
    static std::uint32_t value_of(const BlockRun &block, const Op &op, unsigned lane, unsigned byte, std::size_t bytes) {
        std::uint32_t value = 0;
        if ((op.flags & op_reads_memory) != 0 || op.modes == 0 || op.modes > 8 || byte >= op.modes) return value;
        std::memcpy(&value, block.machine().frame + op.b + std::size_t{lane} * op.modes + byte,
                    std::min<std::size_t>(bytes, op.modes - byte));
        return value;
    }

    /// Whether a store leaves the memory as it is.
    static bool same_value(const BlockRun &block, const Op &op, unsigned lane, unsigned byte) {
        if ((op.flags & op_writes_memory) == 0 || (op.flags & op_reads_memory) != 0 || op.modes == 0 || op.modes > 8) return false;
        const Machine &machine = block.machine();
        const std::byte *const value = machine.frame + op.b + std::size_t{lane} * op.modes + byte;
        const std::uint64_t address =
            reinterpret_cast<const std::uint64_t *>(machine.frame + op.a)[lane] + static_cast<std::uint64_t>(op.value);
        const std::byte *const there = op.space == Space::shared ? machine.shared + address : reinterpret_cast<const std::byte *>(address);
        const std::size_t bytes = op.space == Space::shared ? 1 : std::min<std::size_t>(4, op.bytes - byte);
        return op.space != Space::local && std::memcmp(value, there + byte, bytes) == 0;
    }

    void tell_race(const Op &op, const std::string &place, const std::string &act, const Access &other) {
        const Dim3 &block = launch_.shape.block, &grid = launch_.shape.grid;
        const std::string line = other.instruction < other.code->function->code.size()
                                     ? launch_.program.text_of(other.code->function->code[other.instruction].place)
                                     : "";
        tell("race", op,
             fmt::format("{}: it {}, which thread ({},{},{}) of block ({},{},{}) accessed at {}, with no barrier between", place, act,
                         other.thread % block.x, other.thread / block.x % block.y, other.thread / block.x / block.y, other.block % grid.x,
                         other.block / grid.x % grid.y, other.block / grid.x / grid.y, line));
    }

    bool counts_, checks_;
    LaunchCounts result_;
    std::vector<std::uint64_t> kinds_;  // by form
    std::unordered_map<BlockRun *, std::unique_ptr<BlockShadow>> shadows_;
    GlobalShadow *global_ = nullptr;
    std::uint64_t version_ = 0, known_begin_ = 0, known_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Observer> make_observer(Launch &launch) {
    if (!launch.options.count && !launch.options.check) return nullptr;
    return std::make_unique<Looker>(launch);
}

}  // namespace mog::ptx
