// units.cpp: compiled code in a block: units of its lanes are run, wait at barriers as parts of warps do, and are left to the interpreter.
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "runtime_host/ptx/block.hpp"
#include "runtime_host/ptx/faults/memory_faults.hpp"
#include "support/sizes.hpp"

namespace mog::ptx {
namespace {

constexpr std::size_t saved_alignment = 64;

/// Where calls of compiled code have to end on the stack of this thread: what is left is for the last of them, and for all else.
const unsigned char *end_of_stack() {
    static thread_local const unsigned char *const end = [] {
        void *begin = nullptr;
        std::size_t bytes = 0;
        pthread_attr_t attributes;
        // Nothing is known of the stack: nothing is called on it.
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return reinterpret_cast<const unsigned char *>(UINTPTR_MAX);
        pthread_attr_getstack(&attributes, &begin, &bytes);
        pthread_attr_destroy(&attributes);
        return static_cast<const unsigned char *>(begin) + bytes / 4;
    }();
    return end;
}

}  // namespace

void BlockRun::begin_code() {
    const LaunchShape &shape = launch_.shape;
    context_.parameters = reinterpret_cast<const unsigned char *>(launch_.parameters);
    context_.variables = reinterpret_cast<const unsigned long long *>(launch_.addresses->variables.data());
    context_.functions = reinterpret_cast<const unsigned long long *>(launch_.addresses->functions.data());
    context_.stack_end = end_of_stack();
    context_.left = nullptr;
    context_.shared = reinterpret_cast<unsigned char *>(shared_);
    context_.local = reinterpret_cast<unsigned char *>(local_);
    context_.local_stride = launch_.local_bytes;
    context_.grid[0] = shape.grid.x;
    context_.grid[1] = shape.grid.y;
    context_.grid[2] = shape.grid.z;
    context_.block[0] = place_.x;
    context_.block[1] = place_.y;
    context_.block[2] = place_.z;
    context_.engine = this;
    context_.frame = &frame_of_unit;
    context_.enter = &enter_function;
    context_.bytes_of = &bytes_of_frame;
    context_.drop = &drop_frame;
    context_.run = &run_in_frame;
    context_.run_rest = &run_rest_in_frame;
    context_.stand = &stand_at;
    context_.link = &link_call;
    context_.is_over = 0;
    stood_.clear();
    is_in_code_ = false;
    const std::size_t units = (threads_ + code_->lanes - 1) / code_->lanes;
    if (states_.size() < units) states_.resize(units);
    context_.states = states_.data();
    const std::size_t bytes = (code_->waits ? units : 1) * code_->saved_bytes + saved_alignment;
    if (saved_.size() < bytes) saved_.resize(bytes);
    context_.saved = reinterpret_cast<unsigned char *>(round_up(reinterpret_cast<std::uintptr_t>(saved_.data()), saved_alignment));
}

/// Runs the block in compiled code. Whether it is done.
bool BlockRun::run_code() {
    is_in_code_ = true;
    const unsigned left = code_->block(&context_);
    is_in_code_ = false;
    if (left == 0 && stood_.empty()) return true;
    begin_units(left != 0);
    return false;
}

/// What is left of a block: those whom the interpreter goes on with, and those that wait at barriers.
void BlockRun::begin_units(bool has_states) {
    live_ = 0;
    for (Warp &warp : warps_) {
        if (has_states && !warp.is_ready) begin_warp(warp);
        warp.live = 0;
    }
    const auto add = [&](Group &group, std::uint32_t unit) {
        Warp &warp = warps_[unit * code_->lanes / warp_lanes];
        warp.live |= group.mask;
        warp.frame->live = warp.live;
        live_ += static_cast<std::uint32_t>(std::popcount(group.mask));
        warp.groups.push_back(std::move(group));
    };
    for (Group &group : stood_) {
        const std::uint32_t unit = group.unit;
        group.unit = Group::interpreted;
        add(group, unit);
    }
    stood_.clear();
    if (!has_states) return;
    const std::uint32_t units = (threads_ + code_->lanes - 1) / code_->lanes;
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        const UnitState &state = states_[unit];
        if (state.left != Left::barrier && state.left != Left::counted) continue;
        Group group;
        group.frame = warps_[unit * code_->lanes / warp_lanes].frame;
        group.mask = state.mask << unit * code_->lanes % warp_lanes;
        group.at = barrier_of(launch_.kernel, state.instruction);
        group.unit = unit;
        group.entry = state.entry;
        add(group, unit);
    }
    // Barriers count who is there once all are known. What opens may put groups in another order.
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        if (states_[unit].left != Left::barrier && states_[unit].left != Left::counted) continue;
        Warp &warp = warps_[unit * code_->lanes / warp_lanes];
        warp.current = 0;
        while (warp.groups[warp.current].unit != unit) ++warp.current;
        const Group &group = warp.groups[warp.current];
        barrier(warp, launch_.kernel.ops[group.at], group.mask);
        if (failed_) return;
        warp.current = 0;
    }
}

/// Runs the current group, a unit of compiled code, until it waits or ends.
void BlockRun::run_unit(Warp &warp) {
    const std::uint32_t unit = warp.groups[warp.current].unit, mask = warp.groups[warp.current].mask;
    const std::uint32_t lane0 = unit * code_->lanes % warp_lanes;
    stood_.clear();
    is_in_code_ = true;
    const Left left = code_->unit(&context_, unit, warp.groups[warp.current].entry, mask >> lane0);
    is_in_code_ = false;
    if (failed_) return;
    std::uint32_t stays = 0;
    const bool is_at_barrier = left == Left::barrier || left == Left::counted;
    if (is_at_barrier) stays = context_.mask << lane0;
    for (const Group &group : stood_) stays |= group.mask;
    const auto here = [&] {
        warp.current = 0;
        while (warp.groups[warp.current].unit != unit) ++warp.current;
    };
    if ((mask & ~stays) != 0) {
        if (stays != 0) {
            Group &ended = split(warp, warp.current, mask & ~stays);
            ended.unit = Group::interpreted;
            warp.current = warp.groups.size() - 1;
        }
        exit(warp, mask & ~stays);
        if (stays == 0) return;
        here();
    }
    Group &group = warp.groups[warp.current];
    if (is_at_barrier) {
        group.at = barrier_of(launch_.kernel, context_.instruction);
        group.entry = context_.entry;
        barrier(warp, launch_.kernel.ops[group.at], stays);
        return;
    }
    group.unit = Group::interpreted;
    group.frame = stood_.front().frame;
    group.mask = stood_.front().mask;
    group.at = stood_.front().at;
    for (std::size_t at = 1; at < stood_.size(); ++at) {
        stood_[at].unit = Group::interpreted;
        warp.groups.push_back(stood_[at]);
    }
    warp.current = 0;
}

unsigned char *BlockRun::frame_of_unit(Context *context, unsigned unit) {
    BlockRun &self = *static_cast<BlockRun *>(context->engine);
    Warp &warp = self.warps_[unit * self.code_->lanes / warp_lanes];
    if (!warp.is_ready) self.begin_warp(warp);
    return reinterpret_cast<unsigned char *>(warp.frame->bytes);
}

CalledFrame *BlockRun::enter_function(Context *context, unsigned unit, unsigned function, unsigned local_begin, unsigned depth) {
    BlockRun &self = *static_cast<BlockRun *>(context->engine);
    frame_of_unit(context, unit);
    const Code &code = *self.launch_.codes[function];
    Frame *const frame = self.take_frame(code);
    *frame = {frame->bytes, &code, nullptr, 0, 0, 0, depth, local_begin};
    self.fill_constants(*frame, self.warps_[unit * self.code_->lanes / warp_lanes], true);
    return reinterpret_cast<CalledFrame *>(frame);
}

unsigned char *BlockRun::bytes_of_frame(CalledFrame *frame) {
    return reinterpret_cast<unsigned char *>(reinterpret_cast<Frame *>(frame)->bytes);
}

void BlockRun::drop_frame(Context *context, CalledFrame *frame) {
    static_cast<BlockRun *>(context->engine)->give_frame(reinterpret_cast<Frame *>(frame));
}

void BlockRun::run_in_frame(Context *context, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask) {
    BlockRun &self = *static_cast<BlockRun *>(context->engine);
    const Frame &frame = in != nullptr ? *reinterpret_cast<Frame *>(in) : *self.warps_[unit * self.code_->lanes / warp_lanes].frame;
    self.run_ops(frame, unit, frame.code->first_op[instruction], barrier_of(*frame.code, instruction), mask);
}

void BlockRun::run_rest_in_frame(Context *context, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask) {
    BlockRun &self = *static_cast<BlockRun *>(context->engine);
    const Frame &frame = in != nullptr ? *reinterpret_cast<Frame *>(in) : *self.warps_[unit * self.code_->lanes / warp_lanes].frame;
    self.run_ops(frame, unit, barrier_of(*frame.code, instruction) + 1, frame.code->first_op[instruction + 1], mask);
}

std::uint32_t BlockRun::barrier_of(const Code &code, unsigned instruction) {
    std::uint32_t at = code.first_op[instruction];
    const auto waits = [&](const Op &op) {
        if (op.control == Control::call) return code.calls[op.target].builtin == Builtin::none;
        return op.control != Control::none && op.control != Control::clock;
    };
    while (at < code.first_op[instruction + 1] && !waits(code.ops[at])) ++at;
    return at;
}

void BlockRun::run_ops(const Frame &frame, unsigned unit, std::uint32_t begin, std::uint32_t end, unsigned mask) {
    const Warp &warp = warps_[unit * code_->lanes / warp_lanes];
    machine_.frame = frame.bytes;
    machine_.local = warp.local;
    current_code_ = frame.code;
    for (std::uint32_t at = begin; at < end; ++at) {
        const Op &op = frame.code->ops[at];
        std::uint32_t lanes = mask;
        if (op.guard != no_offset) {
            const std::uint32_t guard = *reinterpret_cast<const std::uint32_t *>(frame.bytes + op.guard);
            lanes &= (op.flags & op_guard_negated) != 0 ? ~guard : guard;
        }
        if (lanes == 0) continue;
        current_ = &op;
        if (op.control == Control::clock) {
            clock(op, lanes);
        } else if (op.control == Control::call) {
            // Of the engine's own functions: compiled code goes on behind them, unless the launch has come to its end.
            if (!builtin(warp, frame, op, frame.code->calls[op.target], lanes)) context_.is_over = 1;
        } else {
            op.run(machine_, op, lanes);
        }
    }
    current_ = nullptr;
}

void BlockRun::stand_at(Context *context, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask) {
    BlockRun &self = *static_cast<BlockRun *>(context->engine);
    frame_of_unit(context, unit);
    Group group;
    group.mask = mask;
    group.frame = in != nullptr ? reinterpret_cast<Frame *>(in) : self.warps_[unit * self.code_->lanes / warp_lanes].frame;
    group.at = group.frame->code->first_op[instruction];
    group.unit = unit;
    if (in != nullptr) group.frame->live |= mask;
    self.stood_.push_back(std::move(group));
}

void BlockRun::link_call(Context *context, unsigned unit, CalledFrame *callee, CalledFrame *in, unsigned instruction) {
    BlockRun &self = *static_cast<BlockRun *>(context->engine);
    frame_of_unit(context, unit);
    Frame &called = *reinterpret_cast<Frame *>(callee);
    Frame *const caller = in != nullptr ? reinterpret_cast<Frame *>(in) : self.warps_[unit * self.code_->lanes / warp_lanes].frame;
    const std::uint32_t end = caller->code->first_op[instruction + 1];
    called.parent = caller;
    called.return_to = end;
    called.call = caller->code->ops[end - 1].target;
    if (in != nullptr) caller->live |= called.live;
}

/// Of a fault in compiled code: the line by the machine's instruction; of threads, the unit.
std::string BlockRun::where_in_code() const {
    const std::uint32_t first = context_.unit * code_->lanes, last = std::min(first + code_->lanes, threads_) - 1;
    const Dim3 &block = launch_.shape.block;
    const auto thread = [&](std::uint32_t number) {
        return fmt::format("({},{},{})", number % block.x, number / block.x % block.y, number / block.x / block.y);
    };
    std::string place;
    if (const Op *const op = current_; op != nullptr) {
        place = ", " + launch_.program.text_of(current_code_->function->code[op->instruction].place);
    } else if (const std::uint32_t line = code_->line_of(FaultsLand::instruction()); line != 0) {
        for (const Function &function : launch_.program.functions) {
            const auto found = std::ranges::find_if(function.code, [&](const Instruction &one) { return one.place.line == line; });
            if (found == function.code.end()) continue;
            place = ", " + launch_.program.text_of(found->place);
            break;
        }
    }
    return fmt::format("kernel {}, block ({},{},{}), one of the threads {} to {}{}", launch_.kernel.function->name, place_.x, place_.y,
                       place_.z, thread(first), thread(last), place);
}

}  // namespace mog::ptx
