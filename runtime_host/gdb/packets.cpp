// packets.cpp: see packets.hpp.
#include "runtime_host/gdb/packets.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace mog::gdb {

namespace {

constexpr char escape = '}', escape_bit = 0x20, interrupt = 0x03;
constexpr std::size_t most_bytes = 1u << 20;  // of a packet: whoever sends more does not speak the protocol

std::uint8_t checksum(std::string_view content) {
    std::uint8_t sum = 0;
    for (const char c : content) sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(c));
    return sum;
}

std::string unescaped(std::string_view content) {
    std::string out;
    for (std::size_t i = 0; i < content.size(); i++) {
        if (content[i] == escape && i + 1 < content.size()) out += static_cast<char>(content[++i] ^ escape_bit);
        else out += content[i];
    }
    return out;
}

}  // namespace

std::optional<Arrival> PacketReader::next() {
    while (!bytes_.empty()) {
        const char first = bytes_.front();
        if (first == '$') break;
        bytes_.erase(0, 1);
        if (first == interrupt) return Arrival{Arrival::Kind::interrupt};
        if (first == '+') return Arrival{Arrival::Kind::ack};
        if (first == '-') return Arrival{Arrival::Kind::nak};
    }
    const std::size_t end = bytes_.find('#');
    if (end == std::string::npos || end + 2 >= bytes_.size()) {
        if (bytes_.size() <= most_bytes) return std::nullopt;
        bytes_.clear();
        return Arrival{Arrival::Kind::damaged};
    }
    const std::string content = bytes_.substr(1, end - 1), digits = bytes_.substr(end + 1, 2);
    bytes_.erase(0, end + 3);
    const std::optional<std::string> sum = from_hex(digits);
    if (!sum || static_cast<std::uint8_t>(sum->front()) != checksum(content)) return Arrival{Arrival::Kind::damaged};
    return Arrival{Arrival::Kind::packet, unescaped(content)};
}

std::string frame(std::string_view content) {
    std::string escaped;
    for (const char c : content) {
        // An asterisk would repeat what stands before it.
        if (c == '$' || c == '#' || c == escape || c == '*') {
            escaped += escape;
            escaped += static_cast<char>(c ^ escape_bit);
        } else {
            escaped += c;
        }
    }
    return fmt::format("${}#{:02x}", escaped, checksum(escaped));
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
    std::string out;
    for (const std::uint8_t byte : bytes) out += fmt::format("{:02x}", byte);
    return out;
}

std::optional<std::string> from_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string out;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        std::uint8_t byte = 0;
        const auto [end, failed] = std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
        if (failed != std::errc() || end != digits.data() + i + 2) return std::nullopt;
        out += static_cast<char>(byte);
    }
    return out;
}

std::optional<std::uint32_t> take_hex(std::string_view &text) {
    std::uint32_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (failed != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool take(std::string_view &text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace mog::gdb
