// calibrate.cpp: times loops on a device and solves for what their pieces cost.
//
// A pass costs something by itself, an attempt for each slot, and the bodies of what is executed in it. How often each is
// executed in a pass of a loop is known (calibration_code.hpp), so every loop gives an equation for the bodies and for the rest
// of the pass; what these rests are in sequences of different lengths tells passes from attempts. The instructions of a loop follow each
// other as irregularly as those of real programs; what a processor pays for branches that it could not foresee is so
// counted with the bodies. All PEs of a GPU go through a loop in step, each at addresses of its own.
#include "runtime_host/calibrate/calibrate.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "assembler/emit/host_code.hpp"
#include "assembler/order/least_squares.hpp"
#include "runtime_host/calibrate/calibration_code.hpp"
#include "runtime_host/device/kernel_cache.hpp"
#include "runtime_host/devices/group/device_list.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "runtime_host/run/startup.hpp"
#include "support/files/hash.hpp"
#include "support/subprocess.hpp"
#include "support/text.hpp"

namespace mog {
namespace {

namespace fs = std::filesystem;

// Of the equations of a group: the pass with its attempts, then the bodies by opcode.
constexpr std::size_t pass_column = 0, first_body_column = 1;

double clock_seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Gives the image its product "host", compiled as mogcc does it.
Result<void> compile_for_host(Image &image) {
    const Result<Command> compiler = usable_host_compiler();
    if (!compiler) return compiler.error();
    return add_host_code(image, {*compiler, ""}, true, Simd::none);
}

/// A device with loops loaded, and the times they take.
class Stopwatch {
public:
    Stopwatch(const CalibrationCode &code, Engine engine, const CalibrateOptions &options)
        : code_(code), engine_(engine), options_(options) {}

    Result<void> load(std::string_view id) {
        auto device = open_device(id, code_.image);
        if (!device) return device.error();
        device_ = *std::move(device);
        const DeviceInfo &info = device_->info();
        // One PE of a CPU has a core to itself; a GPU is measured full, for that is how it hides the times of its memory.
        // Processor time is blind to what else a machine does.
        clock_ = info.is_gpu ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
        const std::uint32_t pes = info.is_gpu ? std::max(1u, info.fill_pes) : 1;
        active_.resize(pes);
        std::iota(active_.begin(), active_.end(), 0u);
        LoadConfig load;
        load.nproc = pes;
        load.data_words = calibration_data_bytes / 4;
        load.engine = engine_;
        load.doubles = options_.doubles;
        auto startup = make_startup({}, {}, calibration_data_bytes);
        if (!startup) return startup.error();
        load.startup = *std::move(startup);
        MOG_TRY(device_->load(code_.image, load));
        for (std::uint32_t r = 0; r < code_.registers.size(); ++r) {
            const CalibrationRegister &entry = code_.registers[r];
            MOG_TRY(set_state(MOG_S_REGS + r,
                              [&](std::uint32_t pe) { return entry.value + (entry.is_address ? pe * 72 % calibration_spread : 0); }));
        }
        return {};
    }

    /// Seconds for `passes` passes through a loop, from its beginning.
    Result<double> time(const CalibrationLoop &loop, std::uint32_t passes) {
        MOG_TRY(set_state(MOG_S_PC, [&](std::uint32_t) { return loop.start; }));
        const double begin = clock_seconds(clock_);
        const auto stopped = device_->run(active_, passes);
        const double seconds = clock_seconds(clock_) - begin;
        if (!stopped) return stopped.error();
        if (!stopped->empty())
            return Error{
                fmt::format("{} stopped a loop of the calibration (reason {}, at {}): it does not execute all "
                            "instructions rightly",
                            device_->info().id, stopped->front()[MOG_Q_STOP], stopped->front()[MOG_Q_PC])};
        return seconds;
    }

    const DeviceInfo &info() const { return device_->info(); }

private:
    template <typename Value>
    Result<void> set_state(std::uint32_t row, Value value) {
        std::vector<Transfer> transfers;
        std::vector<std::uint32_t> words;
        for (const std::uint32_t pe : active_) {
            transfers.push_back({pe, row, 4, 4 * pe, true});
            words.push_back(value(pe));
        }
        return device_->scatter(transfers, {reinterpret_cast<const std::uint8_t *>(words.data()), 4 * words.size()});
    }

    const CalibrationCode &code_;
    Engine engine_;
    const CalibrateOptions &options_;
    std::unique_ptr<Device> device_;
    clockid_t clock_ = CLOCK_MONOTONIC;
    std::vector<std::uint32_t> active_;
};

/// Measures engines of a device.
class Calibration {
public:
    Calibration(const CalibrateOptions &options, std::string id, const std::function<void(double)> &progress, double parts)
        : options_(options), id_(std::move(id)), progress_(progress), parts_(parts) {}

    Result<EngineCosts> measure(Engine engine) {
        std::vector<Equation> constants;  // of the groups: a pass and its attempts
        std::array<double, 256> bodies{}, fits{};
        double deviation = 0;
        std::size_t count = 0;
        const std::size_t parts = engine == Engine::Switch ? 1 : calibration_groups;
        for (std::size_t group = 0; group < parts; ++group) {
            std::vector<Equation> equations;
            auto slots = add_equations(engine == Engine::Switch ? std::nullopt : std::optional(group), engine, equations);
            if (!slots) return slots.error();
            const CostFit fit = fit_bodies(equations);
            if (fit.x[pass_column] > 0) constants.push_back({{1, *slots}, fit.x[pass_column]});
            // Some occur in several groups: the mean of these.
            for (std::size_t op = 0; op < bodies.size(); ++op) {
                const bool occurs = std::any_of(equations.begin(), equations.end(),
                                                [&](const Equation &e) { return e.factors[first_body_column + op] > 0; });
                if (occurs) bodies[op] += (fit.x[first_body_column + op] - bodies[op]) / ++fits[op];
            }
            deviation += fit.deviation * fit.deviation;
            ++count;
        }
        EngineCosts costs;
        // In the mean a body is to cost what isa.def says.
        double estimated = 0, measured = 0;
        for (const OpInfo &row : isa) {
            if (fits[static_cast<std::uint8_t>(row.op)] == 0) continue;
            estimated += row.cost;
            measured += bodies[static_cast<std::uint8_t>(row.op)];
        }
        if (measured <= 0) return Error{fmt::format("the times on {} do not depend on what is executed", id_)};
        costs.seconds_per_unit = measured / estimated;
        for (const OpInfo &row : isa)
            if (fits[static_cast<std::uint8_t>(row.op)] != 0)
                costs.bodies[std::string(row.name)] = bodies[static_cast<std::uint8_t>(row.op)] / costs.seconds_per_unit;
        if (engine == Engine::Sequence) {
            const CostFit fit = fit_costs(constants);
            if (fit.x.empty()) return Error{fmt::format("the times on {} do not depend on the length of a pass", id_)};
            costs.pass = fit.x[0] / costs.seconds_per_unit;
            costs.attempt = fit.x[1] / costs.seconds_per_unit;
        }
        costs.deviation = std::sqrt(deviation / static_cast<double>(count));
        return costs;
    }

private:
    /// Solves for one group, in two steps: first as if all bodies cost the same, then for each by itself. The first result is
    /// a guess for the second, for times that differ by hundredths say little about a body that differs by tenths.
    static CostFit fit_bodies(std::vector<Equation> equations) {
        constexpr double spread = 0.7;  // of bodies around their mean, relative, roughly
        std::vector<Equation> alike;
        std::vector<bool> occurs(first_body_column + 256);
        for (const Equation &equation : equations) {
            const auto bodies = equation.factors.begin() + first_body_column;
            alike.push_back({{equation.factors[pass_column], std::accumulate(bodies, equation.factors.end(), 0.0)}, equation.value});
            for (std::size_t i = first_body_column; i < occurs.size(); ++i) occurs[i] = occurs[i] || equation.factors[i] > 0;
        }
        const CostFit first = fit_costs(alike);
        const double mean = first.x.back(), weight = std::min(first.deviation / spread, 0.9);
        for (std::size_t i = first_body_column; mean > 0 && i < occurs.size(); ++i) {
            if (!occurs[i]) continue;
            Equation guess{std::vector<double>(occurs.size()), mean, weight};
            guess.factors[i] = 1;
            equations.push_back(std::move(guess));
        }
        return fit_costs(equations);
    }

    /// Returns the slots of a pass.
    Result<double> add_equations(std::optional<std::size_t> group, Engine engine, std::vector<Equation> &equations) {
        const double share = group ? 1.0 / calibration_groups : 1;  // of the time that an engine takes
        auto code = make_calibration_code(group);
        if (!code) return code.error();
        if (id_ == "host") MOG_TRY(compile_for_host(code->image));
        // The host device knows but one engine, and is not asked for it.
        Stopwatch watch(*code, id_ == "host" || id_ == "reference" ? Engine::Auto : engine, options_);
        MOG_TRY(watch.load(id_));
        // Passes enough that the clock's and the launch's own times are nothing.
        std::uint32_t passes = 64;
        for (; passes < 1u << 26; passes *= 2) {
            const auto seconds = watch.time(code->loops.front(), passes);
            if (!seconds) return seconds.error();
            if (*seconds >= options_.seconds) break;
        }
        // Round by round: what else the machine does meets all loops alike.
        std::vector<std::vector<double>> seconds(code->loops.size());
        for (int round = 0; round < options_.rounds; ++round)
            for (std::size_t i = 0; i < code->loops.size(); ++i) {
                const auto few = watch.time(code->loops[i], 1), many = watch.time(code->loops[i], passes + 1);
                if (!few) return few.error();
                if (!many) return many.error();
                seconds[i].push_back(std::max(*many - *few, 1e-9) / passes);
                const double part = (round + static_cast<double>(i) / static_cast<double>(seconds.size())) / options_.rounds;
                if (progress_) progress_((done_ + share * part) / parts_);
            }
        done_ += share;
        for (std::size_t i = 0; i < code->loops.size(); ++i) {
            const bool is_switch = engine == Engine::Switch;
            const auto executed = is_switch ? executed_in_a_turn(code->loops[i]) : executed_in_a_pass(code->loops[i], code->order.slots);
            Equation equation;
            // A pass through a switch is one instruction: its costs are a part of the bodies'.
            equation.factors = {is_switch ? 0.0 : 1.0};
            equation.factors.insert(equation.factors.end(), executed.begin(), executed.end());
            equation.value = *std::min_element(seconds[i].begin(), seconds[i].end());  // what disturbs only adds
            equations.push_back(std::move(equation));
        }
        return static_cast<double>(code->order.slots.size());
    }

    const CalibrateOptions &options_;
    std::string id_;
    const std::function<void(double)> &progress_;
    double parts_, done_ = 0;
};

}  // namespace

Result<MeasuredCosts> calibrate(const CalibrateOptions &options, const std::function<void(double)> &progress) {
    // An image without products would leave devices out; this one has all.
    Image any;
    any.products.set(ProductKind::opencl, {});
    any.products.set(ProductKind::host, {});
    any.register_names.resize(64);
    const Result<std::vector<WantedDevice>> list = parse_device_list(options.device.empty() ? "auto" : options.device);
    if (!list) return list.error();
    if (list->size() > 1 || options.device == "all")
        return Error{fmt::format("--calibrate measures one device, and --device={} is several", options.device)};
    auto device = open_device(list->front().id, any);
    if (!device) return device.error();
    const DeviceInfo info = (*device)->info();
    MeasuredCosts costs{info.id, info.description, info.driver, info.lanes, {}, {}};
    const bool has_sequence = info.id != "host" && info.id != "reference";
    Calibration calibration(options, info.id, progress, has_sequence && !info.is_gpu ? 2 : 1);
    if (has_sequence) {
        auto engine = calibration.measure(Engine::Sequence);
        if (!engine) return engine.error();
        costs.sequence = *std::move(engine);
    }
    if (!info.is_gpu) {
        auto engine = calibration.measure(Engine::Switch);
        if (!engine) return engine.error();
        costs.dispatch = *std::move(engine);
    }
    return costs;
}

fs::path costs_path(const MeasuredCosts &costs) {
    std::string id = costs.device;
    std::replace(id.begin(), id.end(), ':', '-');
    const std::uint64_t hash = fnv1a(costs.driver, fnv1a("\n", fnv1a(costs.description)));
    return cache_folder() / fmt::format("costs-{}-{}.json", id, hex16(hash).substr(0, 8));
}

}  // namespace mog
