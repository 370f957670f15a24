// debugger.cpp: run control.
#include "runtime_host/gdb/debugger.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "assembler/image/breaks.hpp"
#include "assembler/image/spaces.hpp"
#include "runtime_host/gdb/agent_expression.hpp"
#include "runtime_host/gdb/target_description.hpp"

namespace mog::gdb {

namespace {

constexpr std::uint32_t passes_beside_step = 200;  // others do not stand still while one steps
constexpr std::uint32_t most_of_step = 1u << 16;
constexpr std::uint32_t most_of_instruction = 256;

std::uint8_t gdb_signal_of_stop(std::uint32_t stop) {
    switch (stop) {
#define MOG_STOP_SIGNAL(name, code, signal, sentence) \
    case code: return signal;
        MOG_STOPS(MOG_STOP_SIGNAL)
#undef MOG_STOP_SIGNAL
        default: return Debugger::gdb_sigtrap;
    }
}

/// gdb numbers signals in its own way; those up to SIGTERM are as everywhere.
std::uint8_t gdb_signal(std::uint32_t mips_signal) {
    constexpr std::uint32_t sigterm = 15, sigusr1 = 16, sigusr2 = 17;
    constexpr std::uint8_t gdb_sigusr1 = 30, gdb_sigusr2 = 31, gdb_unknown = 143;
    if (mips_signal <= sigterm) return static_cast<std::uint8_t>(mips_signal);
    return mips_signal == sigusr1 ? gdb_sigusr1 : mips_signal == sigusr2 ? gdb_sigusr2 : gdb_unknown;
}

}  // namespace

Debugger::Debugger(std::unique_ptr<Device> device, Connection connection, Coming coming, std::vector<u32> ranks,
                   std::function<void(std::string_view)> say, std::uint64_t history)
    : device_(std::move(device)),
      connection_(std::move(connection)),
      coming_(coming),
      ranks_(std::move(ranks)),
      say_(std::move(say)),
      mode_(coming == Coming::later ? Mode::listens : Mode::waits_for_gdb),
      history_limit_(history) {}

Debugger::~Debugger() = default;

Result<void> Debugger::load(const Image &image, const LoadConfig &config) {
    LoadConfig debugged = config;
    debugged.debugged = true;
    MOG_TRY(device_->load(image, debugged));
    if (!device_->can_break())
        return Error{fmt::format("--gdb: not on {} with this program; --device=reference does it", device_->info().id)};
    image_ = &image;
    program_ = image.text;
    code_ = MipsCode(image);
    places_.emplace(image, code_);
    rows_ = registers_of(image);
    pes_ = config.nproc;
    processes_ = config.processes();
    addresses_ = {4 * config.data_words, config.window_bytes, unwritable_of(image)};
    seen_.assign(pes_, {});
    is_bound_.assign(pes_, false);
    for (u32 pe = 0; pe < pes_; pe++)
        if (!is_shown(pe)) seen_[pe].wish.kind = Wish::Kind::goes_on;
    if (mode_ == Mode::listens) say_(fmt::format("gdb may come: gdb-multiarch -ex 'target remote {}'", connection_.name()));
    return {};
}

void Debugger::serve_at_once(ServeAtOnce serve) {
    serve_at_once_ = std::move(serve);
    be_attached(mode_ != Mode::listens && mode_ != Mode::detached);
}

/// While gdb is there, each call ends its PE's turn, so that the PE is known to be in it.
void Debugger::be_attached(bool attached) { device_->serve_at_once(attached ? ServeAtOnce() : serve_at_once_); }

bool Debugger::is_shown(u32 pe) const { return ranks_.empty() || std::ranges::binary_search(ranks_, pe % processes_); }

// ---- runs ---------------------------------------------------------------------------------------------------------------

Result<std::vector<Request>> Debugger::run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    for (const u32 pe : active) (history_ && history_->is_past(pe) ? in_present_ : seen_)[pe].in_call = false;
    if (mode_ == Mode::waits_for_gdb) {
        say_(fmt::format("waits for gdb: gdb-multiarch -ex 'target remote {}'", connection_.name()));
        MOG_TRY(connection_.accept());
        general_ = ranks_.empty() ? active.front() : ranks_.front();
        event_ = {general_, gdb_sigtrap};
        mode_ = Mode::stopped;
        begin_history();
        serve();
    }
    std::vector<Request> out;
    if (mode_ == Mode::listens && gdb_comes(active, out)) serve();
    if (failure_) return *failure_;
    if (mode_ == Mode::detached || (mode_ == Mode::listens && out.empty())) return device_->run(active, passes, own_passes);
    if (mode_ == Mode::killed) return std::vector<Request>();
    if (!out.empty()) return out;  // who came to a call before gdb saw them

    // Nobody goes on from the present while others are not there.
    if (has_past()) {
        run_in_past(out);
        if (failure_) return *failure_;
        return out;
    }
    look_for_interrupt(0);
    if (mode_ != Mode::running) return out;  // gdb has left, or ends the run
    stop_asked(active, out);
    std::vector<u32> going;
    bool has_run_at_rest = false;
    for (const u32 pe : active) {
        Seen &seen = seen_[pe];
        if (seen.wish.kind == Wish::Kind::rests) {
            if (!turns_are_given_ || puts_off_step()) continue;
            seen.shown = 0;
            for (const Request &record : run_device({&pe, 1}, passes, false)) take_record(pe, record, out);
            has_run_at_rest = true;
            continue;
        }
        if (std::exchange(seen.is_put_off, false) && seen.wish.kind == Wish::Kind::goes_on && breakpoints_.contains(address_of(pe))) {
            happen({pe, gdb_sigtrap, "swbreak:;"});
            continue;
        }
        if (seen.fault && seen.wish.signal) {
            out.push_back(*std::exchange(seen.fault, std::nullopt));
            continue;
        }
        seen.fault.reset();
        if (seen.wish.kind == Wish::Kind::steps) {
            if (!event_) step(pe, passes, out);
            continue;
        }
        seen.shown = 0;
        going.push_back(pe);
    }
    const bool has_run = has_run_at_rest || !out.empty() || event_ || !events_.empty();
    if (!going.empty()) run_some(going, std::min(passes, event_ ? passes_beside_step : most_passes), out);
    else if (!has_run) tell_nobody_runs();
    if (failure_) return *failure_;
    if (event_) {
        settle(unsettled(active, out), out);
        stop();
    } else if (going.empty() && !has_run) {
        look_for_interrupt(1);  // whom gdb lets run waits for something that is not here
    }
    tell();
    std::ranges::sort(out, {}, [](const Request &record) { return record[MOG_Q_PE]; });
    return out;
}

/// `heeds`: breaks; else PEs run the program as it is.
std::vector<Request> Debugger::run_device(std::span<const u32> pes, u32 passes, bool heeds) {
    if (pes.empty()) return {};
    if (has_past()) {
        std::vector<Request> stopped;
        for (const u32 pe : pes)
            if (history_->is_past(pe))
                if (const std::optional<Request> record = run_past(pe, passes, heeds)) stopped.push_back(*record);
        return stopped;
    }
    device_->heed_breaks(heeds);
    Result<std::vector<Request>> stopped = device_->run(pes, passes, {});
    device_->heed_breaks(false);
    if (!stopped) {
        failure_ = stopped.error();
        return {};
    }
    if (history_)
        for (const u32 pe : pes) history_->look(pe);
    if (heeds)
        for (Request &record : *stopped) stand_at_break(record);
    return *std::move(stopped);
}

/// One that a break has stopped stands before the instruction, whatever stopped it there.
void Debugger::stand_at_break(Request &record) {
    const u32 stop = record[MOG_Q_STOP], at = break_of(stop, record[MOG_Q_PC]);
    if (stop != MOG_STOP_SYS && stop != MOG_STOP_ILLEGAL) return;
    if (at >= is_break_.size() || !is_break_[at]) return;
    if (record[MOG_Q_PC] != at) set_row(record[MOG_Q_PE], MOG_S_PC, at);
    record[MOG_Q_PC] = at;
    record[MOG_Q_STOP] = MOG_STOP_ILLEGAL;
}

void Debugger::run_some(std::span<const u32> pes, u32 passes, std::vector<Request> &out) {
    if (is_break_.empty()) {
        for (const Request &record : run_device(pes, passes, false)) run_to_stop(record[MOG_Q_PE], record, out);
        return;
    }
    // PEs that no breakpoint is for run as fast as if there were none, and before the others, so that these do not wait for gdb in vain.
    std::vector<u32> bound, others;
    for (const u32 pe : pes) (is_bound_[pe] ? bound : others).push_back(pe);
    for (const Request &record : run_device(others, passes, false)) run_to_stop(record[MOG_Q_PE], record, out);
    for (const Request &record : run_device(bound, passes, true)) run_to_stop(record[MOG_Q_PE], record, out);
}

/// Whether it is a break that has stopped a PE.
bool Debugger::is_by_break(const Request &record) const {
    const u32 at = record[MOG_Q_PC];
    return record[MOG_Q_STOP] == MOG_STOP_ILLEGAL && is_bound_[record[MOG_Q_PE]] && at < is_break_.size() && is_break_[at];
}

/// Of a PE that stopped: on with what it had left, where that was for nobody to know of.
void Debugger::run_to_stop(u32 pe, const Request &record, std::vector<Request> &out) {
    for (Request now = record;;) {
        if (!is_by_break(now)) return take_record(pe, now, out);
        if (stops_at(pe, now[MOG_Q_PC])) return;
        if (const std::optional<Request> stopped = execute_one(pe)) return take_record(pe, *stopped, out);
        if (now[MOG_Q_LEFT] == 0) return;
        const std::vector<Request> stopped = run_device({&pe, 1}, now[MOG_Q_LEFT], true);
        if (stopped.empty()) return;
        now = stopped.front();
    }
}

/// What the program has where a PE stands, be there a break or not.
std::optional<Request> Debugger::execute_one(u32 pe) {
    if (history_)
        if (const Access access = access_of(pe, row(pe, MOG_S_PC)); access.bytes != 0)
            history_->will_write(pe, access.address, access.bytes);
    const std::vector<Request> stopped = run_device({&pe, 1}, 1, false);
    seen_[pe].past_at = seen_[pe].past = 0;
    return stopped.empty() ? std::nullopt : std::optional(stopped.front());
}

void Debugger::take_record(u32 pe, const Request &record, std::vector<Request> &out) {
    Seen &seen = seen_[pe];
    const u32 stop = record[MOG_Q_STOP];
    if (stop < MOG_STOP_FIRST_FAULT) {
        seen.in_call = true;
        out.push_back(record);
    } else if (!is_shown(pe)) {
        out.push_back(record);
    } else if (stop == MOG_STOP_JUMP_RANGE && breakpoints_.contains(record[MOG_Q_INFO])) {
        // Where functions that gdb calls return to: a place on the stack.
        seen.shown = record[MOG_Q_INFO];
        happen({pe, gdb_sigtrap, "swbreak:;"});
    } else {
        seen.fault = record;
        happen({pe, gdb_signal_of_stop(stop), ""});
    }
}

/// The first of what happens at the same time is told; the others come to it again, for all stand before what they did not do.
void Debugger::happen(Event event) {
    if (non_stop_) {
        seen_[event.pe].wish = {};
        listed_.insert(event.pe);
        events_.push_back(std::move(event));
        return;
    }
    if (event_) return;
    event_ = std::move(event);
    listed_.insert(event_->pe);
}

// ---- steps --------------------------------------------------------------------------------------------------------------

/// It is the turn of one that rests, while another one is to step: over a breakpoint, mostly, which is away so long and which nobody else
/// is to pass. False: gdb lets nobody else go all the same, or what steps waits in a call; then the others have their turns, and stop
/// nowhere.
bool Debugger::puts_off_step() {
    const std::vector<u32> all = threads();
    const auto steps = std::ranges::find_if(all, [&](u32 pe) { return seen_[pe].wish.kind == Wish::Kind::steps; });
    if (steps == all.end() || put_off_ == *steps || seen_[*steps].in_call) return false;
    put_off(*steps);
    return true;
}

/// A step that is not this PE's turn, or not as far as its end, is answered by a signal of which gdb tells nobody: as before each signal
/// that comes before one has stepped, gdb lets all go, and has it step when it has come back to where it is.
void Debugger::put_off(u32 pe) {
    put_off_ = pe;
    seen_[pe].is_put_off = true;
    happen({pe, gdb_sigurg});
}

/// On until a MIPS instruction is done, or the lines of the step are left, or so many passes are over.
void Debugger::step(u32 pe, u32 passes, std::vector<Request> &out) {
    Seen &seen = seen_[pe];
    for (u32 i = 0; i <= most_of_step; i++) {
        const u32 index = row(pe, MOG_S_PC);
        if (seen.stepped && places_->is_boundary(index)) {
            if (seen.from) seen.shown = places_->first_of_nothing(std::exchange(seen.from, 0), index);
            if (ends_step(pe)) return happen({pe, gdb_sigtrap, ""});
            if (!is_quiet_ && stops_.contains(index) && stops_at(pe, index)) return;
        }
        if (i >= passes) {
            // gdb sees PEs before MIPS instructions; what others see of one is left to its turn.
            if (!turns_are_given_ || i >= passes + most_of_instruction || places_->is_boundary(index)) return;
            if (const OpInfo *op = op_at(index); op && ((op->reads | op->writes) & Mem) != 0) return put_off(pe);
        }
        if (seen.shown) {  // nothing is left of it, so it is done
            seen.past_at = index;
            seen.past = seen.shown;
            seen.shown = places_->after_nothing(seen.shown);
            if (seen.shown == places_->address(index)) seen.shown = 0;
            seen.stepped = true;
            seen.from = 0;
            continue;
        }
        if (places_->is_boundary(index)) seen.from = places_->address(index);
        if (const Watchpoint *watchpoint = is_quiet_ ? nullptr : watched(pe, index); watchpoint && stops_at(pe, index)) return;
        const bool was_past = history_ && history_->is_past(pe);
        const std::optional<Request> stopped = execute_one(pe);
        if (stopped) take_record(pe, *stopped, out);
        if (event_ || failure_) return;
        seen.stepped = true;
        if (was_past && !history_->is_past(pe)) {
            // In the present, in the midst of a line perhaps.
            const bool is_over = !seen.in_call && !seen.fault && !seen.shown && seen.wish.to == 0 && places_->is_boundary(index_of(pe));
            if (!is_over) return happen({pe, gdb_sigtrap, "replaylog:end;"});
        }
        if (stopped || seen.wish.kind != Wish::Kind::steps) return;
    }
}

bool Debugger::ends_step(u32 pe) {
    const Wish &wish = seen_[pe].wish;
    const u32 address = address_of(pe);
    return address < wish.from || address >= wish.to;
}

/// Of these, those that have run, and stopped for nothing that is known.
std::vector<Debugger::u32> Debugger::unsettled(std::span<const u32> pes, const std::vector<Request> &out) const {
    std::set<u32> stopped;
    for (const Request &record : out) stopped.insert(record[MOG_Q_PE]);
    std::vector<u32> left;
    for (const u32 pe : pes) {
        const Seen &seen = seen_[pe];
        if (seen.wish.kind == Wish::Kind::rests || seen.in_call || seen.shown || seen.fault || (event_ && event_->pe == pe)) continue;
        if (!stopped.contains(pe)) left.push_back(pe);
    }
    return left;
}

/// PEs that are between two MOG instructions of one of MIPS do the rest of it, so that gdb sees them before an instruction: all
/// together, for there may be many.
void Debugger::settle(std::vector<u32> pes, std::vector<Request> &out) {
    const auto take = [&](const Request &record) {
        const u32 pe = record[MOG_Q_PE];
        // What stops it now is met again when it goes on.
        if (record[MOG_Q_STOP] < MOG_STOP_FIRST_FAULT || !is_shown(pe)) take_record(pe, record, out);
        std::erase(pes, pe);
    };
    for (u32 i = 0; i < most_of_instruction && !pes.empty(); i++) {
        std::vector<Transfer> transfers;
        std::vector<u32> at(pes.size());
        for (const u32 pe : pes) transfers.push_back({pe, MOG_S_PC, sizeof(u32), static_cast<u32>(sizeof(u32) * transfers.size()), true});
        (void)device_->gather(transfers, {reinterpret_cast<std::uint8_t *>(at.data()), sizeof(u32) * at.size()});
        std::vector<u32> going;
        for (std::size_t k = 0; k < pes.size(); k++)
            if (!places_->is_boundary(at[k]) && !watched(pes[k], at[k])) going.push_back(pes[k]);
        pes = going;
        for (const u32 pe : going) seen_[pe].past_at = seen_[pe].past = 0;
        for (const Request &record : run_device(going, 1, false)) take(record);
    }
}

// ---- breakpoints and watchpoints ----------------------------------------------------------------------------------------

/// True if a breakpoint or watchpoint is there for this PE now; then that has happened.
bool Debugger::stops_at(u32 pe, u32 index) {
    Seen &seen = seen_[pe];
    if (!is_shown(pe)) return false;
    if (const auto stops = stops_.find(index); stops != stops_.end())
        for (const u32 address : stops->second) {
            const bool is_left = address == places_->address(index);
            if (!is_left && seen.past_at == index && address <= seen.past) continue;
            const auto breakpoint = breakpoints_.find(address);
            if (breakpoint == breakpoints_.end() || !holds(pe, breakpoint->second)) continue;
            seen.shown = is_left ? 0 : address;
            happen({pe, gdb_sigtrap, "swbreak:;"});
            return true;
        }
    if (const Watchpoint *watchpoint = watched(pe, index)) {
        const std::string_view name = watchpoint->kind == '2' ? "watch" : watchpoint->kind == '3' ? "rwatch" : "awatch";
        happen({pe, gdb_sigtrap, fmt::format("{}:{:x};", name, watchpoint->address)});
        return true;
    }
    return false;
}

/// A condition whose value cannot be told is gdb's own to look at.
bool Debugger::holds(u32 pe, const Breakpoint &breakpoint) {
    const AgentContext context{[&](u32 number) { return register_of(pe, number); },
                               [&](u32 address, u32 bytes) -> std::optional<std::uint64_t> {
                                   const std::string read = read_memory(pe, address, bytes);
                                   if (read.size() != bytes) return std::nullopt;
                                   std::uint64_t value = 0;
                                   for (u32 i = bytes; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(read[i]);
                                   return value;
                               }};
    return breakpoint.conditions.empty() ||
           std::ranges::any_of(breakpoint.conditions, [&](const std::string &code) { return evaluate(code, context).value_or(1) != 0; });
}

/// Null: there is none.
const OpInfo *Debugger::op_at(u32 index) const {
    return index < program_.size() ? find_op(static_cast<std::uint8_t>(program_[index] >> 8)) : nullptr;
}

/// Where the instruction there would read or write; no bytes: nowhere.
Debugger::Access Debugger::access_of(u32 pe, u32 index) {
    const OpInfo *op = op_at(index);
    if (!op || !op->access) return {};
    u32 address = op->access.address == AddressIn::reg ? 0 : row(pe, MOG_S_ACC);
    if (op->access.address != AddressIn::acc) address += row(pe, MOG_S_REGS + (program_[index] & 0xffu));
    // A part of a word is one of that word, or of four bytes at any alignment.
    const u32 before = op->access.any ? 3 : 0, bytes = op->access.any ? 7 : 1u << op->access.shift;
    return {address - std::min(before, address), bytes, (op->reads & Mem) != 0, (op->writes & Mem) != 0};
}

/// The watchpoint that the instruction's access would touch; null: none.
const Debugger::Watchpoint *Debugger::watched(u32 pe, u32 index) {
    if (watchpoints_.empty() || !is_shown(pe)) return nullptr;
    const Access access = access_of(pe, index);
    for (const Watchpoint &w : watchpoints_) {
        const bool is_of_kind = (w.stores && access.stores) || (w.loads && access.loads);
        const std::uint64_t first = access.address;
        if (is_of_kind && first < std::uint64_t{w.address} + w.bytes && w.address < first + access.bytes) return &w;
    }
    return nullptr;
}

/// Breaks as breakpoints and watchpoints want them.
void Debugger::patch() {
    if (breakpoints_ == stops_for_ && watchpoints_ == watches_for_) return;
    stops_.clear();
    for (const auto &[address, breakpoint] : breakpoints_)
        for (const u32 index : places_->places(address)) stops_[index].push_back(address);
    is_break_.assign(program_.size(), false);
    for (const auto &[index, addresses] : stops_) is_break_[index] = true;
    const auto any = [&](auto member) { return std::ranges::any_of(watchpoints_, member); };
    const bool loads = any(&Watchpoint::loads), stores = any(&Watchpoint::stores);
    if (loads || stores)
        for (u32 i = 0; i < program_.size(); i++) {
            const OpInfo *op = op_at(i);
            if (op && op->access && ((loads && (op->reads & Mem) != 0) || (stores && (op->writes & Mem) != 0))) is_break_[i] = true;
        }
    std::vector<u32> places;
    for (u32 i = 0; i < program_.size(); i++)
        if (is_break_[i]) places.push_back(i);
    if (places.empty()) is_break_.clear();
    if (const Result<void> set = device_->set_breaks(places); !set) failure_ = set.error();
    stops_for_ = breakpoints_;
    watches_for_ = watchpoints_;
    for (u32 pe = 0; pe < pes_; pe++) is_bound_[pe] = is_bound(pe);
}

/// Whether any of the breaks may be for a PE: conditions that ask for its rank say so beforehand.
bool Debugger::is_bound(u32 pe) const {
    if (is_break_.empty() || !is_shown(pe)) return false;
    if (!watchpoints_.empty()) return true;
    const u32 rank = pe % processes_;
    const AgentContext context{[&](u32 number) { return number == register_rank ? std::optional(rank) : std::nullopt; },
                               [&](u32 address, u32 bytes) -> std::optional<std::uint64_t> {
                                   const bool is_rank = address == MOG_DATA_BASE + 4 * MOG_CB_IPROC && bytes == sizeof rank;
                                   return is_rank ? std::optional<std::uint64_t>(rank) : std::nullopt;
                               }};
    return std::ranges::any_of(breakpoints_, [&](const auto &at) {
        const std::vector<std::string> &conditions = at.second.conditions;
        return conditions.empty() || std::ranges::any_of(conditions, [&](const std::string &code) { return may_hold(code, context); });
    });
}

// ---- stops --------------------------------------------------------------------------------------------------------------

/// Whether gdb has come to a run that is under way. PEs that do not wait in calls go to where instructions begin.
bool Debugger::gdb_comes(std::span<const u32> active, std::vector<Request> &out) {
    if (!connection_.is_asked()) return false;
    if (const Result<void> accepted = connection_.accept(true); !accepted) {
        failure_ = accepted.error();
        return false;
    }
    be_attached(true);
    std::vector<u32> running;
    no_acks_ = knows_no_resumed_ = non_stop_ = is_told_ = false;
    for (u32 pe = 0; pe < pes_; pe++) {
        seen_[pe] = Seen{};
        if (!is_shown(pe)) seen_[pe].wish.kind = Wish::Kind::goes_on;
        const Life life = life_ ? life_(pe) : Life::runs;
        seen_[pe].in_call = life == Life::waits;
        if (life == Life::runs) running.push_back(pe);
    }
    settle(std::move(running), out);
    const std::vector<u32> all = threads();
    const auto runs = std::ranges::find_if(active, [&](u32 pe) { return is_thread(pe); });
    general_ = runs != active.end() ? *runs : all.empty() ? 0 : all.front();
    event_ = {general_, 0};
    mode_ = Mode::stopped;
    begin_history();
    return true;
}

void Debugger::stop() {
    mode_ = Mode::stopped;
    general_ = event_->pe;
    send(stop_reply());
    serve();
}

void Debugger::detach() {
    breakpoints_.clear();
    watchpoints_.clear();
    patch();
    for (u32 pe = 0; has_past() && pe < pes_; ++pe) return_to_present(pe);
    history_.reset();
    connection_.close();
    mode_ = coming_ == Coming::later ? Mode::listens : Mode::detached;
    event_.reset();
    events_.clear();
    be_attached(false);
}

/// While PEs run gdb says nothing but that they shall stop.
void Debugger::look_for_interrupt(int milliseconds) {
    if (mode_ != Mode::running) return;
    if (non_stop_) return listen(milliseconds);
    const std::optional<Arrival> arrival = connection_.receive(milliseconds);
    if (!connection_.is_open()) return detach();
    if (!arrival || arrival->kind != Arrival::Kind::interrupt) return;
    const std::vector<u32> all = threads();
    if (all.empty()) return;
    event_ = {is_thread(general_) ? general_ : all.front(), gdb_sigint};
}

/// In non-stop mode gdb asks and says what it likes while PEs run; what has come is done, and so much is waited for something to come.
void Debugger::listen(int milliseconds) {
    tell();
    while (mode_ == Mode::running) {
        const std::optional<Arrival> arrival = connection_.receive(milliseconds);
        if (!connection_.is_open()) return detach();
        if (!arrival) return;
        milliseconds = 0;
        if (arrival->kind == Arrival::Kind::packet) answer_packet(arrival->content);
        else if (arrival->kind == Arrival::Kind::damaged) connection_.send("-");
        else if (arrival->kind == Arrival::Kind::nak) connection_.send(last_frame_);
        else if (arrival->kind == Arrival::Kind::interrupt) (void)stop_running({});
    }
}

/// gdb is told of one event without having asked; it asks for the others.
void Debugger::tell() {
    if (!non_stop_ || mode_ != Mode::running || is_told_ || events_.empty()) return;
    is_told_ = true;
    const std::string packet = frame("Stop:" + stop_reply(events_.front()));
    connection_.send("%" + packet.substr(1));
}

/// Those that gdb wants to stop do, before an instruction.
void Debugger::stop_asked(std::span<const u32> active, std::vector<Request> &out) {
    if (!non_stop_) return;
    std::vector<u32> asked, unsettled;
    for (const u32 pe : active) {
        if (!std::exchange(seen_[pe].is_asked, false)) continue;
        asked.push_back(pe);
        if (!seen_[pe].shown && !seen_[pe].fault) unsettled.push_back(pe);
    }
    settle(std::move(unsettled), out);
    for (const u32 pe : asked)
        if (seen_[pe].wish.kind != Wish::Kind::rests) happen({pe, 0});
}

/// gdb wants this PE to stop, or all; those that wait in calls stand there already.
std::string Debugger::stop_running(std::optional<u32> pe) {
    for (const u32 each : pe ? std::vector<u32>{*pe} : threads()) {
        if (seen_[each].wish.kind == Wish::Kind::rests) continue;
        if (life_ && life_(each) == Life::waits) happen({each, 0});
        else seen_[each].is_asked = true;
    }
    return "OK";
}

void Debugger::rest() {
    std::vector<Request> nobody;
    if (mode_ == Mode::listens && gdb_comes({}, nobody)) return serve();
    go_through_past();
    if (mode_ != Mode::running) return;
    look_for_interrupt(0);
    if (mode_ == Mode::running && event_) stop();
    else tell_nobody_runs();
}

/// Whom gdb let run has ended, and others are there that it did not.
void Debugger::tell_nobody_runs() {
    const std::vector<u32> all = threads();
    if (mode_ != Mode::running || all.empty()) return;
    if (non_stop_) return;  // gdb knows of each that stands
    if (std::ranges::any_of(all, [&](u32 pe) { return seen_[pe].wish.kind != Wish::Kind::rests; })) return;
    event_ = {all.front(), gdb_sigtrap};
    mode_ = Mode::stopped;
    general_ = all.front();
    send(knows_no_resumed_ ? "N" : stop_reply());
    serve();
}

void Debugger::stops_by_signal(u32 pe, u32 mips_signal) {
    if (mode_ != Mode::running || !is_shown(pe)) return;
    seen_[pe].in_call = true;
    if (non_stop_) {
        // It ends when this returns; until then nobody runs.
        happen({pe, gdb_signal(mips_signal)});
        while (mode_ == Mode::running && seen_[pe].wish.kind == Wish::Kind::rests) listen(-1);
        return;
    }
    event_ = {pe, gdb_signal(mips_signal)};
    stop();
    // It ends when gdb has seen enough of what led to it.
    go_through_past();
}

void Debugger::finish(int status) {
    if (mode_ == Mode::running) {
        const std::string ended = fmt::format("W{:02x}", static_cast<unsigned>(status) & 0xff);
        if (non_stop_) {
            while (is_told_ && connection_.is_open()) listen(-1);  // what it has not asked for yet comes first
            connection_.send("%" + frame("Stop:" + ended).substr(1));
        } else {
            send(ended);
        }
        // What is not read yet would make the system drop what was sent.
        constexpr int patience = 2000;
        while (const std::optional<Arrival> arrival = connection_.receive(patience))
            if (arrival->kind == Arrival::Kind::packet) send(arrival->content == "vStopped" ? "OK" : "");
    }
    connection_.close();
    mode_ = Mode::detached;
}

}  // namespace mog::gdb
