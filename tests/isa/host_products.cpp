// host_products.cpp: as mogcc does it, with a compiler that warns.
#include "tests/isa/host_products.hpp"

#include "support/host_compiler.hpp"

namespace mog::test {

Result<void> compile_host(Image &image, std::string_view doubles) {
    const HostBuild build{{"g++"}, std::string(doubles), {"-std=c++17", "-Wall", "-Wextra", "-Werror"}};
    return build_host_libraries(host_libraries(image.products.contains("entries"), image.products.contains("places")), build, image.products);
}

}  // namespace mog::test
