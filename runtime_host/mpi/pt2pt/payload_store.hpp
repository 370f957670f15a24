// payload_store.hpp: bytes of messages that nobody has received yet, in pieces of powers of two, up to a bound.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "runtime_host/mpi/base/delivery.hpp"
#include "runtime_host/mpi/pt2pt/operations.hpp"

namespace mog::mpi {

class PayloadStore {
public:
    /// At most so many bytes.
    explicit PayloadStore(u64 bound) : bound_(std::min<u64>(bound, UINT32_MAX & ~u32{15})) {}

    /// Room for `bytes`; `none` if there is none left. `in_any_case`: of what is here already, beyond the bound.
    u32 take(u32 bytes, bool in_any_case = false) {
        const unsigned size = size_class(bytes);
        std::vector<u32> &free = free_[size];
        if (!free.empty()) {
            used_ += u64{smallest} << size;
            const u32 at = free.back();
            free.pop_back();
            return at;
        }
        const u64 end = store_.size() + (u64{smallest} << size);
        if (end > (in_any_case ? UINT32_MAX & ~u32{15} : bound_)) return none;
        store_.resize(end);
        used_ += u64{smallest} << size;
        return static_cast<u32>(end - (u64{smallest} << size));
    }
    void give_back(u32 at, u32 bytes) {
        used_ -= u64{smallest} << size_class(bytes);
        free_[size_class(bytes)].push_back(at);
    }
    u64 used() const { return used_; }

    std::span<u8> at(u32 place, u32 bytes) { return {store_.data() + place, bytes}; }
    std::span<u8> all() { return store_; }

    static void carry(auto &self, auto &archive) { archive(self.used_, self.store_, self.free_); }
    bool has(u32 place, u32 bytes) const { return place <= store_.size() && bytes <= store_.size() - place; }
    bool is_sound() const {
        u64 free = 0;
        for (unsigned size = 0; size < free_.size(); size++)
            for (const u32 place : free_[size]) {
                if (!(place <= store_.size() && (u64{smallest} << size) <= store_.size() - place)) return false;
                free += u64{smallest} << size;
            }
        return store_.size() <= UINT32_MAX && free + used_ == store_.size();
    }

private:
    static constexpr u32 smallest = 16;
    static unsigned size_class(u32 bytes) { return bytes <= smallest ? 0 : static_cast<unsigned>(std::bit_width((bytes - 1) / smallest)); }

    u64 bound_, used_ = 0;
    std::vector<u8> store_;
    std::array<std::vector<u32>, 29> free_;
};

}  // namespace mog::mpi
