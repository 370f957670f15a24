// calls.cpp: frames of functions that are called, what is passed to them and back, and functions that the engine itself has.
#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <cstring>

#include "runtime_host/ptx/block.hpp"
#include "runtime_host/ptx/format.hpp"

namespace mog::ptx {
namespace {

constexpr std::uint32_t most_depth = 100000;  // of calls

}  // namespace

std::uint64_t BlockRun::passed_value(const Frame &frame, const Passed &passed, unsigned lane) const {
    std::uint64_t value = 0;
    if (passed.is_variable) {
        std::memcpy(&value, frame.bytes + passed.offset + std::size_t{lane} * passed.stride,
                    std::min<std::size_t>(passed.bytes, sizeof value));
    } else if (passed.bytes == 0) {
        std::uint32_t word = 0;
        std::memcpy(&word, frame.bytes + passed.offset, sizeof word);
        value = word >> lane & 1;
    } else {
        std::memcpy(&value, frame.bytes + passed.offset + std::size_t{lane} * passed.bytes, passed.bytes);
    }
    return value;
}

void BlockRun::copy_passed(const Frame &from_frame, const Passed &from, const Frame &to_frame, const Passed &to, std::uint32_t mask) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        std::byte *const at = to_frame.bytes + to.offset;
        if (from.is_variable && to.is_variable) {
            std::memcpy(at + std::size_t{lane} * to.stride, from_frame.bytes + from.offset + std::size_t{lane} * from.stride, to.bytes);
            continue;
        }
        const std::uint64_t value = passed_value(from_frame, from, lane);
        if (to.is_variable) {
            std::memcpy(at + std::size_t{lane} * to.stride, &value, std::min<std::size_t>(to.bytes, sizeof value));
        } else if (to.bytes == 0) {
            std::uint32_t word = 0;
            std::memcpy(&word, at, sizeof word);
            word = (word & ~(1u << lane)) | static_cast<std::uint32_t>(value & 1) << lane;
            std::memcpy(at, &word, sizeof word);
        } else {
            std::memcpy(at + std::size_t{lane} * to.bytes, &value, to.bytes);
        }
    }
}

/// False: nothing more can be done with the group now.
bool BlockRun::call(Warp &warp, const Op &op, std::uint32_t mask) {
    Frame *const caller = warp.groups[warp.current].frame;
    const CallSite &site = caller->code->calls[op.target];
    if (site.builtin != Builtin::none) return builtin(warp, *caller, op, site, mask);
    std::uint32_t number = site.function;
    if (number == no_offset) {
        // Those that call the same go together, the others come to the call again.
        const auto *const addresses = reinterpret_cast<const std::uint64_t *>(caller->bytes + site.address);
        const std::uint64_t wanted = addresses[std::countr_zero(mask)];
        std::uint32_t others = 0;
        for (std::uint32_t left = mask; left != 0; left &= left - 1)
            if (addresses[std::countr_zero(left)] != wanted) others |= left & -left;
        const auto known = launch_.functions_at.find(wanted);
        if (known == launch_.functions_at.end()) {
            fail(warp, op, mask, fmt::format("no function is at {:#x}", wanted), Fault::illegal_address);
            return false;
        }
        number = known->second;
        if (others != 0) {
            split(warp, warp.current, others);
            mask &= ~others;
        }
    }
    const Code *const code = launch_.codes[number].get();
    if (code == nullptr || code->parameters.size() != site.parameters.size() || code->returns.size() != site.returns.size()) {
        fail(warp, op, mask,
             fmt::format("{} cannot be called here: it has no body, or other parameters", launch_.program.functions[number].name),
             Fault::illegal_instruction);
        return false;
    }
    const std::uint32_t local_begin = caller->local_begin + caller->code->local_bytes;
    if (caller->depth + 1 >= most_depth || local_begin + code->local_bytes > launch_.local_bytes) {
        fail(warp, op, mask,
             fmt::format("the stack of a thread is full: {} calls in each other, {} bytes of local memory", caller->depth, local_begin),
             Fault::illegal_address);
        return false;
    }
    Frame *const frame = take_frame(*code);
    Group &group = warp.groups[warp.current];
    *frame = {frame->bytes, code, caller, group.at + 1, op.target, mask, caller->depth + 1, local_begin};
    fill_constants(*frame, warp, true);
    for (std::size_t at = 0; at < site.parameters.size(); ++at)
        copy_passed(*caller, site.parameters[at], *frame, code->parameters[at], mask);
    group.frame = frame;
    group.at = 0;
    return true;
}

void BlockRun::ret(Warp &warp, std::uint32_t mask) {
    const std::size_t here = warp.current;
    Frame *const frame = warp.groups[here].frame;
    if (frame->parent == nullptr) {
        exit(warp, mask);
        return;
    }
    const CallSite &site = frame->parent->code->calls[frame->call];
    for (std::size_t at = 0; at < site.returns.size(); ++at)
        copy_passed(*frame, frame->code->returns[at], *frame->parent, site.returns[at], mask);
    Group &group = warp.groups[here];
    group.frame = frame->parent;
    group.at = frame->return_to;
    frame->live &= ~mask;
    if (frame->live == 0) give_frame(frame);
    if (!group.meetings.empty()) comes_to_meeting(warp, here);
}

bool BlockRun::builtin(const Warp &warp, const Frame &frame, const Op &op, const CallSite &site, std::uint32_t mask) {
    const auto wrong = [&](unsigned lane, const std::string &what, Fault kind) {
        failed_ = true;
        launch_.fail(Error{what, where(warp, *frame.code, op.instruction, lane)}, kind);
        return false;
    };
    const auto given = [&](std::size_t at, unsigned lane) {
        return at < site.parameters.size() ? passed_value(frame, site.parameters[at], lane) : 0;
    };
    const auto text_at = [&](std::size_t at, unsigned lane) {
        const auto *const text = reinterpret_cast<const char *>(given(at, lane));
        return text == nullptr ? "(null)" : text;
    };
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        std::uint64_t result = 0;
        switch (site.builtin) {
            case Builtin::vprintf: {
                const std::string text = format_text(text_at(0, lane), reinterpret_cast<const std::byte *>(given(1, lane)));
                result = count_of_arguments(text_at(0, lane));
                const std::scoped_lock lock(launch_.mutex);
                if (launch_.options.print) {
                    launch_.options.print(text);
                } else {
                    std::fwrite(text.data(), 1, text.size(), stdout);
                }
                break;
            }
            case Builtin::assert_fail:
                return wrong(lane,
                             fmt::format("{}:{}: {}: assertion `{}' failed", text_at(1, lane), static_cast<std::uint32_t>(given(2, lane)),
                                         text_at(3, lane), text_at(0, lane)),
                             Fault::assertion);
            case Builtin::malloc: {
                const std::uint64_t bytes = given(0, lane);
                void *const memory = std::malloc(bytes);
                if (memory != nullptr) launch_.allocated(memory, bytes);
                result = reinterpret_cast<std::uintptr_t>(memory);
                break;
            }
            case Builtin::free: {
                auto *const memory = reinterpret_cast<void *>(given(0, lane));
                if (memory != nullptr && !launch_.freed(memory))
                    return wrong(lane, fmt::format("free of {}, which malloc did not give in a kernel", memory), Fault::illegal_address);
                std::free(memory);
                break;
            }
            case Builtin::none: break;
        }
        if (!site.returns.empty()) {
            const Passed &to = site.returns[0];
            if (to.is_variable) {
                std::memcpy(frame.bytes + to.offset + std::size_t{lane} * to.stride, &result,
                            std::min<std::size_t>(to.bytes, sizeof result));
            } else {
                std::memcpy(frame.bytes + to.offset + std::size_t{lane} * to.bytes, &result, to.bytes);
            }
        }
    }
    return true;
}

}  // namespace mog::ptx
