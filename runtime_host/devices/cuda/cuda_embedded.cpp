// cuda_embedded.cpp: which of an image's codes a device takes.
#include "runtime_host/devices/cuda/cuda_embedded.hpp"

#include "assembler/blocks/block_plan.hpp"
#include "runtime_host/device/kernel_setup.hpp"
#include "support/compilers/cuda_compiler.hpp"

namespace mog {
namespace {

std::string_view definitions_of(const Image &image) {
    return image.products.has(ProductKind::cuda_definitions) ? image.products.text(ProductKind::cuda_definitions) : "there is no such code";
}

}  // namespace

Result<std::string> usual_cuda_definitions(const Image &image) {
    const Result<Arithmetic> arithmetic = choose_arithmetic(image, Doubles::Auto, FloatAbilities{}, "cuda");
    if (!arithmetic) return arithmetic.error();
    return cuda_definitions(*arithmetic, LoadConfig{}, false, kernel_entry_table(image));
}

std::optional<EmbeddedCuda> find_embedded_cuda(const Image &image, int capability, std::string_view definitions) {
    if (definitions_of(image) != definitions) return {};
    std::optional<CudaTarget> best;
    const std::vector<std::uint8_t> *code = nullptr;
    for (const auto &[product, bytes] : image.products.all()) {
        if (product.kind != ProductKind::cuda_code) continue;
        const Result<CudaTarget> target = read_cuda_target(product.member);
        if (!target || target->number > capability || (target->machine && target->number / 10 != capability / 10)) continue;
        if (best && *target < *best) continue;  // machine code is greater than PTX
        best = *target;
        code = &bytes;
    }
    if (!best) return {};
    return EmbeddedCuda{*code, best->name()};
}

bool has_embedded_cuda(const Image &image, int capability) {
    return find_embedded_cuda(image, capability, definitions_of(image)).has_value();
}

}  // namespace mog
