// reverse.cpp: back in a PE's history, and forward again over it.
//
// gdb goes back with one PE, the one that it has selected; the others stay where they are. A PE in the past does again what it did, and
// gets at its calls what it was given then, so nobody is asked and nothing is printed. No PE goes on from the present before all are there.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/gdb/debugger.hpp"

namespace mog::gdb {

namespace {

/// PEs whose histories are kept; gdb is told by --gdb-ranks of which, where there are more.
constexpr std::uint32_t most_histories = 64;
/// Instructions before the present place that are looked at to go back one by one.
constexpr std::uint64_t steps_at_once = 2048;
/// The same to find the place behind an access.
constexpr std::uint64_t steps_before_access = 64;

}  // namespace

/// No break stops a PE while this lives.
class Debugger::WithoutBreaks {
public:
    explicit WithoutBreaks(Debugger &debugger) : ignores_(debugger.ignores_breaks_), before_(std::exchange(ignores_, true)) {}
    ~WithoutBreaks() { ignores_ = before_; }
    WithoutBreaks(const WithoutBreaks &) = delete;
    WithoutBreaks &operator=(const WithoutBreaks &) = delete;

private:
    bool &ignores_;
    const bool before_;
};

/// At the same count, instructions of which nothing is left come before the one that is executed.
bool Debugger::Place::is_before(const Place &other) const {
    if (count != other.count) return count < other.count;
    return shown != 0 && (other.shown == 0 || shown < other.shown);
}

/// Where the device counts, and nobody else writes into the memory of PEs while they run.
void Debugger::begin_history() {
    history_.reset();
    steps_ = {};
    if (history_limit_ == 0 || device_->info().id != "reference" || pes_ != processes_ || addresses_.window_bytes != 0) return;
    std::vector<u32> pes;
    for (u32 pe = 0; pe < pes_; ++pe)
        if (is_shown(pe)) pes.push_back(pe);
    if (pes.empty() || pes.size() > most_histories) return;
    history_.emplace(*device_, pes_, addresses_.data_bytes, MOG_S_REGS + static_cast<u32>(image_->register_names.size()), history_limit_);
    in_present_.assign(pes_, {});
    for (const u32 pe : pes)
        if (!history_->begin(pe)) break;
    if (!history_->has(pes.front())) history_.reset();
}

bool Debugger::has_past() const { return history_ && history_->has_past(); }

Debugger::Place Debugger::place_of(u32 pe) { return {history_->count(pe), seen_[pe].shown}; }

void Debugger::leave_present(u32 pe) {
    if (!history_->is_past(pe)) in_present_[pe] = seen_[pe];
}

/// A PE that came to the present is as it was when it left it.
bool Debugger::arrives(u32 pe) {
    if (!history_->arrives(pe)) return false;
    Seen present = in_present_[pe];
    present.wish = seen_[pe].wish;
    present.stepped = seen_[pe].stepped;
    seen_[pe] = std::move(present);
    return true;
}

void Debugger::forget_place(u32 pe) {
    Seen &seen = seen_[pe];
    seen.in_call = seen.stepped = false;
    seen.from = seen.shown = seen.past_at = seen.past = 0;
    seen.fault.reset();
}

// ---- forward again ------------------------------------------------------------------------------------------------------------

/// What stops it is breaks, if it heeds them; calls and faults are over as they were.
std::optional<Request> Debugger::run_past(u32 pe, u32 passes, bool heeds) {
    heeds = heeds && !ignores_breaks_ && !is_break_.empty() && is_bound_[pe];
    if (!is_quiet_) steps_ = {};
    history_->apply(pe);
    while (!arrives(pe) && passes != 0) {
        const std::uint64_t begin = history_->count(pe);
        const std::uint64_t most = std::min<std::uint64_t>(passes, history_->next(pe) - begin);
        device_->heed_breaks(heeds);
        Result<std::vector<Request>> stopped = device_->run({&pe, 1}, static_cast<u32>(most), {});
        device_->heed_breaks(false);
        if (!stopped) {
            failure_ = stopped.error();
            return std::nullopt;
        }
        passes -= static_cast<u32>(std::min<std::uint64_t>(passes, history_->count(pe) - begin));
        const bool has_come = history_->apply(pe);
        if (stopped->empty() || arrives(pe)) continue;
        Request record = stopped->front();
        if (heeds) stand_at_break(record);
        if (is_by_break(record)) {
            record[MOG_Q_LEFT] = passes;
            return record;
        }
        if (record[MOG_Q_STOP] >= MOG_STOP_FIRST_FAULT && !has_come) {
            failure_ = Error{fmt::format("--gdb: {} does not do again what it did", name_of_thread(pe))};
            return std::nullopt;
        }
    }
    return std::nullopt;
}

/// Those who are in the past, as gdb wants it.
void Debugger::run_in_past(std::vector<Request> &out) {
    look_for_interrupt(0);
    if (mode_ != Mode::running) return;
    bool has_moved = false;
    std::vector<u32> going;
    for (u32 pe = 0; pe < pes_ && !event_ && !failure_; ++pe) {
        if (!history_->is_past(pe)) continue;
        const Wish::Kind kind = seen_[pe].wish.kind;
        if (kind == Wish::Kind::rests) continue;
        has_moved = true;
        if (kind == Wish::Kind::steps) {
            step(pe, most_passes, out);
            continue;
        }
        seen_[pe].shown = 0;
        going.push_back(pe);
        run_some({&pe, 1}, most_passes, out);
        if (!history_->is_past(pe)) happen({pe, gdb_sigtrap, "replaylog:end;"});
    }
    if (failure_) return;
    if (event_) {
        std::erase_if(going, [this](u32 pe) { return !history_->is_past(pe); });
        settle(unsettled(going, out), out);
        return stop();
    }
    if (has_moved) return;
    tell_nobody_runs();
    if (mode_ == Mode::running) look_for_interrupt(1);
    if (mode_ == Mode::running && event_) stop();
}

/// Until gdb has let all of them come to the present.
void Debugger::go_through_past() {
    for (std::vector<Request> none; mode_ == Mode::running && !failure_ && has_past();) run_in_past(none);
}

/// Not further than the present.
void Debugger::run_to(u32 pe, std::uint64_t count) {
    const WithoutBreaks none(*this);
    history_->apply(pe);
    while (!failure_ && history_->is_past(pe) && history_->count(pe) < count)
        (void)run_past(pe, static_cast<u32>(std::min<std::uint64_t>(UINT32_MAX, count - history_->count(pe))), false);
    if (history_->is_past(pe)) (void)arrives(pe);
}

void Debugger::to_boundary(u32 pe) {
    const WithoutBreaks none(*this);
    while (!failure_ && history_->is_past(pe) && !places_->is_boundary(row(pe, MOG_S_PC))) (void)run_past(pe, 1, false);
}

void Debugger::return_to_present(u32 pe) {
    if (!history_ || !history_->is_past(pe)) return;
    const std::uint64_t present = history_->present(pe);
    steps_ = {};
    history_->restore(pe, present);
    run_to(pe, present);
}

// ---- what the run does to PEs: in the present ---------------------------------------------------------------------------------

Result<void> Debugger::gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) {
    if (has_past())
        for (const Transfer &t : transfers) return_to_present(t.pe);
    return device_->gather(transfers, staging);
}

Result<void> Debugger::scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) {
    if (has_past())
        for (const Transfer &t : transfers) return_to_present(t.pe);
    MOG_TRY(device_->scatter(transfers, staging));
    if (history_)
        for (const Transfer &t : transfers) history_->wrote(t.pe, t.address, staging.subspan(t.staging, t.length), t.is_state);
    return {};
}

Result<void> Debugger::answer(std::span<const Answer> answers, AnswerRows rows) {
    if (has_past())
        for (const Answer &answer : answers) return_to_present(answer.pe);
    MOG_TRY(device_->answer(answers, rows));
    if (!history_) return {};
    for (const Answer &answer : answers)
        for (const auto &[at, value] : {std::pair{rows.v0, answer.value}, std::pair{rows.a3, u32{answer.failed}}})
            history_->wrote(answer.pe, at, {reinterpret_cast<const std::uint8_t *>(&value), sizeof value}, true);
    return {};
}

Result<void> Debugger::copy(std::span<const Copy> copies) {
    if (has_past())
        for (const Copy &copy : copies) {
            return_to_present(copy.from_pe);
            return_to_present(copy.to_pe);
        }
    MOG_TRY(device_->copy(copies));
    if (!history_) return {};
    for (const Copy &copy : copies) {
        if (!history_->has(copy.to_pe) || copy.length == 0) continue;
        std::vector<std::uint8_t> bytes(copy.length);
        const Transfer transfer{copy.to_pe, copy.to, copy.length, 0, false};
        MOG_TRY(device_->gather({&transfer, 1}, bytes));
        history_->wrote(copy.to_pe, copy.to, bytes, false);
    }
    return {};
}

// ---- back -----------------------------------------------------------------------------------------------------------------------

std::string Debugger::reverse(bool is_step) {
    const u32 pe = continued_ != no_pe ? continued_ : general_;
    if (!history_ || !history_->has(pe) || !is_thread(pe)) return "E01";
    patch();
    Event event{pe, gdb_sigtrap, ""};
    if (!(is_step ? step_back(pe) : continue_back(pe, event))) {
        to_first(pe);
        event.reason = "replaylog:begin;";
    }
    if (failure_) return "E01";
    event_ = std::move(event);
    general_ = pe;
    listed_.insert(pe);
    return stop_reply();
}

/// Where its history begins, or a little after, for gdb sees PEs before instructions.
void Debugger::to_first(u32 pe) {
    leave_present(pe);
    steps_ = {};
    const std::uint64_t first = history_->first(pe);
    history_->restore(pe, first);
    forget_place(pe);
    run_to(pe, first);
    to_boundary(pe);
}

/// To where gdb would see it if it had made a step less. False: nothing is kept of that.
bool Debugger::step_back(u32 pe) {
    leave_present(pe);
    const Place now = place_of(pe);
    // In a call it is seen at the instruction that makes it, which it has executed.
    const std::size_t back = seen_[pe].in_call ? 2 : 1;
    if (steps_.pe != pe || steps_.at != now || steps_.steps.size() < back) {
        const std::uint64_t first = history_->first(pe);
        for (std::uint64_t window = steps_at_once;; window *= 16) {
            const std::uint64_t from = now.count > first + window ? now.count - window : first;
            if (!walk(pe, from, [&](const Place &here) { return here == now || now.count < here.count; })) return false;
            if (steps_.steps.size() >= back || from == first) break;
        }
        if (steps_.steps.size() < back) return false;
    }
    for (std::size_t i = 1; i < back; ++i) steps_.steps.pop_back();
    const Steps::Step &step = steps_.steps.back();
    history_->keep_undos(&steps_.undos);
    history_->back_to(pe, step.point);
    history_->keep_undos(nullptr);
    forget_place(pe);
    seen_[pe].shown = step.place.shown;
    seen_[pe].past_at = step.past_at;
    seen_[pe].past = step.past;
    steps_.at = step.place;
    steps_.steps.pop_back();
    return true;
}

/// Step by step to a place, each such that it can be undone.
bool Debugger::walk(u32 pe, std::uint64_t from, const std::function<bool(const Place &)> &is_there) {
    steps_ = {};
    history_->restore(pe, from);
    forget_place(pe);
    run_to(pe, from);
    to_boundary(pe);
    const WithoutBreaks none(*this);
    const Seen before = seen_[pe];
    const std::optional<Event> event = std::exchange(event_, std::nullopt);
    steps_.pe = pe;
    is_quiet_ = true;
    history_->keep_undos(&steps_.undos);
    while (history_->is_past(pe) && !failure_) {
        const Place here = place_of(pe);
        steps_.at = here;
        if (is_there(here)) break;
        steps_.steps.push_back({here, seen_[pe].past_at, seen_[pe].past, history_->point(pe)});
        seen_[pe].wish = {Wish::Kind::steps, 0, 0, false};
        seen_[pe].stepped = false;
        seen_[pe].from = 0;
        std::vector<Request> out;
        step(pe, most_passes, out);
        event_.reset();
    }
    history_->keep_undos(nullptr);
    is_quiet_ = false;
    seen_[pe].wish = before.wish;
    event_ = event;
    return !failure_;
}

/// To the last breakpoint or access before this. False: there is none in what is kept.
bool Debugger::continue_back(u32 pe, Event &event) {
    leave_present(pe);
    steps_ = {};
    const bool was_past = history_->is_past(pe);
    const Place now = place_of(pe);
    const Seen seen = seen_[pe];
    for (std::uint64_t end = now.count, before = end;; before = end - 1) {
        const std::uint64_t begin = history_->snapshot_before(pe, before);
        history_->restore(pe, begin);
        forget_place(pe);
        const std::optional<Found> found = last_stop(pe, end, now);
        if (failure_) return true;
        if (found) {
            const std::uint64_t at = found->place.count;
            if (found->is_access) {
                const std::uint64_t first = history_->first(pe);
                const std::uint64_t from = at > first + steps_before_access ? at - steps_before_access : first;
                walk(pe, from, [at](const Place &here) { return here.count > at; });
            } else {
                history_->restore(pe, at);
                forget_place(pe);
                run_to(pe, at);
                seen_[pe].shown = found->place.shown;
            }
            event.reason = found->reason;
            return true;
        }
        if (begin == history_->first(pe)) return false;
        end = begin;
        const std::optional<Arrival> arrival = connection_.receive(0);
        if (!arrival || arrival->kind != Arrival::Kind::interrupt) continue;
        // It stays where it was.
        if (!was_past) return_to_present(pe);
        else history_->restore(pe, now.count), run_to(pe, now.count), seen_[pe] = seen;
        event.signal = gdb_sigint;
        return true;
    }
}

/// Forward from a snapshot, past all stops but the last one.
std::optional<Debugger::Found> Debugger::last_stop(u32 pe, std::uint64_t end, const Place &before) {
    std::optional<Found> found;
    history_->apply(pe);
    while (!failure_ && history_->is_past(pe)) {
        const std::uint64_t here = history_->count(pe);
        if (here > end || (here == end && end != before.count)) break;
        // At the end itself nothing is executed, but there may be breakpoints of instructions of which nothing is left.
        const std::uint64_t most = std::max<std::uint64_t>(1, end - here);
        const std::optional<Request> record = run_past(pe, static_cast<u32>(std::min<std::uint64_t>(UINT32_MAX, most)), true);
        if (!record || !history_->is_past(pe)) continue;
        const u32 index = (*record)[MOG_Q_PC];
        const std::uint64_t at = history_->count(pe);
        if (const auto stops = stops_.find(index); stops != stops_.end())
            for (const u32 address : stops->second) {
                const Place place{at, address == places_->address(index) ? 0 : address};
                const auto breakpoint = breakpoints_.find(address);
                if (!place.is_before(before) || breakpoint == breakpoints_.end() || !holds(pe, breakpoint->second)) continue;
                if (!found || found->is_access || found->place.is_before(place)) found = Found{place, "swbreak:;"};
            }
        if (at >= before.count) break;
        if (const Watchpoint *const w = watched(pe, index)) {
            const std::string_view name = w->kind == '2' ? "watch" : w->kind == '3' ? "rwatch" : "awatch";
            found = Found{{at, 0}, fmt::format("{}:{:x};", name, w->address), true};
        }
        (void)execute_one(pe);
    }
    return found;
}

}  // namespace mog::gdb
