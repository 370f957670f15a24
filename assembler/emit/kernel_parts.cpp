// kernel_parts.cpp: names by content, and the table that gives parts what they lack.
#include "assembler/emit/kernel_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "assembler/blocks/block_choice.hpp"
#include "assembler/emit/generate.hpp"
#include "assembler/emit/part_writer.hpp"
#include "assembler/image/facts.hpp"
#include "assembler/image/spaces.hpp"
#include "assembler/order/ordering.hpp"
#include "support/files/hash.hpp"

namespace mog {
namespace {

constexpr const char *only_blocks = "#define MOG_ONLY_BLOCKS\n#define MOG_BLOCKS_PART {}\n";

/// Those of the group, and what says that the program keeps the FPU's control register, which all parts have to know.
std::vector<Op> instructions_of(const Image &image, const BlockPlan &plan, const BlockPlan::Group &group) {
    std::set<Op> ops;
    for (const std::uint32_t block : group.blocks)
        for (std::uint32_t at = plan.code.start[block]; at < plan.code.end(image, block); ++at) ops.insert(op_at(image, at));
    if (keeps_fcsr(image)) ops.insert(Op::lfcsr_);
    return {ops.begin(), ops.end()};
}

/// For whatever program comes. (Those that run for long have their hot code compiled.)
Order usual_order(const Image &every) {
    constexpr Op usual[] = {
#define MOG_USUAL(name) Op::name##_,
#include "interp_templates/usual_order.def"
    };
    Order order;
    const Order table = table_order(every);
    for (const Op op : usual)
        if (std::ranges::find(table.slots, op) != table.slots.end()) order.slots.push_back(op);
    for (const Op op : table.slots)
        if (std::ranges::find(order.slots, op) == order.slots.end()) order.slots.push_back(op);
    return order;
}

std::string array_of(const std::string &name, std::span<const std::uint32_t> words) {
    constexpr std::size_t in_a_line = 8;
    std::string text = fmt::format("extern \"C\" {{ __constant__ u32 {}[] = {{", name);
    for (std::size_t i = 0; i < words.size(); ++i) text += fmt::format("{}{}u,", i % in_a_line == 0 ? "\n    " : " ", words[i]);
    return text + "\n}; }\n";
}

/// Adds the source of each group that `is_shared` says to `shared`, and tells what links them. Where a program has the same code twice, it
/// has other symbols there.
template <typename IsShared>
Result<LinkedGroups> share_groups(const Image &image, const BlockPlan &plan, const RunSizes &run, const IsShared &is_shared,
                                  std::vector<std::string> &shared) {
    LinkedGroups linked;
    const NamedRegisters program(image);
    std::map<std::string, unsigned> copies;
    for (std::uint32_t number = 1; number <= plan.groups.size(); ++number) {
        const BlockPlan::Group &group = plan.groups[number - 1];
        if (!is_shared(group)) continue;
        PartWriter writer(program, plan, number);
        const std::string function = writer.write();
        const Image instructions = image_of_instructions(instructions_of(image, plan, group));
        Result<std::string> source = generate_blocks_part({instructions, group.name, fmt::format(fmt::runtime(only_blocks), 1), function});
        if (!source) return source.error();
        std::string name = hex16(fnv1a(*source));
        if (const unsigned copy = ++copies[name]; copy > 1) name += fmt::format("_{}", copy);
        shared.push_back(fmt::format("#define MOG_PART {0}\n#define MOG_SYMBOLS mog_symbols_{0}\n{1}", name, *source));
        linked.symbols += array_of("mog_symbols_" + name, writer.symbols());
        linked.names.emplace(number, std::move(name));
    }
    if (!linked.names.empty()) linked.symbols += array_of(linked_program_words, told_of_program(image, {}, run));
    return linked;
}

}  // namespace

bool can_have_parts(const Image &image) { return !has_own_spaces(image); }

Result<KernelParts> kernel_of_parts(const Image &image, const BlockPlan &plan, const RunSizes &run) {
    KernelParts parts;
    const bool fcsr = keeps_fcsr(image);
    const Image every = image_of_every_instruction(fcsr);
    const BlockPlan none;
    Result<std::string> interpreter =
        generate(every, Dialect::cuda, usual_order(every),
                 {.program_name = "any program", .blocks = &none, .around_blocks = true, .any_program = true});
    if (!interpreter) return interpreter.error();
    // What serves mailboxes is half as much again to compile, which programs that have none need not wait for.
    parts.shared.push_back((mailbox_words(image) == 0 ? "#define MOG_WITHOUT_MAILBOXES\n" : "") + *std::move(interpreter));
    Result<LinkedGroups> linked = share_groups(
        image, plan, run, [](const BlockPlan::Group &) { return true; }, parts.shared);
    if (!linked) return linked.error();
    const Op of_table[] = {fcsr ? Op::lfcsr_ : Op::lr_};
    const Image few = image_of_instructions(of_table);
    const std::string head = std::string("#define MOG_SYMBOLS ") + linked_program_words + "\n" + fmt::format(fmt::runtime(only_blocks), 0);
    Result<std::string> table = generate_blocks_part({few, "a table", head, {}, *std::move(linked)});
    if (!table) return table.error();
    parts.own = *std::move(table);
    return parts;
}

Result<KernelParts> kernel_with_libraries(const Image &image, const Order &order, const BlockPlan &plan, LibraryGroups libraries,
                                          const RunSizes &run) {
    KernelParts parts;
    const CodeOrigin origin(image);
    const auto is_shared = [&](const BlockPlan::Group &group) {
        return is_apart(image, origin, plan.code, plan.code.function[group.blocks.front()], libraries);
    };
    Result<LinkedGroups> linked = share_groups(image, plan, run, is_shared, parts.shared);
    if (!linked) return linked.error();
    Result<std::string> own = generate(image, Dialect::cuda, order, {.blocks = &plan, .linked = *std::move(linked)});
    if (!own) return own.error();
    parts.own = *std::move(own);
    return parts;
}

}  // namespace mog
