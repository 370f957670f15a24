// agent_expression_test.cpp: conditions as gdb sends them.
#include <doctest/doctest.h>

#include "runtime_host/gdb/agent_expression.hpp"
#include "runtime_host/gdb/packets.hpp"

using namespace mog::gdb;

namespace {

std::optional<std::uint64_t> value_of(std::string_view digits) {
    const AgentContext context{[](std::uint32_t number) { return number == 29 ? std::optional(0x1000u) : std::nullopt; },
                               [](std::uint32_t address, std::uint32_t bytes) -> std::optional<std::uint64_t> {
                                   if (address != 0x1010) return std::nullopt;
                                   return bytes == 1 ? 0xfe : 0x12345678;
                               }};
    return evaluate(*from_hex(digits), context);
}

}  // namespace

TEST_CASE("arithmetic and memory") {
    CHECK(value_of("22052203"
                   "02"
                   "27") == 8);
    CHECK(value_of("22052203"
                   "03"
                   "27") == 2);
    CHECK(value_of("26001d"
                   "2210"
                   "02"
                   "19"
                   "27") == 0x12345678);  // *(sp + 16)
    CHECK(value_of("26001d"
                   "2210"
                   "02"
                   "17"
                   "1608"
                   "27") == std::uint64_t(-2));  // a signed byte there
    CHECK(value_of("2205"
                   "2200"
                   "03"
                   "2206"
                   "15"
                   "27") == 1);  // 5 < 6
    CHECK(value_of("22ff"
                   "1608"
                   "2201"
                   "14"
                   "27") == 1);  // -1 < 1, signed
    CHECK(value_of("22ff"
                   "1608"
                   "2201"
                   "15"
                   "27") == 0);  // and not unsigned
    CHECK(value_of("2201"
                   "200008"
                   "2205"
                   "27"
                   "2209"
                   "27") == 9);  // a jump over the first end
    CHECK(value_of("2200"
                   "200008"
                   "2205"
                   "27"
                   "2209"
                   "27") == 5);  // that is not taken
    CHECK(value_of("2207"
                   "28"
                   "04"
                   "27") == 49);
    CHECK(value_of("2201"
                   "2202"
                   "2b"
                   "03"
                   "27") == 1);  // swapped
}

TEST_CASE("what cannot be told is not") {
    CHECK(!value_of("26000527"));      // a register that is not known
    CHECK(!value_of("22001927"));      // nor is the memory
    CHECK(!value_of("220122000527"));  // divides by zero
    CHECK(!value_of("210000"));        // has no end
    CHECK(!value_of("2201"));          // nor this
    CHECK(!value_of("0227"));          // takes what is not there
    CHECK(!value_of("27"));            // has no value
    CHECK(!value_of("ff27"));          // no such opcode
}

TEST_CASE("conditions that cannot hold for a rank, whatever else") {
    const auto holds_for = [](std::uint32_t rank, std::string_view digits) {
        const AgentContext context{[&](std::uint32_t number) { return number == 72 ? std::optional(rank) : std::nullopt; },
                                   [](std::uint32_t, std::uint32_t) -> std::optional<std::uint64_t> { return std::nullopt; }};
        return may_hold(*from_hex(digits), context);
    };
    const std::string_view rank_is_7_and_register =
        "2600482207132000"
        "0c220027"
        "26000527";
    CHECK(!holds_for(5, rank_is_7_and_register));
    CHECK(holds_for(7, rank_is_7_and_register));
    CHECK(holds_for(7, "26000527"));
    CHECK(!holds_for(7, "22002600050f27"));            // 0 & what is not known
    CHECK(!holds_for(7, "260005200009220027220027"));  // 0 in both ways
    CHECK(holds_for(7, "260005200009220027220127"));   // not in the second one
    CHECK(holds_for(7, "210000"));                     // has no end
    CHECK(holds_for(7, "0227"));                       // is none
}
