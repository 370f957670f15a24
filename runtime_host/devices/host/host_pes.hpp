// host_pes.hpp: the PEs of the device `host`: their memory and state, and their code, for one PE or for the lanes of a warp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assembler/image/superinstruction.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/device/host_memory.hpp"
#include "runtime_host/device/start_state.hpp"
#include "runtime_host/device/thread_pool.hpp"
#include "runtime_host/device/thread_schedule.hpp"
#include "runtime_host/devices/host/host_code.hpp"
#include "runtime_host/devices/host/interpreter/host_interpreter.hpp"
#include "runtime_host/devices/host/native/native_code.hpp"
#include "runtime_host/devices/host/native/native_turns.hpp"
#include "runtime_host/devices/host/native_lanes/native_lanes.hpp"
#include "runtime_host/devices/host/pe_windows.hpp"
#include "runtime_host/devices/host/warp_memory.hpp"
#include "runtime_host/devices/turns/turns_of_pes.hpp"

namespace mog {

/// How PEs are run: one at a time by the interpreter with compiled blocks, or those of a warp at once.
enum class HostEngine : std::uint8_t { blocks, lanes };
inline std::string_view name_of(HostEngine engine) { return engine == HostEngine::blocks ? "blocks" : "lanes"; }

class HostPes {
public:
    using u32 = std::uint32_t;

    struct Warp {
        u32 number, running;  ///< PEs MOG_LANES * number and on; a bit for each
    };
    struct Ran {
        double instructions = 0, seconds = 0;  ///< of all PEs; of processors
    };

    /// Code for lanes that the image does not have: a shared object.
    void take_lanes(std::vector<std::uint8_t> library) { lanes_library_ = std::move(library); }
    /// After load(), for `blocks` and both: the same compiled now.
    Result<void> compile_lanes();

    /// Memory and state of all PEs, laid for `engine`. `both`: they may be laid anew for the other one, too, and those of the
    /// warps `others` are from the beginning. `arithmetic`: that of code that was not compiled for the program.
    Result<void> load(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic, HostEngine engine, bool both,
                      std::span<const u32> others);

    /// The warps of PEs, which are ascending.
    static std::vector<Warp> warps_of(std::span<const u32> pes);
    unsigned cores() const { return pool_.size(); }
    /// So many of them, but not all, are for somebody else.
    void leave_cores(unsigned count) { pool_.use_at_most(cores() > count ? cores() - count : 1); }

    /// See Device.
    void serve_at_once(Device::ServeAtOnce serve) { serve_at_once_ = std::move(serve); }
    /// See Device.
    bool can_break() const { return debugged_; }
    void set_breaks(std::span<const u32> places);
    void heed_breaks(bool heeds);

    /// Before runs of at most so many PEs together: no records yet.
    void begin_round(std::size_t pes);
    /// Of each process there are threads that share its memory.
    bool has_threads() const { return processes_ != nproc_; }
    /// PEs may wait for each other, by memory that they share.
    bool take_turns() const { return has_threads() || (window_bytes_ != 0 && !lanes_); }
    /// Runs PEs whose memory lies one after the other. `own_passes`: see Device::run.
    Ran run_single(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes);
    /// Runs threads of processes: in turns of some passes each, until none has any left, or everybody rests or has stopped; those that are
    /// woken meanwhile join them, so that a process whose threads wait for each other goes on within one launch. Not for longer than some
    /// tens of milliseconds.
    void run_threads(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes);
    /// Runs warps whose memory lies side by side, for so many passes of the warp.
    Ran run_lanes(std::span<const Warp> warps, u32 passes);
    /// Of the lanes of a warp, the part whose PEs stand in the same place or close by, on average over some of the warps. 0: no two do.
    double together(std::span<const u32> pes) const;
    /// What has stopped since begin_round, in any order.
    std::span<const Request> stopped() const { return {requests_.data(), stopped_}; }
    /// Those that stopped from the given one on had so many passes more than their run.
    void had_more_passes(std::size_t first, u32 passes) {
        for (std::size_t i = first; i < stopped_; i++) requests_[i][MOG_Q_LEFT] += passes;
    }

    /// Lays the memory of warps for an engine, where it is not; seconds of processors.
    Result<double> lay(std::span<const Warp> warps, HostEngine engine);
    /// See Device::restart; `config` as it was loaded. Memory of those that were laid for lanes lies word after word then.
    std::vector<u32> restart(std::span<const u32> pes, const LoadConfig &config);
    /// About what that takes for one warp.
    double relayout_seconds(const Warp &warp) const;

    void transfer(std::span<const Transfer> transfers, std::uint8_t *staging, bool to_pe);
    /// See Device. Pages that nobody has touched are not looked at.
    void find_not_zero(std::span<const Device::Range> ranges, std::span<u32> found);
    /// See Device: pages that nobody has touched are not among them.
    Device::Changes changes() const;
    void copy_state(u32 from_pe, u32 to_pe, u32 words);
    void copy(std::span<const Copy> copies);
    /// See Device::answer.
    void answer(std::span<const Answer> answers, AnswerRows rows);

    /// "compiled blocks, 0 superinstructions".
    std::string code_for_one() const;
    /// False if the code had to be compiled now.
    bool cached() const { return cached_; }
    /// Of the lanes of a warp, the part that executed, on average; 0: none did.
    double occupancy() const;
    /// What copies of loops for all lanes together did.
    DeviceStats::Guarded guarded() const;
    /// What was compiled while it ran; none: nothing is.
    const NativeCode *native() const { return native_ ? &*native_ : nullptr; }
    /// The code for lanes that was; none: there is other code, or none.
    const NativeLanes *native_lanes() const { return native_lanes_.get(); }
    /// Of constants that all PEs have once.
    u32 constants_bytes() const { return constants_bytes_; }
    /// Why its loads and stores ask whether they may; empty: the processor does.
    const std::string &why_asking() const { return why_asking_; }
    /// Instructions, if the code counts them; else 0.
    std::uint64_t counted() const;

private:
    Result<void> open(HostEngine engine);
    /// `is_run`: PEs will be run one at a time.
    void open_native(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic, bool is_run);
    void hook_native();
    /// Where a PE's DATA begins, if its words lie one after the other.
    std::uint8_t *bytes_of(u32 pe) const {
        if (pe >= processes_) pe %= processes_;
        return windows_ ? windows_->data(pe) : reinterpret_cast<std::uint8_t *>(data_.words() + std::size_t{pe} * data_words_);
    }
    Result<void> make_spaces(const Image &image, const LoadConfig &config);
    /// Where an address of a PE is that is known to be in its DATA or in the window; DATA is laid word after word.
    std::uint8_t *place_of(u32 pe, u32 address) const {
        if (address - MOG_SHARED_BASE < window_bytes_) return window_ + (address - MOG_SHARED_BASE);
        if (address - constants_base < constants_bytes_) return constants_ + (address - constants_base);
        return bytes_of(pe) + (address - MOG_DATA_BASE);
    }
    /// From where a kernel finds the memory of a PE by its number.
    u32 *base_for(u32 pe) const {
        return reinterpret_cast<u32 *>(reinterpret_cast<std::uintptr_t>(bytes_of(pe)) - std::uintptr_t{4} * pe * data_words_);
    }
    /// Runs the `item`-th PE of a list for so many passes. Its record, if it stops: then `stopped` is 1.
    void run_one(const u32 *list, u32 item, u32 count, u32 pe, u32 passes, u32 *record, u32 *stopped);
    void run_schedule(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes);
    Result<void> prepare_native_turns();
    void reserve_windows(const Image &image, const LoadConfig &config);
    bool map_spaces();
    void move_warp(u32 warp, bool into_windows);
    void transfer_one(const Transfer &transfer, std::uint8_t *staging, bool to_pe);
    void transfer_lane(const Transfer &transfer, std::uint8_t *staging, bool to_pe);
    u32 find_one(const Device::Range &range) const;
    struct Words;
    Words words_of(u32 pe) const;
    void copy_one(const Copy &copy);
    void fetch_ahead(u32 pe) const;
    void clear(u32 pe, std::size_t rows);
    std::uint64_t count_of(u32 pe) const;
    u32 *memory_of(u32 warp) const { return data_.words() + std::size_t{warp} * MOG_LANES * data_words_; }

    ThreadPool pool_;
    PageMap pages_;
    HostCode code_, lanes_code_;
    HostInterpreter *own_ = nullptr;  ///< MOG's own, in place of code_ where the program brings none
    HostProgram program_;             ///< what that is told
    std::vector<std::uint8_t> lanes_library_;
    std::unique_ptr<NativeLanes> native_lanes_;
    std::optional<NativeCode> native_;
    std::optional<NativeTurns> native_turns_;  ///< of threads; none: each turn begins in the interpreter
    const Image *image_ = nullptr;
    LoadedText text_;
    HostMemory spaces_;                  ///< words of other spaces than "private" (assembler/image/spaces.hpp)
    std::uint8_t *window_ = nullptr;     ///< in them, that which all PEs see,
    u32 window_bytes_ = 0;               ///< of so many bytes; 0: there is none
    std::uint8_t *constants_ = nullptr;  ///< what no PE may write, if all have it once,
    u32 constants_bytes_ = 0;            ///< of so many bytes; 0: it is in DATA
    std::vector<u32> entries_, places_;  ///< to compiled blocks, for one PE and for lanes; empty if there are none
    bool lanes_ = false;                 ///< some may run in lanes
    bool blocks_ = false, sequence_ = false, fuel_ = false, cached_ = true;
    u32 nproc_ = 0, processes_ = 0, data_words_ = 0;
    bool in_order_ = false;                   ///< threads run in the order of their numbers, on one core
    std::optional<ThreadSchedule> schedule_;  ///< they run in its order
    u32 stride_ = 0;                          ///< words from one row of the state to the next
    HostMemory data_, state_;
    std::optional<PeWindows> windows_;  ///< of PEs whose words lie one after the other; else they are in data_, as those for lanes always
    std::string why_asking_;
    bool debugged_ = false;
    NativeMemory native_memory_;  ///< what native_ was made for,
    bool native_floats_ = false, native_all_ = false;
    /// Code with breaks, beside that without any, which other PEs have at the same time.
    struct WithBreaks {
        std::vector<std::uint16_t> text;
        std::vector<u32> entries, places;
        std::optional<NativeCode> native;
        HostProgram program;
    };
    std::optional<WithBreaks> with_breaks_;
    bool heeds_breaks_ = false;
    std::optional<StartData> start_;
    std::uint64_t counted_before_ = 0;    ///< instructions of PEs that were restarted
    std::vector<bool> laid_for_lanes_;    ///< by warp
    std::vector<std::size_t> kept_once_;  ///< by warp: words of each PE that it shares with others; see StartData
    std::vector<Request> requests_;
    u32 stopped_ = 0;
    std::vector<u32> passes_beside_;
    Device::ServeAtOnce serve_at_once_;
    const u32 *stack_pointers_ = nullptr;  ///< by PE: the row of the state
    std::vector<std::uint8_t> has_stopped_;
    std::size_t least_chunk_ = 1;  ///< PEs that a thread takes at once, if they ran for a short time only in the last round
    bool was_brief_ = false;       ///< the last round of few PEs: not worth waking other threads for
    using LaneCounts = std::array<std::uint64_t, MOG_LANE_COUNTS>;
    LaneCounts lane_counts_{};  ///< by mog_lane_count
    Divergence divergence_ = Divergence::Guarded;
};

}  // namespace mog
