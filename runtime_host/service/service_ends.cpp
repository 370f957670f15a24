// service_ends.cpp: how PEs end: by their own exit, by faults and signals, by limits; and what is kept of them.
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/guest_names.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/service/service_loop.hpp"

namespace mog {

namespace {

constexpr std::uint32_t stack_words = 512;  // fetched at once of PEs whose callers have to be found
constexpr std::size_t pes_at_once = 4096;   // of which they are fetched
constexpr int cancel_status = 128 + static_cast<int>(guest::SIGTERM_MIPS);

EndedBy how_ended(Ending::By by) {
    switch (by) {
        case Ending::By::Fault:
            return EndedBy::Fault;
        case Ending::By::Signal:
            return EndedBy::Signal;
        case Ending::By::Fuel:
            return EndedBy::Fuel;
        case Ending::By::Deadlock:
            return EndedBy::Deadlock;
        case Ending::By::Abort:
            return EndedBy::Abort;
        case Ending::By::Timeout:
            break;
    }
    return EndedBy::Timeout;
}

}  // namespace

void ServiceLoop::end(std::uint32_t pe, EndedBy by, int status, std::uint32_t signal) {
    output_.finish_lines(pe);
    processes_[pe].descriptors = {};
    files_.locks().ended(pe);
    processes_[pe].has_descriptors = true;
    states_[pe] = PeState::Ended;
    ends_[pe] = {by, status, static_cast<int>(signal), 0};
    ended_++;
    active_changed_ = true;
    if (mpi_) mpi_->ended(pe);
}

/// As messages name them.
std::vector<std::uint32_t> ServiceLoop::world_ranks(std::vector<std::uint32_t> pes) const {
    for (std::uint32_t &pe : pes) pe += config_.first_rank;
    return pes;
}

std::vector<std::uint32_t> ServiceLoop::all_running() const {
    std::vector<std::uint32_t> pes;
    for (std::uint32_t pe = 0; pe < config_.nproc; pe++)
        if (states_[pe] != PeState::Ended) pes.push_back(pe);
    return pes;
}

/// Ends PEs that faulted or got a signal (`signals`, 0 for a fault).
Result<void> ServiceLoop::end_faulty(std::span<const Request> faults, std::span<const std::uint32_t> signals) {
    std::vector<Ending> endings;
    std::vector<StoppedPe::Facts> facts;
    for (std::size_t i = 0; i < faults.size(); i++) {
        const Request &q = faults[i];
        const Ending::By by = signals[i] ? Ending::By::Signal : Ending::By::Fault;
        endings.push_back({by, q[MOG_Q_STOP], q[MOG_Q_INFO], signals[i], {}, {}});
        const std::uint32_t at = q[MOG_Q_STOP] == MOG_STOP_SYS && q[MOG_Q_PC] ? q[MOG_Q_PC] - 1 : q[MOG_Q_PC];
        facts.push_back({q[MOG_Q_PE], at, q[MOG_Q_SP], q[MOG_Q_RA], 0, 0});
    }
    return end_with(endings, facts);
}

/// Ends PEs that stand between two launches, or wait for a system call.
Result<void> ServiceLoop::end_by_limit(Ending::By limit, std::span<const std::uint32_t> pes) {
    return end_where_they_stand(std::vector<Ending>(pes.size(), {limit, 0, 0, 0, {}, {}}), pes);
}

Result<std::vector<StoppedPe::Facts>> ServiceLoop::where_they_stand(std::span<const std::uint32_t> pes) {
    const std::uint32_t rows[] = {MOG_S_PC, result_row(Role::sp), result_row(Role::ra)};
    std::vector<Transfer> transfers;
    for (std::uint32_t i = 0; i < pes.size(); i++)
        for (std::uint32_t k = 0; k < 3; k++) transfers.push_back({pes[i], rows[k], 4, 4 * (3 * i + k), true});
    std::vector<std::uint32_t> words(transfers.size());
    std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size());
    if (!transfers.empty())
        if (Result<void> done = device_.gather(transfers, bytes); !done) return done.error();
    std::vector<StoppedPe::Facts> facts;
    for (std::size_t i = 0; i < pes.size(); i++) {
        const std::uint32_t pc = words[3 * i];
        const PeState state = states_[pes[i]];
        const bool waits = state == PeState::Waits || state == PeState::Calls || state == PeState::Parked;
        facts.push_back({pes[i], waits && pc ? pc - 1 : pc, words[3 * i + 1], words[3 * i + 2], 0, 0});
    }
    return facts;
}

Result<void> ServiceLoop::end_where_they_stand(std::span<const Ending> endings, std::span<const std::uint32_t> pes) {
    Result<std::vector<StoppedPe::Facts>> facts = where_they_stand(pes);
    return facts ? end_with(endings, *facts) : facts.error();
}

/// Of a PE that stands in a call: "in main at t.c:7"; empty if nothing is known.
std::string ServiceLoop::place_of(std::uint32_t pe) {
    const Result<std::vector<StoppedPe::Facts>> facts = where_they_stand({&pe, 1});
    if (!facts) return {};
    StoppedPe stopped(device_, image_, services_.data_bytes, facts->front());
    return faults_.place_of(stopped);
}

/// Ends PEs, after a look at the heap's end, $fp and, of those whose place has no source line, the stack of each.
Result<void> ServiceLoop::end_with(std::span<const Ending> endings, std::span<StoppedPe::Facts> facts) {
    // In pieces: the stacks of a million PEs at once would be gigabytes.
    for (std::size_t at = 0; at < facts.size(); at += pes_at_once) {
        const std::size_t count = std::min(pes_at_once, facts.size() - at);
        if (Result<void> done = end_some_with(endings.subspan(at, count), facts.subspan(at, count)); !done) return done;
    }
    return {};
}

Result<void> ServiceLoop::end_some_with(std::span<const Ending> endings, std::span<StoppedPe::Facts> facts) {
    const std::optional<std::uint32_t> fp = find_register(image_, "fp");
    std::vector<Transfer> transfers;
    std::vector<std::uint32_t> first;  // word of each PE's heap end; its $fp and the words of its stack follow
    std::uint32_t words = 0;
    for (const StoppedPe::Facts &f : facts) {
        first.push_back(words);
        transfers.push_back({f.pe, MOG_DATA_BASE + 4 * MOG_CB_BRK, 4, 4 * words++, false});
        if (fp) transfers.push_back({f.pe, MOG_S_REGS + *fp, 4, 4 * words, true});
        words++;
        if (!faults_.wants_stack(StoppedPe(device_, image_, services_.data_bytes, f))) continue;
        if ((f.sp & 3) != 0 || !in_data(f.sp, 4)) continue;
        const std::uint32_t size = std::min(stack_words, (MOG_DATA_BASE + services_.data_bytes - f.sp) / 4);
        transfers.push_back({f.pe, f.sp, 4 * size, 4 * words, false});
        words += size;
    }
    first.push_back(words);
    std::vector<std::uint32_t> content(words);
    std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t *>(content.data()), 4 * content.size());
    if (Result<void> done = device_.gather(transfers, bytes); !done) return done;
    for (std::size_t i = 0; i < facts.size(); i++) {
        facts[i].brk = content[first[i]];
        facts[i].fp = content[first[i] + 1];
        StoppedPe pe(device_, image_, services_.data_bytes, facts[i]);
        pe.set_window(facts[i].sp, {content.data() + first[i] + 2, first[i + 1] - first[i] - 2});
        const FaultLog::Recorded recorded = faults_.record(endings[i], pe);
        dump_core(endings[i], recorded.is_first, pe);
        if (fault_status_ == 0 && signal_of(endings[i]) != 0) fault_status_ = recorded.status;
        if (signal_of(endings[i]) != 0)
            trace(facts[i].pe, fmt::format("+++ killed by {} +++", guest::signal_text(signal_of(endings[i]))));
        end(facts[i].pe, how_ended(endings[i].by), recorded.status, signal_of(endings[i]));
        ends_[facts[i].pe].cause = recorded.cause;
    }
    return {};
}

Result<void> ServiceLoop::end_all_by_timeout() {
    const std::vector<std::uint32_t> pes = all_running();
    if (Result<void> ended = end_by_limit(Ending::By::Timeout, pes); !ended) return ended;
    waiting_.clear();
    result_.status = limit_status;
    return {};
}

/// Nobody waits for their results any more, so nothing is told about them.
void ServiceLoop::end_all_by_cancel() {
    for (const std::uint32_t pe : all_running()) end(pe, EndedBy::Cancel, cancel_status);
    waiting_.clear();
    is_cancelled_ = true;
    result_.status = cancel_status;
}

/// --on-fault=abort: the others end with the first that went wrong.
void ServiceLoop::end_all_for_fault() {
    const std::vector<std::uint32_t> pes = all_running();
    for (const std::uint32_t pe : pes) end(pe, EndedBy::OthersFault, fault_status_);
    waiting_.clear();
    output_.flush();
    faults_.tell_all();
    result_.status = fault_status_;
    if (config_.bridge) mpi_->ending().end_all(fault_status_);
    if (!pes.empty()) config_.say(name_ranks(world_ranks(pes), config_.world()) + "ended, for another went wrong (--on-fault=abort)");
}

// ---- fuel: a pass is one instruction, and each PE has as many as it has left -------------------------------------------

Result<void> ServiceLoop::end_those_without_fuel() {
    if (!config_.options.fuel) return {};
    std::vector<std::uint32_t> pes;
    for (std::uint32_t pe = 0; pe < config_.nproc; pe++)
        if (states_[pe] == PeState::Runs && fuel_left_[pe] == 0) pes.push_back(pe);
    return pes.empty() ? Result<void>() : end_by_limit(Ending::By::Fuel, pes);
}

std::span<const std::uint32_t> ServiceLoop::plan_passes() {
    passes_.clear();
    if (config_.options.fuel)
        for (const std::uint32_t pe : active_)
            passes_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(slice_, fuel_left_[pe])));
    return passes_;
}

void ServiceLoop::use_fuel(std::span<const Request> stopped) {
    if (!config_.options.fuel) return;
    auto request = stopped.begin();
    for (std::size_t i = 0; i < active_.size(); i++) {
        const std::uint32_t pe = active_[i];
        fuel_left_[pe] -= passes_[i];
        if (request == stopped.end() || (*request)[MOG_Q_PE] != pe) continue;
        fuel_left_[pe] += (*request)[MOG_Q_LEFT];
        ++request;
    }
}

// ---- cores ----------------------------------------------------------------------------------------------------------

void ServiceLoop::dump_core(const Ending &ending, bool is_first, StoppedPe &pe) {
    if (!config_.options.cores.wants(config_.first_rank + pe.pe(), is_first)) return;
    Result<void> written = write_core(config_.options.cores, config_.core, image_, pe, config_.first_rank + pe.pe(), signal_of(ending),
                                      ending.by == Ending::By::Fault ? ending.info : 0);
    if (written)
        cores_.push_back(pe.pe());
    else
        config_.say(fmt::format("no core of PE {}: {}", config_.first_rank + pe.pe(), written.error().text()));
}

void ServiceLoop::tell_cores() {
    if (cores_.empty()) return;
    std::sort(cores_.begin(), cores_.end());
    config_.say(fmt::format("wrote core{} of PE{} {}: {}", cores_.size() > 1 ? "s" : "", cores_.size() > 1 ? "s" : "",
                            fold_ranks(world_ranks(cores_)), core_path(config_.options.cores, config_.first_rank + cores_.front()).string()));
}

}  // namespace mog
