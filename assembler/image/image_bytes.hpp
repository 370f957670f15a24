// image_bytes.hpp: numbers and strings as the bytes of an image file (docs/image.md), and back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/files/files.hpp"

namespace mog {

class ImageWriter {
public:
    void u32(std::uint32_t value) {
        for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    void u64(std::uint64_t value) {
        u32(static_cast<std::uint32_t>(value));
        u32(static_cast<std::uint32_t>(value >> 32));
    }
    void raw(std::span<const std::uint8_t> more) {
        const std::size_t start = bytes.size();
        bytes.resize(start + more.size());
        std::copy(more.begin(), more.end(), bytes.begin() + static_cast<std::ptrdiff_t>(start));
    }
    /// Seven bits in a byte, the lowest first; all but the last byte have the highest bit set.
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
        bytes.push_back(static_cast<std::uint8_t>(value));
    }
    /// A number modulo 2^32 that is near to zero, on either side of it.
    void near(std::uint32_t value) { number(value << 1 ^ (value >> 31 ? 0xffffffffu : 0)); }
    void string(std::string_view text) {
        number(text.size());
        raw(as_byte_span(text));
    }
    std::vector<std::uint8_t> bytes;
};

/// Reads from a span and never beyond: after a failure every read gives 0 and ok() is false.
class ImageReader {
public:
    explicit ImageReader(std::span<const std::uint8_t> bytes) : left_(bytes) {}

    bool ok() const { return ok_; }
    bool at_end() const { return left_.empty(); }
    /// What is wrong with what was read, where that can be said.
    void refuse(std::string why) { refusal_ = std::move(why); }
    const std::string &refusal() const { return refusal_; }
    std::size_t left() const { return left_.size(); }

    std::span<const std::uint8_t> raw(std::uint64_t size) {
        if (size > left_.size()) {
            ok_ = false;
            left_ = {};
            return {};
        }
        const auto result = left_.first(size);
        left_ = left_.subspan(size);
        return result;
    }
    std::uint8_t u8() { return little_endian<std::uint8_t>(); }
    std::uint16_t u16() { return little_endian<std::uint16_t>(); }
    std::uint32_t u32() { return little_endian<std::uint32_t>(); }
    std::uint64_t u64() { return little_endian<std::uint64_t>(); }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t byte = u8();
            value |= std::uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return value;
        }
        ok_ = false;
        return 0;
    }
    /// One that has to be below 2^32.
    std::uint32_t number32() {
        const std::uint64_t value = number();
        if (value > 0xffffffffu) ok_ = false;
        return static_cast<std::uint32_t>(value);
    }
    std::uint32_t near() {
        const std::uint32_t value = number32();
        return value >> 1 ^ (value & 1 ? 0xffffffffu : 0);
    }
    std::string string() {
        const auto text = raw(number());
        return {text.begin(), text.end()};
    }
    /// A count of things of which `most` may stand in a byte; fails if there is no room for so many.
    std::size_t count(std::size_t most = 1) {
        const std::uint64_t n = number();
        if (n / most > left_.size()) ok_ = false;
        return ok_ ? n : 0;
    }
    void fail() { ok_ = false; }

private:
    template <typename T>
    T little_endian() {
        T value = 0;
        const auto from = raw(sizeof value);
        for (std::size_t i = 0; i < from.size(); ++i) value = static_cast<T>(value | static_cast<T>(from[i]) << (8 * i));
        return value;
    }
    std::span<const std::uint8_t> left_;
    bool ok_ = true;
    std::string refusal_;
};

}  // namespace mog
