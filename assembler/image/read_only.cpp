// read_only.cpp
#include "assembler/image/read_only.hpp"

#include <cstring>

namespace mog {

ReadOnlyData read_only_of(const Image &image) {
    std::uint32_t words[2] = {};
    const auto bytes = image.products.bytes(ProductKind::read_only);
    if (bytes.size() == sizeof words) std::memcpy(words, bytes.data(), sizeof words);
    return {words[0], words[1]};
}

void set_read_only(Image &image, const ReadOnlyData &data) {
    const std::uint32_t words[] = {data.begin, data.end};
    Products::Bytes bytes(sizeof words);
    std::memcpy(bytes.data(), words, sizeof words);
    if (data.begin != data.end) image.products.set(ProductKind::read_only, std::move(bytes));
    else image.products.erase(ProductKind::read_only);
}

}  // namespace mog
