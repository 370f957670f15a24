// protocol_test.cpp: frames of the protocol, however they are cut or damaged.
#include <doctest/doctest.h>

#include "runtime_host/gdb/packets.hpp"

using namespace mog::gdb;

TEST_CASE("frames come back as they were, byte by byte") {
    std::string content = "m10,4*#$}";
    content += '\x03';
    content += '\0';
    const std::string bytes = "+" + frame(content) + "\x03";
    PacketReader reader;
    std::vector<Arrival> arrivals;
    for (const char c : bytes) {
        reader.add({&c, 1});
        while (const std::optional<Arrival> arrival = reader.next()) arrivals.push_back(*arrival);
    }
    REQUIRE(arrivals.size() == 3);
    CHECK(arrivals[0].kind == Arrival::Kind::ack);
    CHECK(arrivals[1].kind == Arrival::Kind::packet);
    CHECK(arrivals[1].content == content);
    CHECK(arrivals[2].kind == Arrival::Kind::interrupt);
}

TEST_CASE("checksums") {
    CHECK(frame("OK") == "$OK#9a");
    PacketReader reader;
    reader.add("$OK#9b$OK#zz-noise$g#67");
    CHECK(reader.next()->kind == Arrival::Kind::damaged);
    CHECK(reader.next()->kind == Arrival::Kind::damaged);
    CHECK(reader.next()->kind == Arrival::Kind::nak);
    CHECK(reader.next()->content == "g");
    CHECK(!reader.next());
}

TEST_CASE("a packet without an end is given up") {
    PacketReader reader;
    reader.add("$" + std::string(2u << 20, 'a'));
    CHECK(reader.next()->kind == Arrival::Kind::damaged);
    CHECK(!reader.next());
}

TEST_CASE("hexadecimal digits") {
    CHECK(from_hex("0aff") == "\x0a\xff");
    CHECK(!from_hex("0af"));
    CHECK(!from_hex("0g"));
    std::string_view text = "10,fg";
    CHECK(take_hex(text) == 16);
    CHECK(take(text, ","));
    CHECK(take_hex(text) == 15);
    CHECK(text == "g");
    CHECK(!take_hex(text));
    std::string_view large = "123456789";
    CHECK(!take_hex(large));
}
