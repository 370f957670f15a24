// ranges.cpp: intervals, forward, widened where a phi has changed often.
#include "assembler/divergence/ranges.hpp"

#include <algorithm>

#include "assembler/divergence/evaluate.hpp"

namespace mog::divergence {
namespace {

std::optional<Range> fitting(Wide least, Wide most) {
    constexpr Wide lowest = std::numeric_limits<std::int64_t>::min(), highest = std::numeric_limits<std::int64_t>::max();
    if (least < lowest || most > highest) return std::nullopt;
    return Range{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)};
}

std::optional<Range> product_of(const Range &a, const Range &b) {
    const Wide corners[] = {Wide{a.least} * b.least, Wide{a.least} * b.most, Wide{a.most} * b.least, Wide{a.most} * b.most};
    return fitting(*std::ranges::min_element(corners), *std::ranges::max_element(corners));
}

}  // namespace

Range all_of(unsigned width) {
    if (width == 1) return {0, 1};
    const std::int64_t most = width >= 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (width - 1)) - 1;
    return {-most - 1, most};
}

std::optional<Range> unwrapped(const Instruction &instruction, std::span<const Range> operands) {
    const auto o = [&](std::size_t at) -> const Range & { return operands[at]; };
    switch (instruction.operation) {
        case Operation::constant:
        case Operation::copy:
        case Operation::narrow: return o(0);
        case Operation::widen: return instruction.is_unsigned && o(0).least < 0 ? std::nullopt : std::optional(o(0));
        case Operation::add: return fitting(Wide{o(0).least} + o(1).least, Wide{o(0).most} + o(1).most);
        case Operation::subtract: return fitting(Wide{o(0).least} - o(1).most, Wide{o(0).most} - o(1).least);
        case Operation::multiply: return product_of(o(0), o(1));
        case Operation::multiply_add: {
            const auto product = product_of(o(0), o(1));
            return product ? fitting(Wide{product->least} + o(2).least, Wide{product->most} + o(2).most) : std::nullopt;
        }
        case Operation::shift_left:
            if (o(1).least != o(1).most || o(1).least < 0 || o(1).least > 62) return std::nullopt;
            return product_of(o(0), {std::int64_t{1} << o(1).least, std::int64_t{1} << o(1).least});
        case Operation::shift_right:
            if (o(1).least != o(1).most || o(1).least < 0 || o(1).least > 63 || (instruction.is_unsigned && o(0).least < 0))
                return std::nullopt;
            return Range{o(0).least >> o(1).least, o(0).most >> o(1).least};
        case Operation::bit_and:
            if (o(1).least >= 0) return Range{0, o(1).most};
            return o(0).least >= 0 ? std::optional(Range{0, o(0).most}) : std::nullopt;
        case Operation::divide:
            if (o(1).least <= 0 || o(0).least < 0) return std::nullopt;
            return Range{o(0).least / o(1).most, o(0).most / o(1).least};
        case Operation::remainder:
            if (o(1).least <= 0 || o(0).least < 0) return std::nullopt;
            return Range{0, std::min(o(0).most, o(1).most - 1)};
        case Operation::equal:
        case Operation::unequal:
        case Operation::less:
        case Operation::less_equal: return Range{0, 1};
        case Operation::select: return Range{std::min(o(1).least, o(2).least), std::max(o(1).most, o(2).most)};
        default: return std::nullopt;
    }
}

std::vector<Range> find_ranges(const SsaForm &form, const ThreadShape &shape) {
    constexpr std::uint8_t most_changes = 3;
    const Kernel &kernel = form.kernel;
    std::vector<Range> ranges(form.values.size());
    std::vector<bool> has(form.values.size());
    std::vector<std::uint8_t> changes(form.values.size());
    std::vector<Range> operands;
    const auto compute = [&](ValueIndex value) -> std::optional<Range> {
        const Value &of = form.values[value];
        const unsigned width = kernel.variables[of.variable].width;
        if (of.kind == Value::Kind::incoming) return all_of(width);
        if (of.kind == Value::Kind::phi) {
            std::optional<Range> joined;
            for (const ValueIndex operand : form.phis[of.index].operands) {
                if (operand == no_value || !has[operand]) continue;
                joined = joined ? Range{std::min(joined->least, ranges[operand].least), std::max(joined->most, ranges[operand].most)}
                                : ranges[operand];
            }
            return joined;
        }
        const Instruction &instruction = kernel.blocks[of.block].code[of.index];
        if (instruction.operation == Operation::special) {
            const auto bounds = shape.bounds_of(instruction.special);
            const Range range{bounds.least, bounds.most};
            return range.within(all_of(width)) ? range : all_of(width);
        }
        operands.clear();
        for (std::size_t o = 0; o < instruction.operands.size(); ++o) {
            const ValueIndex read = form.read_by(of.block, of.index, o);
            if (read != no_value && !has[read]) return std::nullopt;
            operands.push_back(range_of(ranges, read, instruction.operands[o]));
        }
        const auto range = unwrapped(instruction, operands);
        return range && range->within(all_of(width)) ? *range : all_of(width);
    };
    std::vector<ValueIndex> work(form.values.size());
    std::vector<bool> waits(form.values.size(), true);
    for (ValueIndex value = 0; value < work.size(); ++value) work[value] = static_cast<ValueIndex>(work.size()) - 1 - value;
    while (!work.empty()) {
        const ValueIndex value = work.back();
        work.pop_back();
        waits[value] = false;
        auto range = compute(value);
        if (!range || (has[value] && *range == ranges[value])) continue;
        if (++changes[value] > most_changes) range = all_of(kernel.variables[form.values[value].variable].width);
        if (has[value] && *range == ranges[value]) continue;
        has[value] = true;
        ranges[value] = *range;
        for (const Reading &reading : form.readings_of(value)) {
            const ValueIndex by = reading.by == Reading::By::phi           ? form.phis[reading.index].value
                                  : reading.by == Reading::By::instruction ? form.result_of(reading.block, reading.index)
                                                                           : no_value;
            if (by == no_value || waits[by]) continue;
            waits[by] = true;
            work.push_back(by);
        }
    }
    for (ValueIndex value = 0; value < ranges.size(); ++value)
        if (!has[value]) ranges[value] = all_of(kernel.variables[form.values[value].variable].width);
    return ranges;
}

}  // namespace mog::divergence
