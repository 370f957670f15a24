// effects.cpp: columns of isa.def as sets of registers.
#include "assembler/analysis/effects.hpp"

namespace mog {
namespace {

static_assert(Sp << static_cast<unsigned>(Role::a3) == A3 && Sp << static_cast<unsigned>(Role::v1) == V1 &&
              Sp << static_cast<unsigned>(Role::ra) == Ra && Sp << static_cast<unsigned>(Role::a0) == A0);

/// `effects`: a column.
RegisterSet registers_in(std::uint32_t effects, std::uint32_t operand, const Roles &roles) {
    RegisterSet set;
    if (effects & Acc) set.set(acc_variable);
    if (effects & D) set.set(d_variable);
    if (effects & (Reg | Pair)) set.set(operand);
    if (effects & Pair) set.set(operand + 1);
    constexpr std::uint32_t any_role = Sp | Ra | V0 | V1 | A0 | A1 | A2 | A3;
    if ((effects & any_role) == 0) return set;
    for (std::size_t role = 0; role < role_count; ++role)
        if ((effects & (Sp << role)) != 0 && roles[role] != no_register) set.set(roles[role]);
    return set;
}

}  // namespace

RegisterSet reads_of(const OpInfo &row, std::uint32_t operand, const Roles &roles) { return registers_in(row.reads, operand, roles); }

RegisterSet writes_of(const OpInfo &row, std::uint32_t operand, const Roles &roles) { return registers_in(row.writes, operand, roles); }

RegisterSet may_write(const OpInfo &row, std::uint32_t operand, const Roles &roles) {
    return registers_in(row.writes | (row.writes & MaybeV1 ? V1 : 0u), operand, roles);
}

}  // namespace mog
