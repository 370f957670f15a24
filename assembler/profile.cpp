// profile.cpp: frequencies estimated from the program alone.
#include "assembler/profile.hpp"

#include <algorithm>
#include <map>

#include "assembler/constants.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

/// The function of each TEXT index, as a number; instructions without a source address belong to the function before
/// them.
std::vector<std::uint32_t> functions_of(const Image &image) {
    std::vector<std::uint32_t> starts;
    for (const Symbol &symbol : image.symbols)
        if (symbol.is_code && symbol.size != 0) starts.push_back(symbol.address);
    std::sort(starts.begin(), starts.end());
    std::vector<std::uint32_t> result(image.text.size());
    std::uint32_t current = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (image.source_address[i] != 0)
            current = static_cast<std::uint32_t>(
                std::upper_bound(starts.begin(), starts.end(), image.source_address[i]) - starts.begin());
        result[i] = current;
    }
    return result;
}

/// Estimated calls of each function, from those of its callers, begun at the entry point: a library function is as frequent as
/// the program's calls of it, not as its size. Recursion grows for a few rounds and no further.
std::vector<double> calls_of(const Image &image, const std::vector<std::uint32_t> &function,
                             const std::vector<double> &weights) {
    constexpr double most = 4096, never_called = 0.001;  // reached through pointers, if at all
    constexpr int rounds = 12;
    struct Call {
        std::uint32_t caller, callee;
        double weight;
    };
    std::vector<Call> calls;
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        if (static_cast<Op>(image.text[i] >> 8) != Op::ja_) continue;
        const std::uint32_t target = constant_at(image, i);
        if (function[target] != function[i]) calls.push_back({function[i], function[target], weights[i]});
        else if (target > 0 && function[target - 1] != function[target]) calls.push_back({function[i], function[i], weights[i]});
    }
    const std::size_t count = function.empty() ? 0 : *std::max_element(function.begin(), function.end()) + 1;
    std::vector<double> times(count);
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> next(count, never_called);
        next[function[image.entry]] += 1;
        for (const Call &call : calls) next[call.callee] += times[call.caller] * call.weight;
        for (double &value : next) value = std::min(value, most);
        if (next == times) break;
        times = std::move(next);
    }
    return times;
}

/// Estimated executions of each TEXT index. A jump back within a function closes a loop over what it jumps across.
std::vector<double> weights_of(const Image &image) {
    const auto function = functions_of(image);
    std::vector<std::int32_t> depth_change(image.text.size() + 1);
    std::map<std::uint32_t, std::uint32_t> loops;  // head, last jump back to it
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        if (info(static_cast<Op>(image.text[i] >> 8)).operand != OperandKind::Label) continue;
        const std::uint32_t target = constant_at(image, i);
        if (target <= i && function[target] == function[i]) loops[target] = static_cast<std::uint32_t>(i);
    }
    for (const auto &[head, end] : loops) {
        ++depth_change[head];
        --depth_change[end + 1];
    }
    static constexpr double weight_of_depth[] = {1, 8, 64, 512, 4096};
    std::vector<double> weights(image.text.size());
    std::int32_t depth = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        depth += depth_change[i];
        weights[i] = weight_of_depth[std::min(depth, 4)];
    }
    const auto times = calls_of(image, function, weights);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= times[function[i]];
    return weights;
}

}  // namespace

std::vector<std::uint32_t> Digrams::to_kinds(const std::vector<Op> &ops) const {
    std::vector<std::uint32_t> result;
    for (const Op op : ops)
        result.push_back(static_cast<std::uint32_t>(std::find(kinds.begin(), kinds.end(), op) - kinds.begin()));
    return result;
}

Digrams static_digrams(const Image &image) {
    const auto weights = weights_of(image);
    Digrams result;
    std::vector<std::uint32_t> kind_of(256);
    std::vector<bool> used(256);
    for (const std::uint16_t word : image.text) used[word >> 8] = true;
    for (const OpInfo &row : isa) {
        if (!used[static_cast<std::uint8_t>(row.op)]) continue;
        kind_of[static_cast<std::uint8_t>(row.op)] = static_cast<std::uint32_t>(result.kinds.size());
        result.kinds.push_back(row.op);
    }
    const std::size_t n = result.kinds.size();
    const auto kind_at = [&](std::size_t index) { return kind_of[image.text[index] >> 8]; };

    std::vector<double> jump_entries(n);  // where `j` goes
    double entries = 0;
    for (const std::uint32_t target : image.code_map) {
        if (target == MOG_NO_CODE) continue;
        jump_entries[kind_at(target)] += 1;
        entries += 1;
    }

    std::vector<double> pairs(n * n);
    double total = 0;
    result.frequency.assign(n, 0);
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        const OpInfo &row = info(static_cast<Op>(image.text[i] >> 8));
        const double weight = weights[i];
        double *follow = &pairs[kind_at(i) * n];
        result.frequency[kind_at(i)] += weight;
        total += weight;
        const bool falls_through = !ends_block(row.op);
        const bool jumps = row.operand == OperandKind::Label;
        const double part = falls_through && jumps ? 0.5 : 1;
        if (falls_through) follow[kind_at(i + 1)] += weight * part;
        if (jumps) follow[kind_at(constant_at(image, i))] += weight * part;
        if (row.op == Op::j_)
            for (std::size_t k = 0; entries > 0 && k < n; ++k) follow[k] += weight * jump_entries[k] / entries;
    }
    for (double &frequency : result.frequency) frequency /= total;
    result.successors.resize(n);
    for (std::size_t a = 0; a < n; ++a) {
        double sum = 0;
        for (std::size_t b = 0; b < n; ++b) sum += pairs[a * n + b];
        for (std::size_t b = 0; b < n; ++b)
            if (pairs[a * n + b] > 0)
                result.successors[a].push_back({static_cast<std::uint32_t>(b), pairs[a * n + b] / sum});
    }
    return result;
}

}  // namespace mog
