// host_pes.cpp: calls the kernels of the image's products "host", for each PE, and "lanes", for each warp.
#include "runtime_host/devices/host/host_pes.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/entries_without.hpp"
#include "assembler/image/breaks.hpp"
#include "assembler/image/facts.hpp"
#include "assembler/image/spaces.hpp"
#include "assembler/image/superinstruction.hpp"
#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/device/start_state.hpp"
#include "runtime_host/devices/host/host_sequence.hpp"

namespace mog {

namespace {

constexpr std::uint32_t most_native_words = 0x7fffffff / 4;
constexpr std::uint64_t least_shared_bytes = 256u << 10;  ///< of copies between PEs: what is worth more than one thread

Error no_native_code() {
    return Error{
        "--engine=native: code is compiled while a program runs on x86-64 processors with AVX and BMI2, but not for what sources "
        "for other builds were compiled to; --engine=switch runs everywhere"};
}

}  // namespace

Result<void> HostPes::load(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic, HostEngine engine, bool both,
                           std::span<const u32> others) {
    image_ = &image;
    program_ = host_program(image);
    const bool in_lanes = engine == HostEngine::lanes;
    // The other code is loaded when it is needed, which may be never.
    sequence_ = config.engine == Engine::Sequence;
    fuel_ = config.fuel;
    debugged_ = config.debugged && !image.linked && !has_own_spaces(image);
    with_breaks_.reset();
    native_lanes_.reset();
    heeds_breaks_ = false;
    // Unless it is asked for, code that mogcc has compiled is none for debuggers: of what is compiled here less is left out for a break.
    const bool without_blocks = debugged_ && config.engine != Engine::Blocks;
    divergence_ = config.divergence.value_or(Divergence::Guarded);
    if (sequence_) {
        const Result<HostSequence> code = host_sequence(image, {config.count, config.fuel});
        if (!code) return code.error();
        cached_ = code->cached;
        if (Result<void> opened = code_.open(code->library); !opened) return opened;
    } else {
        if (!image.brings_host_code() || without_blocks) own_ = host_interpreter(arithmetic);
        if (Result<void> opened = open(engine); !opened) return opened;
    }
    // With no entry in the table everything is interpreted.
    if (!sequence_) entries_ = entry_table(image);
    blocks_ = !entries_.empty() && config.engine != Engine::Switch;
    // What is around blocks may be there without any.
    if (own_ || (!sequence_ && entries_.empty() && image.products.has(ProductKind::entries))) entries_.assign(image.text.size() + 1, 0);
    if (in_lanes || both) places_ = entry_table(image, ProductKind::places);
    if (!blocks_ || config.engine == Engine::Native || without_blocks) std::fill(entries_.begin(), entries_.end(), 0);
    data_words_ = config.data_words;
    nproc_ = config.nproc;
    processes_ = config.processes();
    in_order_ = config.deterministic;
    if (config.schedule) schedule_.emplace(*config.schedule, config.turns);
    lanes_ = in_lanes || both;
    MOG_TRY(make_spaces(image, config));
    if (config.engine != Engine::Switch && !entries_.empty()) open_native(image, config, arithmetic, !in_lanes || both);
    blocks_ |= native_.has_value();
    if (!blocks_ && config.engine == Engine::Blocks) return no_compiled_blocks();
    if (config.engine == Engine::Native && !native_) return no_native_code();
    text_ = text_to_load(image, sequence_ ? Shape::sequence : Shape::switch_, config.fuel || !entries_.empty());
    const u32 rows = MOG_S_REGS + static_cast<u32>(image.register_names.size()), warps = (nproc_ + MOG_LANES - 1) / MOG_LANES;
    laid_for_lanes_.assign(warps, in_lanes);
    for (const u32 warp : others) laid_for_lanes_[warp] = !in_lanes;
    if (!others.empty())
        if (Result<void> opened = open(in_lanes ? HostEngine::blocks : HostEngine::lanes); !opened) return opened;
    const u32 slots = in_lanes || both ? warps * MOG_LANES : nproc_;
    stride_ = row_stride(slots);
    const u32 memories = has_threads() ? processes_ : slots;
    Result<HostMemory> data = HostMemory::allocate(windows_ && !in_lanes && !both ? 0 : 4ull * memories * data_words_, nproc_);
    if (!data) return data.error();
    data_ = *std::move(data);
    Result<HostMemory> state = HostMemory::allocate(4ull * stride_ * rows, nproc_);
    if (!state) return state.error();
    state_ = *std::move(state);
    MOG_TRY(prepare_native_turns());

    std::vector<u32> initial;
    if (std::ranges::find(laid_for_lanes_, true) != laid_for_lanes_.end()) initial = initial_data(image, config);
    stack_pointers_ = state_.words() + std::size_t{MOG_S_REGS + image.roles[static_cast<std::size_t>(Role::sp)]} * stride_;
    start_.emplace(image, processes_, data_words_);
    counted_before_ = 0;
    kept_once_.assign(warps, start_->words_kept_once());
    pool_.for_each(processes_, [&](std::size_t i) {
        const auto pe = static_cast<u32>(i);
        if (!laid_for_lanes_[pe / MOG_LANES])
            write_start_state(image, config, *start_, pe, reinterpret_cast<u32 *>(bytes_of(pe)), state_.words() + i, stride_);
        else
            lanes_code_.init(initial.data(), static_cast<u32>(initial.size()), config.startup.data(),
                             static_cast<u32>(config.startup.size()), data_.words(), data_words_, state_.words(), stride_, nproc_,
                             image.entry, nproc_, pe);
    });
    return {};
}

Result<void> HostPes::make_spaces(const Image &image, const LoadConfig &config) {
    spaces_ = HostMemory();
    window_ = nullptr;
    window_bytes_ = constants_bytes_ = 0;
    const SpaceBuffer buffer = space_buffer(image, config.window_bytes);
    if (buffer.words == 0) return {};
    Result<HostMemory> spaces = HostMemory::allocate_mappable(4 * buffer.words);
    if (!spaces) return spaces.error();
    spaces_ = *std::move(spaces);
    std::ranges::copy(buffer.header, spaces_.words());
    program_.spaces = spaces_.words();
    if (!buffer.constants.empty()) {
        constants_ = reinterpret_cast<std::uint8_t *>(spaces_.words() + buffer.constants_at);
        constants_bytes_ = static_cast<u32>(buffer.constants.size());
        std::ranges::copy(buffer.constants, constants_);
        program_.constants_at = static_cast<u32>(buffer.constants_at);
        program_.constants_bytes = constants_bytes_;
    }
    if (buffer.window_at == 0) return {};
    window_ = reinterpret_cast<std::uint8_t *>(spaces_.words() + buffer.window_at);
    window_bytes_ = config.window_bytes;
    program_.window_at = static_cast<u32>(buffer.window_at);
    program_.window_bytes = window_bytes_;
    return {};
}

Result<void> HostPes::open(HostEngine engine) {
    const bool lanes = engine == HostEngine::lanes;
    if (own_ && !lanes) return {};
    HostCode &code = lanes ? lanes_code_ : code_;
    const std::optional<LinkedKernels> &linked = lanes ? image_->linked_lanes : image_->linked;
    std::span<const std::uint8_t> library = image_->products.bytes(lanes ? ProductKind::lanes : ProductKind::host);
    if (lanes && !lanes_library_.empty()) library = lanes_library_;
    if (linked) code.use(*linked);
    else MOG_TRY(code.open(library));
    if (!lanes) hook_native();
    return {};
}

Result<void> HostPes::compile_lanes() {
    Result<std::unique_ptr<NativeLanes>> lanes = NativeLanes::make(*image_, program_, data_words_);
    if (!lanes) return lanes.error();
    native_lanes_ = *std::move(lanes);
    return {};
}

Result<void> HostPes::prepare_native_turns() {
    native_turns_.reset();
    if (!native_ || !native_memory_.turns) return {};
    const auto registers = static_cast<u32>(image_->register_names.size());
    Result<NativeTurns> turns = NativeTurns::make(*native_, nproc_, registers, state_.words(), stride_);
    if (!turns) return turns.error();
    native_turns_.emplace(*std::move(turns));
    return {};
}

/// What mogcc did not compile is compiled when it turns out to be executed. With Engine::Native that is all, and at once.
void HostPes::open_native(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic, bool is_run) {
    const bool floats = !arithmetic.fcsr && arithmetic.doubles == Arithmetic::How::Native;
    // Its addresses are offsets of 31 bits.
    if (image.linked || !NativeCode::is_possible(image) || data_words_ > most_native_words) return;
    if (is_run) reserve_windows(image, config);
    // Where turns are of a length that somebody has asked for, or debuggers look on, they begin and end in the interpreter.
    const bool turns = has_threads() && !in_order_ && !schedule_ && !debugged_;
    native_memory_ = {4 * data_words_, window_, window_bytes_, turns, windows_.has_value(), constants_, constants_bytes_};
    native_floats_ = floats;
    native_all_ = config.engine == Engine::Native || (debugged_ && config.engine != Engine::Blocks);
    native_.emplace(image, native_memory_, native_all_, floats);
    native_->add_entries(entries_);
    hook_native();
}

/// Where the processor is to check addresses: memory for PEs such that it can.
void HostPes::reserve_windows(const Image &image, const LoadConfig &config) {
    if (!config.owns_process) why_asking_ = "signals of this process are not MOG's to take";
    else if (config.beside_others) why_asking_ = "drivers of other devices take signals, too";
    else if (const std::string reason = NativeCode::why_asking(image); !reason.empty()) why_asking_ = reason;
    else if (processes_ > PeWindows::most_pes) why_asking_ = fmt::format("there are more than {} PEs", PeWindows::most_pes);
    else if (data_words_ % (page_bytes() / 4) != 0) why_asking_ = fmt::format("memory (--mem) is no multiple of {} bytes", page_bytes());
    else if (windows_ = PeWindows::reserve(processes_, std::uint64_t{4} * data_words_); !windows_)
        why_asking_ = "the system does not give enough addresses (ulimit -v?)";
    else if (!map_spaces()) {
        windows_.reset();
        why_asking_ = "the system does not map shared memory for so many PEs (vm.max_map_count)";
    }
}

/// In each PE's addresses: what all share, and what none may write. False: the system does not map it so often.
bool HostPes::map_spaces() {
    const auto map = [this](u32 address, const std::uint8_t *from, u32 bytes, bool writable) {
        return bytes == 0 ||
               windows_->map_file(address, spaces_.file(), static_cast<std::uint64_t>(from - static_cast<std::uint8_t *>(spaces_.data())),
                                  bytes, writable);
    };
    return map(MOG_SHARED_BASE, window_, window_bytes_, true) && map(constants_base, constants_, constants_bytes_, false);
}

/// What is compiled here is compiled for this when it is executed: it takes less than a millisecond for a function. What mogcc has
/// compiled is left out where a break is.
void HostPes::set_breaks(std::span<const u32> places) {
    const bool heeded = heeds_breaks_;
    heed_breaks(false);
    with_breaks_.reset();
    if (places.empty()) return;
    WithBreaks &code = with_breaks_.emplace();
    code.text = text_with_breaks(text_.words, places);
    code.program = program_;
    code.places = entries_without(*image_, places_, {}, places);
    if (!native_) {
        code.entries = entries_without(*image_, entries_, compiled_places(*image_), places);
    } else {
        if (!native_all_) code.entries = entries_without(*image_, entry_table(*image_), compiled_places(*image_), places);
        code.entries.resize(entries_.size());
        std::vector<bool> breaks(image_->text.size());
        for (const u32 at : places) breaks[at] = true;
        code.native.emplace(*image_, native_memory_, native_all_, native_floats_, std::move(breaks));
        code.native->add_entries(code.entries);
        code.program.native = code.native->hook();
    }
    heed_breaks(heeded);
}

void HostPes::heed_breaks(bool heeds) {
    heeds_breaks_ = heeds && with_breaks_;
    if (native_ && code_.is_open() && code_.native) *code_.native = heeds_breaks_ ? with_breaks_->native->hook() : native_->hook();
}

/// The code for one PE calls native code from now on; if it cannot, because an earlier mogcc made it, there is none.
void HostPes::hook_native() {
    if (!native_) return;
    if (own_) program_.native = native_->hook();
    if (!code_.is_open()) return;
    if (code_.native) {
        *code_.native = native_->hook();
        return;
    }
    std::ranges::replace_if(
        entries_, [](u32 entry) { return entry >= native_entry; }, 0);
    native_.reset();
}

std::vector<HostPes::Warp> HostPes::warps_of(std::span<const u32> pes) {
    std::vector<Warp> warps;
    for (const u32 pe : pes) {
        if (warps.empty() || warps.back().number != pe / MOG_LANES) warps.push_back({pe / MOG_LANES, 0});
        warps.back().running |= 1u << pe % MOG_LANES;
    }
    return warps;
}

double HostPes::together(std::span<const u32> pes) const {
    constexpr std::size_t most_warps = 16;
    constexpr u32 close = 8;  // instructions
    const std::vector<Warp> warps = warps_of(pes);
    double sum = 0;
    std::size_t counted = 0;
    for (std::size_t i = 0; i < std::min(most_warps, warps.size()); ++i) {
        const Warp &warp = warps[i * warps.size() / std::min(most_warps, warps.size())];
        std::vector<u32> places;
        for (u32 lane = 0; lane < MOG_LANES; ++lane)
            if (warp.running >> lane & 1)
                places.push_back(state_.words()[std::size_t{MOG_S_PC} * stride_ + warp.number * MOG_LANES + lane]);
        if (places.size() < 2) continue;
        std::ranges::sort(places);
        std::size_t most = 0;
        for (auto first = places.begin(); first != places.end(); ++first) {
            const auto last = std::ranges::upper_bound(places, *first + close);
            most = std::max(most, static_cast<std::size_t>(last - first));
        }
        sum += static_cast<double>(most) / MOG_LANES;
        counted++;
    }
    return counted ? sum / static_cast<double>(counted) : 0;
}

void HostPes::begin_round(std::size_t pes) {
    requests_.resize(take_turns() ? nproc_ : pes);  // PEs that are woken join those that are known now
    stopped_ = 0;
}

HostPes::Ran HostPes::run_single(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes) {
    constexpr u32 few = 16, fetched_ahead = 4;
    constexpr double brief = 30e-6, short_run = 4e-6;
    constexpr std::size_t neighbours = 64;  // whose rows of the state are in the same lines of a cache; several lines of each
    const u32 before = stopped_, count = static_cast<u32>(pes.size());
    const u32 *list = pes.data();
    if (sequence_ && fuel_) {  // in whose passes there may be several instructions: each PE's are told beside it
        passes_beside_.clear();
        for (u32 i = 0; i < count; i++) passes_beside_.insert(passes_beside_.end(), {pes[i], own_passes.empty() ? passes : own_passes[i]});
        list = passes_beside_.data();
    }
    has_stopped_.resize(count);
    Ran ran;
    // Each has a place for its record, and a counter of records, to itself: threads do not meet in them.
    const auto run = [&](std::size_t i) {
        Request &request = requests_[before + i];
        u32 stopped = 0, *const records = request.data();
        if (i + fetched_ahead < count) fetch_ahead(pes[i + fetched_ahead]);
        u32 allowed = own_passes.empty() ? passes : own_passes[i];
        const auto go_on = [&] { run_one(list, static_cast<u32>(i), count, pes[i], allowed, records, &stopped); };
        go_on();
        std::vector<u32> nobody;
        // Passes of a sequence are told beside each PE, if they are its own.
        while (stopped != 0 && serve_at_once_ && request[MOG_Q_LEFT] != 0 && !(sequence_ && fuel_) &&
               Device::goes_on(serve_at_once_(request, nobody))) {
            allowed = request[MOG_Q_LEFT];
            stopped = 0;
            go_on();
        }
        has_stopped_[i] = stopped != 0;
    };
    // Few PEs may be done before another thread is awake: those that pass a message on, for example. What took long once is shared
    // out at once the next time.
    u32 first = 0;
    if (count <= few && was_brief_) {
        const auto begin = std::chrono::steady_clock::now();
        while (first < count && ran.seconds < brief) {
            run(first++);
            ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        }
    }
    if (first < count)
        ran.seconds += pool_.for_each(
            count - first, [&](std::size_t i) { run(first + i); }, least_chunk_);
    was_brief_ = ran.seconds < brief;
    least_chunk_ = ran.seconds < short_run * count ? neighbours : 1;
    for (u32 i = 0; i < count; i++) {
        if (!has_stopped_[i]) continue;
        if (stopped_ != before + i) requests_[stopped_] = requests_[before + i];
        stopped_++;
    }
    ran.instructions = static_cast<double>(passes) * count;
    for (u32 i = before; i < stopped_; i++) ran.instructions -= requests_[i][MOG_Q_LEFT];
    return ran;
}

void HostPes::run_one(const u32 *list, u32 item, u32 count, u32 pe, u32 passes, u32 *record, u32 *stopped) {
    const std::uint16_t *text = heeds_breaks_ ? with_breaks_->text.data() : text_.words.data();
    const u32 *entries = heeds_breaks_ ? with_breaks_->entries.data() : entries_.data();
    const auto call = [&](auto *kernel, auto... last) {
        kernel(text, image_->cpool.data(), image_->code_map.data(), base_for(pe), data_words_, state_.words(), stride_, record, stopped,
               list, passes, 0, count, last...);
    };
    if (own_) call(own_, entries, heeds_breaks_ ? &with_breaks_->program : &program_, item);
    else if (spaces_.data() && entries_.empty()) call(code_.run_spaces, spaces_.words(), item);
    else if (spaces_.data()) call(code_.run_blocks_spaces, entries, spaces_.words(), item);
    else if (entries_.empty()) call(code_.run, item);
    else call(code_.run_blocks, entries, item);
}

void HostPes::run_threads(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes) {
    if (schedule_) return run_schedule(pes, passes, own_passes);
    TurnsOfPes::Settings settings{.passes = passes,
                                  .turn_passes = TurnsOfPes::longest_turn(sequence_),
                                  .processes = processes_,
                                  .takers = pool_.size(),
                                  .in_order = in_order_};
    if (native_turns_) {
        settings.natives = &*native_turns_;
        settings.memory_of = [this](u32 pe) { return reinterpret_cast<u32 *>(bytes_of(pe)); };
    }
    TurnsOfPes turns(pes, own_passes, settings, serve_at_once_, std::span(requests_).subspan(stopped_));
    const auto take_turns = [&](std::size_t) {
        TurnsOfPes::Taker taker(turns);
        while (const std::optional<TurnsOfPes::Step> step = taker.next()) {
            const u32 list[] = {step->pe, step->passes};
            Request request;
            u32 stopped = 0;
            run_one(list, 0, 1, step->pe, step->passes, request.data(), &stopped);
            taker.ran(stopped != 0 ? &request : nullptr);
        }
    };
    if (in_order_) take_turns(0);
    else pool_.for_each(pool_.size(), take_turns);
    stopped_ += static_cast<u32>(turns.end());
}

void HostPes::run_schedule(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes) {
    std::vector<Request> records;
    const auto run_turn = [&](u32 pe, u32 allowed, Request &record) {
        const u32 list[] = {pe, allowed};
        u32 stopped = 0;
        run_one(list, 0, 1, pe, allowed, record.data(), &stopped);
        return stopped != 0;
    };
    schedule_->run(pes, passes, own_passes, run_turn, serve_at_once_, records);
    for (const Request &record : records) requests_[stopped_++] = record;
}

HostPes::Ran HostPes::run_lanes(std::span<const Warp> warps, u32 passes) {
    std::array<std::atomic<std::uint64_t>, MOG_LANE_COUNTS> sums{};
    u32 *records = requests_.empty() ? nullptr : requests_.front().data();
    const std::uint16_t *text = heeds_breaks_ ? with_breaks_->text.data() : image_->text.data();
    const u32 *places = heeds_breaks_ ? with_breaks_->places.data() : places_.data();
    Ran ran;
    const NativeLanes::Memory memory{data_.words(), data_words_, state_.words(), stride_};
    const NativeLanes::Launch launch{text, records, &stopped_, passes, static_cast<u32>(divergence_)};
    ran.seconds = pool_.for_each(warps.size(), [&](std::size_t i) {
        LaneCounts counts{};
        const auto call = [&](auto *kernel, auto... last) {
            kernel(text, image_->cpool.data(), image_->code_map.data(), data_.words(), data_words_, state_.words(), stride_, records,
                   &stopped_, warps[i].number, warps[i].running, passes, places, static_cast<u32>(divergence_), counts.data(), last...);
        };
        if (native_lanes_) native_lanes_->run(memory, launch, warps[i].number, warps[i].running, counts);
        else if (!spaces_.data()) call(lanes_code_.run_lanes);
        else call(lanes_code_.run_lanes_spaces, spaces_.words());
        for (std::size_t what = 0; what < MOG_L_REGIONS; what++) sums[what].fetch_add(counts[what], std::memory_order_relaxed);
        sums[MOG_L_REGIONS].store(counts[MOG_L_REGIONS], std::memory_order_relaxed);
    });
    for (std::size_t what = 0; what < MOG_L_REGIONS; what++) lane_counts_[what] += sums[what];
    lane_counts_[MOG_L_REGIONS] = sums[MOG_L_REGIONS];
    ran.instructions = static_cast<double>(sums[MOG_L_EXECUTED]);
    return ran;
}

Result<double> HostPes::lay(std::span<const Warp> warps, HostEngine engine) {
    const bool for_lanes = engine == HostEngine::lanes;
    if (!(for_lanes && native_lanes_) && !(for_lanes ? lanes_code_ : code_).is_open())
        if (Result<void> opened = open(engine); !opened) return opened.error();
    std::vector<u32> numbers;
    for (const Warp &warp : warps)
        if (laid_for_lanes_[warp.number] != for_lanes) numbers.push_back(warp.number);
    const WarpLayout layout = for_lanes ? WarpLayout::side_by_side : WarpLayout::one_after_other;
    const double seconds = pool_.for_each(numbers.size(), [&](std::size_t i) {
        if (windows_ && for_lanes) move_warp(numbers[i], false);
        lay_warp(memory_of(numbers[i]), data_words_, MOG_LANES, layout, pages_, for_lanes && !windows_ ? kept_once_[numbers[i]] : 0);
        if (windows_ && !for_lanes) move_warp(numbers[i], true);
    });
    for (const u32 number : numbers) {
        laid_for_lanes_[number] = for_lanes;
        kept_once_[number] = 0;
    }
    return numbers.empty() ? 0 : seconds;
}

/// Memory of a warp's PEs between their windows and where it is laid for lanes; zeros stay behind.
void HostPes::move_warp(u32 warp, bool into_windows) {
    const std::size_t bytes = std::size_t{4} * data_words_;
    const u32 first = warp * MOG_LANES, end = std::min(first + MOG_LANES, nproc_);
    for (u32 pe = first; pe < end; ++pe) {
        std::uint8_t *const window = windows_->data(pe), *const beside = reinterpret_cast<std::uint8_t *>(data_.words()) + pe * bytes;
        std::uint8_t *const from = into_windows ? beside : window, *const to = into_windows ? window : beside;
        std::size_t copied = 0;
        if (!into_windows) {  // pages of what is kept once hold something though nobody has touched them here
            copied = 4 * kept_once_[warp];
            std::memcpy(to, from, copied);
        }
        for (const PageRun &run : pages_.touched(from, bytes)) {
            const std::size_t begin = std::max(copied, run.begin * page_bytes()), behind = run.end * page_bytes();
            if (begin < behind) std::memcpy(to + begin, from + begin, behind - begin);
        }
        if (!map_zeroed_pages(from, bytes)) std::memset(from, 0, bytes);
    }
}

/// Registers of a process become zeros, and its memory too, but for what is mapped of the program's data, which becomes that again.
void HostPes::clear(u32 pe, std::size_t rows) {
    const std::size_t bytes = std::size_t{4} * data_words_;
    const bool whole_pages = bytes % page_bytes() == 0;  // else the next PE begins in this one's last page
    if (!whole_pages || madvise(bytes_of(pe), bytes, MADV_DONTNEED) != 0) std::memset(bytes_of(pe), 0, bytes);
    for (u32 thread = pe; thread < nproc_; thread += processes_) {
        counted_before_ += count_of(thread);
        for (std::size_t row = 0; row < rows; ++row) state_.words()[row * stride_ + thread] = 0;
    }
}

std::vector<std::uint32_t> HostPes::restart(std::span<const u32> pes, const LoadConfig &config) {
    const std::size_t rows = MOG_S_REGS + image_->register_names.size();
    std::vector<u32> restarted;
    for (const Warp &warp : warps_of(pes)) {
        const u32 first = warp.number * MOG_LANES, end = std::min(first + MOG_LANES, processes_);
        if (!has_threads() && laid_for_lanes_[warp.number]) {
            if (warp.running != (end - first == MOG_LANES ? (1u << MOG_LANES) - 1 : (1u << (end - first)) - 1)) continue;
            const std::size_t bytes = std::size_t{4} * MOG_LANES * data_words_;
            if (bytes % page_bytes() != 0 || !map_zeroed_pages(memory_of(warp.number), bytes))
                std::memset(memory_of(warp.number), 0, bytes);
            laid_for_lanes_[warp.number] = false;
            kept_once_[warp.number] = 0;
        }
        // A warp that was laid for lanes once has pages of its own, and when it is laid anew all that was not kept once is moved.
        const StartData::Kept kept = kept_once_[warp.number] != 0 ? StartData::Kept::is_there : StartData::Kept::write;
        for (u32 pe = first; pe < end; ++pe) {
            if ((warp.running >> (pe - first) & 1) == 0) continue;
            clear(pe, rows);
            write_start_state(*image_, config, *start_, pe, reinterpret_cast<u32 *>(bytes_of(pe)), state_.words() + pe, stride_, kept);
            restarted.push_back(pe);
        }
    }
    return restarted;
}

double HostPes::relayout_seconds(const Warp &warp) const {
    if (!windows_ || laid_for_lanes_[warp.number]) return mog::relayout_seconds(memory_of(warp.number), data_words_, MOG_LANES, pages_);
    double seconds = 0;
    const u32 first = warp.number * MOG_LANES, end = std::min(first + MOG_LANES, nproc_);
    for (u32 pe = first; pe < end; ++pe)
        seconds += mog::relayout_seconds(reinterpret_cast<const u32 *>(windows_->data(pe)), data_words_, 1, pages_);
    return seconds;
}

/// Where a PE's words of DATA are, and how many words on the next one is: in lanes, those of others stand between.
struct HostPes::Words {
    const u32 *first = nullptr;
    std::size_t stride = 1;
};

HostPes::Words HostPes::words_of(u32 pe) const {
    if (laid_for_lanes_[pe / MOG_LANES]) return {memory_of(pe / MOG_LANES) + pe % MOG_LANES, MOG_LANES};
    return {reinterpret_cast<u32 *>(bytes_of(pe)), 1};
}

/// Of a PE whose words do not stand one after the other.
void HostPes::transfer_lane(const Transfer &t, std::uint8_t *staging, bool to_pe) {
    const auto [words, stride] = words_of(t.pe);
    const u32 from = t.address - MOG_DATA_BASE;
    for (u32 done = 0; done < t.length;) {
        const u32 in_word = (from + done) % 4, bytes = std::min(4 - in_word, t.length - done);
        auto *const place = reinterpret_cast<std::uint8_t *>(const_cast<u32 *>(words + (from + done) / 4 * stride)) + in_word;
        std::uint8_t *const beside = staging + t.staging + done;
        if (to_pe) std::memcpy(place, beside, bytes);
        else std::memcpy(beside, place, bytes);
        done += bytes;
    }
}

void HostPes::transfer_one(const Transfer &t, std::uint8_t *staging, bool to_pe) {
    if (!t.is_state && laid_for_lanes_[t.pe / MOG_LANES] && !is_in_window(t, window_bytes_) && !is_in_constants(t, constants_bytes_)) {
        transfer_lane(t, staging, to_pe);
        return;
    }
    void *place = nullptr;
    if (!t.is_state) place = place_of(t.pe, t.address);
    else place = state_.words() + std::size_t{t.address} * stride_ + t.pe;
    const std::size_t length = t.is_state ? sizeof(u32) : t.length;
    if (to_pe) std::memcpy(place, staging + t.staging, length);
    else std::memcpy(staging + t.staging, place, length);
}

void HostPes::transfer(std::span<const Transfer> transfers, std::uint8_t *staging, bool to_pe) {
    for (const Transfer &t : transfers) transfer_one(t, staging, to_pe);
}

std::uint32_t HostPes::find_one(const Device::Range &range) const {
    const auto [words, stride] = words_of(range.pe);
    const std::size_t begin = (range.begin - MOG_DATA_BASE) / 4, end = (range.end - MOG_DATA_BASE) / 4;
    if (begin >= end) return range.end;
    return range.begin + 4 * static_cast<u32>(first_not_zero(words + begin * stride, stride, end - begin, pages_));
}

Device::Changes HostPes::changes() const {
    // The system tells whoever opens the map of its own pages; a process that was forked has others.
    return [this, pages = std::make_shared<PageMap>()](const Device::Range &range, std::vector<Device::Range> &parts) {
        const auto [words, stride] = words_of(range.pe);
        const std::size_t begin = (range.begin - MOG_DATA_BASE) / 4, end = (range.end - MOG_DATA_BASE) / 4, step = 4 * stride;
        if (begin >= end) return;
        const auto first = reinterpret_cast<std::uintptr_t>(words + begin * stride);
        const std::uintptr_t first_page = first / page_bytes() * page_bytes();
        for (const PageRun &run : pages->touched(words + begin * stride, 4 * ((end - begin - 1) * stride + 1))) {
            const std::uintptr_t from = first_page + run.begin * page_bytes(), to = first_page + run.end * page_bytes();
            const std::size_t first_word = from <= first ? begin : begin + (from - first) / step;
            const std::size_t last_word = std::min(end, begin + (to - first + step - 1) / step);
            parts.push_back({range.pe, MOG_DATA_BASE + 4 * static_cast<u32>(first_word), MOG_DATA_BASE + 4 * static_cast<u32>(last_word)});
        }
    };
}

void HostPes::find_not_zero(std::span<const Device::Range> ranges, std::span<u32> found) {
    pool_.for_each(ranges.size(), [&](std::size_t i) { found[i] = find_one(ranges[i]); });
}

void HostPes::copy_state(u32 from_pe, u32 to_pe, u32 words) {
    for (u32 *row = state_.words(), *end = row + std::size_t{words} * stride_; row != end; row += stride_) row[to_pe] = row[from_pe];
}

void HostPes::copy_one(const Copy &c) {
    if (!laid_for_lanes_[c.from_pe / MOG_LANES] && !laid_for_lanes_[c.to_pe / MOG_LANES]) {
        std::memmove(place_of(c.to_pe, c.to), place_of(c.from_pe, c.from), c.length);
        return;
    }
    std::array<std::uint8_t, 4096> some;
    for (u32 at = 0; at < c.length; at += some.size()) {
        const u32 length = std::min<u32>(some.size(), c.length - at);
        transfer_one({c.from_pe, c.from + at, length, 0, false}, some.data(), false);
        transfer_one({c.to_pe, c.to + at, length, 0, false}, some.data(), true);
    }
}

void HostPes::copy(std::span<const Copy> copies) {
    std::uint64_t bytes = 0;
    for (const Copy &c : copies) bytes += c.length;
    if (bytes < least_shared_bytes) {
        for (const Copy &c : copies) copy_one(c);
    } else {
        pool_.for_each(copies.size(), [&](std::size_t i) { copy_one(copies[i]); });
    }
}

/// A PE that is about to run needs its stack, and what stands first in its memory; where there are tens of thousands, neither is in a
/// cache.
void HostPes::fetch_ahead(u32 pe) const {
    __builtin_prefetch(bytes_of(pe));
    const u32 stack = stack_pointers_[pe] - MOG_DATA_BASE;
    for (const u32 line : {0u, 64u}) __builtin_prefetch(bytes_of(pe) + stack + line);
}

void HostPes::answer(std::span<const Answer> answers, AnswerRows rows) {
    u32 *v0 = state_.words() + std::size_t{rows.v0} * stride_, *a3 = state_.words() + std::size_t{rows.a3} * stride_;
    for (const Answer &a : answers) {
        v0[a.pe] = a.value;
        a3[a.pe] = a.failed;
    }
}

std::string HostPes::code_for_one() const {
    return fmt::format("{}, {} superinstructions",
                       blocks_     ? "compiled blocks"
                       : sequence_ ? "sequence"
                                   : "switch",
                       text_.superinstructions);
}

double HostPes::occupancy() const {
    const auto together = static_cast<double>(lane_counts_[MOG_L_PASSES]);
    return together > 0 ? static_cast<double>(lane_counts_[MOG_L_EXECUTED]) / (MOG_LANES * together) : 0;
}

DeviceStats::Guarded HostPes::guarded() const {
    return {static_cast<std::uint32_t>(lane_counts_[MOG_L_REGIONS]),
            lane_counts_[MOG_L_PASSES],
            lane_counts_[MOG_L_ASKED],
            lane_counts_[MOG_L_HELD],
            lane_counts_[MOG_L_GUARDED],
            lane_counts_[MOG_L_SCALARS]};
}

std::uint64_t HostPes::count_of(u32 pe) const {
    const auto row = [&](std::size_t number) { return state_.words()[number * stride_ + pe]; };
    return row(MOG_S_COUNT_LO) | std::uint64_t{row(MOG_S_COUNT_HI)} << 32;
}

std::uint64_t HostPes::counted() const {
    std::uint64_t sum = counted_before_;
    for (u32 pe = 0; pe < nproc_; pe++) sum += count_of(pe);
    return sum;
}

}  // namespace mog
