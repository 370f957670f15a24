// as_pprof.cpp: the report as profile.proto of pprof, in protobuf's wire format, in a gzip file (RFC 1952) whose blocks are stored as they
// are (RFC 1951, 3.2.4): programs that mogcc makes need no library for it where they run.
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "runtime_host/profile/report.hpp"

namespace mog::profile {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// A message: fields one after the other, each a tag with its number and its wire type, and a value.
class Message {
public:
    void number(u32 field, u64 value) {
        varint(u64{field} << 3);
        varint(value);
    }
    void bytes(u32 field, std::string_view value) {
        varint(u64{field} << 3 | 2);
        varint(value.size());
        text_ += value;
    }
    void message(u32 field, const Message &value) { bytes(field, value.text_); }
    void packed(u32 field, const std::vector<u64> &values) {
        Message all;
        for (const u64 value : values) all.varint(value);
        bytes(field, all.text_);
    }
    const std::string &text() const { return text_; }

private:
    void varint(u64 value) {
        for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
        text_ += static_cast<char>(value);
    }
    std::string text_;
};

/// Its table of strings, the first of which is empty.
class Strings {
public:
    Strings() { of(""); }
    u64 of(std::string_view text) {
        const auto [found, is_new] = numbers_.try_emplace(std::string(text), all_.size());
        if (is_new) all_.emplace_back(text);
        return found->second;
    }
    const std::vector<std::string> &all() const { return all_; }

private:
    std::map<std::string, u64> numbers_;
    std::vector<std::string> all_;
};

Message value_type(Strings &strings, std::string_view type, std::string_view unit) {
    Message message;
    message.number(1, strings.of(type));
    message.number(2, strings.of(unit));
    return message;
}

u32 crc_of(std::string_view bytes) {
    constexpr u32 polynomial = 0xedb88320;
    u32 crc = ~0u;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
    }
    return ~crc;
}

std::string in_gzip(std::string_view bytes) {
    constexpr std::size_t most_in_block = 0xffff;
    const auto little = [](u64 value, int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += static_cast<char>(value >> 8 * i);
        return text;
    };
    std::string text("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    std::size_t at = 0;
    do {
        const std::string_view block = bytes.substr(at, most_in_block);
        at += block.size();
        text += static_cast<char>(at == bytes.size() ? 1 : 0);
        text += little(block.size(), 2) + little(~block.size() & 0xffff, 2);
        text += block;
    } while (at < bytes.size());
    return text + little(crc_of(bytes), 4) + little(bytes.size() & 0xffffffff, 4);
}

}  // namespace

std::string as_pprof(const Report &report) {
    // Numbers of fields as profile.proto has them.
    Strings strings;
    Message profile;
    for (const auto &[type, unit] :
         {std::pair{report.unit(), std::string_view("count")}, {"time", "nanoseconds"}, {"waiting", "nanoseconds"}})
        profile.message(1, value_type(strings, type, unit));
    std::map<Frame, u64> locations;
    const auto whole = [](double value) { return static_cast<u64>(std::llround(value)); };
    for (const StackOf &stack : report.stacks) {
        std::vector<u64> ids;
        for (const Frame &frame : stack.frames) ids.push_back(locations.try_emplace(frame, locations.size() + 1).first->second);
        Message sample;
        sample.packed(1, ids);
        sample.packed(2, {whole(stack.cost.instructions), whole(1e9 * stack.cost.seconds), whole(1e9 * stack.cost.waiting())});
        profile.message(2, sample);
    }
    for (const auto &[frame, id] : locations) {
        Message line, location;
        line.number(1, u64{frame.function} + 1);
        line.number(2, frame.line);
        location.number(1, id);
        location.message(4, line);
        profile.message(4, location);
    }
    for (std::size_t i = 0; i < report.functions.size(); ++i) {
        const Function &known = report.functions[i];
        Message function;
        function.number(1, i + 1);
        function.number(2, strings.of(known.name));
        function.number(3, strings.of(known.name));
        function.number(4, strings.of(known.file));
        function.number(5, known.line);
        profile.message(5, function);
    }
    const u64 comment = strings.of("mogrun on " + report.run.device + ", " + report.run.engine);
    profile.number(10, whole(1e9 * report.run.seconds));
    profile.number(13, comment);
    profile.number(14, strings.of(report.unit()));
    for (const std::string &text : strings.all()) profile.bytes(6, text);
    return in_gzip(profile.text());
}

}  // namespace mog::profile
