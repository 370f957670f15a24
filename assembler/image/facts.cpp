// facts.cpp: properties of isa.def, over the instructions of an image.
#include "assembler/image/facts.hpp"

#include <algorithm>
#include <string_view>

#include "interp_templates/launch_abi.h"

namespace mog {

std::vector<std::uint32_t> static_counts(const Image &image) {
    std::vector<std::uint32_t> counts(256);
    for (const std::uint16_t word : image.text) ++counts[word >> 8];
    return counts;
}

std::vector<Op> used_ops(const Image &image) {
    const auto counts = static_counts(image);
    std::vector<Op> ops;
    for (const OpInfo &row : isa)
        if (counts[static_cast<std::uint8_t>(row.op)] != 0) ops.push_back(row.op);
    return ops;
}

bool needs_floats(const Image &image) {
    for (const Op op : used_ops(image))
        if (info(op).writes & Fpu) return true;
    return false;
}

bool needs_doubles(const Image &image) {
    for (const Op op : used_ops(image))
        if ((info(op).writes & Fpu) && ((info(op).reads | info(op).writes) & D)) return true;
    return false;
}

bool keeps_fcsr(const Image &image) {
    for (const Op op : used_ops(image))
        if ((info(op).reads | info(op).writes) & Fcsr) return true;
    return false;
}

std::uint16_t stop_effects(const Image &image) { return keeps_fcsr(image) ? Stop | Fpu : Stop; }

bool calls_mpi(const Image &image) {
    // What all calls go through (runtime_pe/mpi/base/call.S).
    return std::ranges::any_of(image.symbols, [](const Symbol &symbol) { return symbol.name == "__mog_mpi"; });
}

std::uint32_t mailbox_words(const Image &image) {
    // An older mogcc has made a kernel that has none.
    const std::string_view kernel = image.products.text(ProductKind::cuda);
    const bool knows_them = kernel.empty() || kernel.find("MOG_MAIL_WORDS") != std::string_view::npos;
    return knows_them && calls_mpi(image) ? MOG_M_WORDS : 0;
}

}  // namespace mog
