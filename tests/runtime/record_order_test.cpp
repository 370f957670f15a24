// record_order_test.cpp: records come out ascending, few of many and all of them, again and again.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "runtime_host/device/record_order.hpp"

using namespace mog;

TEST_CASE("records in any order come out ascending by PE") {
    std::vector<std::uint32_t> active(1000);
    std::iota(active.begin(), active.end(), 7u);
    std::mt19937 random(1);
    RecordOrder order;
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{20}, std::size_t{400}, active.size()}) {
        std::vector<std::uint32_t> pes = active;
        std::shuffle(pes.begin(), pes.end(), random);
        pes.resize(count);
        std::vector<Request> records;
        for (const std::uint32_t pe : pes) {
            Request record{};
            record[MOG_Q_PE] = pe;
            record[MOG_Q_LEFT] = 3 * pe;
            records.push_back(record);
        }
        const std::vector<Request> ordered = order.ascending(records, active);
        std::ranges::sort(pes);
        REQUIRE(ordered.size() == count);
        for (std::size_t i = 0; i < count; i++) {
            CHECK(ordered[i][MOG_Q_PE] == pes[i]);
            CHECK(ordered[i][MOG_Q_LEFT] == 3 * pes[i]);
        }
    }
}
