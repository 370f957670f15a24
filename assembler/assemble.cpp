// assemble.cpp: encode, choose superinstructions, search for an order, generate.
#include "assembler/assemble.hpp"

#include "assembler/image/encode.hpp"
#include "assembler/image/facts.hpp"
#include "assembler/order/costs_file.hpp"
#include "assembler/profile/profile.hpp"
#include "assembler/report/order_report.hpp"
#include "support/files/files.hpp"

namespace mog {
namespace {

Result<Execution> read_profiles(const Image &image, const std::vector<std::string> &files, std::vector<std::string> *notes) {
    ProfileMerge merge(image);
    std::vector<std::string> found;
    for (const std::string &file : files) {
        auto text = read_text_file(file);
        if (!text) return text.error();
        auto profile = read_profile(*text);
        if (!profile) return Error{profile.error().message, file};
        if (auto added = merge.add(*profile, found); !added) return Error{added.error().message, file};
    }
    auto execution = std::move(merge).execution();
    if (!execution) return Error{execution.error().message, files.size() == 1 ? files.front() : "--profile-use"};
    if (notes) notes->insert(notes->end(), found.begin(), found.end());
    return execution;
}

}  // namespace

Result<Fit> fit(Image &image, const AssembleOptions &options, std::vector<std::string> *notes) {
    OrderOptions order_options = options.order;
    if (!options.costs.empty()) {
        auto costs = load_costs(options.costs);
        if (!costs) return costs.error();
        order_options.costs = *std::move(costs);
    }
    if (options.lanes != 0) order_options.costs.lanes = options.lanes;
    if (!options.profiles.empty()) {
        auto execution = read_profiles(image, options.profiles, notes);
        if (!execution) return execution.error();
        order_options.traced = *std::move(execution);
    } else {
        order_options.estimated = static_execution(image);
    }
    auto trials = choose_fusion(image, options.fusion, order_options);
    // What the trials took is part of the budget.
    const double seconds = order_options.seconds;
    order_options.seconds *= 1 - trial_part * static_cast<double>(trials.size());
    auto order = search_order(image, order_options);
    order_options.seconds = seconds;
    if (!order) return order.error();
    order->seconds = seconds;
    order->trials = std::move(trials);
    if (!options.report.empty())
        if (auto written = write_order_report(image, *order, order_options, options.generate.program_name, options.report); !written)
            return written.error();
    const Execution &execution = *order_options.known();
    Fit fitted{*std::move(order), {}, {}, {}};
    fitted.kernels = plan_blocks(image, execution, options.blocks, BlockPurpose::kernels);
    fitted.lanes = plan_lanes(image, execution, options.blocks, fitted.kernels);
    const auto only = options.blocks.only;
    fitted.blocks = plan_blocks(image, execution, options.blocks, only.value_or(BlockPurpose::host));
    if (only) {  // one for all, compiled as the user likes
        fitted.blocks.parts.clear();
        for (BlockPlan::Group &group : fitted.blocks.groups) group.part = 0;
        fitted.kernels = fitted.blocks;
    }
    return fitted;
}

Result<void> add_interpreters(Image &image, const AssembleOptions &options, std::vector<std::string> *notes) {
    const auto fitted = fit(image, options, notes);
    if (!fitted) return fitted.error();
    GenerateOptions generate_options = options.generate;
    const bool later = options.blocks.host_compiles && !options.blocks.only;
    if (!fitted->blocks.empty() || later) {
        const auto entries = write_entries(fitted->blocks);
        image.products.set(ProductKind::entries, entries);
        image.products.set(ProductKind::compiled, write_compiled(fitted->blocks));
        if (auto parts = write_parts(fitted->blocks); !parts.empty()) image.products.set(ProductKind::parts, std::move(parts));
        if (auto in_kernels = write_entries(fitted->kernels); in_kernels != entries) {
            image.products.set(ProductKind::kernel_entries, std::move(in_kernels));
            image.products.set(ProductKind::kernel_compiled, write_compiled(fitted->kernels));
        }
    }
    // A budget or counts of runs decide once and for all.
    if (!options.blocks.build_seconds && !options.blocks.all && !options.blocks.only && options.profiles.empty())
        image.products.set(ProductKind::tiers, {static_cast<std::uint8_t>(options.generate.unchecked)});
    if (options.blocks.lanes != Simd::none && options.blocks.all_in_lanes && keeps_fcsr(image) && notes)
        notes->push_back(
            "the program reads or writes the FPU's control register, for which lanes have none; so there is no code for lanes");
    if (!fitted->lanes.empty()) {
        auto source = generate_lanes(image, fitted->order, fitted->lanes, options.generate);
        if (!source) return source.error();
        image.products.set_text(ProductKind::lanes_cpp, *source);
        image.products.set(ProductKind::places, write_places(fitted->lanes));
        image.products.set_text(ProductKind::simd, name_of(options.blocks.lanes));
    }
    static constexpr std::pair<Dialect, ProductKind> sources[] = {
        {Dialect::opencl, ProductKind::opencl}, {Dialect::cuda, ProductKind::cuda}, {Dialect::host, ProductKind::cpp}};
    for (const auto &[dialect, product] : sources) {
        generate_options.blocks = dialect == Dialect::host ? &fitted->blocks : &fitted->kernels;
        generate_options.around_blocks = dialect == Dialect::host && later;
        auto source = generate(image, dialect, fitted->order, generate_options);
        if (!source) return source.error();
        image.products.set_text(product, *source);
    }
    image.products.set_text(ProductKind::order, describe(fitted->order, image));
    std::vector<std::uint8_t> slots;
    for (const Op op : fitted->order.slots) slots.push_back(static_cast<std::uint8_t>(op));
    image.products.set(ProductKind::slots, std::move(slots));
    return {};
}

Result<Image> assemble(const MogProgram &program, const AssembleOptions &options, std::vector<std::string> *notes) {
    auto image = encode(program);
    if (!image) return image;
    if (auto added = add_interpreters(*image, options, notes); !added) return added.error();
    return image;
}

}  // namespace mog
