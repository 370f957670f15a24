// communicators.cpp
#include "runtime_host/mpi/communicators.hpp"

#include <utility>

namespace mog::mpi {

Communicators::Communicators(u32 nproc) {
    all_.resize(2);
    all_[MOG_MPI_WORLD].size = all_[MOG_MPI_WORLD].left = nproc;
    all_[MOG_MPI_WORLD].is_identity = true;
    all_[MOG_MPI_SELF].size = 1;
    all_[MOG_MPI_SELF].left = nproc;
    all_[MOG_MPI_SELF].is_self = true;
}

u32 Communicators::add(std::vector<u32> members) {
    u32 context = count();
    if (free_.empty()) {
        all_.emplace_back();
    } else {
        context = free_.back();
        free_.pop_back();
    }
    Communicator &c = all_[context];
    c = {};
    c.size = c.left = static_cast<u32>(members.size());
    c.members = std::move(members);
    return context;
}

bool Communicators::leave(u32 context) {
    Communicator &c = (*this)[context];
    if (context <= MOG_MPI_SELF || --c.left != 0) return false;
    c = {};
    free_.push_back(context);
    return true;
}

}  // namespace mog::mpi
