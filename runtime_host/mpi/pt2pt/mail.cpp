// mail.cpp
#include "runtime_host/mpi/pt2pt/mail.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace mog::mpi {

namespace {

/// At most so many mailboxes are read at a time.
constexpr std::size_t at_once = 4096;
constexpr u32 longest_rest = 1u << 16;
/// A quarter of what was moved may be taken over, and some in any case.
constexpr u64 worth = 4, not_yet = 256;
constexpr u32 mailbox_bytes = 4 * MOG_M_WORDS, header_bytes = 4 * MOG_M_HEADER_WORDS;

bool is_of_messages(u32 operation) {
    switch (operation) {
        case MOG_MPI_send:
        case MOG_MPI_receive:
        case MOG_MPI_probe:
        case MOG_MPI_wait:
        case MOG_MPI_yield:
        case MOG_MPI_cancel:
        case MOG_MPI_variable:
        case MOG_MPI_finalize: return true;
        default: return false;
    }
}

}  // namespace

Mail::Mail(Mailboxes &mailboxes, Device &device, Messages &messages, u32 nproc)
    : mailboxes_(mailboxes), device_(device), messages_(messages), is_closed_(nproc) {
    mailboxes_.use(MOG_MAIL_WAITS);
}

/// What stands in a mailbox is the engine's from now on.
void Mail::take_over(u32 pe, const u32 *words) {
    for (u32 i = 0; i < std::min(words[MOG_M_POSTED], MOG_M_MOST_RECEIVES); i++) {
        const u32 *const posted = words + MOG_M_RECEIVES + i * MOG_M_RECEIVE_WORDS;
        Operation wanted;
        wanted.pe = pe;
        wanted.number = posted[MOG_M_THERE];
        wanted.context = posted[MOG_M_CONTEXT];
        wanted.peer = static_cast<std::int32_t>(posted[MOG_M_FROM]);
        wanted.tag = static_cast<std::int32_t>(posted[MOG_M_TAG]);
        wanted.address = posted[MOG_M_ADDRESS];
        wanted.bytes = posted[MOG_M_BYTES];
        wanted.result = posted[MOG_M_RESULT];
        wanted.type = static_cast<u8>(posted[MOG_M_TYPE]);
        messages_.take_receive(wanted);
        taken_++;
    }
    for (u32 t = words[MOG_M_HEAD]; t != words[MOG_M_TAIL]; t++) {
        const u32 *const place = words + MOG_M_PLACES + t % MOG_M_MOST_PLACES * MOG_M_PLACE_WORDS;
        if (place[MOG_M_THERE] == 0) continue;  // it was received
        Operation message;
        message.pe = place[MOG_M_FROM];
        message.to = pe;
        message.context = place[MOG_M_CONTEXT];
        message.peer = static_cast<std::int32_t>(place[MOG_M_FROM]);
        message.tag = static_cast<std::int32_t>(place[MOG_M_TAG]);
        message.bytes = std::min(place[MOG_M_BYTES], 4 * MOG_M_PAYLOAD_WORDS);
        message.type = static_cast<u8>(place[MOG_M_TYPE]);
        messages_.take_message(message, {reinterpret_cast<const u8 *>(place + MOG_M_PAYLOAD), message.bytes});
        taken_++;
    }
}

Result<void> Mail::empty(std::span<const u32> pes) {
    std::vector<Transfer> transfers;
    std::vector<u8> staging;
    while (!pes.empty()) {
        const std::span<const u32> some = pes.first(std::min(pes.size(), at_once));
        pes = pes.subspan(some.size());
        const auto read = [&](std::span<const u32> those, u32 bytes) {
            transfers.clear();
            for (const u32 pe : those)
                transfers.push_back({pe, mailboxes_.address(), bytes, static_cast<u32>(transfers.size()) * bytes, false});
            staging.resize(transfers.size() * bytes);
            return device_.gather(transfers, staging);
        };
        std::vector<u32> filled;
        for (const u32 pe : some)
            if (!is_closed_[pe]) filled.push_back(pe);
        MOG_TRY(read(filled, header_bytes));
        const std::vector<u32> open = std::exchange(filled, {});
        std::array<u32, MOG_M_WORDS> words;
        for (std::size_t i = 0; i < open.size(); i++) {
            std::memcpy(words.data(), staging.data() + i * header_bytes, header_bytes);
            if (words[MOG_M_HEAD] != words[MOG_M_TAIL] || words[MOG_M_POSTED] != 0) filled.push_back(open[i]);
        }
        MOG_TRY(read(filled, mailbox_bytes));
        for (std::size_t i = 0; i < filled.size(); i++) {
            std::memcpy(words.data(), staging.data() + i * mailbox_bytes, mailbox_bytes);
            take_over(filled[i], words.data());
            emptied_.push_back(filled[i]);
            tails_.push_back(words[MOG_M_TAIL]);
        }
    }
    return {};
}

Result<void> Mail::collect(std::span<const Request> calls) {
    concerned_.clear();
    if (has_ended_) return {};
    for (const Request &call : calls) {
        const u32 *const w = call.data() + MOG_Q_ARG, operation = w[0] & 0xff;
        if (!is_of_messages(operation)) continue;
        concerned_.push_back(call[MOG_Q_PE]);
        if (operation == MOG_MPI_send && (w[1] & ~MOG_MPI_INTERNAL) == MOG_MPI_WORLD && w[3] < is_closed_.size())
            concerned_.push_back(w[3]);
    }
    std::ranges::sort(concerned_);
    concerned_.erase(std::ranges::unique(concerned_).begin(), concerned_.end());
    if (!has_moved_ || resting_ != 0) return {};
    return taken_ * worth > moved_ + not_yet ? rest() : empty(concerned_);
}

Result<void> Mail::settle() {
    MOG_TRY(collect_all());
    return has_ended_ ? Result<void>() : open_and_close({});
}

/// All that is in mailboxes.
Result<void> Mail::collect_all() {
    if (has_ended_ || !has_moved_ || resting_ != 0) return {};
    std::vector<u32> all(is_closed_.size());
    std::iota(all.begin(), all.end(), 0u);
    MOG_TRY(empty(all));
    has_moved_ = false;
    return {};
}

/// For as many launches as is due.
Result<void> Mail::rest() {
    MOG_TRY(collect_all());
    resting_ = next_rest_;
    next_rest_ = std::min(2 * next_rest_, longest_rest);
    mailboxes_.use(MOG_MAIL_RESTS);
    return {};
}

/// Of PEs, ascending, and of those that were emptied.
Result<void> Mail::open_and_close(std::span<const u32> pes) {
    static_assert(MOG_M_CLOSED == 0 && MOG_M_TAIL == 1 && MOG_M_HEAD == 2 && MOG_M_SEEN == 3 && MOG_M_POSTED == 4);
    std::vector<Transfer> transfers;
    std::vector<u32> staging;
    const auto put = [&](u32 pe, std::initializer_list<u32> words) {
        const auto bytes = static_cast<u32>(4 * words.size());
        transfers.push_back({pe, mailboxes_.address(), bytes, static_cast<u32>(4 * staging.size()), false});
        staging.insert(staging.end(), words);
    };
    for (std::size_t i = 0; i < emptied_.size(); i++) {
        const u32 pe = emptied_[i], tail = tails_[i];
        is_closed_[pe] = messages_.has_some(pe);
        put(pe, {is_closed_[pe] ? 1u : 0u, tail, tail, tail, 0});
    }
    emptied_.clear();
    tails_.clear();
    for (const u32 pe : pes) {
        const bool closed = messages_.has_some(pe);
        if (closed == is_closed_[pe]) continue;
        is_closed_[pe] = closed;
        put(pe, {closed ? 1u : 0u});
    }
    if (transfers.empty()) return {};
    return device_.scatter(transfers, {reinterpret_cast<const u8 *>(staging.data()), 4 * staging.size()});
}

Result<void> Mail::end_round() {
    if (has_ended_) return {};
    // While they rest, only what was emptied: others are seen to when that is over.
    return open_and_close(resting_ != 0 ? std::span<const u32>() : concerned_);
}

Result<void> Mail::end() {
    if (has_ended_) return {};
    MOG_TRY(settle());
    has_ended_ = true;
    mailboxes_.use(MOG_MAIL_RESTS);
    return {};
}

Result<void> Mail::begin_anew() {
    if (has_ended_) return {};
    std::vector<u32> all(is_closed_.size());
    std::iota(all.begin(), all.end(), 0u);
    return open_and_close(all);
}

Result<void> Mail::launched(bool is_quiet) {
    if (has_ended_) return {};
    if (resting_ != 0) {
        if (--resting_ != 0) return {};
        moved_ = taken_ = 0;
        mailboxes_.use(MOG_MAIL_WAITS);
        return begin_anew();
    }
    const u32 moved = mailboxes_.moved();
    moved_ += moved;
    has_moved_ = has_moved_ || moved != 0;
    mailboxes_.use(is_quiet && moved == 0 ? MOG_MAIL_GOES : MOG_MAIL_WAITS);
    return {};
}

}  // namespace mog::mpi
