// block_plan.cpp: hot blocks, grouped by function.
#include "assembler/block_plan.hpp"

#include <algorithm>
#include <cstring>

#include "assembler/constants.hpp"
#include "assembler/generate.hpp"
#include "support/host_compiler.hpp"

namespace mog {
namespace {

/// What g++ -O2 and LLVM manage, measured: MOG instructions per second of a core.
constexpr double instructions_per_second = 3500;
/// And for lanes, g++ -O1.
constexpr double lane_instructions_per_second = 800;
/// Functions of the library without a block that is executed this often in a run, or with less than this part of all
/// instructions, are not worth a compiler's time.
constexpr double least_executions = 20, least_share = 1e-6;
/// The library gets no more than this part of the time.
constexpr double library_part = 0.5;
/// Of functions longer than this, in instructions, blocks are left out that are executed that much less than others.
constexpr std::uint32_t long_function = 800;
constexpr double rare = 0.002;
/// MOG instructions in a group.
constexpr std::uint32_t most_instructions = 1500;
/// A block of the user's that is executed this much oftener than `main` begins is in a loop, for lanes.
constexpr double looping = 5;

class Planner {
public:
    Planner(const Image &image, const Execution &execution, const BlockOptions &options, bool for_lanes)
        : image_(image), execution_(execution),
          budget_(options.build_seconds * (for_lanes ? lane_instructions_per_second : instructions_per_second)),
          all_(options.all && !for_lanes), for_lanes_(for_lanes) {
        plan_.code = code_blocks(image);
        for (const Symbol &symbol : image.symbols)
            if (symbol.name == "_mog_library") library_ = symbol.address;
    }

    BlockPlan run() {
        choose();
        group();
        find_entries();
        return std::move(plan_);
    }

private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(plan_.code.start.size()); }
    std::uint32_t begin(std::uint32_t block) const { return plan_.code.start[block]; }
    std::uint32_t end(std::uint32_t block) const { return plan_.code.end(image_, block); }
    double heat(std::uint32_t block) const { return execution_.count[begin(block)]; }
    std::uint32_t size(std::uint32_t block) const { return end(block) - begin(block); }

    bool of_library(const CodeBlocks::Function &function) const { return image_.source_address[begin(function.first_block)] >= library_; }

    /// By function: the user's, if any of them loops, and of the library's what a loop calls, or what that calls.
    std::vector<bool> called_from_loops() const {
        const auto &functions = plan_.code.functions;
        // Where start-up code is estimated to begin again and again, so is all the rest: compared with `main`, it is once.
        double runs = execution_.count[image_.entry];
        for (const auto &function : functions)
            if (function.symbol != CodeBlocks::no_symbol && image_.symbols[function.symbol].name == "main") runs = heat(function.first_block);
        std::vector<bool> found(functions.size());
        std::vector<std::uint32_t> open;
        const auto follow_calls = [&](std::uint32_t f, double least) {
            for (std::uint32_t block = functions[f].first_block; block < functions[f].first_block + functions[f].blocks; ++block) {
                const std::uint32_t last = end(block) - 1;
                if (heat(block) < least || info(op_at(image_, last)).operand != OperandKind::Label) continue;
                const std::uint32_t to = plan_.code.function[plan_.code.block_of[constant_at(image_, last)]];
                if (found[to] || !of_library(functions[to])) continue;
                found[to] = true;
                open.push_back(to);
            }
        };
        bool loops = false;
        for (std::uint32_t f = 0; f < functions.size(); ++f) {
            if (of_library(functions[f])) continue;
            found[f] = true;
            for (std::uint32_t block = functions[f].first_block; block < functions[f].first_block + functions[f].blocks; ++block)
                loops |= heat(block) >= looping * runs;
            follow_calls(f, looping * runs);
        }
        if (!loops) return std::vector<bool>(functions.size());
        while (!open.empty()) {
            const std::uint32_t f = open.back();
            open.pop_back();
            follow_calls(f, 0);
        }
        return found;
    }

    /// The user's functions, then the library's, in the order of what is executed in them. Whole: who leaves compiled code for a rare block comes back to it
    /// only at the next jump. Of long ones the blocks that are executed now and then.
    void choose() {
        chosen_.assign(count(), all_);
        if (all_) return;
        const double runs = std::max(execution_.count[image_.entry], 1e-9);
        double total = 0;
        for (const double executed : execution_.count) total += executed;

        const std::vector<bool> of_loops = for_lanes_ ? called_from_loops() : std::vector<bool>();
        struct Candidate {
            std::vector<std::uint32_t> blocks;
            bool of_library = false;
            double executed = 0, instructions = 0;
        };
        std::vector<Candidate> candidates;
        for (const CodeBlocks::Function &function : plan_.code.functions) {
            const std::uint32_t last = function.first_block + function.blocks;
            double hottest = 0;
            for (std::uint32_t block = function.first_block; block < last; ++block) hottest = std::max(hottest, heat(block));
            const bool of_library = this->of_library(function);
            if (of_library && hottest < least_executions * runs) continue;
            if (for_lanes_ && !of_loops[static_cast<std::size_t>(&function - plan_.code.functions.data())]) continue;
            const bool is_long = end(last - 1) - begin(function.first_block) > long_function;
            Candidate candidate;
            candidate.of_library = of_library;
            for (std::uint32_t block = function.first_block; block < last; ++block) {
                if (is_long && heat(block) < rare * hottest) continue;
                candidate.blocks.push_back(block);
                candidate.instructions += size(block);
                candidate.executed += heat(block) * size(block);
            }
            if (candidate.executed > (of_library ? least_share * total : 0)) candidates.push_back(std::move(candidate));
        }
        std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
            return a.of_library != b.of_library ? b.of_library : a.executed > b.executed;
        });
        double used = 0;
        for (const Candidate &candidate : candidates) {
            if (used + candidate.instructions > budget_ * (candidate.of_library ? library_part : 1)) continue;
            used += candidate.instructions;
            for (const std::uint32_t block : candidate.blocks) chosen_[block] = true;
        }
    }

    /// The chosen blocks of a function, in pieces if they are many.
    void group() {
        plan_.group_of.assign(count(), 0);
        for (const CodeBlocks::Function &function : plan_.code.functions) {
            BlockPlan::Group *open = nullptr;
            for (std::uint32_t block = function.first_block; block < function.first_block + function.blocks; ++block) {
                if (!chosen_[block]) continue;
                if (!open || open->instructions + size(block) > most_instructions) {
                    const bool has_name = function.symbol != CodeBlocks::no_symbol;
                    open = &plan_.groups.emplace_back();
                    open->name = has_name ? image_.symbols[function.symbol].name : "code without a name";
                }
                open->instructions += size(block);
                open->blocks.push_back(block);
                plan_.group_of[block] = static_cast<std::uint32_t>(plan_.groups.size());
            }
        }
    }

    /// Control comes in where a jump from elsewhere leads, directly or through a register, and at the heads of loops, that
    /// the interpreter may hand over to compiled code in the middle of one.
    void find_entries() {
        std::vector<bool> entered(count());
        entered[plan_.code.block_of[image_.entry]] = true;
        const auto edge = [&](std::uint32_t from, std::uint32_t to) {
            if (plan_.group_of[from] != plan_.group_of[to] || to <= from) entered[to] = true;
        };
        for (std::uint32_t block = 0; block < count(); ++block) {
            const std::uint32_t last = end(block) - 1;
            const Op op = op_at(image_, last);
            if (info(op).operand == OperandKind::Label) edge(block, plan_.code.block_of[constant_at(image_, last)]);
            if (!ends_block(op) && block + 1 < count()) edge(block, block + 1);
        }
        for (const std::uint32_t target : image_.code_map)
            if (target < image_.text.size()) entered[plan_.code.block_of[target]] = true;
        std::vector<std::uint32_t> used(plan_.groups.size() + 1);
        for (std::uint32_t block = 0; block < count(); ++block)
            if (const std::uint32_t group = plan_.group_of[block]; group != 0 && entered[block])
                plan_.entries.push_back({begin(block), group, used[group]++});
    }

    const Image &image_;
    const Execution &execution_;
    double budget_;
    bool all_, for_lanes_;
    std::uint32_t library_ = 0xffffffff;  ///< where the C library begins: a symbol of the linker script mog.ld
    BlockPlan plan_;
    std::vector<bool> chosen_;
};

std::vector<std::uint8_t> bytes_of(const std::vector<BlockPlan::Entry> &entries) {
    std::vector<std::uint32_t> words;
    for (const BlockPlan::Entry &entry : entries) words.insert(words.end(), {entry.at, entry.group, entry.number});
    std::vector<std::uint8_t> bytes(4 * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

}  // namespace

BlockPlan plan_blocks(const Image &image, const Execution &execution, const BlockOptions &options) {
    return Planner(image, execution, options, false).run();
}

BlockPlan plan_lanes(const Image &image, const Execution &execution, const BlockOptions &options, const BlockPlan &blocks) {
    // Lanes compute as AVX-512 does, natively and to nearest.
    if (options.lanes == LaneCode::none || keeps_fcsr(image) || blocks.empty()) return {};
    if (options.lanes == LaneCode::all) return blocks;
    if (options.lanes == LaneCode::automatic && !runs_lanes()) return {};
    return Planner(image, execution, options, true).run();
}

std::vector<std::uint8_t> write_entries(const BlockPlan &plan) {
    return bytes_of(plan.entries);
}

std::vector<std::uint8_t> write_places(const BlockPlan &plan) {
    std::vector<BlockPlan::Entry> places;
    for (std::uint32_t g = 0; g < plan.groups.size(); ++g)
        for (std::uint32_t i = 0; i < plan.groups[g].blocks.size(); ++i)
            places.push_back({plan.code.start[plan.groups[g].blocks[i]], g + 1, i});
    return bytes_of(places);
}

std::vector<std::uint32_t> entry_table(const Image &image, const char *name) {
    const auto product = image.products.find(name);
    if (product == image.products.end() || product->second.empty()) return {};
    std::vector<std::uint32_t> words(product->second.size() / 4), table(image.text.size() + 1);
    std::memcpy(words.data(), product->second.data(), 4 * words.size());
    for (std::size_t i = 0; i + 2 < words.size(); i += 3)
        if (words[i] < image.text.size()) table[words[i]] = words[i + 1] << 16 | words[i + 2];
    return table;
}

}  // namespace mog
