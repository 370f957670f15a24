// archive_test.cpp: values as bytes and back, and bytes that are none.
#include <doctest/doctest.h>

#include <deque>
#include <map>
#include <set>
#include <unordered_set>

#include "support/archive.hpp"

using mog::ArchiveReader;
using mog::ArchiveWriter;

namespace {

enum class Colour : std::uint8_t { Red, Green };

struct Point {
    int x = 0;
    double y = 0;
    std::string name;
    auto operator<=>(const Point &) const = default;
    static void carry(auto &self, auto &archive) { archive(self.x, self.y, self.name); }
};

template <typename... T>
std::vector<std::uint8_t> written(const T &...values) {
    ArchiveWriter writer;
    writer(values...);
    return writer.take();
}

template <typename T>
T there_and_back(const T &value) {
    const std::vector<std::uint8_t> bytes = written(value);
    T other{};
    ArchiveReader reader(bytes);
    reader(other);
    CHECK(reader.is_done());
    // Every piece of it is too short, and says so.
    for (std::size_t size = 0; size < bytes.size(); size++) {
        T part{};
        ArchiveReader cut(std::span<const std::uint8_t>(bytes.data(), size));
        cut(part);
        CHECK_FALSE(cut.is_good());
    }
    return other;
}

}  // namespace

TEST_CASE("what is written is read") {
    const Point p{-3, 0.1, "a\0b"}, q{7, 1e300, ""};
    CHECK(there_and_back(p) == p);
    CHECK(there_and_back(Colour::Green) == Colour::Green);
    CHECK(there_and_back(std::vector<std::uint32_t>{1, 2, 0xffffffff}) == std::vector<std::uint32_t>{1, 2, 0xffffffff});
    CHECK(there_and_back(std::vector<bool>{true, false, true}) == std::vector<bool>{true, false, true});
    CHECK(there_and_back(std::deque<Point>{p, q}) == std::deque<Point>{p, q});
    const std::map<std::pair<int, std::string>, std::vector<Point>> map{{{1, "x"}, {p}}, {{1, "y"}, {}}, {{2, ""}, {q, p}}};
    CHECK(there_and_back(map) == map);
    CHECK(there_and_back(std::set<std::string>{"", "b"}) == std::set<std::string>{"", "b"});
    CHECK(there_and_back(std::unordered_set<int>{4, 5}) == std::unordered_set<int>{4, 5});
    const std::tuple<int, std::array<Point, 2>, std::optional<bool>> tuple{1, {p, q}, true};
    CHECK(there_and_back(tuple) == tuple);
    CHECK(there_and_back(std::optional<Point>{}) == std::nullopt);
    CHECK_FALSE(there_and_back(std::unique_ptr<Point>()));
    const auto owned = there_and_back(std::make_unique<Point>(p));
    REQUIRE(owned);
    CHECK(*owned == p);
}

TEST_CASE("the form: lowest byte first, lengths in 64 bits") {
    using Bytes = std::vector<std::uint8_t>;
    CHECK(written(std::uint32_t{0x01020304}, true, std::string("ab")) == Bytes{4, 3, 2, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'});
    CHECK(written(std::optional<std::uint16_t>{5}, std::optional<std::uint16_t>{}) == Bytes{1, 5, 0, 0});
}

TEST_CASE("lengths are believed only as far as there are bytes") {
    const std::vector<std::uint8_t> bytes = written(std::uint64_t{1} << 60, std::uint64_t{7});
    const auto refuses = [&]<typename T>(T value) {
        ArchiveReader reader(bytes);
        reader(value);
        CHECK_FALSE(reader.is_good());
        return value.empty();
    };
    CHECK(refuses(std::string()));
    CHECK(refuses(std::vector<std::uint64_t>()));
    CHECK(refuses(std::vector<bool>()));
    CHECK(refuses(std::vector<Point>()));
    CHECK(refuses(std::map<int, int>()));
}

TEST_CASE("what no writer writes is refused") {
    SUBCASE("a bool that is neither") {
        bool value = true;
        const std::uint8_t byte = 2;
        ArchiveReader reader({&byte, 1});
        reader(value);
        CHECK_FALSE(reader.is_good());
    }
    SUBCASE("a key that comes twice") {
        const std::vector<std::uint8_t> bytes = written(std::uint64_t{2}, 1, 10, 1, 11);
        std::map<int, int> map;
        ArchiveReader reader(bytes);
        reader(map);
        CHECK_FALSE(reader.is_good());
    }
    SUBCASE("bytes behind the end are seen") {
        const std::vector<std::uint8_t> bytes = written(1, 2);
        int value = 0;
        ArchiveReader reader(bytes);
        reader(value);
        CHECK(reader.is_good());
        CHECK_FALSE(reader.is_done());
    }
    SUBCASE("after a failure everything is empty") {
        const std::vector<std::uint8_t> bytes = written(1, 2);
        ArchiveReader reader(bytes);
        reader.fail();
        int value = 9;
        reader(value);
        CHECK(value == 0);
    }
}
