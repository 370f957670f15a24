// native_lanes.cpp: compiles the groups of a program, and calls the one whose lanes' turn it is, as lanes.c does.
#include "runtime_host/devices/host/native_lanes/native_lanes.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/image/facts.hpp"
#include "assembler/image/spaces.hpp"
#include "assembler/profile/execution.hpp"
#include "runtime_host/devices/host/interpreter/host_interpreters.hpp"
#include "runtime_host/devices/host/native/native_units.hpp"
#include "runtime_host/devices/host/native_lanes/lane_compiler.hpp"
#include "runtime_host/devices/host/native_lanes/lane_frame.hpp"
#include "support/compilers/simd.hpp"

namespace mog {
namespace lane_code {
namespace {

/// What a lane may do in the interpreter before others have their turn.
constexpr std::uint32_t cold_passes = 20000;

class Errors final : public asmjit::ErrorHandler {
public:
    void handleError(asmjit::Error, const char *message, asmjit::BaseEmitter *) override {
        if (first.empty()) first = message;
    }
    std::string first;
};

class CompiledLanes final : public NativeLanes {
public:
    using Group = void(LaneFrame *frame, std::uint32_t *mem);

    CompiledLanes(const Image &image, const HostProgram &program) : image_(image), program_(program) {}

    Result<void> compile(std::uint32_t data_words) {
        const auto begun = std::chrono::steady_clock::now();
        const BlockPlan plan = plan_of_places(image_, static_execution(image_));
        entry_of_ = entry_table(image_, ProductKind::places);
        const std::vector<std::uint8_t> live = live_accumulators(image_, plan);
        LaneLinks links;
        links.data_bytes = 4 * data_words;
        links.read_only = read_only_of(image_);
        if (program_.constants_bytes != 0) links.constants = program_.spaces + program_.constants_at;
        links.constants_bytes = program_.constants_bytes;
        links.entry_of = entry_of_.data();
        links.live_accumulators = &live;
        asmjit::CodeHolder holder;
        Errors errors;
        holder.init(runtime_.environment());
        holder.setErrorHandler(&errors);
        std::vector<asmjit::Label> begins;
        for (std::uint32_t number = 1; number <= plan.groups.size(); ++number) {
            if (plan.groups[number - 1].blocks.empty()) return Error{"the image's places for lanes are not those of its code"};
            LaneCompiler compiler(image_, plan, number, guards_, links, holder);
            begins.push_back(compiler.begin());
            compiler.compile();
            regions_ += static_cast<std::uint32_t>(compiler.regions());
            guards_ += compiler.guards();
            instructions_ += plan.groups[number - 1].instructions;
        }
        char *base = nullptr;
        if (!errors.first.empty()) return Error{"code for lanes could not be written: " + errors.first};
        if (runtime_.add(&base, &holder) != asmjit::kErrorOk) return Error{"the system gives no memory for code"};
        for (const asmjit::Label &begin : begins) groups_.push_back(reinterpret_cast<Group *>(base + holder.labelOffset(begin)));
        seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        return {};
    }

    void run(const Memory &memory, const Launch &launch, std::uint32_t warp, std::uint32_t running,
             std::span<std::uint64_t> counts) const override {
        const std::uint32_t pe = warp * MOG_LANES;
        std::uint32_t *const rows = memory.state + pe, *const mem = memory.data + std::size_t{pe} * memory.data_words;
        const auto registers = static_cast<std::uint32_t>(image_.register_names.size());
        const auto row = [&](std::uint32_t number) { return rows + std::size_t{number} * memory.stride; };
        const auto frame = std::make_unique_for_overwrite<LaneFrame>();
        LaneFrame &f = *frame;
        std::vector<LaneGuard> guards(guards_);
        f.guards = guards.data();
        f.running = running;
        f.passes = static_cast<std::int32_t>(launch.passes);
        f.divergence = launch.divergence;
        const auto load = [&] {
            std::memcpy(f.acc.data(), row(MOG_S_ACC), sizeof f.acc);
            for (std::uint32_t k = 0; k < MOG_LANES; ++k) f.d[k] = row(MOG_S_DLO)[k] | std::uint64_t{row(MOG_S_DHI)[k]} << 32;
            for (std::uint32_t r = 0; r < registers; ++r) std::memcpy(f.registers[r].data(), row(MOG_S_REGS + r), sizeof f.acc);
        };
        const auto store = [&] {
            std::memcpy(row(MOG_S_ACC), f.acc.data(), sizeof f.acc);
            for (std::uint32_t k = 0; k < MOG_LANES; ++k) {
                row(MOG_S_DLO)[k] = static_cast<std::uint32_t>(f.d[k]);
                row(MOG_S_DHI)[k] = static_cast<std::uint32_t>(f.d[k] >> 32);
            }
            for (std::uint32_t r = 0; r < registers; ++r) std::memcpy(row(MOG_S_REGS + r), f.registers[r].data(), sizeof f.acc);
            std::memcpy(row(MOG_S_PC), f.pcs.data(), sizeof f.pcs);
        };
        std::memcpy(f.pcs.data(), row(MOG_S_PC), sizeof f.pcs);
        load();
        bool is_loaded = true;
        while (f.running != 0 && f.passes > 0) {
            const std::int32_t before = f.passes;
            const Turn turn = choose(f);
            if (const std::uint32_t entry = entry_of_[turn.pc]; entry != 0) {
                if (!is_loaded) load();
                is_loaded = true;
                groups_[(entry >> 16) - 1](&f, mem);
                const Turn now = choose(f);
                if (before != f.passes || now.lanes != turn.lanes || now.pc != turn.pc) continue;
                // Nothing was done: the first instruction is one for the interpreter.
            }
            if (is_loaded) store();
            is_loaded = false;
            interpret(memory, launch, pe, turn.lanes, f, row(MOG_S_PC));
        }
        if (is_loaded) store();
        counts[MOG_L_EXECUTED] += f.executed;
        counts[MOG_L_PASSES] += static_cast<std::uint64_t>(static_cast<std::int32_t>(launch.passes) - f.passes);
        counts[MOG_L_ASKED] += f.asked;
        counts[MOG_L_HELD] += f.held;
        counts[MOG_L_GUARDED] += f.guarded;
        counts[MOG_L_SCALARS] += f.scalar;
        counts[MOG_L_REGIONS] = regions_;
    }

    double seconds() const override { return seconds_; }
    std::uint32_t instructions() const override { return instructions_; }

private:
    struct Turn {
        std::uint32_t lanes, pc;
    };
    /// Those that stand at the lowest place.
    static Turn choose(const LaneFrame &f) {
        Turn turn{0, std::numeric_limits<std::uint32_t>::max()};
        for (std::uint32_t k = 0; k < MOG_LANES; ++k)
            if (f.running >> k & 1) turn.pc = std::min(turn.pc, f.pcs[k]);
        for (std::uint32_t k = 0; k < MOG_LANES; ++k) turn.lanes |= static_cast<std::uint32_t>(f.pcs[k] == turn.pc) << k;
        turn.lanes &= f.running;
        return turn;
    }

    /// One lane after the other, until it comes to a place that has code.
    void interpret(const Memory &memory, const Launch &launch, std::uint32_t pe, std::uint32_t lanes, LaneFrame &f,
                   std::uint32_t *pcs) const {
        for (std::uint32_t k = 0; k < MOG_LANES; ++k) {
            if ((lanes >> k & 1) == 0) continue;
            std::array<std::uint32_t, MOG_Q_WORDS> request{};
            std::uint32_t stopped = 0, left = 0;
            const std::uint32_t lane = pe + k;
            host_interpreters::run_lanes(launch.text, image_.cpool.data(), image_.code_map.data(), memory.data, memory.data_words,
                                         memory.state, memory.stride, request.data(), &stopped, &lane, cold_passes, 0, 1, entry_of_.data(),
                                         &left, &program_, 0);
            f.pcs[k] = pcs[k];
            if (stopped != 0) left = request[MOG_Q_LEFT];
            f.executed += cold_passes - left;
            f.passes -= static_cast<std::int32_t>(cold_passes - left);
            if (stopped == 0) continue;
            f.running &= ~(1u << k);
            request[MOG_Q_LEFT] = f.passes > 0 ? static_cast<std::uint32_t>(f.passes) : 0;  // of the warp's, not of its turn
            const std::size_t slot = __atomic_fetch_add(launch.stopped, 1u, __ATOMIC_RELAXED);
            std::ranges::copy(request, launch.requests + slot * MOG_Q_WORDS);
        }
    }

    const Image &image_;
    const HostProgram &program_;
    asmjit::JitRuntime runtime_;
    std::vector<std::uint32_t> entry_of_;
    std::vector<Group *> groups_;
    std::uint32_t guards_ = 0, regions_ = 0, instructions_ = 0;
    double seconds_ = 0;
};

}  // namespace
}  // namespace lane_code

bool NativeLanes::is_possible(const Image &image) {
    return best_simd() >= Simd::avx512 && compiles_while_running() && !image.linked && !keeps_fcsr(image) &&
           std::ranges::all_of(spaces_of(image), &Space::is_constants);
}

double NativeLanes::seconds_for(const Image &image) {
    // Compiling takes 5 ms and 10 to 20 us an instruction on a Xeon, of which there are about five in a block.
    constexpr double for_all = 0.06, for_a_block = 1e-3;
    return for_all + for_a_block * static_cast<double>(image.products.bytes(ProductKind::places).size() / sizeof(BlockPlan::Entry));
}

Result<std::unique_ptr<NativeLanes>> NativeLanes::make(const Image &image, const HostProgram &program, std::uint32_t data_words) {
    // Words of a warp are found by signed numbers of 32 bits.
    constexpr std::uint32_t most_words = std::numeric_limits<std::int32_t>::max() / MOG_LANES;
    if (data_words > most_words) return Error{"the memory of 16 PEs is more than lanes can tell apart"};
    auto lanes = std::make_unique<lane_code::CompiledLanes>(image, program);
    MOG_TRY(lanes->compile(data_words));
    return std::unique_ptr<NativeLanes>(std::move(lanes));
}

}  // namespace mog
