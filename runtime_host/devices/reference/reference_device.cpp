// reference_device.cpp: memory, state and threads around the reference machine.
#include "runtime_host/devices/reference/reference_device.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "assembler/image/breaks.hpp"
#include "assembler/image/constants.hpp"
#include "assembler/image/spaces.hpp"
#include "assembler/image/superinstruction.hpp"
#include "assembler/text/print.hpp"
#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/device/host_memory.hpp"
#include "runtime_host/device/host_room.hpp"
#include "runtime_host/device/start_state.hpp"
#include "runtime_host/device/thread_pool.hpp"
#include "runtime_host/device/thread_schedule.hpp"
#include "runtime_host/devices/reference/reference_machine.hpp"
#include "runtime_host/memory/memory_checker.hpp"

namespace mog {

namespace {

/// Writes one line per instruction: rank, TEXT index, MIPS address, function, instruction, ACC and D afterwards.
class Tracer final : public reference::Watcher {
public:
    Tracer(const Image &image, const std::function<void(std::string_view)> &sink) : image_(image), sink_(sink) {}

    void set_rank(std::uint32_t rank) { rank_ = rank; }

    void executed(std::uint32_t at, std::uint16_t word, std::uint32_t acc, std::uint64_t dacc) override {
        std::uint32_t address = at < image_.source_address.size() ? image_.source_address[at] : 0;
        if (address != address_) {
            address_ = address;
            function_ = address ? find_source(image_, address).function : "";
        }
        sink_(fmt::format("[{}] {:6} {:08x} {:<16} {:<24} ACC {:08x} D {:016x}\n", rank_, at, address, function_, disassemble(at, word),
                          acc, dacc));
    }

private:
    std::string disassemble(std::uint32_t at, std::uint16_t word) const {
        const OpInfo *op = find_op(static_cast<std::uint8_t>(word >> 8));
        if (!op) return fmt::format(".word {:#06x}", word);
        const bool is_label = op->operand == OperandKind::Label;
        const bool is_pooled = is_label || op->operand == OperandKind::Const;
        const std::uint32_t operand = is_pooled ? constant_at(image_, at) : word & 0xffu;
        return print_instruction({static_cast<Op>(word >> 8), operand}, image_.register_names, is_label ? label(operand) : "");
    }

    std::string label(std::uint32_t target) const {
        auto it = std::lower_bound(image_.label_at.begin(), image_.label_at.end(), target);
        if (it == image_.label_at.end() || *it != target) return fmt::format("{}", target);
        return image_.labels[static_cast<std::size_t>(it - image_.label_at.begin())];
    }

    const Image &image_;
    const std::function<void(std::string_view)> &sink_;
    std::uint32_t rank_ = 0, address_ = 0;
    std::string function_;
};

class ReferenceDevice final : public Device {
public:
    ReferenceDevice() : info_(reference_device_info()) {}

    const DeviceInfo &info() const override { return info_; }

    std::uint64_t bytes_per_pe(const Image &image, std::uint32_t data_words) const override {
        return 4ull * (data_words + MOG_S_REGS + image.register_names.size() + MOG_Q_WORDS);
    }

    Result<void> load(const Image &image, const LoadConfig &config) override {
        Result<Arithmetic> arithmetic = choose_arithmetic(image, config.doubles, {}, info_.id);
        if (!arithmetic) return arithmetic.error();
        arithmetic_ = arithmetic->description;
        run_ = arithmetic->fcsr                               ? reference::run_fcsr
               : arithmetic->doubles == Arithmetic::How::Soft ? reference::run_soft
               : arithmetic->doubles == Arithmetic::How::Pair ? reference::run_pair
                                                              : reference::run_native;
        image_ = &image;
        config_ = config;
        rows_ = MOG_S_REGS + static_cast<std::uint32_t>(image.register_names.size());
        // One illegal instruction behind the last one: code that runs off its end stops there.
        text_ = image.text;
        text_.push_back(static_cast<std::uint16_t>(static_cast<unsigned>(Op::ill_) << 8));
        retires_ = image.retires;
        retires_.resize(text_.size());
        auto role = [&](Role r) { return image.roles[static_cast<std::size_t>(r)]; };
        program_ = {text_.data(),          image.cpool.data(),
                    image.code_map.data(), image.cpool_shift,
                    image.code_base,       static_cast<std::uint32_t>(image.code_map.size()),
                    retires_.data(),       static_cast<std::uint32_t>(image.register_names.size()),
                    role(Role::sp),        role(Role::ra),
                    role(Role::v0),        role(Role::a0),
                    role(Role::a1),        role(Role::a2),
                    role(Role::a3)};
        program_.read_only = read_only_of(image);
        spaces_ = HostMemory();
        flat_.clear();
        window_ = nullptr;
        constants_bytes_ = 0;
        if (const SpaceBuffer buffer = space_buffer(image, config.window_bytes); buffer.words != 0) {
            Result<HostMemory> spaces = HostMemory::allocate_mappable(4 * buffer.words);
            if (!spaces) return spaces.error();
            spaces_ = *std::move(spaces);
            std::uint32_t *next = spaces_.words() + buffer.header.size();
            for (const Space &space : spaces_of(image)) {
                flat_.push_back({space.base, buffer.header[flat_.size()], next, space.is_constants()});
                next += space.is_constants() ? buffer.constants_words : flat_.back().bytes / 4;
            }
            constants_ = reinterpret_cast<std::uint8_t *>(spaces_.words() + buffer.constants_at);
            std::ranges::copy(buffer.constants, constants_);
            constants_bytes_ = static_cast<std::uint32_t>(buffer.constants.size());
            if (buffer.window_at != 0) window_ = reinterpret_cast<std::uint8_t *>(spaces_.words() + buffer.window_at);
        }
        program_.flat = flat_.data();
        program_.spaces = static_cast<std::uint32_t>(flat_.size());

        MOG_TRY(check_host_room(config.nproc, least_host_bytes_per_pe(image, config, false)));
        Result<HostMemory> data = HostMemory::allocate(4ull * config.processes() * config.data_words, config.processes());
        if (!data) return data.error();
        data_ = *std::move(data);
        Result<HostMemory> state = HostMemory::allocate(4ull * config.nproc * rows_, config.nproc);
        if (!state) return state.error();
        state_ = *std::move(state);
        stopped_.assign(config.nproc, 0);
        if (config.count) make_sequence();
        schedule_.reset();
        if (config.schedule && (config.threads > 1 || config.window_bytes != 0)) schedule_.emplace(*config.schedule, config.turns);
        const StartData start(image, config.processes(), config.data_words);
        pool_.for_each(config.processes(), [&](std::size_t i) {
            const auto pe = static_cast<std::uint32_t>(i);
            write_start_state(image, config_, start, pe, memory_of(pe), state_of(pe), 1);
        });
        return {};
    }

    bool can_break() const override { return true; }
    Result<void> set_breaks(std::span<const std::uint32_t> places) override {
        // It knows all instructions, and one that is none is not counted: what has happened is told by counts
        // (runtime_host/gdb/history.hpp).
        text_with_breaks_.assign(text_.begin(), text_.end());
        for (const std::uint32_t at : places) text_with_breaks_[at] = static_cast<std::uint16_t>(Op::ill_) << 8;
        return {};
    }
    void heed_breaks(bool heeds) override { program_.text = (heeds ? text_with_breaks_ : text_).data(); }

    void serve_at_once(ServeAtOnce serve) override { serve_at_once_ = std::move(serve); }

    Result<std::vector<Request>> run(std::span<const std::uint32_t> active, std::uint32_t passes,
                                     std::span<const std::uint32_t> own_passes) override {
        if (schedule_) return run_schedule(active, passes, own_passes);
        requests_.resize(active.size());
        auto run = [&](std::size_t i) { run_one(active[i], i, own_passes.empty() ? passes : own_passes[i]); };
        // Threads in turn, where nothing may depend on how fast something is: they see each other's memory.
        const bool shares = config_.threads > 1 || config_.window_bytes != 0;
        if (config_.trace || (config_.deterministic && shares) || (config_.memory && config_.threads > 1)) {
            for (std::size_t i = 0; i < active.size(); i++) run(i);
        } else {
            pool_.for_each(active.size(), run);
        }
        std::vector<Request> out;
        for (std::size_t i = 0; i < active.size(); i++)
            if (stopped_[i]) out.push_back(requests_[i]);
        return out;
    }

    bool memory_is_ours() const override { return true; }

    Result<void> find_not_zero(std::span<const Range> ranges, std::span<std::uint32_t> found) override {
        pool_.for_each(ranges.size(), [&](std::size_t i) {
            const Range &range = ranges[i];
            const std::size_t count = range.begin < range.end ? (range.end - range.begin) / 4 : 0;
            found[i] = range.begin + 4 * static_cast<std::uint32_t>(
                                             first_not_zero(memory_of(range.pe) + (range.begin - MOG_DATA_BASE) / 4, 1, count, pages_));
        });
        return {};
    }

    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override {
        for (const Transfer &t : transfers) std::memcpy(staging.data() + t.staging, place(t), t.length);
        return {};
    }

    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override {
        MOG_TRY(check_targets(transfers, constants_bytes_));
        for (const Transfer &t : transfers) {
            std::memcpy(place(t), staging.data() + t.staging, t.length);
            if (!config_.memory) continue;
            if (!t.is_state) config_.memory->is_written(t.pe, t.address, t.length);
            else if (t.address >= MOG_S_REGS) config_.memory->is_set(t.pe, t.address - MOG_S_REGS);
        }
        return {};
    }

    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override {
        for (const Answer &a : answers) {
            state_of(a.pe)[rows.v0] = a.value;
            state_of(a.pe)[rows.a3] = a.failed;
            if (!config_.memory) continue;
            config_.memory->is_set(a.pe, rows.v0 - MOG_S_REGS);
            config_.memory->is_set(a.pe, rows.a3 - MOG_S_REGS);
        }
        return {};
    }

    Result<void> copy(std::span<const Copy> copies) override {
        const auto at = [&](std::uint32_t pe, std::uint32_t address) { return place({pe, address, 0, 0, false}); };
        MOG_TRY(check_targets(copies, constants_bytes_));
        for (const Copy &c : copies) {
            std::memmove(at(c.to_pe, c.to), at(c.from_pe, c.from), c.length);
            if (config_.memory) config_.memory->is_copied(c.from_pe, c.from, c.to_pe, c.to, c.length);
        }
        return {};
    }

    Result<DeviceStats> stats() override {
        DeviceStats stats;
        stats.engine = "reference switch";
        stats.arithmetic = arithmetic_;
        stats.counted = true;
        for (std::uint32_t pe = 0; pe < config_.nproc; pe++) {
            const std::uint32_t *state = state_of(pe);
            stats.executed += state[MOG_S_COUNT_LO] | std::uint64_t{state[MOG_S_COUNT_HI]} << 32;
        }
        stats.retired = retired_;
        stats.attempts = attempts_;
        return stats;
    }

    Result<RunCounts> counts() override {
        RunCounts sum;
        sum.executed.resize(image_->text.size());
        sum.taken.resize(image_->text.size());
        std::map<std::uint64_t, std::uint64_t> jumps;
        for (const auto &counts : counts_) {
            for (std::size_t i = 0; i < sum.executed.size(); i++) {
                sum.executed[i] += counts->executed[i];
                sum.taken[i] += counts->taken[i];
            }
            for (const auto &[way, count] : counts->jumps) jumps[way] += count;
        }
        for (const auto &[way, count] : jumps)
            sum.jumps.push_back({static_cast<std::uint32_t>(way >> 32), static_cast<std::uint32_t>(way), count});
        return sum;
    }

private:
    /// Counters for one thread at a time, taken and given back.
    reference::Counts *take_counts() {
        std::lock_guard lock(counts_mutex_);
        if (free_counts_.empty()) {
            counts_.push_back(std::make_unique<reference::Counts>());
            counts_.back()->executed.resize(text_.size());
            counts_.back()->taken.resize(text_.size());
            return counts_.back().get();
        }
        reference::Counts *counts = free_counts_.back();
        free_counts_.pop_back();
        return counts;
    }

    void give_counts_back(reference::Counts *counts) {
        std::lock_guard lock(counts_mutex_);
        free_counts_.push_back(counts);
    }

    std::uint32_t *memory_of(std::uint32_t pe) const {
        return data_.words() + std::uint64_t{pe % config_.processes()} * config_.data_words;
    }
    std::uint32_t *state_of(std::uint32_t pe) const { return state_.words() + std::uint64_t{pe} * rows_; }

    std::uint8_t *place(const Transfer &t) const {
        if (is_in_window(t, config_.window_bytes)) return window_ + (t.address - MOG_SHARED_BASE);
        if (is_in_constants(t, constants_bytes_)) return constants_ + (t.address - constants_base);
        return place_of(t, memory_of(t.pe), state_of(t.pe), 1);
    }

    Result<std::vector<Request>> run_schedule(std::span<const std::uint32_t> active, std::uint32_t passes,
                                              std::span<const std::uint32_t> own_passes) {
        std::vector<Request> out;
        requests_.resize(1);
        const auto run_turn = [&](std::uint32_t pe, std::uint32_t allowed, Request &record) {
            run_one(pe, 0, allowed);
            record = requests_[0];
            return stopped_[0] != 0;
        };
        schedule_->run(active, passes, own_passes, run_turn, serve_at_once_, out);
        std::ranges::sort(out, {}, [](const Request &record) { return record[MOG_Q_PE]; });
        return out;
    }

    /// The image's product "slots": an opcode for each slot.
    void make_sequence() {
        const std::span<const std::uint8_t> opcodes = image_->products.bytes(ProductKind::slots);
        if (opcodes.empty() || opcodes.size() > 0xffff) return;
        const auto n = static_cast<std::uint32_t>(opcodes.size());
        sequence_.slots = n;
        sequence_.distance.resize(std::size_t{n} * 256);
        std::array<std::uint32_t, 256> next{};  // place of the next slot, up to two turns on; 0: none
        for (std::uint32_t i = 2 * n; i-- > 0;) {
            if (i < n)
                for (std::uint32_t op = 0; op < 256; ++op)
                    if (next[op] != 0) sequence_.distance[i * 256 + op] = static_cast<std::uint16_t>(next[op] - i);
            next[opcodes[i % n]] = i;
        }
        sequence_.text = fused_text(*image_, Shape::sequence);
        sequence_.text.push_back(text_.back());
        sequence_.parts = part_counts(*image_);
        places_.assign(config_.nproc, {n - 1, 0});
    }

    void run_one(std::uint32_t pe, std::size_t slot, std::uint32_t passes) {
        reference::Pe machine{pe, memory_of(pe), config_.data_words, state_of(pe)};
        machine.races = config_.races;
        if (config_.memory) machine.shadow = &config_.memory->shadow_of(pe, memory_of(pe), state_of(pe) + MOG_S_REGS);
        std::uint64_t retired = 0, attempts = 0;
        if (config_.count && sequence_.slots != 0) {
            machine.place = &places_[pe];
            machine.sequence = &sequence_;
            machine.attempts = &attempts;
        }
        const std::vector<std::uint32_t> &ranks = config_.trace_ranks;
        if (config_.trace && (ranks.empty() || std::find(ranks.begin(), ranks.end(), pe) != ranks.end())) {
            Tracer tracer(*image_, config_.trace);
            tracer.set_rank(pe);
            stopped_[slot] = run_(program_, machine, passes, requests_[slot].data(), &retired, &tracer, nullptr);
        } else {
            reference::Counts *counts = config_.profile ? take_counts() : nullptr;
            stopped_[slot] = run_(program_, machine, passes, requests_[slot].data(), config_.count ? &retired : nullptr, nullptr, counts);
            if (counts) give_counts_back(counts);
        }
        retired_.fetch_add(retired, std::memory_order_relaxed);
        attempts_.fetch_add(attempts, std::memory_order_relaxed);
    }

    DeviceInfo info_;
    ThreadPool pool_;
    const Image *image_ = nullptr;
    LoadConfig config_;
    HostMemory spaces_;                  ///< words of other spaces than "private",
    std::uint8_t *window_ = nullptr;     ///< and where that is in them which all PEs see
    std::uint8_t *constants_ = nullptr;  ///< what is read only, if all PEs have it once,
    std::uint32_t constants_bytes_ = 0;  ///< so many
    std::vector<reference::FlatSpace> flat_;
    reference::Program program_;
    reference::Run *run_ = reference::run_native;
    std::string arithmetic_;
    std::vector<std::uint16_t> text_, text_with_breaks_;
    std::vector<std::uint32_t> retires_;
    HostMemory data_, state_;
    PageMap pages_;
    std::uint32_t rows_ = 0;
    std::vector<Request> requests_;
    std::optional<ThreadSchedule> schedule_;
    ServeAtOnce serve_at_once_;  ///< asked only where there is a schedule
    std::vector<std::uint8_t> stopped_;
    std::atomic<std::uint64_t> retired_{0}, attempts_{0};
    reference::Sequence sequence_;
    std::vector<reference::Place> places_;                    ///< by PE
    std::vector<std::unique_ptr<reference::Counts>> counts_;  ///< as many as threads ran at the same time
    std::vector<reference::Counts *> free_counts_;
    std::mutex counts_mutex_;
};

}  // namespace

DeviceInfo reference_device_info() {
    DeviceInfo info;
    info.id = "reference";
    info.driver = processor_name();
    info.memory_bytes = host_memory_bytes();
    info.maps_by_touch = true;
    info.fill_pes = info.units = usable_cores();
    info.description = fmt::format("reference machine on the CPU, {} core{}", info.fill_pes, info.fill_pes == 1 ? "" : "s");
    return info;
}

std::unique_ptr<Device> make_reference_device() { return std::make_unique<ReferenceDevice>(); }

}  // namespace mog
