// kernel_cache.cpp: names for what is kept of programs.
#include "runtime_host/device/kernel_cache.hpp"

#include <bit>

#include <fmt/format.h>

#include "assembler/image/spaces.hpp"
#include "support/files/hash.hpp"

namespace mog {

std::uint64_t program_hash(const Image &image) {
    const auto bytes_of = [](const auto &words) {
        return std::span(reinterpret_cast<const std::uint8_t *>(words.data()), words.size() * sizeof words[0]);
    };
    return fnv1a(constants_of(image), fnv1a(bytes_of(image.data), fnv1a(bytes_of(image.cpool), fnv1a(bytes_of(image.text)))));
}

std::string run_cache_key(std::string_view about, const Image &image, std::string_view names, const LoadConfig &config) {
    return kernel_cache_key(
        {about, hex16(program_hash(image)), names,
         fmt::format("{} {} {} {} {} {} {} {}", std::bit_width(config.nproc), static_cast<int>(config.engine),
                     static_cast<int>(config.doubles), config.warp, config.work_group, config.count, config.fuel, config.profile)});
}

}  // namespace mog
