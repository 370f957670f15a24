// mpi_arrivals_test.cpp: messages are found in the order in which they came, few or many, against a plain list.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/pt2pt/arrivals.hpp"

using namespace mog::mpi;

namespace {

struct Both {
    OperationTable table;
    Arrivals arrivals;
    std::vector<u32> plain;

    void append(u32 context, int source, int tag) {
        const u32 i = table.add();
        table[i].kind = Operation::Kind::Send;
        table[i].context = context;
        table[i].peer = source;
        table[i].tag = tag;
        arrivals.append(table, i);
        plain.push_back(i);
    }
    u32 find_plainly(const Operation &wanted) const {
        const auto found = std::ranges::find_if(plain, [&](u32 i) { return fits(wanted, table[i]); });
        return found == plain.end() ? none : *found;
    }
    void take(u32 i) {
        arrivals.take(table, i);
        table.remove(i);
        std::erase(plain, i);
    }
};

Operation wanting(u32 context, int source, int tag) {
    Operation wanted;
    wanted.context = context;
    wanted.peer = source;
    wanted.tag = tag;
    return wanted;
}

}  // namespace

TEST_CASE("messages that have arrived are found as in a plain list") {
    for (const int most : {10, 70, 1000}) {
        CAPTURE(most);
        Both both;
        std::mt19937 random(static_cast<unsigned>(most));
        const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        // Growing and shrinking in turns, so that chains come, grow and go; also to nothing.
        for (int turn = 0; turn < 6; turn++) {
            const bool grows = turn % 2 == 0;
            for (int i = 0; i < 2 * most; i++) {
                if (grows ? up_to(4) != 0 && both.plain.size() < static_cast<std::size_t>(most) : up_to(8) == 0)
                    both.append(static_cast<u32>(up_to(2)), up_to(most), up_to(3));
                const Operation wanted =
                    wanting(static_cast<u32>(up_to(2)), up_to(5) ? up_to(most) : MPI_ANY_SOURCE, up_to(4) ? up_to(3) : MPI_ANY_TAG);
                const u32 found = both.arrivals.find(both.table, wanted);
                REQUIRE(found == both.find_plainly(wanted));
                if (found != none && (!grows || up_to(3) == 0)) both.take(found);
            }
            while (!grows && !both.plain.empty())
                both.take(both.plain[static_cast<std::size_t>(up_to(static_cast<int>(both.plain.size())))]);
            REQUIRE((both.arrivals.first() == none) == both.plain.empty());
        }
    }
}

TEST_CASE("of messages that are alike the first one is found") {
    Both both;
    for (int i = 0; i < 300; i++) both.append(0, i % 3, 0);
    for (int i = 0; i < 100; i++) {
        const u32 found = both.arrivals.find(both.table, wanting(0, 1, 0));
        CHECK(found == static_cast<u32>(3 * i + 1));
        both.take(found);
    }
    CHECK(both.arrivals.find(both.table, wanting(0, 1, 0)) == none);
    CHECK(both.arrivals.find(both.table, wanting(0, 2, 0)) == 2);
    CHECK(both.arrivals.find(both.table, wanting(1, 2, 0)) == none);
}
