// support_test.cpp: the small things that all parts share.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "support/diagnostics.hpp"
#include "support/files/files.hpp"
#include "support/files/hash.hpp"
#include "support/text.hpp"

using namespace mog;

TEST_CASE("hash") {
    CHECK(fnv1a(std::string_view("")) == 0xcbf29ce484222325u);
    CHECK(fnv1a(std::string_view("a")) == 0xaf63dc4c8601ec8cu);
    CHECK(fnv1a(std::string_view("b"), fnv1a(std::string_view("a"))) == fnv1a(std::string_view("ab")));
    CHECK(hex16(0xabc) == "0000000000000abc");
}

TEST_CASE("holes are whole lines, and there is one") {
    CHECK(fill_hole("a\n  //@ X\nb\n", "//@ X", "1\n2\n") == "a\n1\n2\nb\n");
    CHECK_FALSE(fill_hole("a\nb\n", "//@ X", "").has_value());
    CHECK_FALSE(fill_hole("//@ X\n//@ X\n", "//@ X", "").has_value());
    CHECK_FALSE(fill_hole("a //@ X\n", "//@ X", "").has_value());
}

TEST_CASE("nearest word") {
    CHECK(nearest_word("lrr", {"li", "lr", "sr"}) == "lr");
    CHECK(nearest_word("--sed", {"--seed", "--help"}) == "--seed");
    CHECK(nearest_word("something", {"li", "lr"}) == "");
}

TEST_CASE("diagnostics show line and caret") {
    const std::string_view text = "one\n\ttwo x\n";
    Diagnostics diagnostics("f.mog", text);
    CHECK_FALSE(diagnostics.any());
    diagnostics.error(2, 6, "bad");
    CHECK(diagnostics.to_error().text() == "f.mog:2:6: error: bad\n\ttwo x\n\t    ^");
    for (int i = 0; i < 30; ++i) diagnostics.error(1, 1, "more");
    CHECK(diagnostics.to_error().text().starts_with("f.mog:1:1: error: more\none\n^"));
    CHECK(diagnostics.count() == 31);
    CHECK(diagnostics.to_error().text().ends_with("\n11 more mistakes"));
}

TEST_CASE("files are written whole, and errors name them") {
    const auto path = std::filesystem::temp_directory_path() / ("mog-files-test-" + std::to_string(::getpid()));
    REQUIRE(bool(write_text_file(path, "abc")));
    REQUIRE(bool(write_text_file(path, "xy")));
    CHECK(*read_text_file(path) == "xy");
    CHECK(std::filesystem::remove(path));
    const auto absent = read_file(path);
    REQUIRE_FALSE(bool(absent));
    CHECK(absent.error().text() == "cannot open " + path.string() + ": No such file or directory");
    CHECK_FALSE(bool(write_text_file(path / "x", "abc")));
    CHECK(bool(write_text_file("/dev/null", "abc")));
}
