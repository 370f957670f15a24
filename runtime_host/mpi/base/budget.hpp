// budget.hpp: memory of the host that PEs' objects may take: communicators, what windows have attached, locks.
#pragma once

#include <cstdint>

namespace mog::mpi {

class Budget {
public:
    explicit Budget(std::uint64_t most) : most_(most) {}

    bool has_room(std::uint64_t bytes) const { return bytes <= most_ - used_; }
    /// False: there is no room for so many bytes, and nothing was taken.
    bool take(std::uint64_t bytes) {
        if (!has_room(bytes)) return false;
        used_ += bytes;
        return true;
    }
    /// What was taken before.
    void give_back(std::uint64_t bytes) { used_ -= bytes < used_ ? bytes : used_; }

    static void carry(auto &self, auto &archive) { archive(self.used_); }
    bool is_sound() const { return used_ <= most_; }

private:
    std::uint64_t most_, used_ = 0;
};

}  // namespace mog::mpi
