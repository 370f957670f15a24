// arrivals.hpp: messages that a PE has not received yet, in the order in which they came. Who receives from tens of thousands of ranks in
// another order than that would look through all of them each time, so when there are many, those of the same communicator, source and tag
// are chained beside the list of all.
#pragma once

#include <vector>

#include "runtime_host/mpi/pt2pt/operations.hpp"

namespace mog::mpi {

class Arrivals {
public:
    u32 first() const { return all_.first; }
    u32 count() const { return count_; }
    void append(OperationTable &table, u32 i);
    void take(OperationTable &table, u32 i);
    /// The first one that fits; none: there is none.
    u32 find(const OperationTable &table, const Operation &wanted) const;

    static void carry(auto &self, auto &archive) { archive(self.all_); }
    /// After it was read: the rest follows from the list. False: it is no list of messages to this PE.
    bool restore(OperationTable &table, u32 pe);

private:
    static constexpr u32 few = 64;  ///< messages that are looked through one by one

    OperationChain &chain_of(const Operation &message);
    void chain_all(OperationTable &table);

    OperationList all_;
    u32 count_ = 0;
    std::vector<OperationChain> chains_;  ///< by a hash, their number a power of two; empty while there are few
};

}  // namespace mog::mpi
