// delivery.cpp
#include "runtime_host/mpi/delivery.hpp"

#include <cstring>

namespace mog::mpi {

void Delivery::copy(u32 from_pe, u32 from, u32 to_pe, u32 to, u32 bytes) {
    if (bytes != 0 && (from_pe != to_pe || from != to)) copies_.push_back({from_pe, from, to_pe, to, bytes});
}

void Delivery::put(u32 pe, u32 address, std::span<const u8> bytes) {
    if (bytes.empty()) return;
    std::memcpy(replies_.add(pe, address, static_cast<u32>(bytes.size())).data(), bytes.data(), bytes.size());
}

void Delivery::put_result(u32 pe, u32 address, const mog_mpi_result &result) {
    if (address == 0) return;
    put(pe, address, {reinterpret_cast<const u8 *>(&result), sizeof result});
}

Result<void> Delivery::put_many(std::span<const Transfer> transfers, std::span<const u8> staging) {
    // A device may want room for what each of them gets.
    constexpr u64 most_bytes = 64u << 20;
    for (std::size_t begin = 0, end = 0; begin < transfers.size(); begin = end) {
        for (u64 bytes = 0; end < transfers.size() && (end == begin || bytes + transfers[end].length <= most_bytes); end++)
            bytes += transfers[end].length;
        if (Result<void> done = device_.scatter(transfers.subspan(begin, end - begin), staging); !done) return done;
    }
    return {};
}

Result<void> Delivery::do_copies() {
    Result<void> done = copies_.empty() ? Result<void>() : device_.copy(copies_);
    copies_.clear();
    return done;
}

Result<void> Delivery::spill() {
    return copies_.size() >= std::size_t{1} << 18 ? do_copies() : Result<void>();
}

Result<void> Delivery::flush(std::vector<u32> &resumed) {
    if (Result<void> done = do_copies(); !done) return done;
    if (!replies_.transfers().empty())
        if (Result<void> done = device_.scatter(replies_.transfers(), replies_.staging()); !done) return done;
    replies_.clear();
    if (answers_.empty()) return {};
    for (const Answer &answer : answers_) resumed.push_back(answer.pe);
    Result<void> done = device_.answer(answers_, rows_);
    answers_.clear();
    return done;
}

}  // namespace mog::mpi
