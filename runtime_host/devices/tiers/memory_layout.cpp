// memory_layout.cpp: "1200 800 300 90", the numbers of CountedLayouts, in the folder of the kernel cache.
#include "runtime_host/devices/tiers/memory_layout.hpp"

#include <sstream>
#include <string>

#include <fmt/format.h>

#include "runtime_host/device/kernel_cache.hpp"
#include "support/files/hash.hpp"

namespace mog {

namespace {

double cost(const LayoutCounts &counts) {
    return static_cast<double>(counts.touched) + cost_of_fetch * static_cast<double>(counts.fetched);
}

std::string key_of(const Image &image) { return kernel_cache_key({"memory layouts", hex16(program_hash(image))}); }

}  // namespace

std::string_view name_of(MemoryLayout layout) {
    switch (layout) {
        case MemoryLayout::Auto: return "auto";
        case MemoryLayout::Words: return "words";
        case MemoryLayout::Sectors: return "sectors";
        case MemoryLayout::Count: return "count";
    }
    return "";
}

MemoryLayout cheaper_layout(const CountedLayouts &counted) {
    return cost(counted.sectors) < worth_sectors * cost(counted.words) ? MemoryLayout::Sectors : MemoryLayout::Words;
}

std::optional<CountedLayouts> remembered_layouts(const Image &image) {
    const auto bytes = kernel_cache_load(key_of(image));
    if (!bytes) return {};
    std::istringstream words(std::string(bytes->begin(), bytes->end()));
    CountedLayouts counted;
    for (LayoutCounts *counts : {&counted.words, &counted.sectors})
        if (!(words >> counts->touched >> counts->fetched)) return {};
    return counted;
}

void remember_layouts(const Image &image, const CountedLayouts &counted) {
    const std::string text =
        fmt::format("{} {} {} {}\n", counted.words.touched, counted.words.fetched, counted.sectors.touched, counted.sectors.fetched);
    kernel_cache_store(key_of(image), {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}, "");
}

MemoryLayout layout_for(const Image &image, MemoryLayout wanted) {
    if (wanted != MemoryLayout::Auto) return wanted;
    const std::optional<CountedLayouts> counted = remembered_layouts(image);
    return counted ? cheaper_layout(*counted) : MemoryLayout::Words;
}

}  // namespace mog
