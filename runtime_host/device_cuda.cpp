// device_cuda.cpp: memory, launches and transfers on a CUDA device.
//
// All PEs are in one allocation, in whole warps, and one launch runs all that are listed. Lists and records pass through pinned
// memory, which the device copies by itself.
#include "runtime_host/device_cuda.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "assembler/block_plan.hpp"
#include "runtime_host/cuda_device.hpp"
#include "runtime_host/cuda_embedded.hpp"
#include "runtime_host/cuda_launches.hpp"
#include "runtime_host/cuda_session.hpp"
#include "runtime_host/kernel_setup.hpp"
#include "runtime_host/record_order.hpp"
#include "runtime_host/sizes.hpp"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Seconds = std::chrono::duration<double>;

/// Numbers of CUfunction_attribute.
enum FunctionAttribute { most_threads = 0, registers_per_thread = 4, dynamic_shared = 8 };

u8 *bytes_at(const PinnedMemory &memory) {
    return static_cast<u8 *>(memory.get());
}

u32 *words_at(const PinnedMemory &memory) {
    return static_cast<u32 *>(memory.get());
}

u64 round_up(u64 value, u64 multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

class CudaDevice final : public Device {
public:
    CudaDevice(const CudaApi &api, CudaDeviceFacts facts, DeviceInfo info) : api_(api), facts_(std::move(facts)), info_(std::move(info)) {}
    ~CudaDevice() override {
        if (opened_) (void)session_.enter();  // what the members give back belongs to the context
    }

    const DeviceInfo &info() const override { return info_; }
    Result<void> enter_thread() override { return opened_ ? session_.enter() : Result<void>(); }

    u64 bytes_per_pe(const Image &image, u32 data_words) const override {
        return kernel_bytes_per_pe(image, data_words) + 4 * (MOG_A_WORDS - 1);
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
        return copy_in_stages(copies, [this](std::span<const Transfer> from, std::span<const Transfer> to, u32) -> Result<void> {
            MOG_TRY(transfer(from, nullptr, nullptr, false));
            return transfer(to, nullptr, nullptr, true);
        });
    }
    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override;
    /// Counters for a profile are read between launches, and fuel is each PE's own.
    ConcurrentLaunches *concurrent() override { return profiling_ || fuel_ ? nullptr : &*launches_; }
    bool unload() override;
    Result<DeviceStats> stats() override;
    Result<RunCounts> counts() override { return counts_of_launches_.total(); }

private:
    Result<CuModule> make_module(const Image &image, std::string_view definitions);
    Result<void> make_kernels(const Image &image, const LoadConfig &config);
    Result<void> choose_block(const LoadConfig &config);
    Result<void> make_memory(const Image &image, const LoadConfig &config);
    Result<void> open();
    Result<u64> free_memory();
    Result<void> check_memory(const Image &image);
    Result<void> start(const Image &image, const LoadConfig &config);
    Result<void> launch_run(const CudaLaunches::Buffers &buffers, u32 passes, u32 count);
    Result<void> settle_answers(std::span<const Transfer> transfers);
    Result<void> make_room(u64 listed, u64 staged);
    Result<void> add_counts();
    /// Without `into` or `from` the bytes go to staging memory of the device, or come from there.
    Result<void> transfer(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe);
    std::size_t shared_bytes(u32 block) const { return std::size_t{4} * nregs_ * block; }

    const CudaApi &api_;
    CudaDeviceFacts facts_;
    DeviceInfo info_;
    CudaSession session_;
    bool opened_ = false;
    CudaModule module_;
    std::string built_as_;             ///< its definitions,
    const Image *built_of_ = nullptr;  ///< and whose interpreter it is
    CuFunction init_ = nullptr, run_ = nullptr, transfer_ = nullptr;
    std::string arithmetic_, embedded_;
    double build_seconds_ = 0;
    bool cached_ = false, use_switch_ = false, counting_ = false, profiling_ = false, fuel_ = false;
    int registers_ = 0;        ///< of the device, that a thread of mog_run takes
    std::size_t superinstructions_ = 0;
    u32 nproc_ = 0, stride_ = 0, data_words_ = 0, nregs_ = 1, block_ = cuda_warp, resident_ = 0;
    std::vector<u32> entries_;  ///< to compiled blocks, by TEXT index; empty: there are none
    CudaMemory text_, cpool_, code_map_, entry_of_, data_, state_, requests_, nrequests_, active_, list_, staging_, profile_;
    PinnedMemory pinned_list_, pinned_staging_, pinned_requests_;
    RecordOrder record_order_;
    LaunchCounts counts_of_launches_;
    WaitingAnswers answers_;
    AnswerRows answer_rows_;
    std::optional<CudaLaunches> launches_;
    std::vector<CudaMemory> outgrown_;  ///< freed when no launch is under way, for which that would wait
    std::vector<PinnedMemory> outgrown_pinned_;
};

/// What mogcc compiled, if it is for this device and these definitions and the driver takes it; else what NVRTC makes.
Result<CuModule> CudaDevice::make_module(const Image &image, std::string_view definitions) {
    CuModule module = nullptr;
    const auto load_code = [&](std::span<const u8> bytes) -> Result<void> {
        if (CuResult code = api_.cuModuleLoadDataEx(&module, bytes.data(), 0, nullptr, nullptr); code != 0)
            return cuda_error(api_, "cuModuleLoadDataEx", code);
        return {};
    };
    cached_ = false;
    embedded_.clear();
    Result<void> refused;
    if (const auto embedded = find_embedded_cuda(image, facts_.capability, definitions)) {
        refused = load_code(embedded->code);
        if (refused) {
            embedded_ = embedded->name;
            return module;
        }
    }
    // The driver may be older than the nvcc that made it, and NVRTC here as old as the driver.
    Result<const NvrtcApi *> nvrtc = nvrtc_api();
    if (!nvrtc) return refused ? nvrtc.error() : refused.error();
    const std::vector<u8> &source = image.products.at("cuda");
    for (KernelCacheUse use : {KernelCacheUse::Take, KernelCacheUse::Replace}) {
        Result<CudaBuild> build = build_cuda_interpreter(
            **nvrtc, facts_.capability, {reinterpret_cast<const char *>(source.data()), source.size()}, definitions, use);
        if (!build) return build.error();
        cached_ = build->cached;
        refused = load_code(build->code);
        // Code that was kept and that the driver does not take is made anew.
        if (refused || !cached_) break;
    }
    if (!refused) return refused.error();
    return module;
}

Result<void> CudaDevice::make_kernels(const Image &image, const LoadConfig &config) {
    const auto begin = std::chrono::steady_clock::now();
    if (!image.products.contains("cuda"))
        return Error{fmt::format("this program has no CUDA interpreter in it, so {} cannot run it; compile it anew, or use "
                                 "--device=reference",
                                 info_.id)};
    Result<Arithmetic> arithmetic = choose_arithmetic(image, config.doubles, FloatAbilities{}, info_.id);
    if (!arithmetic) return arithmetic.error();
    arithmetic_ = arithmetic->description;
    if (config.engine == Engine::Lanes) return Error{"--engine=lanes is for the device \"host\"; other devices have lanes of their own"};
    if (config.warp != 0 && config.warp != cuda_warp)
        return Error{fmt::format("--warp={}: a warp of {} has {} lanes", config.warp, info_.id, cuda_warp)};
    use_switch_ = config.engine == Engine::Switch;
    // A profile counts instructions in their places, which compiled code does not have.
    const bool may_compile = config.engine == Engine::Blocks || config.engine == Engine::Auto;
    entries_ = may_compile && !config.profile ? entry_table(image) : std::vector<u32>();
    if (entries_.empty() && config.engine == Engine::Blocks && !config.profile) return no_compiled_blocks();
    std::string definitions = cuda_definitions(*arithmetic, config, use_switch_, entries_);
    counting_ = config.count;
    profiling_ = config.profile;
    fuel_ = config.fuel;
    if (definitions == built_as_ && &image == built_of_) {
        cached_ = true;
        build_seconds_ = 0;
        return {};
    }
    built_of_ = nullptr;

    const Result<CuModule> made = make_module(image, definitions);
    if (!made) return made.error();
    CuModule module = *made;
    module_ = CudaModule(module);
    struct {
        CuFunction &kernel;
        const char *name;
    } kernels[] = {{run_, "mog_run"}, {init_, "mog_init"}, {transfer_, "mog_transfer"}};
    for (auto &[kernel, name] : kernels)
        if (CuResult code = api_.cuModuleGetFunction(&kernel, module, name); code != 0)
            return cuda_error(api_, "cuModuleGetFunction", code);
    (void)api_.cuFuncGetAttribute(&registers_, registers_per_thread, run_);
    built_as_ = std::move(definitions);
    built_of_ = &image;
    build_seconds_ = Seconds(std::chrono::steady_clock::now() - begin).count();
    return {};
}

/// PEs per block, a multiple of the warp: the size with which most PEs are resident at once, by the driver's own calculation from the
/// kernel's registers and shared memory; of equals the smallest, which waits for the fewest others.
Result<void> CudaDevice::choose_block(const LoadConfig &config) {
    const u32 fit = static_cast<u32>(facts_.shared_per_block / (4ull * nregs_));
    int limit = static_cast<int>(facts_.threads_per_block);
    (void)api_.cuFuncGetAttribute(&limit, most_threads, run_);
    const u32 most = std::min(fit, static_cast<u32>(std::max(1, limit)));
    if (config.work_group > most || most < cuda_warp)
        return Error{fmt::format("{} has room for {} PEs of this program in a block, not {}: {} KiB of shared memory for {} registers each",
                                 info_.id, most, std::max(config.work_group, cuda_warp), facts_.shared_per_block / 1024, nregs_)};
    // More shared memory than 48 KiB is given only when asked for.
    const u32 largest = config.work_group ? config.work_group : std::min(most / cuda_warp * cuda_warp, 256u);
    if (CuResult code = api_.cuFuncSetAttribute(run_, dynamic_shared, static_cast<int>(shared_bytes(largest))); code != 0)
        return cuda_error(api_, "cuFuncSetAttribute", code);
    const auto resident = [&](u32 block) {
        int blocks = 0;
        const CuResult code =
            api_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_, static_cast<int>(block), shared_bytes(block));
        return code == 0 ? static_cast<u32>(blocks) * block : 0u;
    };
    if (config.work_group) {
        block_ = config.work_group;
        resident_ = resident(block_);
        return {};
    }
    block_ = 0;
    for (u32 block = cuda_warp; block <= largest; block *= 2) {
        const u32 many = resident(block);
        if (block_ != 0 && many <= resident_) continue;
        block_ = block;
        resident_ = many;
    }
    return {};
}

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
    const u64 available = *free, each = bytes_per_pe(image, data_words_);
    if (each * stride_ <= available) return {};
    return Error{fmt::format("{} PEs with {} KiB each need {}, but {} has {} free: {} PEs would fit; lower -n, or --mem to {}K", nproc_,
                             data_words_ / 256, format_amount(each * stride_), info_.id, format_amount(available),
                             available / each / cuda_warp * cuda_warp, available / stride_ / 1024)};
}

Result<void> CudaDevice::make_memory(const Image &image, const LoadConfig &config) {
    const KernelConstants constants(image, config, use_switch_, entries_);
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
    } others[] = {{data_, 4ull * stride_ * data_words_},
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
    return session_.grow(pinned_requests_, 4);
}

Result<void> CudaDevice::start(const Image &image, const LoadConfig &config) {
    Result<CudaMemory> initial = session_.make_filled(image.data.data(), image.data.size());
    if (!initial) return initial.error();
    Result<CudaMemory> startup = session_.make_filled(config.startup.data(), 4 * config.startup.size());
    if (!startup) return startup.error();
    MOG_TRY(session_.fill_with_zeros(data_.get(), 4ull * stride_ * data_words_));
    constexpr u32 block = 128;
    MOG_TRY(session_.launch(init_, nproc_, block, 0, initial->get(), static_cast<u32>(image.data.size() / 4), startup->get(),
                            static_cast<u32>(config.startup.size()), data_.get(), data_words_, state_.get(), stride_, nproc_,
                            image.entry, nproc_));
    return session_.finish();
}

Result<void> CudaDevice::load(const Image &image, const LoadConfig &config) {
    nproc_ = config.nproc;
    stride_ = static_cast<u32>(round_up(nproc_, cuda_warp));
    data_words_ = config.data_words;
    nregs_ = static_cast<u32>(image.register_names.size());
    MOG_TRY(open());
    MOG_TRY(check_memory(image));
    MOG_TRY(make_kernels(image, config));
    MOG_TRY(choose_block(config));
    MOG_TRY(make_memory(image, config));
    answers_.reset(nproc_);
    launches_.emplace(session_, answers_, nproc_,
                      [this](const CudaLaunches::Buffers &buffers, u32 passes, u32 count) { return launch_run(buffers, passes, count); });
    return start(image, config);
}

Result<void> CudaDevice::launch_run(const CudaLaunches::Buffers &buffers, u32 passes, u32 count) {
    CuPointer text = text_.get(), cpool = cpool_.get(), code_map = code_map_.get(), data = data_.get(), state = state_.get(),
              requests = buffers.requests, nrequests = buffers.nrequests, active = buffers.active, entry_of = entry_of_.get(),
              profile = profile_.get();
    u32 first = 0;
    std::vector<void *> parameters = {&text,  &cpool,   &code_map,  &data,   &data_words_, &state, &stride_,
                                      &requests, &nrequests, &active, &passes,      &first, &count};
    if (!entries_.empty()) parameters.push_back(&entry_of);
    if (profiling_) parameters.push_back(&profile);
    return session_.launch(run_, count, block_, shared_bytes(block_), parameters.data(), buffers.stream);
}

/// Takes over what a launch counted, before its 32-bit counters can overflow.
Result<void> CudaDevice::add_counts() {
    MOG_TRY(session_.read(profile_.get(), counts_of_launches_.counters(), counts_of_launches_.bytes()));
    MOG_TRY(session_.fill_with_zeros(profile_.get(), counts_of_launches_.bytes()));
    MOG_TRY(session_.finish());
    counts_of_launches_.take_over();
    return {};
}

Result<std::vector<Request>> CudaDevice::run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    MOG_TRY(session_.enter());
    // With passes of its own beside each PE, the list has a word more for each.
    const std::size_t words = MOG_A_WORDS + (own_passes.empty() ? 0 : 1);
    MOG_TRY(session_.grow(pinned_list_, 4 * words * active.size()));
    u32 *element = words_at(pinned_list_);
    for (std::size_t i = 0; i < active.size(); i++, element += words) {
        answers_.write(element, active[i]);
        if (!own_passes.empty()) element[MOG_A_WORDS] = own_passes[i];
    }
    MOG_TRY(session_.write(active_.get(), pinned_list_.get(), 4 * words * active.size()));
    MOG_TRY(session_.fill_with_zeros(nrequests_.get(), 4ull * MOG_N_WORDS));
    MOG_TRY(launch_run({requests_.get(), nrequests_.get(), active_.get(), nullptr}, passes, static_cast<u32>(active.size())));
    MOG_TRY(session_.read(nrequests_.get(), words_at(pinned_requests_), 4));
    MOG_TRY(session_.finish());
    if (profiling_) MOG_TRY(add_counts());
    const u32 count = *words_at(pinned_requests_);
    if (count > active.size()) return Error{fmt::format("{} reports more stopped PEs than ran: its memory is damaged", info_.id)};
    if (count == 0) return std::vector<Request>();
    MOG_TRY(session_.grow(pinned_requests_, sizeof(Request) * u64{count}));
    MOG_TRY(session_.read(requests_.get(), words_at(pinned_requests_), sizeof(Request) * u64{count}));
    MOG_TRY(session_.finish());
    return record_order_.ascending({static_cast<const Request *>(pinned_requests_.get()), count}, active);
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

/// For lists and bytes of a transfer.
Result<void> CudaDevice::make_room(u64 listed, u64 staged) {
    if (!launches_ || !launches_->some_run()) {
        outgrown_.clear();
        outgrown_pinned_.clear();
    }
    const auto grow = [this](auto &memory, auto &outgrown, u64 bytes) {
        if (memory.bytes() < bytes && memory.get()) outgrown.push_back(std::exchange(memory, {}));
        return session_.grow(memory, bytes);
    };
    MOG_TRY(grow(pinned_list_, outgrown_pinned_, listed));
    MOG_TRY(grow(list_, outgrown_, listed));
    MOG_TRY(grow(pinned_staging_, outgrown_pinned_, staged));
    return grow(staging_, outgrown_, staged);
}

Result<void> CudaDevice::transfer(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe) {
    if (transfers.empty()) return {};
    MOG_TRY(session_.enter());
    MOG_TRY(settle_answers(transfers));
    // A thread of the device moves a piece of this size; what is longer is shared among several.
    constexpr u32 piece = 256;
    u64 staged = 0, pieces = 0;
    for (const Transfer &t : transfers) {
        staged = std::max(staged, round_up(u64{t.staging} + t.length, 4));
        pieces += t.is_state ? 1 : (t.length + piece - 1) / piece;
    }
    MOG_TRY(make_room(4 * MOG_T_WORDS * pieces, staged));
    u32 *record = words_at(pinned_list_);
    for (const Transfer &t : transfers)
        for (u32 done = 0; done < t.length; done += piece, record += MOG_T_WORDS) {
            record[MOG_T_PE] = t.pe | (t.is_state ? MOG_T_STATE : 0u);
            record[MOG_T_ADDRESS] = t.address + done;
            record[MOG_T_LENGTH] = std::min(piece, t.length - done);
            record[MOG_T_STAGING] = t.staging + done;
        }
    MOG_TRY(session_.write(list_.get(), words_at(pinned_list_), 4 * MOG_T_WORDS * pieces));
    if (from) {
        std::memcpy(bytes_at(pinned_staging_), from, staged);
        MOG_TRY(session_.write(staging_.get(), bytes_at(pinned_staging_), staged));
    }
    constexpr u32 block = 64;
    MOG_TRY(session_.launch(transfer_, static_cast<u32>(pieces), block, 0, list_.get(), staging_.get(), data_.get(), data_words_,
                            state_.get(), stride_, u32{to_pe}, u32{0}, static_cast<u32>(pieces)));
    if (into) MOG_TRY(session_.read(staging_.get(), bytes_at(pinned_staging_), staged));
    MOG_TRY(session_.finish());
    if (into)
        for (const Transfer &t : transfers) std::memcpy(into + t.staging, bytes_at(pinned_staging_) + t.staging, t.length);
    return {};
}

bool CudaDevice::unload() {
    (void)enter_thread();
    launches_.reset();
    for (CudaMemory *memory : {&text_, &cpool_, &code_map_, &entry_of_, &data_, &state_, &requests_, &nrequests_, &active_, &list_,
                               &staging_, &profile_})
        *memory = CudaMemory();
    return true;
}

Result<DeviceStats> CudaDevice::stats() {
    DeviceStats stats;
    stats.engine =
        fmt::format("CUDA kernel, {}{}, {} superinstructions, blocks of {}, {} PEs at once on a multiprocessor, {} registers each",
                    entries_.empty() ? "" : "compiled blocks and ", use_switch_ ? "switch" : "sequence", superinstructions_, block_,
                    resident_, registers_);
    stats.arithmetic = arithmetic_;
    stats.build_seconds = build_seconds_;
    stats.cached = cached_;
    stats.embedded = embedded_;
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
