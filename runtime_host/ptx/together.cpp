// together.cpp: barriers of a block, and what lanes of a warp do together: shuffles, votes, matches, reductions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime_host/ptx/block.hpp"

namespace mog::ptx {
namespace {

std::uint32_t &word_at_offset(std::byte *frame, std::uint32_t offset) { return *reinterpret_cast<std::uint32_t *>(frame + offset); }
const std::uint32_t *words(const std::byte *frame, std::uint32_t offset) { return reinterpret_cast<const std::uint32_t *>(frame + offset); }

template <typename Do>
void for_lanes(std::uint32_t mask, Do each) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1) each(static_cast<unsigned>(std::countr_zero(left)));
}

void give_bit(std::byte *frame, std::uint32_t offset, std::uint32_t mask, std::uint32_t bits) {
    std::uint32_t &word = word_at_offset(frame, offset);
    word = (word & ~mask) | (bits & mask);
}

void give_word(std::byte *frame, std::uint32_t offset, std::uint32_t mask, std::uint32_t value) {
    for_lanes(mask, [&](unsigned lane) { reinterpret_cast<std::uint32_t *>(frame + offset)[lane] = value; });
}

std::uint32_t reduced(Word word, bool is_signed, std::uint32_t a, std::uint32_t b) {
    switch (word) {
        case Word::add: return a + b;
        case Word::and_: return a & b;
        case Word::or_: return a | b;
        case Word::xor_: return a ^ b;
        case Word::min:
            return is_signed ? static_cast<std::uint32_t>(std::min(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)))
                             : std::min(a, b);
        default:
            return is_signed ? static_cast<std::uint32_t>(std::max(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)))
                             : std::max(a, b);
    }
}

}  // namespace

// --- Barriers ---

/// The group came to a barrier, where it waits until all are there: then it stands behind it.
void BlockRun::barrier(Warp &warp, const Op &op, std::uint32_t mask) {
    const std::size_t here = warp.current;
    Group &group = warp.groups[here];
    std::byte *const frame = group.frame->bytes;
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    const std::uint32_t number = words(frame, op.a)[first], wanted = op.b == no_offset ? 0 : words(frame, op.b)[first];
    if (number >= barriers_.size()) {
        fail(warp, op, mask, fmt::format("there are barriers 0 to 15, but no {}", number), Fault::illegal_instruction);
        return;
    }
    if (wanted > threads_ || wanted % warp_lanes != 0) {
        fail(warp, op, mask,
             fmt::format("the barrier is for {} threads; a multiple of 32 up to the block's {} is possible", wanted, threads_),
             Fault::illegal_instruction);
        return;
    }
    Barrier &barrier = barriers_[number];
    barrier.wanted = wanted;
    barrier.arrived += static_cast<std::uint32_t>(std::popcount(mask));
    if (op.control == Control::barrier_vote || op.control == Control::barrier_count) {
        barrier.count += static_cast<std::uint32_t>(std::popcount(word_at_offset(frame, op.c) & mask));
        barrier.threads += static_cast<std::uint32_t>(std::popcount(mask));
    }
    if (op.control == Control::barrier_arrive) {
        ++group.at;
        look_at_barrier(number);
        return;
    }
    group.waits = Group::Waits::barrier;
    group.barrier = static_cast<std::uint8_t>(number);
    look_at_barrier(number);
}

/// Opens a barrier if all are there.
void BlockRun::look_at_barrier(std::size_t number) {
    Barrier &barrier = barriers_[number];
    if (barrier.arrived == 0) return;
    const std::uint32_t wanted = barrier.wanted != 0 ? barrier.wanted : live_;
    if (barrier.arrived < wanted) return;
    ++epoch_;
    for (Warp &warp : warps_) {
        bool is_any = false;
        for (Group &group : warp.groups) {
            if (group.waits != Group::Waits::barrier || group.barrier != number) continue;
            const Op &op = group.frame->code->ops[group.at];
            if (op.control == Control::barrier_count) give_word(group.frame->bytes, op.d, group.mask, barrier.count);
            if (op.control == Control::barrier_vote)
                give_bit(group.frame->bytes, op.d, group.mask,
                         (op.word == Word::or_ ? barrier.count != 0 : barrier.count == barrier.threads) ? all_lanes : 0);
            group.waits = Group::Waits::no;
            ++group.at;
            is_any = true;
        }
        if (is_any && launch_.options.meeting != Meeting::never) merge(warp);
        if (is_any) {
            warp.current = 0;
            settle(warp);
        }
    }
    barrier = {};
}

// --- A warp ---

namespace {

/// Gives the lanes of `mask` what comes of what the lanes `taking_part` have brought.
template <typename Brought>
void give_together(std::byte *frame, const Op &op, std::uint32_t mask, std::uint32_t taking_part, const Brought &brought) {
    std::uint32_t bits = 0;
    for_lanes(taking_part, [&](unsigned lane) { bits |= static_cast<std::uint32_t>(brought[lane] != 0) << lane; });
    switch (op.control) {
        case Control::shuffle: {
            const std::uint32_t *const b = words(frame, op.b), *const c = words(frame, op.c);
            auto *const to = reinterpret_cast<std::uint32_t *>(frame + op.d);
            std::uint32_t in_range = 0;
            std::array<std::uint32_t, warp_lanes> results{};
            for_lanes(mask, [&](unsigned lane) {
                const std::uint32_t by = b[lane] & 31, segment = c[lane] >> 8 & 31, bound = c[lane] & 31;
                const std::uint32_t most = (lane & segment) | (bound & ~segment), least = lane & segment;
                std::uint32_t from = lane;
                bool is_in = false;
                switch (op.word) {
                    case Word::up:
                        from = lane - by;
                        is_in = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(most);
                        break;
                    case Word::down:
                        from = lane + by;
                        is_in = from <= most;
                        break;
                    case Word::bfly:
                        from = lane ^ by;
                        is_in = from <= most;
                        break;
                    default:
                        from = least | (by & ~segment);
                        is_in = from <= most;
                        break;
                }
                // From lanes that do not take part comes nothing that is defined: it is the lane's own here.
                if (!is_in || (taking_part >> (from & 31) & 1) == 0) from = lane;
                results[lane] = static_cast<std::uint32_t>(brought[from & 31]);
                in_range |= static_cast<std::uint32_t>(is_in) << lane;
            });
            for_lanes(mask, [&](unsigned lane) { to[lane] = results[lane]; });
            if (op.meeting != no_offset) give_bit(frame, op.meeting, mask, in_range);
            break;
        }
        case Control::ballot: give_word(frame, op.d, mask, bits); break;
        case Control::vote: {
            const bool is_all = bits == taking_part, is_none = bits == 0;
            const bool result = op.word == Word::all ? is_all : op.word == Word::any ? !is_none : is_all || is_none;
            give_bit(frame, op.d, mask, result ? all_lanes : 0);
            break;
        }
        case Control::match_any:
            for_lanes(mask, [&](unsigned lane) {
                std::uint32_t same = 0;
                for_lanes(taking_part,
                          [&](unsigned other) { same |= static_cast<std::uint32_t>(brought[other] == brought[lane]) << other; });
                reinterpret_cast<std::uint32_t *>(frame + op.d)[lane] = same;
            });
            break;
        case Control::match_all: {
            bool is_all = true;
            const std::uint64_t first = brought[std::countr_zero(taking_part)];
            for_lanes(taking_part, [&](unsigned lane) { is_all &= brought[lane] == first; });
            give_word(frame, op.d, mask, is_all ? taking_part : 0);
            if (op.meeting != no_offset) give_bit(frame, op.meeting, mask, is_all ? all_lanes : 0);
            break;
        }
        case Control::redux: {
            const auto first = static_cast<unsigned>(std::countr_zero(taking_part));
            auto result = static_cast<std::uint32_t>(brought[first]);
            for_lanes(taking_part & (taking_part - 1),
                      [&](unsigned lane) { result = reduced(op.word, op.modes != 0, result, static_cast<std::uint32_t>(brought[lane])); });
            give_word(frame, op.d, mask, result);
            break;
        }
        case Control::activemask: give_word(frame, op.d, mask, mask); break;
        case Control::elect: {
            const auto chosen = static_cast<unsigned>(std::countr_zero(taking_part));
            give_word(frame, op.d, mask, chosen);
            if (op.meeting != no_offset) give_bit(frame, op.meeting, mask, 1u << chosen);
            break;
        }
        default: break;  // a barrier of the warp
    }
}

}  // namespace

void BlockRun::together(Warp &warp, const Op &op, std::uint32_t mask) {
    std::byte *const frame = warp.groups[warp.current].frame->bytes;
    // Lanes that name others than the first of them does, as tiles of a warp do.
    std::uint32_t others = 0, absent = 0;
    if (op.e != no_offset) {
        const std::uint32_t *const named = words(frame, op.e);
        const std::uint32_t first = named[std::countr_zero(mask)];
        for_lanes(mask, [&](unsigned lane) {
            others |= static_cast<std::uint32_t>(named[lane] != first) << lane;
            absent |= named[lane] & warp.live & ~mask;
        });
    }
    // Where some of those that they name are elsewhere, they come here by themselves; else they stay together.
    const bool are_all_here = others != 0 && absent == 0;
    if (!are_all_here && others != 0) {
        split(warp, warp.current, others);
        mask &= ~others;
    }
    Group &group = warp.groups[warp.current];
    // What each lane brings.
    if (op.control == Control::vote || op.control == Control::ballot) {
        const std::uint32_t bits = *words(frame, op.a);
        for_lanes(mask, [&](unsigned lane) { warp.brought[lane] = bits >> lane & 1; });
    } else if (op.control != Control::activemask && op.control != Control::warp_barrier && op.control != Control::elect) {
        for_lanes(mask, [&](unsigned lane) {
            warp.brought[lane] = op.bytes == 8 ? reinterpret_cast<const std::uint64_t *>(frame + op.a)[lane] : words(frame, op.a)[lane];
        });
    }
    if (are_all_here) {
        for (std::uint32_t left = mask; left != 0;) {
            const std::uint32_t *const named = words(frame, op.e);
            const std::uint32_t members = named[std::countr_zero(left)];
            std::uint32_t alike = 0;
            for_lanes(left, [&](unsigned lane) { alike |= static_cast<std::uint32_t>(named[lane] == members) << lane; });
            left &= ~alike;
            give_together(frame, op, alike, (members | alike) & warp.live, warp.brought);
        }
        ++group.at;
        warp.current = 0;
        settle(warp);
        return;
    }
    group.waits = Group::Waits::members;
    group.members = op.e == no_offset ? mask : words(frame, op.e)[std::countr_zero(mask)] | mask;
    look_at_members(warp);
}

/// What lanes do together is done once all of them are there: those that name the same lanes, wherever each of them is.
void BlockRun::look_at_members(Warp &warp) {
    const auto waits = [](const Group &group) { return group.waits == Group::Waits::members; };
    if (std::ranges::none_of(warp.groups, waits)) return;
    const bool is_apart = launch_.options.meeting == Meeting::never;
    // Groups at one place are one, if they are allowed to be: what they bring is there already.
    for (std::size_t a = 0; a < warp.groups.size() && !is_apart; ++a) {
        for (std::size_t b = a + 1; b < warp.groups.size();) {
            Group &one = warp.groups[a], &other = warp.groups[b];
            if (one.waits == Group::Waits::members && other.waits == Group::Waits::members && one.frame == other.frame &&
                one.at == other.at && one.members == other.members && one.meetings == other.meetings &&
                launch_.options.meeting == Meeting::lowest) {
                one.mask |= other.mask;
                remove(warp, b);
            } else {
                ++b;
            }
        }
    }
    std::uint32_t ready = 0;
    for (const Group &group : warp.groups) {
        if (!waits(group)) continue;
        std::uint32_t here = 0;
        for (const Group &other : warp.groups)
            if (waits(other) && other.members == group.members) here |= other.mask;
        if ((group.members & warp.live & ~here) == 0) ready |= group.mask;
    }
    for (Group &group : warp.groups) {
        if ((group.mask & ready) == 0) continue;
        const std::uint32_t members = group.members & warp.live;
        const Op &op = group.frame->code->ops[group.at];
        std::byte *const frame = group.frame->bytes;
        const std::uint32_t mask = group.mask;
        give_together(frame, op, mask, op.e == no_offset ? mask : members, warp.brought);
    }
    // All at once, for one's result may be what another brought.
    for (Group &group : warp.groups) {
        if ((group.mask & ready) == 0) continue;
        group.waits = Group::Waits::no;
        ++group.at;
    }
    warp.current = 0;
    settle(warp);
}

}  // namespace mog::ptx
