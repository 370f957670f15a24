// delivery.cpp: when what is noted goes to the device.
#include "runtime_host/mpi/base/delivery.hpp"

#include <algorithm>
#include <cstring>

namespace mog::mpi {

namespace {

// Notes of a round up to these go together.
constexpr std::size_t most_copies = std::size_t{1} << 18, most_puts = std::size_t{1} << 18;
constexpr u64 most_copied = u64{1} << 30;

bool overlap(u32 a, u32 b, u32 bytes) { return a < b ? b - a < bytes : a - b < bytes; }

}  // namespace

void Delivery::copy(u32 from_pe, u32 from, u32 to_pe, u32 to, u32 bytes) {
    if (bytes == 0 || (from_pe == to_pe && from == to) || !failed_ || end_.is_due_after(0)) return;
    if (from_pe == to_pe && overlap(from, to, bytes)) return keep_failure(move_within(from_pe, from, to, bytes));
    copies_.push_back({from_pe, from, to_pe, to, bytes});
    copied_ += bytes;
    if (copies_.size() >= most_copies || copied_ >= most_copied) do_copies();
}

/// Devices copy between places that do not overlap. Some at a time, from the end that the others do not reach.
Result<void> Delivery::move_within(u32 pe, u32 from, u32 to, u32 bytes) {
    constexpr u32 at_once = 4u << 20;
    for (u32 done = 0; done < bytes;) {
        const u32 length = std::min(at_once, bytes - done), at = to < from ? done : bytes - done - length;
        const Transfer out{pe, from + at, length, 0, false}, in{pe, to + at, length, 0, false};
        moved_.resize(to_words(length));
        MOG_TRY(fetch({&out, 1}, moved_));
        MOG_TRY(put_many({&in, 1}, moved_));
        done += length;
    }
    return {};
}

void Delivery::put(u32 pe, u32 address, std::span<const u8> bytes) {
    while (!bytes.empty()) {
        const auto length = static_cast<u32>(std::min<u64>(bytes.size(), most_staging));
        if (!replies_.transfers().empty() &&
            (replies_.staging().size() + length > most_staging || replies_.transfers().size() >= most_puts))
            do_puts();
        if (!failed_) return;
        std::memcpy(replies_.add(pe, address, length).data(), bytes.data(), length);
        address += length;
        bytes = bytes.subspan(length);
    }
}

void Delivery::put_result(u32 pe, u32 address, const mog_mpi_result &result) {
    if (address == 0) return;
    put(pe, address, {reinterpret_cast<const u8 *>(&result), sizeof result});
}

Result<void> Delivery::state() {
    if (!failed_) return failed_;
    return end_.is_due_after(0) ? Error{} : Result<void>();
}

Result<void> Delivery::put_many(std::span<const Transfer> transfers, std::span<const u8> staging) {
    // A device may want room for what each of them gets.
    for (std::size_t begin = 0, end = 0; begin < transfers.size(); begin = end) {
        u64 bytes = 0;
        for (; end < transfers.size() && (end == begin || bytes + transfers[end].length <= most_staging); end++)
            bytes += transfers[end].length;
        if (Result<void> done = device_.scatter(transfers.subspan(begin, end - begin), staging); !done) return done;
        if (end_.is_due_after(bytes)) return Error{};
    }
    return state();
}

Result<void> Delivery::fetch(std::span<const Transfer> transfers, std::span<u8> staging) {
    MOG_TRY(state());
    if (transfers.empty()) return {};
    MOG_TRY(device_.gather(transfers, staging));
    return end_.is_due_after(staging.size()) ? Error{} : Result<void>();
}

Result<void> Delivery::fetch(const Staging &plan, std::vector<u8> &staging) {
    // What one round wanted is not kept for all that follow.
    if (staging.capacity() > 2 * most_staging && plan.bytes() <= most_staging) staging = {};
    staging.resize(plan.bytes());
    return fetch(plan.transfers(), staging);
}

void Delivery::do_copies() {
    // Some at a time, so that the end of the run is not waited for.
    for (std::size_t begin = 0, end = 0; begin < copies_.size() && failed_; begin = end) {
        u64 bytes = 0;
        for (; end < copies_.size() && (end == begin || bytes + copies_[end].length <= most_copied); end++) bytes += copies_[end].length;
        keep_failure(device_.copy(std::span<const Copy>(copies_).subspan(begin, end - begin)));
        if (end_.is_due_after(bytes)) break;
    }
    copies_.clear();
    copied_ = 0;
}

void Delivery::do_puts() {
    if (failed_ && !replies_.transfers().empty()) keep_failure(device_.scatter(replies_.transfers(), replies_.staging()));
    const u64 bytes = replies_.staging().size();
    replies_.clear();
    end_.is_due_after(bytes);
}

Result<void> Delivery::flush(std::vector<u32> &resumed) {
    MOG_TRY(state());
    do_copies();
    do_puts();
    MOG_TRY(state());
    if (answers_.empty()) return {};
    for (const Answer &answer : answers_) resumed.push_back(answer.pe);
    Result<void> done = device_.answer(answers_, rows_);
    answers_.clear();
    return done;
}

}  // namespace mog::mpi
