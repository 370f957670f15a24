// cuda_device.cpp: memory of PEs on a CUDA device, and launches of all that run.
//
// All PEs are in one allocation, in whole warps, and one launch runs all that are listed. Lists and records pass through pinned
// memory, which the device copies by itself.
#include "runtime_host/devices/cuda/cuda_device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "assembler/image/facts.hpp"
#include "assembler/image/spaces.hpp"
#include "runtime_host/device/host_room.hpp"
#include "runtime_host/device/kernel_setup.hpp"
#include "runtime_host/device/record_order.hpp"
#include "runtime_host/device/start_state.hpp"
#include "runtime_host/devices/cuda/cuda_embedded.hpp"
#include "runtime_host/devices/cuda/cuda_info.hpp"
#include "runtime_host/devices/cuda/cuda_kernels.hpp"
#include "runtime_host/devices/cuda/cuda_launches.hpp"
#include "runtime_host/devices/cuda/cuda_session.hpp"
#include "runtime_host/devices/cuda/cuda_transfers.hpp"
#include "runtime_host/devices/tiers/memory_layout.hpp"
#include "runtime_host/devices/tiers/regrouping.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

class CudaDevice final : public Device, Mailboxes {
public:
    CudaDevice(const CudaApi &api, CudaDeviceFacts facts, DeviceInfo info) : api_(api), facts_(std::move(facts)), info_(std::move(info)) {}
    ~CudaDevice() override {
        kernels_.end();
        if (opened_) (void)session_.enter();  // what the members give back belongs to the context
    }

    const DeviceInfo &info() const override { return info_; }
    Result<void> enter_thread() override { return opened_ ? session_.enter() : Result<void>(); }

    u64 bytes_per_pe(const Image &image, u32 data_words) const override {
        return laid_bytes_per_pe(image, data_words + mailbox_words(image));
    }

    Result<u64> room(const Image &image, u32 data_words) override;
    Result<void> load(const Image &image, const LoadConfig &config) override;
    Result<std::vector<Request>> run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) override;
    Result<void> gather(std::span<const Transfer> transfers, std::span<u8> staging) override {
        return transfer(transfers, staging.data(), nullptr, false);
    }
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const u8> staging) override {
        return transfer(transfers, nullptr, staging.data(), true);
    }
    /// The bytes stay on the device.
    Result<void> copy(std::span<const Copy> copies) override {
        MOG_TRY(check_targets(copies, constants_bytes_));
        const auto reads_constants = [this](const Copy &c) { return c.from - constants_base < constants_bytes_; };
        if (window_bytes_ != 0 || std::ranges::any_of(copies, reads_constants)) return Device::copy(copies);
        return copy_in_stages(copies, [this](std::span<const Transfer> from, std::span<const Transfer> to, u32) -> Result<void> {
            MOG_TRY(transfer(from, nullptr, nullptr, false));
            return transfer(to, nullptr, nullptr, true);
        });
    }
    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override;
    /// Counters for a profile are read between launches, and fuel is each PE's own.
    ConcurrentLaunches *concurrent() override { return profiling_ || fuel_ ? nullptr : &*launches_; }
    void threads_sleep(bool some) override { threads_sleep_ = some; }
    class Mailboxes *mailboxes() override {
        return has_mailboxes_ ? this : nullptr;
    }
    bool looks_for_hot_code() const override { return kernels_.tiers() != nullptr; }
    void seen(std::span<const u32> /*pes*/, std::span<const u32> at, double instructions) override {
        if (KernelTiers *tiers = kernels_.tiers()) tiers->seen(at, instructions);
    }
    bool is_busy() override { return kernels_.tiers() && kernels_.tiers()->is_building(); }
    bool can_break() const override { return debugged_of_ != nullptr; }
    Result<void> set_breaks(std::span<const u32> places) override;
    void heed_breaks(bool heeds) override { heeds_breaks_ = heeds && text_with_breaks_.get() != 0; }
    bool unload() override;
    Result<DeviceStats> stats() override;
    Result<RunCounts> counts() override { return counts_of_launches_.total(); }

private:
    static u64 laid_bytes_per_pe(const Image &image, u32 laid_words) {
        return kernel_bytes_per_pe(image, laid_words) + 4 * (MOG_A_WORDS - 1);
    }
    u32 address() const override { return MOG_DATA_BASE + 4 * data_words_; }
    void use(u32 how) override { mail_ = how; }
    u32 moved() const override { return moved_; }
    Result<void> make_memory(const Image &image, const LoadConfig &config);
    Result<void> open();
    Result<u64> free_memory();
    Result<void> check_memory(const Image &image);
    Result<void> start(const Image &image, const LoadConfig &config);
    Result<void> change_kernel();
    void ran(double seconds);
    Result<void> launch_run(const CudaLaunches::Buffers &buffers, u32 passes, u32 count);
    Result<void> settle_answers(std::span<const Transfer> transfers);
    Result<void> add_counts();
    Result<std::span<const u32>> order_of(std::span<const u32> active);
    /// Without `into` or `from` the bytes go to staging memory of the device, or come from there.
    Result<void> transfer(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe);
    Result<void> transfer_pes(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe);
    Result<std::vector<Transfer>> transfer_window(std::span<const Transfer> transfers, u8 *into, const u8 *from);

    const CudaApi &api_;
    CudaDeviceFacts facts_;
    DeviceInfo info_;
    CudaSession session_;
    bool opened_ = false;
    CudaKernels kernels_{session_, api_, facts_, info_};
    CudaTransfers transfers_{session_};
    u32 stack_pointer_ = 0;  ///< its register
    Regrouping regrouping_;
    std::vector<u32> places_, stacks_;  ///< by PE, before a launch, if it regroups
    bool exact_slices_ = false;
    std::array<u32, MOG_N_WORDS> head_{};  ///< what NREQUESTS begins with
    bool counting_ = false, profiling_ = false, fuel_ = false;
    std::size_t superinstructions_ = 0;
    /// Of threads, that of their processes.
    u64 data_bytes() const { return 4ull * (processes_ != nproc_ ? processes_ : stride_) * laid_words_; }

    u32 nproc_ = 0, processes_ = 0, stride_ = 0, data_words_ = 0, laid_words_ = 0, nregs_ = 1;
    bool has_mailboxes_ = false, threads_sleep_ = true;
    u32 mail_ = MOG_MAIL_RESTS, moved_ = 0;
    std::vector<CudaMemory> earlier_entries_;  ///< of kernels of which launches may be under way
    Result<CountedLayouts> counted_layouts();
    const Image *counts_layouts_of_ = nullptr;  ///< sectors are counted: the program
    const Image *debugged_of_ = nullptr;        ///< the program, if it is debugged
    CudaMemory text_with_breaks_, entries_with_breaks_;
    bool heeds_breaks_ = false;
    CudaMemory text_, cpool_, code_map_, entry_of_, data_, state_, requests_, nrequests_, active_, profile_, spaces_;
    u64 window_at_ = 0;              ///< bytes in spaces_ before the window,
    u32 window_bytes_ = 0;           ///< which has so many; 0: there is none
    std::span<const u8> constants_;  ///< what no PE may write, if all have it once: the image's,
    u32 constants_bytes_ = 0;        ///< so many
    bool is_shared(const Transfer &t) const { return is_in_window(t, window_bytes_) || is_in_constants(t, constants_bytes_); }
    PinnedMemory pinned_active_, pinned_requests_;
    RecordOrder record_order_;
    LaunchCounts counts_of_launches_;
    WaitingAnswers answers_;
    AnswerRows answer_rows_;
    std::optional<CudaLaunches> launches_;
};

/// Makes the context current, for the first time or again.
Result<void> CudaDevice::open() {
    if (!opened_) MOG_TRY(session_.open(api_, facts_.id));
    opened_ = true;
    return session_.enter();
}

Result<u64> CudaDevice::free_memory() {
    std::size_t available = 0, all = 0;
    if (CuResult code = api_.cuMemGetInfo(&available, &all); code != 0) return cuda_error(api_, "cuMemGetInfo", code);
    return u64{available};
}

Result<u64> CudaDevice::room(const Image &image, u32 data_words) {
    MOG_TRY(open());
    const Result<u64> available = free_memory();
    if (!available) return available.error();
    // Code and staging memory want some of it.
    const u64 reserve = std::min<u64>(*available / 16, 256u << 20);
    return (*available - reserve) / bytes_per_pe(image, data_words) / cuda_warp * cuda_warp;
}

Result<void> CudaDevice::check_memory(const Image &image) {
    const Result<u64> free = free_memory();
    if (!free) return free.error();
    const u64 available = *free, each = laid_bytes_per_pe(image, laid_words_);
    if (each * stride_ <= available || (processes_ != nproc_ && data_bytes() + laid_bytes_per_pe(image, 0) * stride_ <= available))
        return {};
    return Error{fmt::format("{} PEs with {} KiB each need {}, but {} has {} free: {}", nproc_, data_words_ / 256,
                             format_amount(each * stride_), info_.id, format_amount(available),
                             what_to_lower(available / each / cuda_warp * cuda_warp, available / stride_ / 1024))};
}

Result<void> CudaDevice::make_memory(const Image &image, const LoadConfig &config) {
    const KernelConstants constants(image, config, kernels_.is_switch(), kernels_.entries(), kernels_.tiers() != nullptr);
    superinstructions_ = constants.text.superinstructions;
    CudaMemory *const of_part[] = {&text_, &cpool_, &code_map_, &entry_of_};
    for (std::size_t i = 0; i < constants.parts.size(); i++) {
        Result<CudaMemory> made = session_.make_filled(constants.parts[i].data(), constants.parts[i].size());
        if (!made) return made.error();
        *of_part[i] = *std::move(made);
    }
    MOG_TRY(session_.finish());  // `constants` are gone after this
    struct {
        CudaMemory &memory;
        u64 bytes;
    } others[] = {{data_, data_bytes()},
                  {state_, 4ull * stride_ * (MOG_S_REGS + nregs_)},
                  {requests_, sizeof(Request) * u64{nproc_}},
                  {nrequests_, 4ull * MOG_N_WORDS},
                  {active_, 4ull * (MOG_A_WORDS + (config.fuel ? 1 : 0)) * nproc_}};
    for (auto &[memory, bytes] : others) {
        Result<CudaMemory> made = session_.make_memory(bytes);
        if (!made) return made.error();
        memory = *std::move(made);
    }
    if (profiling_) {
        counts_of_launches_.start(image);
        Result<CudaMemory> made = session_.make_memory(counts_of_launches_.bytes());
        if (!made) return made.error();
        profile_ = *std::move(made);
        MOG_TRY(session_.fill_with_zeros(profile_.get(), counts_of_launches_.bytes()));
    }
    const SpaceBuffer buffer = space_buffer(image, config.window_bytes);
    window_bytes_ = config.window_bytes;
    window_at_ = 4 * buffer.window_at;
    constants_ = buffer.constants;
    constants_bytes_ = static_cast<u32>(buffer.constants.size());
    spaces_ = CudaMemory();
    if (buffer.words != 0) {
        Result<CudaMemory> made = session_.make_memory(4 * buffer.words);
        if (!made) return made.error();
        spaces_ = *std::move(made);
        MOG_TRY(session_.fill_with_zeros(spaces_.get(), 4 * buffer.words));
        MOG_TRY(session_.write(spaces_.get(), buffer.header.data(), 4 * buffer.header.size()));
        if (constants_bytes_ != 0)
            MOG_TRY(session_.write(spaces_.get() + 4 * buffer.constants_at, buffer.constants.data(), constants_bytes_));
        MOG_TRY(session_.finish());  // `buffer` is gone after this
    }
    return session_.grow(pinned_requests_, 4ull * MOG_N_WORDS);
}

Result<void> CudaDevice::start(const Image &image, const LoadConfig &config) {
    const std::vector<u32> words = initial_data(image, config);
    Result<CudaMemory> initial = session_.make_filled(words.data(), 4 * words.size());
    if (!initial) return initial.error();
    Result<CudaMemory> startup = session_.make_filled(config.startup.data(), 4 * config.startup.size());
    if (!startup) return startup.error();
    MOG_TRY(session_.fill_with_zeros(data_.get(), data_bytes()));
    constexpr u32 block = 128;
    MOG_TRY(session_.launch(kernels_.init(), nproc_, block, 0, initial->get(), static_cast<u32>(words.size()), startup->get(),
                            static_cast<u32>(config.startup.size()), data_.get(), data_words_, state_.get(), stride_, processes_,
                            image.entry, nproc_));
    return session_.finish();
}

Result<void> CudaDevice::load(const Image &image, const LoadConfig &wanted) {
    kernels_.end();
    LoadConfig config = wanted;
    config.fuel |= config.debugged && config.engine != Engine::Switch;  // only so a pass of a sequence is one instruction
    debugged_of_ = config.debugged ? &image : nullptr;
    heeds_breaks_ = false;
    text_with_breaks_ = CudaMemory();
    nproc_ = config.nproc;
    processes_ = config.processes();
    stride_ = static_cast<u32>(round_up(nproc_, cuda_warp));
    data_words_ = config.data_words;
    // What mogcc has compiled for a device that has no compiler has words side by side; and threads share memory as it is.
    config.layout = config.threads > 1                                   ? MemoryLayout::Words
                    : config.layout != MemoryLayout::Auto || nvrtc_api() ? layout_for(image, config.layout)
                                                                         : MemoryLayout::Words;
    counts_layouts_of_ = config.layout == MemoryLayout::Count ? &image : nullptr;
    threads_sleep_ = true;
    has_mailboxes_ = config.threads == 1 && mailbox_words(image) != 0;
    mail_ = MOG_MAIL_RESTS;
    laid_words_ = laid_words(config, has_mailboxes_ ? mailbox_words(image) : 0);
    nregs_ = static_cast<u32>(image.register_names.size());
    stack_pointer_ = image.roles[static_cast<std::size_t>(Role::sp)];
    regrouping_.start(image, config.regroup, config.deterministic, nproc_, cuda_warp);
    exact_slices_ = config.exact_slices;
    MOG_TRY(open());
    MOG_TRY(check_memory(image));
    MOG_TRY(kernels_.make(image, config));
    counting_ = config.count;
    profiling_ = config.profile;
    fuel_ = config.fuel;
    MOG_TRY(make_memory(image, config));
    answers_.reset(nproc_);
    launches_.emplace(
        session_, answers_, nproc_,
        [this](const CudaLaunches::Buffers &buffers, u32 passes, u32 count) { return launch_run(buffers, passes, count); },
        [this](double seconds) { ran(seconds); });
    return start(image, config);
}

/// PEs go on with the next kernel, if there is one. All that is its own are the entries to what it has compiled.
Result<void> CudaDevice::change_kernel() {
    const Result<bool> changed = kernels_.change();
    if (!changed || !*changed) return changed ? Result<void>() : changed.error();
    Result<CudaMemory> made = session_.make_filled(kernels_.entries().data(), 4 * kernels_.entries().size());
    if (!made) return made.error();
    earlier_entries_.push_back(std::exchange(entry_of_, *std::move(made)));
    return session_.finish();  // other streams shall find it
}

void CudaDevice::ran(double seconds) {
    if (KernelTiers *tiers = kernels_.tiers()) tiers->ran(seconds);
}

Result<void> CudaDevice::set_breaks(std::span<const u32> places) {
    MOG_TRY(session_.enter());
    heeds_breaks_ = false;
    text_with_breaks_ = CudaMemory();
    if (places.empty()) return {};
    const KernelBreaks breaks(*debugged_of_, kernels_.entries(), places);
    Result<CudaMemory> text = session_.make_filled(breaks.text.data(), 2 * breaks.text.size());
    if (!text) return text.error();
    if (!breaks.entries.empty()) {
        Result<CudaMemory> entries = session_.make_filled(breaks.entries.data(), 4 * breaks.entries.size());
        if (!entries) return entries.error();
        entries_with_breaks_ = *std::move(entries);
    }
    text_with_breaks_ = *std::move(text);
    return session_.finish();  // `breaks` is gone after this
}

Result<void> CudaDevice::launch_run(const CudaLaunches::Buffers &buffers, u32 passes, u32 count) {
    MOG_TRY(change_kernel());
    CuPointer text = (heeds_breaks_ ? text_with_breaks_ : text_).get(), cpool = cpool_.get(), code_map = code_map_.get(),
              data = data_.get(), state = state_.get(), requests = buffers.requests, nrequests = buffers.nrequests, active = buffers.active,
              entry_of = (heeds_breaks_ ? entries_with_breaks_ : entry_of_).get(), profile = profile_.get(), spaces = spaces_.get();
    u32 first = 0;
    std::vector<void *> parameters = {&text,     &cpool,     &code_map, &data,   &data_words_, &state, &stride_,
                                      &requests, &nrequests, &active,   &passes, &first,       &count};
    if (!kernels_.entries().empty()) parameters.push_back(&entry_of);
    if (profiling_) parameters.push_back(&profile);
    if (spaces != 0 || kernels_.are_of_any_program()) parameters.push_back(&spaces);
    const CudaRunKernel &run = kernels_.run();
    return session_.launch(run.function, count, run.block, kernels_.shared_bytes(), parameters.data(), buffers.stream);
}

/// Takes over what a launch counted, before its 32-bit counters can overflow.
Result<void> CudaDevice::add_counts() {
    MOG_TRY(session_.read(profile_.get(), counts_of_launches_.counters(), counts_of_launches_.bytes()));
    MOG_TRY(session_.fill_with_zeros(profile_.get(), counts_of_launches_.bytes()));
    MOG_TRY(session_.finish());
    counts_of_launches_.take_over();
    return {};
}

/// Which elements of the list lanes have, one after the other; empty: as they are.
Result<std::span<const u32>> CudaDevice::order_of(std::span<const u32> active) {
    if (!regrouping_.wants_places(active.size())) return std::span<const u32>();
    places_.resize(nproc_);
    stacks_.resize(nproc_);
    const auto row = [this](u32 number) { return state_.get() + 4ull * number * stride_; };
    MOG_TRY(session_.read(row(MOG_S_PC), places_.data(), 4ull * nproc_));
    MOG_TRY(session_.read(row(MOG_S_REGS + stack_pointer_), stacks_.data(), 4ull * nproc_));
    MOG_TRY(session_.finish());
    return regrouping_.order(active, places_, stacks_);
}

Result<std::vector<Request>> CudaDevice::run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    using Clock = std::chrono::steady_clock;
    const auto seconds_since = [](Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); };
    const Clock::time_point begin = Clock::now();
    MOG_TRY(session_.enter());
    const Result<std::span<const u32>> order = order_of(active);
    if (!order) return order.error();
    const double ordering = order->empty() ? 0 : seconds_since(begin);
    // With passes of its own beside each PE, the list has a word more for each.
    const std::size_t words = MOG_A_WORDS + (fuel_ ? 1 : 0);
    MOG_TRY(session_.grow(pinned_active_, 4 * words * active.size()));
    u32 *element = words_at(pinned_active_);
    for (std::size_t i = 0; i < active.size(); i++, element += words) {
        const std::size_t whose = order->empty() ? i : (*order)[i];
        answers_.write(element, active[whose]);
        if (fuel_) element[MOG_A_WORDS] = own_passes.empty() ? passes : own_passes[whose];
    }
    MOG_TRY(session_.write(active_.get(), pinned_active_.get(), 4 * words * active.size()));
    head_ = {};
    head_[MOG_N_AT_BLOCKS] = !exact_slices_ && passes >= 2 * MOG_PASSES_KEPT;
    head_[MOG_N_MAIL] = mail_;
    head_[MOG_N_AWAKE] = threads_sleep_ ? 0 : 1;
    MOG_TRY(session_.write(nrequests_.get(), head_.data(), sizeof head_));
    const Clock::time_point launched = Clock::now();
    MOG_TRY(launch_run({requests_.get(), nrequests_.get(), active_.get(), nullptr}, passes, static_cast<u32>(active.size())));
    MOG_TRY(session_.read(nrequests_.get(), words_at(pinned_requests_), 4ull * MOG_N_WORDS));
    MOG_TRY(session_.finish());
    ran(seconds_since(launched));
    const double seconds = seconds_since(begin);
    if (profiling_) MOG_TRY(add_counts());
    const u32 count = *words_at(pinned_requests_);
    moved_ = words_at(pinned_requests_)[MOG_N_MOVED];
    if (count > active.size()) return Error{fmt::format("{} reports more stopped PEs than ran: its memory is damaged", info_.id)};
    MOG_TRY(session_.grow(pinned_requests_, sizeof(Request) * u64{count}));
    MOG_TRY(session_.read(requests_.get(), words_at(pinned_requests_), sizeof(Request) * u64{count}));
    MOG_TRY(session_.finish());
    const std::span<const Request> stopped(static_cast<const Request *>(pinned_requests_.get()), count);
    u64 executed = own_passes.empty() ? u64{passes} * active.size() : std::accumulate(own_passes.begin(), own_passes.end(), u64{0});
    for (const Request &request : stopped) executed -= std::min<u64>(executed, request[MOG_Q_LEFT]);
    regrouping_.ran(executed, seconds, ordering);
    if (count == 0) return std::vector<Request>();
    return record_order_.ascending(stopped, active);
}

Result<void> CudaDevice::answer(std::span<const Answer> answers, AnswerRows rows) {
    answers_.put(answers);
    answer_rows_ = rows;
    return {};
}

/// Who looks at the state of PEs finds the results of their calls there.
Result<void> CudaDevice::settle_answers(std::span<const Transfer> transfers) {
    if (std::ranges::none_of(transfers, &Transfer::is_state)) return {};
    const std::vector<Answer> answers = answers_.take();
    return answers.empty() ? Result<void>() : Device::answer(answers, answer_rows_);
}

Result<void> CudaDevice::transfer(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe) {
    if (transfers.empty()) return {};
    MOG_TRY(session_.enter());
    if (to_pe) MOG_TRY(check_targets(transfers, constants_bytes_));
    MOG_TRY(settle_answers(transfers));
    if ((into || from) && std::ranges::any_of(transfers, [&](const Transfer &t) { return is_shared(t); })) {
        const Result<std::vector<Transfer>> others = transfer_window(transfers, into, from);
        if (!others) return others.error();
        return others->empty() ? Result<void>() : transfer_pes(*others, into, from, to_pe);
    }
    return transfer_pes(transfers, into, from, to_pe);
}

/// Those of a list that are to the window or to constants are done here; what is left is the others'.
Result<std::vector<Transfer>> CudaDevice::transfer_window(std::span<const Transfer> transfers, u8 *into, const u8 *from) {
    std::vector<Transfer> others;
    for (const Transfer &t : transfers) {
        if (read_constants(t, constants_, into)) continue;
        if (!is_in_window(t, window_bytes_)) {
            others.push_back(t);
            continue;
        }
        const CuPointer at = spaces_.get() + window_at_ + (t.address - MOG_SHARED_BASE);
        MOG_TRY(into ? session_.read(at, into + t.staging, t.length) : session_.write(at, from + t.staging, t.length));
    }
    MOG_TRY(session_.finish());
    return others;
}

Result<void> CudaDevice::transfer_pes(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe) {
    return transfers_.run({kernels_.transfer(), data_.get(), state_.get(), data_words_, stride_}, transfers, into, from, to_pe,
                          launches_ && launches_->some_run());
}

bool CudaDevice::unload() {
    kernels_.end();
    (void)enter_thread();
    earlier_entries_.clear();
    launches_.reset();
    transfers_.unload();
    debugged_of_ = nullptr;
    for (CudaMemory *memory : {&text_with_breaks_, &entries_with_breaks_, &text_, &cpool_, &code_map_, &entry_of_, &data_, &state_,
                               &requests_, &nrequests_, &active_, &profile_, &spaces_})
        *memory = CudaMemory();
    return true;
}

/// Each PE has its numbers before its DATA.
Result<CountedLayouts> CudaDevice::counted_layouts() {
    MOG_TRY(session_.enter());
    std::vector<u64> numbers(std::size_t{cuda_warp} * MOG_L_COUNTS / 2);
    CountedLayouts counted;
    for (u32 warp = 0; warp < stride_ / cuda_warp; ++warp) {
        const u64 at = 4 * (u64{warp} * laid_words_ + MOG_L_WORDS - MOG_L_COUNTS) * cuda_warp;
        MOG_TRY(session_.read(data_.get() + at, numbers.data(), 8 * numbers.size()));
        MOG_TRY(session_.finish());
        for (std::size_t i = 0; i < numbers.size(); i += 4) {
            counted.words.touched += numbers[i];
            counted.words.fetched += numbers[i + 1];
            counted.sectors.touched += numbers[i + 2];
            counted.sectors.fetched += numbers[i + 3];
        }
    }
    return counted;
}

Result<DeviceStats> CudaDevice::stats() {
    DeviceStats stats;
    kernels_.describe(stats, superinstructions_);
    stats.regrouped = regrouping_.stats();
    if (counts_layouts_of_) {
        const Result<CountedLayouts> counted = counted_layouts();
        if (!counted) return counted.error();
        stats.layouts = *counted;
        remember_layouts(*counts_layouts_of_, *counted);
    }
    stats.counted = counting_;
    if (!counting_) return stats;
    MOG_TRY(session_.enter());
    std::vector<u32> row(nproc_);
    for (u32 half : {MOG_S_COUNT_LO, MOG_S_COUNT_HI}) {
        MOG_TRY(session_.read(state_.get() + 4ull * half * stride_, row.data(), 4ull * nproc_));
        MOG_TRY(session_.finish());
        for (u32 count : row) stats.executed += u64{count} << (half == MOG_S_COUNT_HI ? 32 : 0);
    }
    return stats;
}

}  // namespace

std::vector<DeviceInfo> list_cuda_devices(const Image *image, std::vector<std::string> *notes) {
    const auto none = [&](const Error &why) {
        if (notes) notes->push_back(why.message);
        return std::vector<DeviceInfo>();
    };
    Result<std::vector<CudaDeviceFacts>> devices = find_cuda_devices();
    if (!devices) return none(devices.error());
    const Result<const NvrtcApi *> nvrtc = nvrtc_api();
    const int driver = (*cuda_api())->version;
    std::vector<DeviceInfo> list;
    for (std::size_t number = 0; number < devices->size(); number++)
        if (nvrtc || (image && has_embedded_cuda(*image, (*devices)[number].capability)))
            list.push_back(describe_cuda_device((*devices)[number], number, driver, image));
    if (list.empty()) return none(nvrtc.error());
    return list;
}

Result<std::unique_ptr<Device>> make_cuda_device(u32 number) {
    Result<std::vector<CudaDeviceFacts>> devices = find_cuda_devices();
    if (!devices) return devices.error();
    if (number >= devices->size())
        return Error{fmt::format("there is no device cuda:{}; the last one is cuda:{}", number, devices->size() - 1)};
    const CudaApi &api = **cuda_api();
    CudaDeviceFacts &facts = (*devices)[number];
    DeviceInfo info = describe_cuda_device(facts, number, api.version, nullptr);
    return std::unique_ptr<Device>(std::make_unique<CudaDevice>(api, std::move(facts), std::move(info)));
}

}  // namespace mog
