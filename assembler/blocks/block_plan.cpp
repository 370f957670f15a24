// block_plan.cpp: hot blocks, grouped by functions that call each other.
#include "assembler/blocks/block_plan.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "assembler/blocks/block_choice.hpp"
#include "assembler/blocks/group_cfg.hpp"
#include "assembler/image/constants.hpp"
#include "assembler/image/facts.hpp"

namespace mog {
namespace {

/// It is not worth a larger group to have the target of a rarer call in it.
constexpr double least_calls_of_target = 20;
/// MOG instructions in a group, and in one of several functions.
constexpr std::uint32_t most_instructions = 1800, most_joined = 1700;
/// Functions that a call through a pointer is expected to lead to, to any of them; of more, to none.
constexpr std::size_t most_called_by_address = 16;
/// MOG instructions that g++ is given at a time, so that several cores have something to do; and those in groups that are worth all it
/// knows, of groups in which at least such a part of all instructions is executed.
constexpr std::uint32_t part_instructions = 4000, hot_instructions = 30000;
constexpr double hot_share = 0.001;

class Planner {
public:
    using Choose = std::function<std::vector<bool>(const CodeBlocks &)>;

    Planner(const Image &image, const Execution &execution, BlockPurpose purpose, const Choose &choose,
            LibraryGroups libraries = LibraryGroups::joined)
        : image_(image), execution_(execution), origin_(image), purpose_(purpose), libraries_(libraries) {
        plan_.code = code_blocks(image);
        plan_.stops = stop_effects(image);
        for (const std::uint32_t at : plan_.code.start) plan_.executed.push_back(execution.count[at]);
        chosen_ = choose(plan_.code);
    }
    Planner(const Image &image, const Execution &execution, const BlockOptions &options, BlockPurpose purpose)
        : Planner(image, execution, purpose,
                  [&](const CodeBlocks &code) { return choose_blocks(image, execution, code, options, purpose); }) {}

    BlockPlan run() {
        group();
        if (purpose_ == BlockPurpose::host) share_out();
        find_entries();
        return std::move(plan_);
    }

private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(plan_.code.start.size()); }
    std::uint32_t begin(std::uint32_t block) const { return plan_.code.start[block]; }
    std::uint32_t end(std::uint32_t block) const { return plan_.code.end(image_, block); }
    double heat(std::uint32_t block) const { return plan_.executed[block]; }
    std::uint32_t size(std::uint32_t block) const { return end(block) - begin(block); }
    std::optional<std::uint32_t> named_block(std::uint32_t block) const { return mog::named_block(image_, plan_.code, end(block) - 1); }
    double runs() const { return std::max(execution_.count[image_.entry], 1e-9); }

    bool of_library(const CodeBlocks::Function &function) const {
        return origin_.of_library(image_.source_address[begin(function.first_block)]);
    }

    bool is_apart(std::uint32_t function) const { return mog::is_apart(image_, origin_, plan_.code, function, libraries_); }

    /// Functions that call each other often stay together, as many as fit into a group: a call between groups goes through
    /// tables, and registers through memory. Not for lanes, whose groups take a compiler longer.
    void join_callers() {
        std::vector<std::uint32_t> instructions(plan_.code.functions.size());
        together_.resize(instructions.size());
        std::iota(together_.begin(), together_.end(), 0u);
        if (purpose_ == BlockPurpose::lanes) return;
        struct Call {
            std::uint32_t from, to;  ///< functions
            double count;
        };
        std::vector<Call> calls;
        // The user's functions that may be called through pointers.
        std::vector<std::uint32_t> by_address;
        for (std::uint32_t f = 0; f < plan_.code.functions.size(); ++f)
            if (chosen_[plan_.code.functions[f].first_block] && !of_library(plan_.code.functions[f]) && has_address(plan_.code, f))
                by_address.push_back(f);
        if (by_address.size() > most_called_by_address) by_address.clear();
        for (std::uint32_t block = 0; block < count(); ++block) {
            if (!chosen_[block]) continue;
            const std::uint32_t function = plan_.code.function[block];
            instructions[function] += size(block);
            const auto add = [&](std::uint32_t to, double count) {
                if (to == function || !chosen_[plan_.code.functions[to].first_block] || is_apart(function) || is_apart(to)) return;
                if (count >= least_calls_of_target * runs() || !of_library(plan_.code.functions[to]))
                    calls.push_back({function, to, count});
            };
            const std::uint32_t last = end(block) - 1;
            if (const auto target = named_block(block)) add(plan_.code.function[*target], heat(block));
            else if (jumps_to_address(op_at(image_, last)) && is_call(image_, last))
                for (const std::uint32_t to : by_address) add(to, std::min(heat(block), heat(plan_.code.functions[to].first_block)));
        }
        std::stable_sort(calls.begin(), calls.end(), [](const Call &a, const Call &b) { return a.count > b.count; });
        const auto first_of = [&](std::uint32_t function) {
            while (together_[function] != function) function = together_[function];
            return function;
        };
        for (const Call &call : calls) {
            const std::uint32_t from = first_of(call.from), to = first_of(call.to);
            if (from == to || instructions[from] + instructions[to] > most_joined) continue;
            together_[std::max(from, to)] = std::min(from, to);
            instructions[std::min(from, to)] += instructions[std::max(from, to)];
        }
        for (std::uint32_t function = 0; function < together_.size(); ++function) together_[function] = first_of(function);
    }

    /// The chosen blocks of functions that stay together; those of a long function in pieces.
    void group() {
        join_callers();
        plan_.group_of.assign(count(), 0);
        std::vector<std::uint32_t> open(plan_.code.functions.size());  // by the first of its functions: the group, from 1
        for (std::uint32_t block = 0; block < count(); ++block) {
            if (!chosen_[block]) continue;
            const std::uint32_t function = plan_.code.function[block];
            std::uint32_t &number = open[together_[function]];
            if (number == 0 || plan_.groups[number - 1].instructions + size(block) > most_instructions) {
                plan_.groups.emplace_back();
                number = static_cast<std::uint32_t>(plan_.groups.size());
            }
            BlockPlan::Group &group = plan_.groups[number - 1];
            if (group.blocks.empty() || plan_.code.function[group.blocks.back()] != function)
                group.name += (group.blocks.empty() ? "" : ", ") + name_of(plan_.code.functions[function]);
            group.instructions += size(block);
            group.blocks.push_back(block);
            plan_.group_of[block] = number;
        }
    }

    /// Gives each group a part: those in which most is executed come first, and together they are worth more optimisation.
    void share_out() {
        std::vector<std::uint32_t> order(plan_.groups.size());
        std::iota(order.begin(), order.end(), 0u);
        std::vector<double> executed(order.size());
        for (std::uint32_t g = 0; g < order.size(); ++g)
            for (const std::uint32_t block : plan_.groups[g].blocks) executed[g] += heat(block) * size(block);
        std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return executed[a] > executed[b]; });
        double total = 0;
        for (const double count : execution_.count) total += count;
        std::uint32_t instructions = 0;
        std::vector<std::uint32_t> hot, cold;
        for (const std::uint32_t g : order) {
            (instructions < hot_instructions && executed[g] >= hot_share * total ? hot : cold).push_back(g);
            instructions += plan_.groups[g].instructions;
        }
        for (const std::vector<std::uint32_t> *groups : {&hot, &cold}) {
            std::uint32_t all = 0;
            for (const std::uint32_t g : *groups) all += plan_.groups[g].instructions;
            if (all == 0) continue;
            const std::size_t first = plan_.parts.size();
            plan_.parts.resize(first + (all + part_instructions - 1) / part_instructions,
                               groups == &hot ? BlockPlan::Part::hot : BlockPlan::Part::cold);
            // The largest first, each to where there is least.
            std::vector<std::uint32_t> by_size = *groups, sizes(plan_.parts.size() - first);
            std::ranges::stable_sort(
                by_size, [&](std::uint32_t a, std::uint32_t b) { return plan_.groups[a].instructions > plan_.groups[b].instructions; });
            for (const std::uint32_t g : by_size) {
                const auto least = static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin());
                plan_.groups[g].part = static_cast<std::uint32_t>(first + least);
                sizes[least] += plan_.groups[g].instructions;
            }
        }
    }

    std::string name_of(const CodeBlocks::Function &function) const {
        return function.symbol == CodeBlocks::no_symbol ? "code without a name" : image_.symbols[function.symbol].name;
    }

    /// Control comes in where a jump from elsewhere leads, directly or through a register, and at the heads of loops, that
    /// the interpreter may hand over to compiled code in the middle of one.
    void find_entries() {
        std::vector<bool> entered(count());
        entered[plan_.code.block_of[image_.entry]] = true;
        const auto edge = [&](std::uint32_t from, std::uint32_t to) {
            if (plan_.group_of[from] != plan_.group_of[to]) entered[to] = true;
        };
        for (std::uint32_t block = 0; block < count(); ++block) {
            if (const auto target = named_block(block)) edge(block, *target);
            if (!ends_block(op_at(image_, end(block) - 1)) && block + 1 < count()) edge(block, block + 1);
        }
        const std::vector<bool> cases = only_cases();
        for (const std::uint32_t target : image_.code_map)
            if (target < image_.text.size() && !cases[plan_.code.block_of[target]]) entered[plan_.code.block_of[target]] = true;
        for (std::uint32_t group = 1; group <= plan_.groups.size(); ++group) {
            const GroupCfg flow(image_, plan_, group);
            for (const std::uint32_t head : flow.heads()) entered[head] = true;
        }
        std::vector<std::uint32_t> used(plan_.groups.size() + 1);
        for (std::uint32_t block = 0; block < count(); ++block)
            if (const std::uint32_t group = plan_.group_of[block]; group != 0 && entered[block])
                plan_.entries.push_back({begin(block), group, used[group]++});
    }

    /// By block: whether it has a code address just for switches of its own group.
    std::vector<bool> only_cases() const {
        std::vector<bool> found(count());
        for (const CodeBlocks::Function &function : plan_.code.functions) {
            std::vector<std::uint32_t> cases;
            std::uint32_t group = 0;
            bool are_together = true;
            for (std::uint32_t block = function.first_block; block < function.first_block + function.blocks; ++block) {
                const std::uint32_t last = end(block) - 1;
                if (!jumps_to_address(op_at(image_, last)) || is_return(image_, last) || is_call(image_, last)) continue;
                are_together &= plan_.group_of[block] != 0 && (cases.empty() || plan_.group_of[block] == group);
                group = plan_.group_of[block];
                if (group == 0 || !cases.empty()) continue;
                for (const CodeAddress &target : known_targets(image_, plan_, group, last)) cases.push_back(plan_.code.block_of[target.to]);
            }
            if (!are_together) continue;
            for (const std::uint32_t block : cases)
                if (block != function.first_block) found[block] = true;
        }
        return found;
    }

    const Image &image_;
    const Execution &execution_;
    const CodeOrigin origin_;
    const BlockPurpose purpose_;
    const LibraryGroups libraries_;
    BlockPlan plan_;
    std::vector<bool> chosen_;
    std::vector<std::uint32_t> together_;  ///< by function: the first of those that are in its group
};

std::vector<std::uint8_t> bytes_of(const std::vector<BlockPlan::Entry> &entries) {
    std::vector<std::uint32_t> words;
    for (const BlockPlan::Entry &entry : entries) words.insert(words.end(), {entry.at, entry.group, entry.number});
    std::vector<std::uint8_t> bytes(4 * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

}  // namespace

BlockPlan plan_blocks(const Image &image, const Execution &execution, const BlockOptions &options, BlockPurpose purpose) {
    return Planner(image, execution, options, purpose).run();
}

BlockPlan plan_chosen_blocks(const Image &image, const Execution &execution, std::vector<bool> chosen, LibraryGroups libraries) {
    return Planner(
               image, execution, BlockPurpose::kernels, [&](const CodeBlocks &) { return std::move(chosen); }, libraries)
        .run();
}

BlockPlan plan_lanes(const Image &image, const Execution &execution, const BlockOptions &options, const BlockPlan &kernels) {
    // Lanes compute natively and round to nearest.
    if (options.lanes == Simd::none || keeps_fcsr(image) || kernels.empty()) return {};
    if (options.all_in_lanes) return kernels;
    return Planner(image, execution, options, BlockPurpose::lanes).run();
}

std::vector<std::uint8_t> write_entries(const BlockPlan &plan) { return bytes_of(plan.entries); }

std::vector<std::uint8_t> write_places(const BlockPlan &plan) {
    std::vector<BlockPlan::Entry> places;
    for (std::uint32_t g = 0; g < plan.groups.size(); ++g)
        for (std::uint32_t i = 0; i < plan.groups[g].blocks.size(); ++i)
            places.push_back({plan.code.start[plan.groups[g].blocks[i]], g + 1, i});
    return bytes_of(places);
}

BlockPlan plan_of_places(const Image &image, const Execution &execution) {
    BlockPlan plan;
    plan.code = code_blocks(image);
    plan.stops = stop_effects(image);
    plan.group_of.assign(plan.code.start.size(), 0);
    const std::vector<std::uint32_t> places = entry_table(image, ProductKind::places);
    for (std::uint32_t b = 0; b < plan.code.start.size(); ++b) {
        const std::uint32_t at = plan.code.start[b];
        plan.executed.push_back(execution.count[at]);
        const std::uint32_t group = at < places.size() ? places[at] >> 16 : 0;
        if (group == 0) continue;
        plan.group_of[b] = group;
        if (plan.groups.size() < group) plan.groups.resize(group);
        plan.groups[group - 1].blocks.push_back(b);
        plan.groups[group - 1].instructions += plan.code.end(image, b) - at;
    }
    return plan;
}

std::vector<std::uint8_t> write_compiled(const BlockPlan &plan) {
    std::vector<std::uint8_t> bits((plan.code.block_of.size() + 7) / 8);
    for (std::size_t at = 0; at < plan.code.block_of.size(); ++at)
        if (plan.group_of[plan.code.block_of[at]] != 0) bits[at / 8] |= static_cast<std::uint8_t>(1u << at % 8);
    return bits;
}

std::vector<std::uint8_t> write_parts(const BlockPlan &plan) {
    std::vector<std::uint8_t> bytes;
    for (const BlockPlan::Part part : plan.parts) bytes.push_back(static_cast<std::uint8_t>(part));
    return bytes;
}

BlockParts block_parts(const Image &image) {
    if (!image.products.has(ProductKind::entries)) return {};
    if (image.products.bytes(ProductKind::entries).empty()) return {0, 0, true};
    const auto parts = image.products.bytes(ProductKind::parts);
    if (parts.empty()) return {1, 0, true};
    const auto hot = static_cast<std::size_t>(std::ranges::count(parts, static_cast<std::uint8_t>(BlockPlan::Part::hot)));
    return {hot, parts.size() - hot, true};
}

std::vector<std::uint32_t> kernel_entry_table(const Image &image) {
    return entry_table(image, image.products.has(ProductKind::kernel_entries) ? ProductKind::kernel_entries : ProductKind::entries);
}

namespace {

std::vector<bool> places_of(const Image &image, ProductKind product) {
    if (!image.products.has(product)) return {};
    std::vector<bool> compiled(image.text.size() + 1);
    const auto bits = image.products.bytes(product);
    for (std::size_t at = 0; at < image.text.size() && at / 8 < bits.size(); ++at) compiled[at] = bits[at / 8] >> at % 8 & 1;
    return compiled;
}

}  // namespace

std::vector<bool> compiled_places(const Image &image) { return places_of(image, ProductKind::compiled); }

std::vector<bool> kernel_compiled_places(const Image &image) {
    return places_of(image, image.products.has(ProductKind::kernel_compiled) ? ProductKind::kernel_compiled : ProductKind::compiled);
}

Simd simd_of(const Image &image) {
    if (!image.products.has(ProductKind::simd) || !image.products.has(ProductKind::places)) return Simd::none;
    return simd_named(image.products.text(ProductKind::simd)).value_or(Simd::none);
}

std::vector<std::uint32_t> entry_table(const BlockPlan &plan) {
    std::vector<std::uint32_t> table(plan.code.block_of.size() + 1);
    for (const BlockPlan::Entry &entry : plan.entries) table[entry.at] = entry.group << 16 | entry.number;
    return table;
}

std::vector<std::uint32_t> entry_table(const Image &image, ProductKind product) {
    const auto bytes = image.products.bytes(product);
    if (bytes.empty()) return {};
    std::vector<std::uint32_t> words(bytes.size() / 4), table(image.text.size() + 1);
    std::memcpy(words.data(), bytes.data(), 4 * words.size());
    for (std::size_t i = 0; i + 2 < words.size(); i += 3)
        if (words[i] < image.text.size()) table[words[i]] = words[i + 1] << 16 | words[i + 2];
    return table;
}

}  // namespace mog
