// code_samples.cpp: when to look, and what was seen, by function.
#include "runtime_host/service/code_samples.hpp"

#include <algorithm>
#include <limits>

#include "assembler/blocks/block_plan.hpp"

namespace mog {

namespace {

constexpr std::size_t most_pes = 64;  ///< that are looked at together
/// How many samples a run has at the pace of any moment, and instructions between two, at least.
struct Pace {
    std::uint64_t of_run;
    std::uint32_t least;
};
constexpr Pace of_host = {24, 10'000}, of_others = {128, 200'000};
/// All runs are sampled: a launch of PoCL takes 50 us to begin.
constexpr Pace for_hot_code = {64, 10'000};
/// Equal PEs stand at the same place, so each look is one sample: of a program that has hundreds of functions many are wanted soon.
constexpr double most_seconds_for_hot_code = 0.01;

Pace pace_for(const Device &device) {
    return device.looks_for_hot_code() ? for_hot_code : device.info().id == "host" ? of_host : of_others;
}

std::string function_at(const Image &image, std::uint32_t at) {
    // What the translator added belongs to what stands before it.
    while (at > 0 && (at >= image.source_address.size() || image.source_address[at] == 0)) --at;
    const std::string name = image.source_address.empty() ? "" : find_source(image, image.source_address[at]).function;
    return name.empty() ? "code without a name" : name;
}

}  // namespace

CodeSamples::CodeSamples(const Device &device, bool cuts)
    : cuts_(cuts),
      of_run_(pace_for(device).of_run),
      most_seconds_(device.looks_for_hot_code() ? most_seconds_for_hot_code : std::numeric_limits<double>::infinity()),
      least_(pace_for(device).least),
      left_(least_) {}

Result<void> CodeSamples::ran(Device &device, std::span<const std::uint32_t> pes, std::span<const Request> stopped, std::uint32_t passes,
                              double seconds) {
    std::vector<std::uint32_t> ended, others;
    std::uint32_t longest = stopped.size() < pes.size() ? passes : 0;
    for (const Request &request : stopped) {
        ended.push_back(request[MOG_Q_PE]);
        longest = std::max(longest, passes - std::min(passes, request[MOG_Q_LEFT]));
    }
    executed_ += longest;
    seconds_ += seconds;
    if (cuts_ && longest < left_) {
        left_ -= longest;
        return {};
    }
    std::ranges::sort(ended);
    std::ranges::set_difference(pes, ended, std::back_inserter(others));
    if (others.empty()) {  // the next that does not stop
        left_ = 1;
        return {};
    }
    MOG_TRY(look(device, others, executed_ - sampled_));
    sampled_ = executed_;
    random_ = random_ * 1664525u + 1013904223u;
    const double most = std::min(static_cast<double>(executed_) * most_seconds_ / std::max(seconds_, 1e-9),
                                 0.5 * std::numeric_limits<std::uint32_t>::max());
    const auto mean = static_cast<std::uint64_t>(std::max<double>(std::min(static_cast<double>(executed_ / of_run_), most), least_));
    left_ = 1 + static_cast<std::uint32_t>((std::uint64_t{random_} * 2 * mean) >> 32);
    return {};
}

Result<void> CodeSamples::look(Device &device, std::span<const std::uint32_t> pes, std::uint64_t instructions) {
    std::vector<Transfer> transfers;
    std::vector<std::uint32_t> looked_at;
    const std::size_t count = std::min(pes.size(), most_pes);
    for (std::size_t i = 0; i < count; ++i) {
        looked_at.push_back(pes[i * pes.size() / count]);
        transfers.push_back({looked_at.back(), MOG_S_PC, 4, static_cast<std::uint32_t>(4 * i), true});
    }
    std::vector<std::uint32_t> at(count);
    MOG_TRY(device.gather(transfers, {reinterpret_cast<std::uint8_t *>(at.data()), 4 * at.size()}));
    device.seen(looked_at, at, static_cast<double>(instructions));
    for (const std::uint32_t index : at) weights_[index] += static_cast<double>(instructions) / static_cast<double>(count);
    samples_ += static_cast<std::uint32_t>(count);
    return {};
}

InterpretedCode CodeSamples::interpreted(const Image &image, std::string_view device, const DeviceStats &engine) const {
    InterpretedCode found;
    found.samples = samples_;
    const std::vector<bool> compiled = compiled_code(image, device, engine);
    std::map<std::string, double> by_function;
    double all = 0;
    const auto add = [&](std::uint32_t at, double weight) {
        found.share += weight;
        by_function[function_at(image, at)] += weight;
    };
    if (engine.tiers) {  // the device knows what was compiled at the time
        for (const DeviceStats::Tier &tier : engine.tiers->kernels) all += tier.executed;
        for (const auto &[at, weight] : engine.tiers->interpreted) add(at, weight);
    } else {
        for (const auto &[at, weight] : weights_) {
            all += weight;
            if ((at >= compiled.size() || !compiled[at]) && (at >= engine.in_native.size() || !engine.in_native[at])) add(at, weight);
        }
    }
    if (all <= 0) return found;
    found.share /= all;
    for (const auto &[name, weight] : by_function) found.functions.emplace_back(name, weight / all);
    std::ranges::stable_sort(found.functions, [](const auto &a, const auto &b) { return a.second > b.second; });
    return found;
}

std::vector<bool> compiled_code(const Image &image, std::string_view device, const DeviceStats &engine) {
    if (engine.in_lanes) {
        std::vector<bool> compiled(image.text.size() + 1);
        const std::vector<std::uint32_t> places = entry_table(image, ProductKind::places);
        const CodeBlocks code = code_blocks(image);
        for (std::size_t at = 0; at < image.text.size() && !places.empty(); ++at) compiled[at] = places[code.start[code.block_of[at]]] != 0;
        return compiled;
    }
    return device == "host" ? compiled_places(image) : kernel_compiled_places(image);
}

bool has_compiled_blocks(std::string_view engine) { return engine.find("compiled blocks") != engine.npos; }

}  // namespace mog
