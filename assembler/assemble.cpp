// assemble.cpp: encode, search for an order, generate.
#include "assembler/assemble.hpp"

#include "assembler/encode.hpp"
#include "assembler/order_report.hpp"
#include "assembler/profile.hpp"
#include "support/files.hpp"

namespace mog {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string &text) {
    return {text.begin(), text.end()};
}

Result<Execution> read_profiles(const Image &image, const std::vector<std::string> &files, std::vector<std::string> *notes) {
    std::vector<Profile> profiles;
    std::vector<std::string> found;
    for (const std::string &file : files) {
        auto text = read_text_file(file);
        if (!text) return text.error();
        auto profile = read_profile(*text);
        if (!profile) return Error{profile.error().message, file};
        profiles.push_back(*std::move(profile));
    }
    auto execution = execution_of(image, profiles, found);
    if (!execution) return Error{execution.error().message, files.size() == 1 ? files.front() : "--profile-use"};
    if (notes) notes->insert(notes->end(), found.begin(), found.end());
    return execution;
}

}  // namespace

Result<Order> find_order(const Image &image, const AssembleOptions &options, std::vector<std::string> *notes) {
    OrderOptions order_options = options.order;
    if (!options.profiles.empty()) {
        auto execution = read_profiles(image, options.profiles, notes);
        if (!execution) return execution.error();
        order_options.traced = *std::move(execution);
    }
    auto order = search_order(image, order_options);
    if (!order || options.report.empty()) return order;
    if (auto written = write_order_report(image, *order, order_options, options.generate.program_name, options.report); !written)
        return written.error();
    return order;
}

Result<void> add_interpreters(Image &image, const AssembleOptions &options, std::vector<std::string> *notes) {
    const auto order = find_order(image, options, notes);
    if (!order) return order.error();
    static constexpr std::pair<Dialect, const char *> sources[] = {{Dialect::opencl, "opencl"}, {Dialect::host, "cpp"}};
    for (const auto &[dialect, name] : sources) {
        auto source = generate(image, dialect, *order, options.generate);
        if (!source) return source.error();
        image.products[name] = bytes_of(*source);
    }
    image.products["order"] = bytes_of(describe(*order, image));
    auto &slots = image.products["slots"] = {};
    for (const Op op : order->slots) slots.push_back(static_cast<std::uint8_t>(op));
    return {};
}

Result<Image> assemble(const MogProgram &program, const AssembleOptions &options, std::vector<std::string> *notes) {
    auto image = encode(program);
    if (!image) return image;
    if (auto added = add_interpreters(*image, options, notes); !added) return added.error();
    return image;
}

}  // namespace mog
