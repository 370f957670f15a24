// assemble.cpp: encode, search for an order, generate.
#include "assembler/assemble.hpp"

#include "assembler/encode.hpp"

namespace mog {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string &text) {
    return {text.begin(), text.end()};
}

}  // namespace

Result<void> add_interpreters(Image &image, const AssembleOptions &options) {
    const auto order = search_order(image, options.order);
    if (!order) return order.error();
    static constexpr std::pair<Dialect, const char *> sources[] = {{Dialect::opencl, "opencl"}, {Dialect::host, "cpp"}};
    for (const auto &[dialect, name] : sources) {
        auto source = generate(image, dialect, *order, options.generate);
        if (!source) return source.error();
        image.products[name] = bytes_of(*source);
    }
    image.products["order"] = bytes_of(describe(*order, image));
    return {};
}

Result<Image> assemble(const MogProgram &program, const AssembleOptions &options) {
    auto image = encode(program);
    if (!image) return image;
    if (auto added = add_interpreters(*image, options); !added) return added.error();
    return image;
}

}  // namespace mog
