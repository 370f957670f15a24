// debugged_pe.cpp: registers and memory of PEs that stand, as gdb numbers and addresses them.
#include <algorithm>

#include <fmt/format.h>

#include "runtime_host/gdb/debugger.hpp"
#include "runtime_host/gdb/target_description.hpp"

namespace mog::gdb {

Debugger::u32 Debugger::row(u32 pe, u32 row) {
    u32 value = 0;
    const Transfer transfer{pe, row, sizeof value, 0, true};
    (void)device_->gather({&transfer, 1}, {reinterpret_cast<std::uint8_t *>(&value), sizeof value});
    return value;
}

void Debugger::set_row(u32 pe, u32 row, u32 value) {
    const Transfer transfer{pe, row, sizeof value, 0, true};
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t *>(&value), sizeof value);
    (void)device_->scatter({&transfer, 1}, bytes);
    if (history_) history_->wrote(pe, row, bytes, true);
}

/// The instruction that it stands at.
Debugger::u32 Debugger::index_of(u32 pe) {
    const u32 pc = row(pe, MOG_S_PC);
    return seen_[pe].in_call && pc != 0 ? pc - 1 : pc;
}

Debugger::u32 Debugger::address_of(u32 pe) { return seen_[pe].shown ? seen_[pe].shown : places_->address(index_of(pe)); }

std::optional<Debugger::u32> Debugger::register_of(u32 pe, u32 number) {
    if (number == register_zero || number == register_status) return 0;
    if (number == register_pc) return address_of(pe);
    if (number == register_rank) return pe % processes_;
    if (number == register_fcsr) return row(pe, MOG_S_FCSR);
    if (number == register_cause || number == register_bad_address) {
        const std::optional<Request> &fault = seen_[pe].fault;
        if (number == register_bad_address && fault) return (*fault)[MOG_Q_INFO];
        return 0;
    }
    if (number >= rows_.size() || !rows_[number]) return std::nullopt;
    if (!places_->known(index_of(pe)).test(*rows_[number])) return std::nullopt;
    return row(pe, MOG_S_REGS + *rows_[number]);
}

bool Debugger::set_register(u32 pe, u32 number, u32 value) {
    if (history_ && history_->is_past(pe)) return false;  // what was, was so
    if (number == register_pc) return set_address(pe, value);
    if (number == register_fcsr) {
        set_row(pe, MOG_S_FCSR, value);
        return true;
    }
    if (number >= rows_.size() || !rows_[number]) return false;
    const u32 reg = *rows_[number], index = index_of(pe);
    // What the program takes from an accumulator instead is the register, too.
    if (!seen_[pe].in_call) {
        if (places_->acc(index).same.test(reg)) set_row(pe, MOG_S_ACC, value);
        const CodePlaces::Held d = places_->d(index);
        if (d.same.test(reg)) set_row(pe, MOG_S_DLO, value);
        if (reg > 0 && d.same.test(reg - 1)) set_row(pe, MOG_S_DHI, value);
    }
    set_row(pe, MOG_S_REGS + reg, value);
    return true;
}

/// Goes to where the instruction begins, if what accumulators have to hold there can be had from registers.
bool Debugger::set_address(u32 pe, u32 address) {
    Seen &seen = seen_[pe];
    if (address == address_of(pe)) return true;
    if (seen.in_call) return false;
    const auto first_of = [](const std::bitset<256> &set) -> std::optional<u32> {
        for (u32 i = 0; i < set.size(); i++)
            if (set.test(i)) return i;
        return std::nullopt;
    };
    for (const u32 index : places_->places(address)) {
        const CodePlaces::Held acc = places_->acc(index), d = places_->d(index);
        const std::optional<u32> single = acc.is_asked ? first_of(acc.same) : std::nullopt;
        const std::optional<u32> pair = d.is_asked ? first_of(d.same) : std::nullopt;
        if ((acc.is_asked && !single) || (d.is_asked && !pair)) continue;
        if (single) set_row(pe, MOG_S_ACC, row(pe, MOG_S_REGS + *single));
        if (pair) {
            set_row(pe, MOG_S_DLO, row(pe, MOG_S_REGS + *pair));
            set_row(pe, MOG_S_DHI, row(pe, MOG_S_REGS + *pair + 1));
        }
        set_row(pe, MOG_S_PC, index);
        seen.shown = places_->address(index) == address ? 0 : address;
        seen.past_at = seen.past = 0;
        seen.fault.reset();
        return true;
    }
    return false;
}

/// As many of so many bytes as there are.
std::string Debugger::read_memory(u32 pe, u32 address, u32 length) {
    if (!addresses_.has(address, 1)) {
        const std::span<const std::uint8_t> code = code_.at(address, length);
        return {code.begin(), code.end()};
    }
    std::string bytes(std::min(length, addresses_.end_of(address) - address), '\0');
    const Transfer transfer{pe, address, static_cast<u32>(bytes.size()), 0, false};
    const std::span<std::uint8_t> staging(reinterpret_cast<std::uint8_t *>(bytes.data()), bytes.size());
    return device_->gather({&transfer, 1}, staging) ? bytes : std::string();
}

bool Debugger::write_memory(u32 pe, u32 address, std::string_view bytes) {
    if (bytes.empty()) return true;
    if (!addresses_.can_be_set(address, bytes.size()) || (history_ && history_->is_past(pe))) return false;
    const Transfer transfer{pe, address, static_cast<u32>(bytes.size()), 0, false};
    const std::span<const std::uint8_t> staging(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
    if (!device_->scatter({&transfer, 1}, staging)) return false;
    if (history_) history_->wrote(pe, address, staging, false);
    return true;
}

}  // namespace mog::gdb
