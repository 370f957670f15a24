// debugger.hpp: --gdb: a device that runs PEs as another one does, and stops them where gdb wants.
//
// A breakpoint is a break of the device, at the TEXT index, so code without one is as fast as ever, and so are PEs that run without
// heeding breaks. Accesses to memory are breaks while there are watchpoints. A stop is always before an instruction. In all-stop mode
// run() does not return, and nobody runs, until gdb lets them; in non-stop mode one that has stopped stands, and gdb is told of it while
// others run. PEs are gdb's threads, numbered from 1; all of them belong to one process, though each has memory of its own: gdb says
// whose it wants.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/device/addresses.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/gdb/code_places.hpp"
#include "runtime_host/gdb/connection.hpp"
#include "runtime_host/gdb/history.hpp"
#include "runtime_host/gdb/mips_code.hpp"
#include "runtime_host/gdb/target_description.hpp"

namespace mog::gdb {

class Debugger final : public Device {
public:
    using u32 = std::uint32_t;
    static constexpr u32 no_pe = UINT32_MAX;
    static constexpr u32 most_passes = 1u << 20;                                     ///< until it is asked whether gdb wants a stop
    static constexpr std::uint8_t gdb_sigint = 2, gdb_sigtrap = 5, gdb_sigurg = 16;  ///< as gdb numbers signals

    /// When gdb comes: it is waited for in the first run; or nobody waits, and it may come, go and come again.
    enum class Coming : std::uint8_t { first, later };
    /// `device` has text(), if it is loaded with `debugged`. `ranks`: PEs that gdb shall see, ascending; empty: all.
    /// `history`: bytes that may be kept to go back; 0: nobody goes back.
    Debugger(std::unique_ptr<Device> device, Connection connection, Coming coming, std::vector<u32> ranks,
             std::function<void(std::string_view)> say, std::uint64_t history = 0);
    ~Debugger() override;
    /// Of a world that is larger: the rank of PE 0.
    void call_first(u32 rank) { first_rank_ = rank; }
    /// run() is told whose turn it is, by a recording: nobody else can go before that one, whomever gdb lets rest.
    void take_turns_as_given() { turns_are_given_ = true; }

    // ---- what the service loop tells

    enum class Life : std::uint8_t { none, runs, waits, ended };
    /// How to find out what a PE, or thread of one, is.
    void follow(std::function<Life(u32 pe)> life) { life_ = std::move(life); }
    /// How to write the core of a process, where it stands; gives the file's name.
    void write_cores_by(std::function<Result<std::string>(u32 process)> write) { write_core_ = std::move(write); }
    /// A PE is about to be ended by a signal that it has sent itself.
    void stops_by_signal(u32 pe, u32 mips_signal);
    /// Nobody runs: gdb may have something to say.
    void rest();
    /// All have ended, with this status of the run.
    void finish(int status);
    /// gdb wants the run to end.
    bool is_killed() const { return mode_ == Mode::killed; }

    // ---- Device

    const DeviceInfo &info() const override { return device_->info(); }
    Result<void> enter_thread() override { return device_->enter_thread(); }
    std::uint64_t bytes_per_pe(const Image &image, u32 data_words) const override { return device_->bytes_per_pe(image, data_words); }
    Result<std::uint64_t> room(const Image &image, u32 data_words) override { return device_->room(image, data_words); }
    Result<void> load(const Image &image, const LoadConfig &config) override;
    Result<std::vector<Request>> run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) override;
    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override;
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override;
    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override;
    Result<void> copy(std::span<const Copy> copies) override;
    Result<void> copy_state(u32 from_pe, u32 to_pe, u32 words) override { return device_->copy_state(from_pe, to_pe, words); }
    void serve_at_once(ServeAtOnce serve) override;
    std::uint32_t enough_pes() const override { return device_->enough_pes(); }
    bool is_busy() override { return device_->is_busy(); }
    void all_ended() override { device_->all_ended(); }
    Result<DeviceStats> stats() override { return device_->stats(); }
    Result<RunCounts> counts() override { return device_->counts(); }

private:
    enum class Mode : std::uint8_t { waits_for_gdb, listens, stopped, running, detached, killed };

    /// What gdb wants of a PE until the next stop.
    struct Wish {
        enum class Kind : std::uint8_t { rests, goes_on, steps } kind = Kind::rests;
        u32 from = 0, to = 0;  ///< steps: until it leaves these addresses; 0: one instruction
        bool signal = false;   ///< what it was stopped by ends it
    };
    struct Breakpoint {
        std::vector<std::string> conditions;  ///< agent expressions; empty: always
        bool operator==(const Breakpoint &) const = default;
    };
    struct Watchpoint {
        u32 address = 0, bytes = 0;
        bool loads = false, stores = false;
        char kind = '2';  ///< of the packets
        bool operator==(const Watchpoint &) const = default;
    };
    /// Why PEs stand.
    struct Event {
        u32 pe = 0;
        std::uint8_t signal = 5;  ///< as gdb numbers it
        std::string reason{};     ///< "swbreak:;"
    };
    /// What a PE is beside its state.
    struct Seen {
        Wish wish;
        bool in_call = false;       ///< it stands behind a `sys`
        bool is_asked = false;      ///< gdb wants it to stop (non-stop mode)
        bool stepped = false;       ///< it has done something of its step
        bool is_put_off = false;    ///< it has not, or not all of it, and gdb has it come to where it stands again
        u32 from = 0;               ///< the MIPS instruction that it executes in a step; 0: none
        u32 shown = 0;              ///< the address that gdb sees, where it is not that of the instruction; 0: it is
        u32 past_at = 0, past = 0;  ///< instructions of which nothing is left, at this TEXT index, are behind it up to this address
        std::optional<Request> fault;
    };

    // Run control (debugger.cpp).
    void run_some(std::span<const u32> pes, u32 passes, std::vector<Request> &out);
    bool is_by_break(const Request &record) const;
    void run_to_stop(u32 pe, const Request &record, std::vector<Request> &out);
    bool puts_off_step();
    void put_off(u32 pe);
    const OpInfo *op_at(u32 index) const;
    void step(u32 pe, u32 passes, std::vector<Request> &out);
    bool ends_step(u32 pe);
    std::vector<Request> run_device(std::span<const u32> pes, u32 passes, bool heeds);
    void stand_at_break(Request &record);
    std::optional<Request> execute_one(u32 pe);
    void take_record(u32 pe, const Request &record, std::vector<Request> &out);
    bool stops_at(u32 pe, u32 index);
    bool holds(u32 pe, const Breakpoint &breakpoint);
    struct Access {
        u32 address = 0, bytes = 0;
        bool loads = false, stores = false;
    };
    Access access_of(u32 pe, u32 index);
    const Watchpoint *watched(u32 pe, u32 index);
    void settle(std::vector<u32> pes, std::vector<Request> &out);
    std::vector<u32> unsettled(std::span<const u32> pes, const std::vector<Request> &out) const;
    void happen(Event event);
    void look_for_interrupt(int milliseconds);
    void listen(int milliseconds);
    void tell();
    void stop_asked(std::span<const u32> active, std::vector<Request> &out);
    std::string stop_running(std::optional<u32> pe);
    bool gdb_comes(std::span<const u32> active, std::vector<Request> &out);
    void stop();
    void detach();
    void be_attached(bool attached);
    void tell_nobody_runs();
    void patch();
    bool is_bound(u32 pe) const;
    bool is_shown(u32 pe) const;

    // Back, and forward again over what was (reverse.cpp).
    /// Where gdb sees a PE: the count of its instructions, and the MIPS instruction before it of which nothing is left, if it is there.
    struct Place {
        std::uint64_t count = 0;
        u32 shown = 0;
        bool is_before(const Place &other) const;
        bool operator==(const Place &) const = default;
    };
    /// MIPS instructions that gdb may go back over one by one, each of which can be undone.
    struct Steps {
        u32 pe = UINT32_MAX;
        struct Step {
            Place place;
            u32 past_at = 0, past = 0;
            History::Point point;
        };
        std::vector<Step> steps;
        std::vector<History::Undo> undos;
        Place at;  ///< where the PE stands, if it has not moved since
    };
    class WithoutBreaks;
    void begin_history();
    bool has_past() const;
    void leave_present(u32 pe);
    bool arrives(u32 pe);
    void return_to_present(u32 pe);
    std::optional<Request> run_past(u32 pe, u32 passes, bool heeds);
    void run_in_past(std::vector<Request> &out);
    void go_through_past();
    void run_to(u32 pe, std::uint64_t count);
    void to_boundary(u32 pe);
    void forget_place(u32 pe);
    Place place_of(u32 pe);
    std::string reverse(bool is_step);
    bool step_back(u32 pe);
    bool walk(u32 pe, std::uint64_t from, const std::function<bool(const Place &)> &is_there);
    bool continue_back(u32 pe, Event &event);
    void to_first(u32 pe);
    struct Found {
        Place place;
        std::string reason;
        bool is_access = false;  ///< what the instruction there does; gdb sees the PE after it
    };
    std::optional<Found> last_stop(u32 pe, std::uint64_t end, const Place &before);

    // A PE that stands (debugged_pe.cpp).
    u32 row(u32 pe, u32 row);
    void set_row(u32 pe, u32 row, u32 value);
    u32 index_of(u32 pe);
    u32 address_of(u32 pe);
    std::optional<u32> register_of(u32 pe, u32 number);
    bool set_register(u32 pe, u32 number, u32 value);
    bool set_address(u32 pe, u32 address);
    std::string read_memory(u32 pe, u32 address, u32 length);
    bool write_memory(u32 pe, u32 address, std::string_view bytes);

    // Packets (commands.cpp).
    void serve();
    void send(std::string_view content);
    void answer_packet(std::string_view packet);
    std::string reply(std::string_view packet);
    std::string query(std::string_view packet);
    std::string set(std::string_view packet);
    std::string transfer(std::string_view packet);
    std::string host_file(std::string_view packet);
    std::string point(std::string_view packet);
    std::string v_packet(std::string_view packet);
    std::string resume(std::string_view actions);
    std::string stop_reply();
    std::string stop_reply(const Event &event);
    std::string resume_some(const std::map<u32, Wish> &wishes, const std::optional<Wish> &of_others);
    std::string all_that_stand();
    std::string next_event();
    std::vector<u32> threads() const;
    std::vector<u32> listed() const;
    std::string monitor(std::string_view command);
    std::string osdata(std::string_view annex);
    std::optional<u32> read_thread(std::string_view &text) const;
    bool is_thread(u32 pe) const;
    std::string name_of_thread(u32 pe) const;
    std::string_view state_of_thread(u32 pe) const;

    std::unique_ptr<Device> device_;
    Connection connection_;
    const Coming coming_;
    ServeAtOnce serve_at_once_;  ///< what the device has while gdb is not there: calls in the midst of a launch are not seen
    std::vector<u32> ranks_;
    std::function<void(std::string_view)> say_;
    std::function<Life(u32 pe)> life_;
    std::function<Result<std::string>(u32 process)> write_core_;

    const Image *image_ = nullptr;
    std::optional<CodePlaces> places_;
    MipsCode code_;
    std::array<std::optional<u32>, register_count> rows_{};  ///< of the state, by gdb's numbers of registers
    u32 processes_ = 1, pes_ = 1, first_rank_ = 0;
    Addresses addresses_;

    Mode mode_ = Mode::waits_for_gdb;
    bool no_acks_ = false, knows_no_resumed_ = false;
    std::string last_frame_;  ///< what was sent last, should it be asked for again
    std::string object_;      ///< of which gdb reads part after part
    std::vector<Seen> seen_;  ///< by PE
    std::optional<Event> event_;
    bool non_stop_ = false;
    std::deque<Event> events_;  ///< in non-stop mode: of which gdb is to be told; it has been, of the first one, if
    bool is_told_ = false;
    bool tells_one_ = false;  ///< and of no other before it goes on
    std::set<u32> listed_;    ///< PEs that have become gdb's threads where not all are
    bool lists_all_ = false;
    u32 general_ = 0;                        ///< the PE that registers and memory are asked of
    std::map<u32, Breakpoint> breakpoints_;  ///< by MIPS address
    std::vector<Watchpoint> watchpoints_;
    std::map<u32, std::vector<u32>> stops_;  ///< by TEXT index, the addresses of the breakpoints there
    std::map<u32, Breakpoint> stops_for_;    ///< the breakpoints that these are of, and the watchpoints that there are breaks for
    std::vector<Watchpoint> watches_for_;
    std::vector<bool> is_break_;          ///< by TEXT index; empty: there are none
    std::vector<bool> is_bound_;          ///< by PE: it may stop at some of them, so it heeds all
    std::vector<std::uint16_t> program_;  ///< TEXT
    std::optional<Error> failure_;        ///< of the device

    const std::uint64_t history_limit_;
    std::optional<History> history_;  ///< there is one while gdb is there, if the device counts instructions
    std::vector<Seen> in_present_;    ///< by PE: as it was when it left the present
    Steps steps_;
    bool is_quiet_ = false;        ///< a step stops for nothing but its end
    bool ignores_breaks_ = false;  ///< on the way to a place in the past
    bool turns_are_given_ = false;
    u32 put_off_ = no_pe;    ///< whose step has been, since all went on
    u32 continued_ = no_pe;  ///< that gdb wants to go on, where a packet does not say it
};

}  // namespace mog::gdb
