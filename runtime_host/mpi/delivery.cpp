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

Result<void> Delivery::flush(std::vector<u32> &resumed) {
    if (!copies_.empty())
        if (Result<void> done = device_.copy(copies_); !done) return done;
    copies_.clear();
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
