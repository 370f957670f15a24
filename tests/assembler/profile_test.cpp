// profile_test.cpp: profiles written, read, refused, matched and merged.
#include <doctest/doctest.h>

#include <ctime>

#include <fmt/format.h>

#include "assembler/image/encode.hpp"
#include "assembler/order/markov_chain.hpp"
#include "assembler/profile/profile.hpp"
#include "assembler/text/parse.hpp"
#include "support/files/hash.hpp"

using namespace mog;

namespace {

/// Two functions; `constant` is in the second, `address` is the first's place.
Image two_functions(int constant, int address = 0x400000, std::string_view data = "") {
    const auto program = parse(fmt::format(R"(
{}
.code {:#x}, 512
.symbol f, {:#x}, 32, code
.symbol g, {:#x}, 32, code
f:      .at {:#x}
        li 3
        sr $s0
loop:   lr $s0
        addi -1
        sr $s0
        jt loop
        ja g
g:      .at {:#x}
        li {}
        brk 0
)",
                                           data, address, address, address + 256, address, address + 256, constant),
                               "test.mog");
    REQUIRE_MESSAGE(bool(program), (program ? "" : program.error().text()));
    const auto image = encode(*program);
    REQUIRE(bool(image));
    return *image;
}

/// One PE's way through two_functions().
RunCounts one_run(const Image &image) {
    RunCounts counts;
    counts.executed = {1, 1, 3, 3, 3, 3, 1, 1, 0};
    counts.taken = {0, 0, 0, 0, 0, 2, 0, 0, 0};
    REQUIRE(image.text.size() == counts.executed.size());
    return counts;
}

std::string error_of(std::string_view text) {
    const auto profile = read_profile(text);
    REQUIRE(!profile);
    return profile.error().message;
}

}  // namespace

TEST_CASE("a profile is read as it was written, and gives the counts back") {
    const Image image = two_functions(7);
    const Profile profile = make_profile(image, one_run(image), "a program", 4);
    const std::string text = write_profile(profile);
    const auto back = read_profile(text);
    REQUIRE(bool(back));
    CHECK(write_profile(*back) == text);
    CHECK(back->pes == 4);
    std::vector<std::string> notes;
    const auto execution = execution_of(image, std::vector<Profile>{*back}, notes);
    REQUIRE(bool(execution));
    CHECK(notes.empty());
    CHECK(execution->count == std::vector<double>{1, 1, 3, 3, 3, 3, 1, 1, 1});
    const MarkovChain digrams = digrams_of(flow_of(image, *execution));
    double jt = 0;
    for (std::size_t k = 0; k < digrams.kinds.size(); ++k)
        if (digrams.kinds[k].op == Op::jt_) jt = digrams.frequency[k];
    CHECK(jt == doctest::Approx(3.0 / 17).epsilon(1e-3));
}

TEST_CASE("profiles merge") {
    const Image image = two_functions(7);
    const Profile profile = make_profile(image, one_run(image), "p", 1);
    std::vector<std::string> notes;
    const auto execution = execution_of(image, std::vector<Profile>{profile, profile}, notes);
    REQUIRE(bool(execution));
    CHECK(execution->count[2] == 6);
}

TEST_CASE("unchanged functions keep their counts when others change or all move") {
    const Image before = two_functions(7), after = two_functions(8, 0x500000);
    const Profile profile = make_profile(before, one_run(before), "p", 1);
    std::vector<std::string> notes;
    const auto execution = execution_of(after, std::vector<Profile>{profile}, notes);
    REQUIRE(bool(execution));
    CHECK(execution->count[2] == 3);
    CHECK(execution->count[7] == 0);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].find("1 of the profile's 2 functions changed since or are gone: g") == 0);
}

TEST_CASE("what is no profile of this program is refused with a sentence") {
    const Image image = two_functions(7);
    const std::string text = write_profile(make_profile(image, one_run(image), "p", 1));
    CHECK(error_of("").find("is empty") != std::string::npos);
    CHECK(error_of("ELF").find("is not a profile") != std::string::npos);
    CHECK(error_of("mog-profile 9\n").find("version 9") != std::string::npos);
    CHECK(error_of("mog-profile 1\n").find("cut off") != std::string::npos);
    CHECK(error_of(text + text).find("follows its end") != std::string::npos);
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        CAPTURE(i);
        CHECK(!read_profile(text.substr(0, i)));
        std::string damaged = text;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        CHECK(!read_profile(damaged));
    }
    Profile other;
    other.program = "other";
    other.functions.push_back({"h", 1, 1, {{0, 5, 0}}});
    std::vector<std::string> notes;
    const auto execution = execution_of(image, std::vector<Profile>{other}, notes);
    REQUIRE(!execution);
    CHECK(execution.error().message.find("of another program, other") != std::string::npos);
}

TEST_CASE("ten million counts are read in two seconds") {
    Profile profile;
    profile.program = "big";
    for (int f = 0; f < 1000; ++f) {
        Profile::Function function{fmt::format("f{}", f), static_cast<std::uint64_t>(f), 10000, {}};
        for (std::uint32_t b = 0; b < 10000; ++b) function.counts.push_back({b, 1000 + b, b});
        profile.functions.push_back(std::move(function));
    }
    const std::string text = write_profile(profile);
    const auto begin = std::clock();
    const auto back = read_profile(text);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    REQUIRE(bool(back));
    MESSAGE(seconds, " s");
    CHECK(seconds < 2);
}

TEST_CASE("a profile that lost the function where PEs start still gives a flow without end") {
    const Image image = two_functions(5);
    Profile profile = make_profile(image, one_run(image), "test", 1);
    REQUIRE(profile.functions.front().name == "f");
    profile.functions.front().hash ^= 1;
    profile.jumps.clear();
    std::vector<std::string> notes;
    const auto execution = execution_of(image, std::vector{profile}, notes);
    REQUIRE(execution);
    CHECK(notes.size() == 1);
    const MarkovChain flow = flow_of(image, *execution);
    REQUIRE(flow.nodes() > 0);
    for (const auto &successors : flow.successors) CHECK(!successors.empty());
}
