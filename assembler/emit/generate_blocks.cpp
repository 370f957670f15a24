// generate_blocks.cpp: the functions of a plan's groups, each by the writer of its form.
#include "assembler/emit/generate_blocks.hpp"

#include <fmt/format.h>

#include "assembler/emit/lanes_writer.hpp"
#include "assembler/emit/warp_writer.hpp"
#include "assembler/image/spaces.hpp"

namespace mog {
namespace {

/// `regions`: guarded copies in it are added.
std::string group_function(const Image &image, const BlockPlan &plan, BlockForm form, std::uint32_t number, std::size_t &regions) {
    switch (form) {
        case BlockForm::thread: return ThreadWriter(image, plan, number).write();
        case BlockForm::warp: return WarpWriter(image, plan, number).write();
        case BlockForm::lanes: {
            LanesWriter writer(image, plan, number);
            regions += writer.regions();
            return writer.write();
        }
    }
    return {};
}

}  // namespace

std::string group_functions(const Image &image, const BlockPlan &plan, BlockForm form, const LinkedGroups &linked) {
    std::string text;
    std::size_t regions = 0;
    for (std::uint32_t number = 1; number <= plan.groups.size(); ++number) {
        if (linked.names.contains(number)) continue;
        const std::string function = group_function(image, plan, form, number, regions);
        text += plan.parts.size() < 2 ? function : fmt::format("#if IN_PART({})\n{}#endif\n", plan.groups[number - 1].part, function);
    }
    if (form == BlockForm::lanes) text += fmt::format("enum {{ regions = {} }};\n", regions);
    return text;
}

std::string group_declarations(const BlockPlan &plan) {
    std::string text;
    if (plan.parts.size() > 1)
        for (std::uint32_t number = 1; number <= plan.groups.size(); ++number) text += fmt::format("GROUP({});\n", number);
    return text.empty() ? text : fmt::format("#ifdef MOG_BLOCKS_PART\n{}#endif\n", text);
}

std::string group_calls(const BlockPlan &plan, const LinkedGroups &linked) {
    std::string text;
    for (std::uint32_t number = 1; number <= plan.groups.size(); ++number)
        if (!linked.names.contains(number)) text += fmt::format("        CALL({})\n", number);
    return text;
}

std::string linked_declarations(const Image &image, const LinkedGroups &linked) {
    if (linked.names.empty()) return {};
    std::string text = fmt::format("#define LINKED_SPACES {}\n", has_spaces(image) ? "spaces" : "(u32 *)0") + linked.symbols;
    for (const auto &[number, name] : linked.names) text += fmt::format("LINKED_GROUP({})\n", name);
    return text + '\n';
}

std::string linked_calls(const LinkedGroups &linked) {
    std::string text;
    for (const auto &[number, name] : linked.names) text += fmt::format("        CALL_LINKED({}, {})\n", number, name);
    return text;
}

}  // namespace mog
