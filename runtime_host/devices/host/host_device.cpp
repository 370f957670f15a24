// host_device.cpp: the device `host`. MOG's interpreter, or the program's own, runs the PEs, with what is compiled while they run; or lanes
// do: which of these two ways is decided while they run.
#include "runtime_host/devices/host/host_device.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "assembler/emit/generate.hpp"
#include "assembler/emit/host_code.hpp"
#include "assembler/image/facts.hpp"
#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/device/host_room.hpp"
#include "runtime_host/device/record_order.hpp"
#include "runtime_host/devices/host/engine_choice.hpp"
#include "runtime_host/devices/host/host_lanes.hpp"
#include "runtime_host/devices/host/host_pes.hpp"
#include "runtime_host/devices/host/remembered_engine.hpp"
#include "support/compilers/host_compiler.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;
using Warp = HostPes::Warp;

class HostDevice final : public Device {
public:
    HostDevice() : info_(host_device_info()) {}

    const DeviceInfo &info() const override { return info_; }

    std::uint64_t bytes_per_pe(const Image &image, u32 data_words) const override {
        return 4ull * (data_words + MOG_S_REGS + image.register_names.size() + MOG_Q_WORDS);
    }

    Result<void> load(const Image &image, const LoadConfig &config) override {
        Result<Arithmetic> arithmetic = choose_arithmetic(image, config.doubles, {}, info_.id);
        if (!arithmetic) return arithmetic.error();
        if (image.brings_host_code() || config.engine == Engine::Sequence) {
            // That of the program's own code was decided when mogcc compiled it.
            const Result<Arithmetic> compiled = choose_arithmetic(image, wished_doubles(image), {}, info_.id);
            if (!compiled) return compiled.error();
            if (compiled->doubles != arithmetic->doubles && needs_doubles(image))
                return Error{
                    fmt::format("the program's code for the device \"host\" was compiled with {}; compile "
                                "the program with mogcc --double={}, or use another device",
                                compiled->description, name_of(config.doubles))};
            arithmetic = compiled;
        }
        arithmetic_ = arithmetic->description;
        const auto begin = std::chrono::steady_clock::now();
        if (Result<void> chosen = choose_engine(image, config, *arithmetic); !chosen) return chosen.error();
        if (choice_) {
            const u32 warps = (config.nproc + MOG_LANES - 1) / MOG_LANES;
            take_sample(choice_->begin({config.nproc, warps}), warps, [](u32 i) { return i; });
        }
        const HostEngine begins = choice_ ? choice_->engine() : engine_;
        const bool begins_in_lanes = begins == HostEngine::lanes;
        MOG_TRY(check_host_room(config.nproc, least_host_bytes_per_pe(image, config, begins_in_lanes)));
        loaded_ = config;
        // Only so a pass of a sequence is one instruction.
        if (config.debugged && config.engine == Engine::Sequence) loaded_.fuel = true;
        const bool both = choice_ || decision_ || compiles_lanes_ || (config.debugged && engine_ == HostEngine::lanes);
        // Code that is compiled now knows how much memory there is; PEs are laid for it when they run.
        const std::span<const u32> others = compiles_lanes_ ? std::span<const u32>() : std::span<const u32>(sample_);
        MOG_TRY(pes_.load(image, loaded_, *arithmetic, compiles_lanes_ ? HostEngine::blocks : begins, both, others));
        if (compiles_lanes_ && (choice_ || begins_in_lanes))
            if (const Result<void> compiled = compile_lanes(); !compiled) {
                if (engine_ == HostEngine::lanes) return Error{"--engine=lanes: " + compiled.error().text()};
                choice_.reset();
                give_up_lanes(compiled.error());
            }
        build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return {};
    }

    void serve_at_once(ServeAtOnce serve) override { pes_.serve_at_once(std::move(serve)); }
    bool can_break() const override { return pes_.can_break(); }
    Result<void> set_breaks(std::span<const u32> places) override {
        pes_.set_breaks(places);
        return {};
    }
    void heed_breaks(bool heeds) override { pes_.heed_breaks(heeds); }

    /// Lanes want several warps on each core. To see whether PEs stay together, and to try lanes, one will do; and the fewer take turns,
    /// the longer each finds its memory in the caches.
    u32 enough_pes() const override {
        constexpr u32 of_a_core = 4, warps_of_a_core = 4;
        const bool by_lanes = choice_ ? choice_->engine() == HostEngine::lanes || choice_->trying() : engine_ == HostEngine::lanes;
        return pes_.cores() * (by_lanes ? warps_of_a_core * MOG_LANES : choice_ || decision_ ? MOG_LANES : of_a_core);
    }

    Result<std::vector<Request>> run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) override {
        pes_.begin_round(active.size());
        if (pes_.take_turns()) {
            pes_.run_threads(active, passes, own_passes);
            std::vector<Request> stopped(pes_.stopped().begin(), pes_.stopped().end());  // some were woken, and are not in the list
            std::ranges::sort(stopped, {}, [](const Request &q) { return q[MOG_Q_PE]; });
            return stopped;
        }
        if (choice_) {
            if (Result<void> ran = run_by_choice({active.begin(), active.end()}, passes); !ran) return ran.error();
        } else if (engine_ == HostEngine::lanes && loaded_.debugged && passes == 1) {
            // The lanes of a warp share its passes, so single steps are for the code for one PE.
            if (const Result<double> laid = pes_.lay(HostPes::warps_of(active), HostEngine::blocks); !laid) return laid.error();
            pes_.run_single(active, passes, {});
        } else if (engine_ == HostEngine::lanes) {
            const std::vector<Warp> warps = HostPes::warps_of(active);
            if (const Result<double> laid = pes_.lay(warps, HostEngine::lanes); !laid) return laid.error();  // those that were restarted
            pes_.run_lanes(warps, passes);
        } else {
            const HostPes::Ran ran = pes_.run_single(active, passes, own_passes);
            if (decision_) consider_lanes(active, passes, ran);
        }
        return record_order_.ascending(pes_.stopped(), active);
    }

    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override {
        pes_.answer(answers, rows);
        return {};
    }

    bool memory_is_ours() const override { return true; }

    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override {
        pes_.transfer(transfers, staging.data(), false);
        return {};
    }

    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override {
        MOG_TRY(check_targets(transfers, pes_.constants_bytes()));
        pes_.transfer(transfers, const_cast<std::uint8_t *>(staging.data()), true);  // to PEs: the kernel only reads it
        return {};
    }

    Result<void> find_not_zero(std::span<const Range> ranges, std::span<u32> found) override {
        pes_.find_not_zero(ranges, found);
        return {};
    }

    Changes changes() const override { return pes_.changes(); }

    Result<void> copy(std::span<const Copy> copies) override {
        MOG_TRY(check_targets(copies, pes_.constants_bytes()));
        pes_.copy(copies);
        return {};
    }

    Result<void> copy_state(u32 from_pe, u32 to_pe, u32 words) override {
        pes_.copy_state(from_pe, to_pe, words);
        return {};
    }

    std::optional<std::vector<u32>> restart(std::span<const u32> pes) override { return pes_.restart(pes, loaded_); }

    void all_ended() override {
        if (const auto verdict = choice_ ? choice_->verdict() : std::nullopt) remembered_->learn(*verdict);
        if (decision_ && lanes_ && lanes_->has_begun()) remembered_->learn(decision_->unfinished());
    }

    Result<DeviceStats> stats() override {
        DeviceStats stats;
        stats.in_lanes = (choice_ ? choice_->engine() : engine_) == HostEngine::lanes;
        stats.engine =
            "C++ interpreter, " + (stats.in_lanes ? fmt::format("compiled blocks for {} PEs at once", MOG_LANES) : pes_.code_for_one());
        if (const NativeCode *native = stats.in_lanes ? nullptr : pes_.native()) {
            stats.native = native->stats();
            stats.native->why_asking = pes_.why_asking();
            stats.in_native = native->compiled();
        }
        stats.choice = choice_ ? choice_->report() : no_choice_;
        if (!choice_ && decision_)
            stats.choice.reason =
                lanes_ && lanes_->has_begun() ? "code for lanes was still being compiled when the run ended" : decision_->reason();
        stats.lanes_seconds = lanes_seconds_;
        if (const NativeLanes *lanes = pes_.native_lanes()) stats.lanes_instructions = lanes->instructions();
        stats.lane_occupancy = pes_.occupancy();
        if (stats.lane_occupancy > 0) stats.guarded = pes_.guarded();
        stats.arithmetic = arithmetic_;
        stats.build_seconds = build_seconds_;
        stats.cached = pes_.cached();
        stats.executed = pes_.counted();
        stats.counted = stats.executed != 0;  // whether it counts was decided when the product was compiled
        return stats;
    }

private:
    /// Lanes, if they were asked for; a choice, if nothing was and there is one; else the code for one PE.
    Result<void> choose_engine(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic) {
        const bool has_lanes = image.has_lanes_code();
        compiles_lanes_ = !has_lanes && !config.debugged && image.products.has(ProductKind::places) && NativeLanes::is_possible(image);
        const bool can_make = compiles_lanes_ || HostLanes::can_be_made(image);
        // Lanes compute natively.
        const bool other_doubles = arithmetic.doubles != Arithmetic::How::Native && needs_doubles(image);
        const Simd simd = has_lanes ? simd_of(image) : best_simd();
        if (config.threads > 1 && config.engine == Engine::Lanes)
            return Error{
                "--engine=lanes: lanes have memory of their own, and threads share it; --engine=native is fast, too, and --threads 1 "
                "forbids threads"};
        if (config.engine == Engine::Lanes) {
            if (best_simd() == Simd::none) return Error{"--engine=lanes: MOG_SIMD=none forbids lanes; --engine=blocks runs everywhere"};
            if (!has_lanes && image.linked)
                return Error{
                    "--engine=lanes: the program has no code for lanes in it: NAME_lanes.cpp of mogcc --emit=cpp, if it wrote one, "
                    "was not compiled and linked with NAME.cpp"};
            if (!has_lanes && !can_make)
                return Error{fmt::format("--engine=lanes: the program has no code for lanes in it; compile it with mogcc --simd={}",
                                         name_of(best_simd()))};
            if (simd > best_simd())
                return Error{
                    fmt::format("--engine=lanes: the program's code for lanes needs a processor with {}; --engine=blocks runs "
                                "everywhere",
                                title_of(simd))};
            if (other_doubles)
                return Error{
                    fmt::format("--engine=lanes: lanes compute doubles natively, which --double={} forbids", name_of(config.doubles))};
            if (!has_lanes && !compiles_lanes_) MOG_TRY(make_lanes(image));
            // The lanes of a warp share a slice, so they cannot have fuel each of its own.
            if (!config.fuel) engine_ = HostEngine::lanes;
            else compiles_lanes_ = false;
        }
        if (config.engine != Engine::Auto || config.debugged) {
            compiles_lanes_ &= engine_ == HostEngine::lanes;
            return {};
        }
        const bool has_blocks = image.products.has(ProductKind::entries) || (!image.brings_host_code() && NativeCode::is_possible(image));
        no_choice_.engine = has_blocks ? "blocks" : "switch";
        if (config.window_bytes != 0) no_choice_.reason = "PEs that share memory may wait for each other, and lanes go on together";
        else if (config.threads > 1) no_choice_.reason = "threads share memory, which lanes do not";
        else if (!has_lanes && !can_make) no_choice_.reason = "the program has no code for lanes";
        else if (other_doubles)
            no_choice_.reason = fmt::format("lanes compute doubles natively, which --double={} forbids", name_of(config.doubles));
        else if (config.deterministic) no_choice_.reason = "--deterministic allows no trials";
        else if (best_simd() == Simd::none) no_choice_.reason = "MOG_SIMD=none forbids lanes";
        else if (simd > best_simd()) no_choice_.reason = fmt::format("no {} for lanes", title_of(simd));
        else if (config.fuel) no_choice_.reason = "the lanes of a warp cannot have fuel each of its own";
        else if (config.nproc < EngineChoice::least_lanes) no_choice_.reason = "too few PEs for lanes";
        else {
            remembered_.emplace(image, info_, compiles_lanes_ ? "native" : name_of(simd), config);
            const std::optional<EngineVerdict> known = config.restless ? std::nullopt : remembered_->find();
            if (compiles_lanes_ && !config.restless && (!known || known->engine == HostEngine::blocks))
                decision_.emplace(known, NativeLanes::seconds_for(image), pes_.cores());
            else if (has_lanes || compiles_lanes_ || find_lanes(image)) choice_.emplace(pes_.cores(), known, config.restless);
            else if (config.owns_process) decision_.emplace(known, lanes_seconds(image), pes_.cores(), remembered_->unfinished());
            else no_choice_.reason = "code for lanes is compiled by mogrun, or mogcc --simd, but not by a library";
        }
        compiles_lanes_ &= choice_ || decision_;
        return {};
    }

    Result<void> compile_lanes() {
        MOG_TRY(pes_.compile_lanes());
        lanes_seconds_ = pes_.native_lanes()->seconds();
        return {};
    }

    /// Code for lanes that an earlier run has compiled.
    bool find_lanes(const Image &image) {
        lanes_.emplace(image);
        auto library = lanes_->find();
        if (library) pes_.take_lanes(*std::move(library));
        return library.has_value();
    }
    Result<void> make_lanes(const Image &image) {
        if (find_lanes(image)) return {};
        auto library = lanes_->make();
        if (!library) return Error{"--engine=lanes: " + library.error().text()};
        pes_.take_lanes(*std::move(library));
        return {};
    }

    /// After PEs ran in blocks, of a program that has no code for lanes yet: has that compiled on the side, if it may be worth it. When it
    /// is there, there is a choice.
    void consider_lanes(std::span<const u32> active, u32 passes, const HostPes::Ran &ran) {
        constexpr std::chrono::milliseconds pause{10};
        decision_->ran(ran.seconds, [&] { return pes_.together(active); });
        const auto now = std::chrono::steady_clock::now();
        if (!decision_->is_due() || now < next_poll_) return;
        next_poll_ = now + pause;
        if (compiles_lanes_) {
            if (const Result<void> compiled = compile_lanes(); !compiled) return give_up_lanes(compiled.error());
            return choose_late(active, passes, ran);
        }
        if (!lanes_->has_begun()) {
            if (Result<void> begun = lanes_->begin(); !begun) return give_up_lanes(begun.error());
            // The sooner the compiler is done, the better, for lanes do in a tenth of the time what blocks do until then.
            pes_.leave_cores(1);
            return;
        }
        auto library = lanes_->poll();
        if (!library) return give_up_lanes(library.error());
        if (!*library) return;
        pes_.leave_cores(0);
        pes_.take_lanes(**std::move(library));
        lanes_seconds_ = lanes_->seconds();
        choose_late(active, passes, ran);
    }
    /// `ran`: what these did in blocks in the last round, with which lanes are compared.
    void choose_late(std::span<const u32> active, u32 passes, const HostPes::Ran &ran) {
        choice_.emplace(pes_.cores(), remembered_->find());
        const EngineChoice::Load load{static_cast<u32>(active.size()), static_cast<u32>(HostPes::warps_of(active).size())};
        choice_->ran(HostEngine::blocks, load, passes, ran.instructions, ran.seconds);
        choice_->begin_late(decision_->spent());
        decision_.reset();
    }
    void give_up_lanes(const Error &error) {
        pes_.leave_cores(0);
        no_choice_.reason = "code for lanes could not be compiled: " + error.text();
        decision_.reset();
    }

    /// The engine that EngineChoice picked; in a trial, some warps by the other one. Trials are short, so there may be several
    /// rounds in a slice.
    Result<void> run_by_choice(std::vector<u32> active, u32 passes) {
        while (!active.empty() && passes != 0) {
            const std::vector<Warp> warps = HostPes::warps_of(active);
            const auto count = static_cast<u32>(warps.size());
            const bool tried_before = choice_->trying();
            choice_->begin_round({static_cast<u32>(active.size()), count}, [&] { return pes_.relayout_seconds(warps.front()); });
            // The sample of a trial stays as it is while any of it runs.
            if (!choice_->trying()) sample_.clear();
            else if (!tried_before || std::ranges::none_of(warps, [&](const Warp &warp) { return in_sample(warp); })) {
                take_sample(choice_->sample(count), count, [&](u32 i) { return warps[i].number; });
            }
            std::vector<Warp> tried, others;
            for (const Warp &warp : warps) (in_sample(warp) ? tried : others).push_back(warp);
            const u32 used = choice_->passes(load_of(tried), load_of(others), passes);
            const std::size_t stopped = pes_.stopped().size();
            if (Result<void> ran = run_warps(choice_->other(), tried, used); !ran) return ran;
            if (Result<void> ran = run_warps(choice_->engine(), others, used); !ran) return ran;
            passes -= used;
            pes_.had_more_passes(stopped, passes);
            if (passes == 0 || pes_.stopped().size() == stopped) continue;
            std::vector<u32> ended;
            for (const Request &request : pes_.stopped().subspan(stopped)) ended.push_back(request[MOG_Q_PE]);
            std::ranges::sort(ended);
            std::erase_if(active, [&](u32 pe) { return std::ranges::binary_search(ended, pe); });
        }
        return {};
    }

    /// `size` warps of `count`, evenly; number(i) is the number of the i-th.
    template <typename F>
    void take_sample(u32 size, u32 count, F number) {
        sample_.clear();
        for (u32 i = 0; i < size; i++) sample_.push_back(number(static_cast<u32>(std::uint64_t{i} * count / size)));
    }
    bool in_sample(const Warp &warp) const { return std::ranges::binary_search(sample_, warp.number); }

    static EngineChoice::Load load_of(const std::vector<Warp> &warps) {
        u32 pes = 0;
        for (const Warp &warp : warps) pes += static_cast<u32>(std::popcount(warp.running));
        return {pes, static_cast<u32>(warps.size())};
    }

    Result<void> run_warps(HostEngine engine, const std::vector<Warp> &warps, u32 passes) {
        if (warps.empty()) return {};
        const Result<double> laid = pes_.lay(warps, engine);
        if (!laid) return laid.error();
        if (*laid > 0) choice_->laid(*laid);
        HostPes::Ran ran;
        if (engine == HostEngine::lanes) {
            ran = pes_.run_lanes(warps, passes);
        } else {
            std::vector<u32> pes;
            for (const Warp &warp : warps)
                for (u32 lane = 0; lane < MOG_LANES; lane++)
                    if (warp.running >> lane & 1) pes.push_back(warp.number * MOG_LANES + lane);
            ran = pes_.run_single(pes, passes, {});
        }
        choice_->ran(engine, load_of(warps), passes, ran.instructions, ran.seconds);
        return {};
    }

    DeviceInfo info_;
    LoadConfig loaded_;
    HostPes pes_;
    RecordOrder record_order_;
    HostEngine engine_ = HostEngine::blocks;  ///< if there is no choice
    std::optional<EngineChoice> choice_;
    std::optional<RememberedEngine> remembered_;  ///< goes with it
    DeviceStats::Choice no_choice_;               ///< why there is none
    std::optional<HostLanes> lanes_;              ///< code for lanes that the image does not have
    bool compiles_lanes_ = false;                 ///< here, by native_lanes.hpp; else by the machine's C++ compiler
    std::optional<LanesDecision> decision_;       ///< whether to compile it, while that is open
    std::optional<double> lanes_seconds_;         ///< see DeviceStats
    std::chrono::steady_clock::time_point next_poll_;
    std::vector<u32> sample_;  ///< in a trial: the warps that try, ascending
    std::string arithmetic_;
    double build_seconds_ = 0;
};

}  // namespace

DeviceInfo host_device_info() {
    DeviceInfo info;
    info.id = "host";
    info.driver = processor_name();
    info.memory_bytes = host_memory_bytes();
    info.maps_by_touch = true;
    info.fill_pes = info.units = usable_cores();
    info.near_pes = 1024 * info.units;  // from 256 to 4096 of a core made no difference beyond noise
    info.description = fmt::format("interpreter on the CPU, and code compiled while programs run, {} core{}", info.fill_pes,
                                   info.fill_pes == 1 ? "" : "s");
    return info;
}

std::unique_ptr<Device> make_host_device() { return std::make_unique<HostDevice>(); }

}  // namespace mog
