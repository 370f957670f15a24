// host_code.cpp: products to compilers, and back.
#include "assembler/emit/host_code.hpp"

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

}  // namespace mog
