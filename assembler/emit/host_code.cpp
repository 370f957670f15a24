// host_code.cpp: products to compilers, and back.
#include "assembler/emit/host_code.hpp"

#include <algorithm>

#include "assembler/blocks/block_plan.hpp"

namespace mog {

Result<void> add_host_code(Image &image, const HostBuild &build, bool interpreter, Simd lanes) {
    const std::vector<HostLibrary> libraries = host_libraries(interpreter ? std::optional(block_parts(image)) : std::nullopt, lanes);
    auto made =
        build_host_libraries(libraries, build, {image.products.bytes(ProductKind::cpp), image.products.bytes(ProductKind::lanes_cpp)});
    if (!made) return made.error();
    for (std::size_t i = 0; i < libraries.size(); ++i)
        image.products.set(libraries[i].product == HostProduct::lanes ? ProductKind::lanes : ProductKind::host, std::move((*made)[i]));
    return {};
}

double lanes_seconds(const Image &image) {
    // What g++ 12 takes, measured for 17 programs of the bench, 12 to 50 KB of functions each: 0.14 s for the interpreter beside the lanes
    // and the rest for linking; for the functions 35 us a byte in the mean, 24 to 59.
    constexpr double for_all = 0.2, for_a_byte = 0.035e-3;
    const std::string_view text = image.products.text(ProductKind::lanes_cpp);
    const std::size_t groups = std::min(text.find("\nGROUP("), text.size());
    return for_all + for_a_byte * static_cast<double>(text.size() - groups);
}

}  // namespace mog
