// arrivals.cpp
#include "runtime_host/mpi/pt2pt/arrivals.hpp"

#include <bit>

#include "abi/mpi_constants.h"

namespace mog::mpi {

namespace {

/// Fibonacci hashing of what a receive names (Knuth, The Art of Computer Programming, volume 3, 6.4).
std::size_t hash_of(const Operation &o, std::size_t chains) {
    const u64 key = (u64{static_cast<u32>(o.peer)} << 32 | static_cast<u32>(o.tag)) ^ u64 { o.context } << 16;
    return static_cast<std::size_t>((key ^ key >> 29) * 0x9e3779b97f4a7c15u >> 40) & (chains - 1);
}

}  // namespace

OperationChain &Arrivals::chain_of(const Operation &message) { return chains_[hash_of(message, chains_.size())]; }

void Arrivals::chain_all(OperationTable &table) {
    chains_.assign(std::bit_ceil(std::size_t{2} * count_), {});
    for (u32 i = all_.first; i != none; i = table[i].next) chain_of(table[i]).append(table, i);
}

void Arrivals::append(OperationTable &table, u32 i) {
    all_.append(table, i);
    count_++;
    if (count_ <= few && chains_.empty()) return;
    if (count_ > chains_.size()) chain_all(table);
    else chain_of(table[i]).append(table, i);
}

void Arrivals::take(OperationTable &table, u32 i) {
    all_.take(table, i);
    if (!chains_.empty()) chain_of(table[i]).take(table, i);
    if (--count_ == 0) chains_ = {};
}

u32 Arrivals::find(const OperationTable &table, const Operation &wanted) const {
    if (chains_.empty() || wanted.peer == MPI_ANY_SOURCE || wanted.tag == MPI_ANY_TAG) {
        u32 i = all_.first;
        while (i != none && !fits(wanted, table[i])) i = table[i].next;
        return i;
    }
    u32 i = chains_[hash_of(wanted, chains_.size())].first;
    while (i != none && !fits(wanted, table[i])) i = table[i].next_alike;
    return i;
}

bool Arrivals::restore(OperationTable &table, u32 pe) {
    if (!all_.is_sound(table, [&](const Operation &o) { return o.kind == Operation::Kind::Send && o.to == pe; })) return false;
    count_ = 0;
    chains_.clear();
    for (u32 i = all_.first; i != none; i = table[i].next) count_++;
    if (count_ > few) chain_all(table);
    return true;
}

}  // namespace mog::mpi
