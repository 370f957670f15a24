// mail.cpp
#include "runtime_host/mpi/pt2pt/mail.hpp"

#include <algorithm>
#include <numeric>

namespace mog::mpi {

namespace {

/// At most so many mailboxes are read at a time.
constexpr std::size_t at_once = 4096;
constexpr u32 longest_rest = 1u << 16;
/// A quarter of what was moved may be taken over, and some in any case.
constexpr u64 worth = 4, not_yet = 256;

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

Mail::Mail(Mailboxes &mailboxes, Device &device, AnswerRows rows, Messages &messages, u32 nproc)
    : mailboxes_(mailboxes), device_(device), rows_(rows), messages_(messages), is_closed_(nproc), is_read_(nproc) {
    mailboxes_.use(MOG_MAIL_WAITS);
}

/// What stands in a mailbox is the engine's from now on. `others`: PEs whose mailboxes have to follow.
void Mail::take_over(u32 pe, const u32 *words, std::vector<u32> &others) {
    const auto operation_at = [](const u32 *entry) {
        Operation o;
        o.context = entry[MOG_M_CONTEXT];
        o.peer = static_cast<std::int32_t>(entry[MOG_M_FROM]);
        o.tag = static_cast<std::int32_t>(entry[MOG_M_TAG]);
        o.bytes = entry[MOG_M_BYTES];
        o.type = static_cast<u8>(entry[MOG_M_TYPE]);
        return o;
    };
    for (u32 i = 0; i < std::min(words[MOG_M_POSTED], MOG_M_MOST_RECEIVES); i++) {
        const u32 *const posted = words + MOG_M_RECEIVES + i * MOG_M_RECEIVE_WORDS;
        Operation wanted = operation_at(posted);
        wanted.pe = pe;
        wanted.number = posted[MOG_M_THERE];
        wanted.address = posted[MOG_M_ADDRESS];
        wanted.result = posted[MOG_M_RESULT];
        messages_.take_receive(wanted);
        taken_++;
    }
    for (u32 t = words[MOG_M_HEAD]; t != words[MOG_M_TAIL]; t++) {
        const u32 *const place = words + MOG_M_PLACES + t % MOG_M_MOST_PLACES * MOG_M_PLACE_WORDS;
        if (place[MOG_M_THERE] == 0) continue;  // it was received
        Operation message = operation_at(place);
        message.pe = place[MOG_M_FROM];
        message.to = pe;
        taken_++;
        if ((place[MOG_M_TYPE] & MOG_M_LONG) == 0) {
            message.bytes = std::min(message.bytes, 4 * MOG_M_PAYLOAD_WORDS);
            messages_.take_message(message, {reinterpret_cast<const u8 *>(place + MOG_M_PAYLOAD), message.bytes});
        } else if (place[MOG_M_OUT_RESULT] == 0) {
            unblocked_.push_back(message.pe);
        } else {
            message.address = place[MOG_M_OUT_ADDRESS];
            message.result = place[MOG_M_OUT_RESULT];
            message.number = place[MOG_M_OUT_NUMBER];
            messages_.take_message(message);
            others.push_back(message.pe);
        }
    }
}

/// Mailboxes of these PEs, and of all who have to do with what is in them.
Result<void> Mail::empty(std::vector<u32> pes) {
    std::vector<Transfer> transfers;
    std::vector<u32> words, read_pes;
    const auto read = [&](std::span<const u32> those, u32 count) {
        transfers.clear();
        for (const u32 pe : those)
            transfers.push_back({pe, mailboxes_.address(), 4 * count, static_cast<u32>(transfers.size()) * 4 * count, false});
        words.resize(transfers.size() * count);
        return device_.gather(transfers, {reinterpret_cast<u8 *>(words.data()), 4 * words.size()});
    };
    while (!pes.empty()) {
        std::vector<u32> some, filled, others;
        for (; !pes.empty() && some.size() < at_once; pes.pop_back())
            if (!is_read_[pes.back()]) {
                some.push_back(pes.back());
                is_read_[pes.back()] = true;
                read_pes.push_back(pes.back());
            }
        MOG_TRY(read(some, MOG_M_PLACES));
        for (std::size_t i = 0; i < some.size(); i++) {
            const u32 *const header = words.data() + i * MOG_M_PLACES;
            bool sends = false;
            for (u32 k = 0; k < MOG_M_MOST_SENDS; k++)
                if (header[MOG_M_SENDS + 2 * k] != 0) {
                    sends = true;
                    others.push_back(header[MOG_M_SENDS + 2 * k + 1]);
                }
            if (header[MOG_M_HEAD] != header[MOG_M_TAIL] || header[MOG_M_POSTED] != 0 || sends) filled.push_back(some[i]);
            if (header[MOG_M_BLOCKED] == 2) taken_from_.push_back(some[i]);
        }
        MOG_TRY(read(filled, MOG_M_WORDS));
        for (std::size_t i = 0; i < filled.size(); i++) {
            const u32 *const box = words.data() + i * MOG_M_WORDS;
            take_over(filled[i], box, others);
            emptied_.push_back(filled[i]);
            tails_.push_back(box[MOG_M_TAIL]);
        }
        for (const u32 pe : others)
            if (pe < is_read_.size() && !is_read_[pe]) pes.push_back(pe);
    }
    for (const u32 pe : read_pes) is_read_[pe] = false;
    return {};
}

/// Calls of PEs that have stopped without the host's knowing, to be made again: they are done, and give 0.
Result<void> Mail::complete(std::span<const u32> pes) {
    if (pes.empty()) return {};
    std::vector<Transfer> transfers;
    std::vector<Answer> answers;
    for (const u32 pe : pes) {
        transfers.push_back({pe, MOG_S_PC, 4, static_cast<u32>(4 * transfers.size()), true});
        answers.push_back({pe, 0, false});
    }
    std::vector<u32> places(pes.size());
    MOG_TRY(device_.gather(transfers, {reinterpret_cast<u8 *>(places.data()), 4 * places.size()}));
    for (u32 &place : places) place++;
    MOG_TRY(device_.scatter(transfers, {reinterpret_cast<const u8 *>(places.data()), 4 * places.size()}));
    return device_.answer(answers, rows_);
}

Result<void> Mail::collect(std::span<const Request> calls) {
    concerned_.clear();
    callers_.clear();
    done_.clear();
    if (has_ended_) return {};
    for (const Request &call : calls) {
        const u32 *const w = call.data() + MOG_Q_ARG, operation = w[0] & 0xff;
        if (!is_of_messages(operation)) continue;
        callers_.push_back(call[MOG_Q_PE]);
        if (operation == MOG_MPI_send && (w[1] & ~MOG_MPI_INTERNAL) == MOG_MPI_WORLD && w[3] < is_closed_.size())
            concerned_.push_back(w[3]);
    }
    concerned_.insert(concerned_.end(), callers_.begin(), callers_.end());
    std::ranges::sort(concerned_);
    concerned_.erase(std::ranges::unique(concerned_).begin(), concerned_.end());
    if (!has_moved_ || resting_ != 0) return {};
    if (taken_ * worth > moved_ + not_yet) return rest();
    MOG_TRY(empty(concerned_));
    for (const u32 pe : taken_from_)
        if (std::ranges::binary_search(callers_, pe)) {
            done_.push_back(pe);
            unblocked_.push_back(pe);
        }
    taken_from_.clear();
    return {};
}

Result<void> Mail::settle() {
    callers_.clear();
    done_.clear();
    MOG_TRY(collect_all());
    return has_ended_ ? Result<void>() : open_and_close({});
}

/// All that is in mailboxes.
Result<void> Mail::collect_all() {
    if (has_ended_ || !has_moved_ || resting_ != 0) return {};
    MOG_TRY(open_and_close({}));  // what was taken over in this round is not to be taken again
    std::vector<u32> all(is_closed_.size()), others;
    std::iota(all.begin(), all.end(), 0u);
    MOG_TRY(empty(std::move(all)));
    has_moved_ = false;
    for (const u32 pe : taken_from_) {
        if (is_done(pe)) continue;
        (std::ranges::binary_search(callers_, pe) ? done_ : others).push_back(pe);
        unblocked_.push_back(pe);
    }
    taken_from_.clear();
    return complete(others);
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
    const auto put_at = [&](u32 pe, u32 word, std::initializer_list<u32> values) {
        const auto bytes = static_cast<u32>(4 * values.size());
        transfers.push_back({pe, mailboxes_.address() + 4 * word, bytes, static_cast<u32>(4 * staging.size()), false});
        staging.insert(staging.end(), values);
    };
    for (std::size_t i = 0; i < emptied_.size(); i++) {
        const u32 pe = emptied_[i], tail = tails_[i];
        is_closed_[pe] = messages_.has_some(pe);
        put_at(pe, MOG_M_CLOSED, {is_closed_[pe] ? 1u : 0u, tail, tail, tail, 0});
        static_assert(MOG_M_MOST_SENDS == 4);
        put_at(pe, MOG_M_SENDS, {0, 0, 0, 0, 0, 0, 0, 0});
    }
    emptied_.clear();
    tails_.clear();
    for (const u32 pe : unblocked_) put_at(pe, MOG_M_BLOCKED, {0});
    unblocked_.clear();
    for (const u32 pe : pes) {
        const bool closed = messages_.has_some(pe);
        if (closed == is_closed_[pe]) continue;
        is_closed_[pe] = closed;
        put_at(pe, MOG_M_CLOSED, {closed ? 1u : 0u});
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
    MOG_TRY(collect_all());
    MOG_TRY(open_and_close({}));
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
