// block.cpp: warps of a block in turn, parts of a warp in turn, operations one after the other.
#include "runtime_host/ptx/block.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <new>

#include "runtime_host/ptx/faults/memory_faults.hpp"
#include "runtime_host/ptx/observer.hpp"
#include "support/sizes.hpp"

namespace mog::ptx {
namespace {

// A part of a warp goes on for so long before others have their turn. Branches back cost 1.
constexpr std::int64_t fuel_of_turn = 65536;
constexpr std::int64_t fuel_of_atomic = 64, fuel_of_call = 4;
/// Turns of a block before others are begun beside it.
constexpr unsigned turns_of_block = 16;
/// Of Warp::patience, which halves each time that some went on without others.
constexpr std::uint64_t least_patience = 2;

constexpr std::size_t frame_alignment = 64;

std::uint32_t &word_at(std::byte *frame, std::uint32_t offset) { return *reinterpret_cast<std::uint32_t *>(frame + offset); }

template <typename T>
void put(std::byte *at, unsigned lane, std::uint64_t value) {
    reinterpret_cast<T *>(at)[lane] = static_cast<T>(value);
}

void put(std::byte *at, std::uint32_t bytes, unsigned lane, std::uint64_t value) {
    switch (bytes) {
        case 0: word_at(at, 0) = (word_at(at, 0) & ~(1u << lane)) | static_cast<std::uint32_t>(value != 0) << lane; break;
        case 2: put<std::uint16_t>(at, lane, value); break;
        case 4: put<std::uint32_t>(at, lane, value); break;
        default: put<std::uint64_t>(at, lane, value); break;
    }
}

/// Whether it differs among blocks.
bool is_of_block(Special special) {
    switch (special) {
        case Special::ctaid_x:
        case Special::ctaid_y:
        case Special::ctaid_z:
        case Special::clusterid_x:
        case Special::clusterid_y:
        case Special::clusterid_z: return true;
        default: return false;
    }
}

}  // namespace

void Launch::fail(Error what, Fault kind) {
    const std::scoped_lock lock(mutex);
    if (!error) {
        error = std::move(what);
        fault = kind;
    }
    is_over.store(true, std::memory_order_relaxed);
}

void Launch::allocated(void *memory, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex);
    heap.emplace(memory, bytes);
}

bool Launch::freed(void *memory) {
    const std::scoped_lock lock(mutex);
    return heap.erase(memory) != 0;
}

BlockRun::BlockRun(Launch &launch, Observer *observer, TakenBlocks &blocks) : launch_(launch), observer_(observer), blocks_(blocks) {
    threads_ = static_cast<std::uint32_t>(launch.shape.block.count());
    warps_.resize((threads_ + warp_lanes - 1) / warp_lanes);
    for (std::uint32_t at = 0; at < warps_.size(); ++at) warps_[at].number = at;
    constexpr std::uint32_t least_shared = 64;
    shared_ = static_cast<std::byte *>(::operator new (std::max(launch.shared_bytes, least_shared), std::align_val_t{128}));
    machine_.shared = shared_;
    machine_.shared_bytes = launch.shared_bytes;
    machine_.local_stride = launch.local_bytes;
    local_bytes_ = launch.local_bytes * warps_.size() * warp_lanes;
    if (local_bytes_ != 0) {
        // Pages that nobody touches cost nothing.
        void *const memory = mmap(nullptr, local_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            local_bytes_ = 0;
            launch_.fail(Error{fmt::format("there is no room for the local memory of {} threads, {} each", threads_,
                                           format_amount(launch.local_bytes))},
                         Fault::bad_shape);
        } else {
            local_ = static_cast<std::byte *>(memory);
        }
    }
}

BlockRun::~BlockRun() {
    for (const auto &frame : frames_) ::operator delete (frame->bytes, std::align_val_t{frame_alignment});
    ::operator delete (shared_, std::align_val_t{128});
    if (local_ != nullptr) munmap(local_, local_bytes_);
}

Frame *BlockRun::take_frame(const Code &code) {
    auto &free = free_frames_[&code];
    if (!free.empty()) {
        Frame *const frame = free.back();
        free.pop_back();
        return frame;
    }
    frames_.push_back(std::make_unique<Frame>());
    Frame *const frame = frames_.back().get();
    frame->bytes = static_cast<std::byte *>(
        ::operator new (std::max<std::size_t>(code.frame_bytes, frame_alignment), std::align_val_t{frame_alignment}));
    std::memset(frame->bytes, 0, code.frame_bytes);
    frame->code = &code;
    // Numbers stay as long as the frame does.
    for (const Constant &constant : code.constants) {
        if (constant.kind == Constant::Kind::special || constant.kind == Constant::Kind::local) continue;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            std::uint64_t value = constant.value;
            if (constant.kind == Constant::Kind::param) value += reinterpret_cast<std::uintptr_t>(frame->bytes) + lane * constant.stride;
            if (constant.kind == Constant::Kind::given) value += reinterpret_cast<std::uintptr_t>(launch_.parameters);
            put(frame->bytes + constant.offset, constant.bytes, lane, value);
        }
    }
    return frame;
}

void BlockRun::give_frame(Frame *frame) { free_frames_[frame->code].push_back(frame); }

void BlockRun::fill_constants(Frame &frame, const Warp &warp, bool is_fresh) {
    const LaunchShape &shape = launch_.shape;
    const std::uint32_t first = warp.number * warp_lanes;
    for (const Constant &constant : frame.code->constants) {
        if (constant.kind != Constant::Kind::special && constant.kind != Constant::Kind::local) continue;
        if (!is_fresh && (constant.kind == Constant::Kind::local || !is_of_block(static_cast<Special>(constant.value)))) continue;
        std::byte *const at = frame.bytes + constant.offset;
        const auto same = [&](std::uint64_t value) {
            if (constant.bytes == 4) {
                std::fill_n(reinterpret_cast<std::uint32_t *>(at), warp_lanes, static_cast<std::uint32_t>(value));
                return;
            }
            for (unsigned lane = 0; lane < warp_lanes; ++lane) put(at, constant.bytes, lane, value);
        };
        const auto each = [&](auto value) {
            for (unsigned lane = 0; lane < warp_lanes; ++lane) put(at, constant.bytes, lane, value(lane));
        };
        if (constant.kind == Constant::Kind::local) {
            same(constant.value + frame.local_begin);
            continue;
        }
        switch (static_cast<Special>(constant.value)) {
            case Special::tid_x: each([&](unsigned lane) { return (first + lane) % shape.block.x; }); break;
            case Special::tid_y: each([&](unsigned lane) { return (first + lane) / shape.block.x % shape.block.y; }); break;
            case Special::tid_z: each([&](unsigned lane) { return (first + lane) / shape.block.x / shape.block.y; }); break;
            case Special::ntid_x: same(shape.block.x); break;
            case Special::ntid_y: same(shape.block.y); break;
            case Special::ntid_z: same(shape.block.z); break;
            case Special::ctaid_x:
            case Special::clusterid_x: same(place_.x); break;
            case Special::ctaid_y:
            case Special::clusterid_y: same(place_.y); break;
            case Special::ctaid_z:
            case Special::clusterid_z: same(place_.z); break;
            case Special::nctaid_x:
            case Special::nclusterid_x: same(shape.grid.x); break;
            case Special::nctaid_y:
            case Special::nclusterid_y: same(shape.grid.y); break;
            case Special::nctaid_z:
            case Special::nclusterid_z: same(shape.grid.z); break;
            case Special::laneid: each([](unsigned lane) { return lane; }); break;
            case Special::warpid: same(warp.number); break;
            case Special::nwarpid: same(warps_.size()); break;
            case Special::lanemask_eq: each([](unsigned lane) { return 1u << lane; }); break;
            case Special::lanemask_le: each([](unsigned lane) { return (2u << lane) - 1; }); break;
            case Special::lanemask_lt: each([](unsigned lane) { return (1u << lane) - 1; }); break;
            case Special::lanemask_ge: each([](unsigned lane) { return ~((1u << lane) - 1); }); break;
            case Special::lanemask_gt: each([](unsigned lane) { return ~((2u << lane) - 1); }); break;
            case Special::dynamic_smem_size: same(shape.dynamic_shared_bytes); break;
            case Special::total_smem_size: same(launch_.shared_bytes); break;
            case Special::gridid: same(launch_.number); break;
            case Special::nsmid:
            case Special::cluster_nctaid_x:
            case Special::cluster_nctaid_y:
            case Special::cluster_nctaid_z:
            case Special::cluster_nctarank: same(1); break;
            default: same(0); break;  // of a cluster, of which each block is one; %smid; what is not there
        }
    }
}

void BlockRun::find_place() {
    const Dim3 &grid = launch_.shape.grid;
    place_ = {static_cast<std::uint32_t>(number_ % grid.x), static_cast<std::uint32_t>(number_ / grid.x % grid.y),
              static_cast<std::uint32_t>(number_ / grid.x / grid.y)};
}

/// The next block of the queue, right behind one that compiled code went through: only its place is another, and frames that were wanted
/// have to be filled anew.
bool BlockRun::begin_next() {
    if (launch_.should_stop()) return false;
    const std::optional<std::uint64_t> number = blocks_.next();
    if (!number) return false;
    // Most are right of the one before, and their place needs no division.
    const bool is_next = *number == number_ + 1 && place_.x + 1 < launch_.shape.grid.x;
    number_ = *number;
    if (is_next) ++place_.x;
    else find_place();
    if (is_any_warp_ready_)
        for (Warp &warp : warps_) warp.is_ready = false;
    is_any_warp_ready_ = false;
    context_.block[0] = place_.x;
    if (is_next) return true;
    context_.block[1] = place_.y;
    context_.block[2] = place_.z;
    return true;
}

void BlockRun::begin(std::uint64_t number) {
    number_ = number;
    find_place();
    live_ = threads_;
    epoch_ = 0;
    barriers_ = {};
    failed_ = false;
    code_ = launch_.build == nullptr ? nullptr : launch_.build->ready();
    for (Warp &warp : warps_) {
        warp.groups.clear();
        warp.patience = Warp::most_patience;
        warp.meetings.clear();
        warp.current = 0;
        warp.live = 0;
        warp.is_ready = false;
    }
    if (code_ != nullptr) {
        is_code_fresh_ = true;
        begin_code();
        return;
    }
    for (Warp &warp : warps_) {
        begin_warp(warp);
        Group group;
        group.mask = warp.live;
        group.frame = warp.frame;
        warp.groups.push_back(std::move(group));
    }
    if (observer_ != nullptr) observer_->begin_block(*this);
}

/// All its lanes are at the beginning.
void BlockRun::begin_warp(Warp &warp) {
    const std::uint32_t lanes = std::min(threads_ - warp.number * warp_lanes, warp_lanes);
    warp.live = lanes == warp_lanes ? all_lanes : (1u << lanes) - 1;
    warp.local = local_ == nullptr ? nullptr : local_ + warp.number * warp_lanes * launch_.local_bytes;
    // A warp keeps its frame, in which the numbers of its threads stay as they are from block to block.
    const bool is_fresh = warp.frame == nullptr;
    if (is_fresh) warp.frame = take_frame(launch_.kernel);
    *warp.frame = {warp.frame->bytes, warp.frame->code, nullptr, 0, 0, warp.live, 0, 0};
    fill_constants(*warp.frame, warp, is_fresh);
    warp.is_ready = true;
    is_any_warp_ready_ = true;
}

BlockRun::State BlockRun::run() {
    sigjmp_buf landing;
    if (sigsetjmp(landing, 0) != 0) {
        FaultsLand::leave();
        fail_at_address();
        return State::failed;
    }
    const FaultsLand faults(landing);
    if (is_code_fresh_) {
        is_code_fresh_ = false;
        while (run_code()) {
            if (failed_) return State::failed;
            ++done_;
            if (!begin_next()) return State::done;
        }
        if (failed_) return State::failed;
    }
    return run_turns();
}

void BlockRun::fail_at_address() {
    failed_ = true;
    const std::uint64_t address = FaultsLand::address();
    if (is_in_code_) {
        is_in_code_ = false;
        launch_.fail(Error{fmt::format("nothing is at the address {:#x}", address), where_in_code()}, Fault::illegal_address);
        return;
    }
    const Warp &warp = *running_;
    const Group &group = warp.groups[warp.current];
    const Op &op = *current_;
    // Whose it was: addresses are still in the register, if it was not the one that is loaded.
    std::uint32_t mask = group.mask;
    if (op.guard != no_offset)
        mask &= (op.flags & op_guard_negated) != 0 ? ~word_at(machine_.frame, op.guard) : word_at(machine_.frame, op.guard);
    auto lane = static_cast<unsigned>(std::countr_zero(mask == 0 ? group.mask : mask));
    if ((op.flags & (op_reads_memory | op_writes_memory)) != 0 && op.space != Space::shared && op.space != Space::local) {
        const auto *const addresses = reinterpret_cast<const std::uint64_t *>(machine_.frame + op.a);
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            const auto one = static_cast<unsigned>(std::countr_zero(left));
            if (address - (addresses[one] + static_cast<std::uint64_t>(op.value)) >= op.bytes) continue;
            lane = one;
            break;
        }
    }
    launch_.fail(Error{fmt::format("nothing is at the address {:#x}", address), where(warp, *group.frame->code, op.instruction, lane)},
                 Fault::illegal_address);
}

BlockRun::State BlockRun::run_turns() {
    for (unsigned turn = 0;;) {
        bool is_any_live = false, is_any_ready = false, used_turns = true;
        for (Warp &warp : warps_) {
            if (warp.live == 0) continue;
            is_any_live = true;
            if (!warp.has_ready()) continue;
            is_any_ready = true;
            used_turns &= run_warp(warp);
            if (failed_ || launch_.should_stop()) return State::failed;
        }
        if (!is_any_live) {
            ++done_;
            if (observer_ != nullptr) observer_->end_block(*this);
            return State::done;
        }
        if (!is_any_ready) {
            bool is_any_let_go = false;
            for (Warp &warp : warps_) is_any_let_go |= warp.live != 0 && let_go(warp);
            if (!is_any_let_go) {
                fail_of_deadlock();
                return State::failed;
            }
        } else if (used_turns && (++turn >= turns_of_block || launch_.options.cooperative)) {
            return State::wants_turn;
        }
    }
}

/// Whether it ended because it used up its turn.
bool BlockRun::run_warp(Warp &warp) {
    machine_.local = warp.local;
    running_ = &warp;
    std::int64_t fuel = fuel_of_turn;
    while (pick(warp)) {
        if (warp.groups[warp.current].unit != Group::interpreted) {
            run_unit(warp);
        } else if (observer_ != nullptr) {
            run_group<true>(warp, fuel);
        } else {
            run_group<false>(warp, fuel);
        }
        if (failed_) return false;
        if (fuel <= 0) {
            if (warp.current >= warp.groups.size()) return true;
            Group &group = warp.groups[warp.current];
            if (group.waits == Group::Waits::no && ++group.turns % warp.patience == 0 && let_go(warp))
                warp.patience = std::max(warp.patience / 2, least_patience);
            return true;
        }
    }
    return false;
}

// --- Parts of a warp ---

bool BlockRun::comes_before(const Group &a, const Group &b) {
    if (a.frame == b.frame) return a.at < b.at;
    // Where they are in the function that both came from. Those that are deeper there come first.
    const Frame *of_a = a.frame, *of_b = b.frame;
    std::uint32_t at_a = a.at, at_b = b.at;
    while (of_a != of_b) {
        if (of_a->depth >= of_b->depth) {
            at_a = of_a->return_to;
            of_a = of_a->parent;
        } else {
            at_b = of_b->return_to;
            of_b = of_b->parent;
        }
    }
    return at_a != at_b ? at_a < at_b : a.frame->depth > b.frame->depth;
}

bool BlockRun::same_place(const Group &a, const Group &b) const {
    return a.unit == Group::interpreted && b.unit == Group::interpreted && a.frame == b.frame && a.at == b.at &&
           a.waits == Group::Waits::no && b.waits == Group::Waits::no && a.meetings == b.meetings;
}

void BlockRun::merge(Warp &warp) {
    for (std::size_t a = 0; a < warp.groups.size(); ++a) {
        for (std::size_t b = a + 1; b < warp.groups.size();) {
            if (same_place(warp.groups[a], warp.groups[b])) {
                warp.groups[a].mask |= warp.groups[b].mask;
                warp.groups[a].turns = std::max(warp.groups[a].turns, warp.groups[b].turns);
                remove(warp, b);
            } else {
                ++b;
            }
        }
    }
}

/// How far the current group may go before others are asked: to the place of the lowest of them, in the same function; 0: they are
/// elsewhere.
std::uint32_t BlockRun::lowest_of_others(const Warp &warp) {
    std::uint32_t lowest = no_offset;
    for (std::size_t at = 0; at < warp.groups.size(); ++at) {
        const Group &other = warp.groups[at];
        if (at == warp.current || other.waits != Group::Waits::no) continue;
        if (other.frame != warp.groups[warp.current].frame) return 0;
        lowest = std::min(lowest, other.at);
    }
    return lowest;
}

/// Chooses who goes on: those that had fewest turns, then those at the lowest place. False: nobody can.
bool BlockRun::pick(Warp &warp) {
    if (warp.groups.size() == 1) {
        warp.current = 0;
        return warp.groups[0].waits == Group::Waits::no;
    }
    const bool is_lowest = launch_.options.meeting == Meeting::lowest;
    if (is_lowest) merge(warp);
    std::size_t best = warp.groups.size();
    for (std::size_t at = 0; at < warp.groups.size(); ++at) {
        const Group &group = warp.groups[at];
        if (group.waits != Group::Waits::no) continue;
        if (best == warp.groups.size() || group.turns < warp.groups[best].turns ||
            (is_lowest && group.turns == warp.groups[best].turns && comes_before(group, warp.groups[best])))
            best = at;
    }
    if (best == warp.groups.size()) return false;
    warp.current = best;
    return true;
}

/// Takes lanes out of a group, to one of their own. References to groups are no longer good.
Group &BlockRun::split(Warp &warp, std::size_t group, std::uint32_t mask) {
    Group other = warp.groups[group];
    other.mask = mask;
    warp.groups[group].mask &= ~mask;
    warp.groups.push_back(std::move(other));
    return warp.groups.back();
}

// --- Operations ---

template <bool observed>
void BlockRun::run_group(Warp &warp, std::int64_t &fuel) {
    Group *group = &warp.groups[warp.current];
    const Op *const ops = group->frame->code->ops.data();
    std::byte *const frame = group->frame->bytes;
    machine_.frame = frame;
    const Op *op = ops + group->at;
    const bool is_alone = warp.groups.size() == 1;
    const bool is_lowest = launch_.options.meeting == Meeting::lowest, has_meetings = !group->meetings.empty();
    const std::uint32_t whole = group->mask;
    const std::uint32_t limit = is_alone || !is_lowest ? no_offset : lowest_of_others(warp);
    const auto stand = [&] { group->at = static_cast<std::uint32_t>(op - ops); };
    for (bool is_first = true;; is_first = false) {
        if constexpr (!observed) {
            for (; (op->flags & op_is_plain) != 0; ++op) {
                current_ = op;
                op->run(machine_, *op, whole);
                is_first = false;
            }
        }
        if ((op->flags & op_begins_block) != 0 && !is_first) {
            if (has_meetings) {
                stand();
                if (comes_to_meeting(warp, warp.current)) return;
            }
            if (static_cast<std::uint32_t>(op - ops) >= limit) {
                stand();
                return;
            }
        }
        std::uint32_t mask = whole;
        if (op->guard != no_offset) {
            const std::uint32_t guard = word_at(frame, op->guard);
            mask &= (op->flags & op_guard_negated) != 0 ? ~guard : guard;
        }
        if (op->control == Control::none) {
            if (mask != 0) {
                if constexpr (observed) {
                    stand();
                    observer_->before(*this, warp, *group, *op, mask);
                    if (failed_) return;
                }
                current_ = op;
                op->run(machine_, *op, mask);
                if ((op->flags & op_is_atomic) != 0) fuel -= fuel_of_atomic;
            }
            ++op;
            continue;
        }
        stand();
        current_ = op;
        if constexpr (observed) {
            if (mask != 0 || op->control == Control::branch) {
                observer_->before(*this, warp, *group, *op, mask);
                if (failed_) return;
            }
        }
        if (op->control == Control::branch) {
            if (mask == whole) {
                const Op *const to = ops + op->target;
                if (to <= op && --fuel <= 0) {
                    op = to;
                    stand();
                    return;
                }
                op = to;
                continue;
            }
            if (mask == 0) {
                ++op;
                continue;
            }
            if constexpr (observed) observer_->parted();
            --fuel;
            branch(warp, *op, mask);
            return;
        }
        if (mask == 0) {
            ++op;
            continue;
        }
        // Of others, those whose guard does not hold go on by themselves.
        if (mask != whole && op->control != Control::unable && op->control != Control::clock && op->control != Control::fence &&
            op->control != Control::activemask) {
            const std::size_t here = warp.current;
            Group &rest = split(warp, here, whole & ~mask);
            ++rest.at;
            group = &warp.groups[here];
        }
        switch (op->control) {
            case Control::branch_table: branch_table(warp, *op, mask); return;
            case Control::call:
                fuel -= fuel_of_call;
                if (!call(warp, *op, mask)) return;
                if (mask != whole || warp.groups[warp.current].frame->bytes != frame || warp.groups[warp.current].mask != whole) return;
                break;
            case Control::ret: ret(warp, mask); return;
            case Control::exit: exit(warp, mask); return;
            case Control::trap: fail(warp, *op, mask, "trap", Fault::trap); return;
            case Control::unable: fail(warp, *op, mask, group->frame->code->errors[op->target], Fault::unsupported); return;
            case Control::yield:
                fuel = 0;
                ++group->at;
                return;
            case Control::fence: std::atomic_thread_fence(std::memory_order_seq_cst); break;
            case Control::clock: clock(*op, mask); break;
            case Control::barrier:
            case Control::barrier_arrive:
            case Control::barrier_vote:
            case Control::barrier_count: barrier(warp, *op, mask); return;
            default: together(warp, *op, mask); return;
        }
        if (mask != whole) {
            ++warp.groups[warp.current].at;
            return;
        }
        ++op;
    }
}

void BlockRun::clock(const Op &op, std::uint32_t mask) {
    const auto which = static_cast<Special>(op.target);
    const bool is_timer = which == Special::globaltimer || which == Special::globaltimer_lo || which == Special::globaltimer_hi;
    std::uint64_t value = 0;
    if (is_timer) {
        value = static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
    } else {
        value = __builtin_ia32_rdtsc();
    }
    if (which == Special::clock_hi || which == Special::globaltimer_hi) value >>= 32;
    const std::uint32_t bytes = info(which).type == Type::u64 ? 8 : 4;
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
        put(machine_.frame + op.d, bytes, static_cast<unsigned>(std::countr_zero(left)), value);
}

// --- Branches and meetings ---

void BlockRun::plan_meeting(Warp &warp, std::size_t group, std::uint32_t at, Frame *frame) {
    Group &parting = warp.groups[group];
    // Round a loop, they would wait for each other at the same place again and again: one place is enough.
    for (const std::uint32_t known : parting.meetings)
        if (warp.meetings[known].frame == frame && warp.meetings[known].at == at && parting.meetings.back() == known) return;
    const auto meeting = static_cast<std::uint32_t>(warp.meetings.size());
    warp.meetings.push_back({frame, at, parting.mask, 0});
    parting.meetings.push_back(meeting);
}

/// Of the lanes at hand, which part: where all ways have met; if only the function's end is left of them, behind its call.
void BlockRun::plan_meeting(Warp &warp, const Op &op) {
    if (launch_.options.meeting != Meeting::postdominators) return;
    Frame *const frame = warp.groups[warp.current].frame;
    if (op.meeting != no_offset) plan_meeting(warp, warp.current, op.meeting, frame);
    else if (frame->parent != nullptr) plan_meeting(warp, warp.current, frame->return_to, frame->parent);
}

void BlockRun::branch(Warp &warp, const Op &op, std::uint32_t taken) {
    Group &group = warp.groups[warp.current];
    plan_meeting(warp, op);
    const std::uint32_t next = group.at + 1;
    Group &other = split(warp, warp.current, taken);
    other.at = op.target;
    warp.groups[warp.current].at = next;
    settle(warp);
}

void BlockRun::branch_table(Warp &warp, const Op &op, std::uint32_t mask) {
    const std::size_t here = warp.current;
    Frame *const frame = warp.groups[here].frame;
    const auto &table = frame->code->tables[op.target];
    const auto *const indices = reinterpret_cast<const std::uint32_t *>(frame->bytes + op.a);
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (indices[lane] >= table.size()) {
            fail(warp, op, 1u << lane, fmt::format("the index is {}, and there are {} targets", indices[lane], table.size()),
                 Fault::illegal_instruction);
            return;
        }
    }
    plan_meeting(warp, op);
    for (std::uint32_t left = mask; left != 0;) {
        const std::uint32_t target = table[indices[std::countr_zero(left)]];
        std::uint32_t same = 0;
        for (std::uint32_t others = left; others != 0; others &= others - 1)
            if (table[indices[std::countr_zero(others)]] == target) same |= others & -others;
        left &= ~same;
        if (left == 0) {
            warp.groups[here].at = target;
        } else {
            split(warp, here, same).at = target;
        }
    }
    settle(warp);
}

/// Behind a branch: some may be where they meet already.
void BlockRun::settle(Warp &warp) {
    bool is_any = false;
    for (Group &group : warp.groups) {
        if (group.waits != Group::Waits::no || group.meetings.empty()) continue;
        MeetingPlace &place = warp.meetings[group.meetings.back()];
        if (place.frame != group.frame || place.at != group.at) continue;
        place.here |= group.mask;
        group.waits = Group::Waits::meeting;
        is_any = true;
    }
    if (is_any) look_at_meetings(warp);
}

/// If the group stands where it is to meet others, it waits there, or goes on with them if it is the last. Whether it did one of these.
bool BlockRun::comes_to_meeting(Warp &warp, std::size_t at) {
    Group &group = warp.groups[at];
    if (group.meetings.empty()) return false;
    MeetingPlace &place = warp.meetings[group.meetings.back()];
    if (place.frame != group.frame || place.at != group.at) return false;
    place.here |= group.mask;
    group.waits = Group::Waits::meeting;
    look_at_meetings(warp);
    return true;
}

/// Lanes that are all where they meet go on together.
void BlockRun::look_at_meetings(Warp &warp) {
    for (bool again = true; again;) {
        again = false;
        for (std::size_t first = 0; first < warp.groups.size() && !again; ++first) {
            if (warp.groups[first].waits != Group::Waits::meeting) continue;
            const std::uint32_t number = warp.groups[first].meetings.back();
            MeetingPlace &place = warp.meetings[number];
            place.expected &= warp.live;
            if ((place.expected & ~place.here) != 0) continue;
            for (std::size_t other = warp.groups.size(); other-- > first + 1;) {
                if (warp.groups[other].waits != Group::Waits::meeting || warp.groups[other].meetings.back() != number) continue;
                warp.groups[first].mask |= warp.groups[other].mask;
                warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(other));
            }
            Group &group = warp.groups[first];
            group.waits = Group::Waits::no;
            group.meetings.pop_back();
            // Several may be at one place.
            if (!group.meetings.empty()) {
                MeetingPlace &next = warp.meetings[group.meetings.back()];
                if (next.frame == group.frame && next.at == group.at) {
                    next.here |= group.mask;
                    group.waits = Group::Waits::meeting;
                }
            }
            again = true;
        }
    }
    warp.current = 0;
    bool is_any = false;
    for (const Group &group : warp.groups) is_any |= !group.meetings.empty();
    if (!is_any) warp.meetings.clear();
}

/// Those that wait for others where they meet go on without them. Whether there are any.
bool BlockRun::let_go(Warp &warp) {
    bool is_any = false;
    for (Group &group : warp.groups) {
        if (group.waits != Group::Waits::meeting) continue;
        warp.meetings[group.meetings.back()].expected &= ~group.mask;
        group.meetings.pop_back();
        group.waits = Group::Waits::no;
        is_any = true;
    }
    if (is_any) look_at_meetings(warp);
    return is_any;
}

void BlockRun::exit(Warp &warp, std::uint32_t mask) {
    const std::size_t here = warp.current;
    for (Frame *frame = warp.groups[here].frame; frame != nullptr;) {
        Frame *const parent = frame->parent;
        frame->live &= ~mask;
        if (frame->live == 0 && parent != nullptr) give_frame(frame);
        frame = parent;
    }
    warp.live &= ~mask;
    live_ -= static_cast<std::uint32_t>(std::popcount(mask));
    remove(warp, here);
    warp.current = 0;
    look_at_meetings(warp);
    look_at_members(warp);
    for (std::size_t at = 0; at < barriers_.size(); ++at) look_at_barrier(at);
}

// --- Errors ---

std::string BlockRun::where(const Warp &warp, const Code &code, std::uint32_t instruction, unsigned lane) const {
    const std::uint32_t thread = warp.number * warp_lanes + lane;
    const Dim3 &block = launch_.shape.block;
    std::string text = fmt::format("kernel {}, block ({},{},{}), thread ({},{},{})", launch_.kernel.function->name, place_.x, place_.y,
                                   place_.z, thread % block.x, thread / block.x % block.y, thread / block.x / block.y);
    if (code.function != launch_.kernel.function) text += fmt::format(", in {}", code.function->name);
    if (instruction < code.function->code.size())
        text += fmt::format(", {}", launch_.program.text_of(code.function->code[instruction].place));
    return text;
}

std::string BlockRun::where(const Warp &warp, const Group &group, unsigned lane) const {
    return where(warp, *group.frame->code, group.frame->code->ops[group.at].instruction, lane);
}

void BlockRun::fail(const Warp &warp, const Op &op, std::uint32_t mask, const std::string &what, Fault kind) {
    failed_ = true;
    const Group &group = warp.groups[warp.current];
    launch_.fail(Error{what, where(warp, *group.frame->code, op.instruction, static_cast<unsigned>(std::countr_zero(mask)))}, kind);
}

void BlockRun::fail_of_deadlock() {
    failed_ = true;
    std::string text;
    unsigned shown = 0;
    constexpr unsigned most_shown = 3;
    std::string last;
    for (const Warp &warp : warps_) {
        for (const Group &group : warp.groups) {
            const Instruction &instruction = group.frame->code->function->code[group.frame->code->ops[group.at].instruction];
            const std::string waits =
                fmt::format("{} waits at {}", launch_.program.text_of(instruction.place), launch_.program.opcode_of(instruction).text);
            if (waits == last || shown == most_shown) continue;
            last = waits;
            ++shown;
            text += fmt::format("{}thread {} of the block at {}", text.empty() ? "" : "; ",
                                warp.number * warp_lanes + static_cast<unsigned>(std::countr_zero(group.mask)), waits);
        }
    }
    launch_.fail(
        Error{fmt::format("all threads that are left wait for each other: {} of {} threads have not ended; {}", live_, threads_, text),
              fmt::format("kernel {}, block ({},{},{})", launch_.kernel.function->name, place_.x, place_.y, place_.z)},
        Fault::deadlock);
}

}  // namespace mog::ptx
