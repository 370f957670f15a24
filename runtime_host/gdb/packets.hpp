// packets.hpp: the frames of gdb's remote serial protocol: bytes of a connection into packets, and packets into bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mog::gdb {

/// What came over a connection.
struct Arrival {
    enum class Kind : std::uint8_t { packet, damaged, interrupt, ack, nak } kind = Kind::packet;
    std::string content{};  ///< of a packet, unescaped
};

/// Takes bytes as they come; gives what they make, one after the other.
class PacketReader {
public:
    void add(std::string_view bytes) { bytes_ += bytes; }
    /// Nothing: there is no more than a part of a packet.
    std::optional<Arrival> next();

private:
    std::string bytes_;
};

/// "$content#checksum", with what must not stand in it escaped.
std::string frame(std::string_view content);

/// "0a1b" of bytes, in their order.
std::string to_hex(std::span<const std::uint8_t> bytes);
/// The bytes of pairs of digits; nothing if it is something else.
std::optional<std::string> from_hex(std::string_view digits);
/// A number in hexadecimal digits at the beginning of a text, which it is cut off from; nothing if there is none of at most 32 bits.
std::optional<std::uint32_t> take_hex(std::string_view &text);
/// Cuts `prefix` off a text that begins with it.
bool take(std::string_view &text, std::string_view prefix);

}  // namespace mog::gdb
