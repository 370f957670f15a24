// mpi_multi_process_test.cpp: one world of ranks over several processes, which here are engines of one test with a transport in memory:
// messages, collectives, communicators and windows between PEs of different processes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <numeric>

#include "runtime_host/mpi/transport/bridge.hpp"
#include "tests/runtime/mpi_machine.hpp"

using namespace mog;
using namespace mog::mpi;
using namespace mog::test;
using mog::test::send;  // of sockets there is another

namespace {

constexpr u32 processes = 3, pes = 2, all_ranks = processes * pes;

/// What is on its way, by the process that it goes to: a transport has no place of its own, for its functions take none.
struct Letter {
    unsigned from;
    void *bytes;
    std::size_t length;
};
std::array<std::deque<Letter>, processes> boxes;

template <unsigned Own>
constexpr mog_transport transport_of{
    "memory",
    nullptr,
    [](unsigned process, void *bytes, std::size_t length) {
        boxes[process].push_back({Own, bytes, length});
        return 0;
    },
    [](unsigned *process, void **bytes, std::size_t *length) {
        if (boxes[Own].empty()) return 0;
        *process = boxes[Own].front().from;
        *bytes = boxes[Own].front().bytes;
        *length = boxes[Own].front().length;
        boxes[Own].pop_front();
        return 1;
    },
    []() { return std::size_t{0}; },
    []() { return "nothing failed"; },
    [](int) { FAIL("nobody ends all"); },
    []() {},
};

struct Processes {
    Bridge bridges[processes] = {Bridge(transport_of<0>, 0, processes), Bridge(transport_of<1>, 1, processes),
                                 Bridge(transport_of<2>, 2, processes)};
    std::vector<std::unique_ptr<Machine>> machines;

    explicit Processes(Settings settings = {}) {
        for (Bridge &bridge : bridges) machines.push_back(std::make_unique<Machine>(pes, settings, &bridge));
    }
    ~Processes() {
        for (auto &box : boxes)
            for (; !box.empty(); box.pop_front()) std::free(box.front().bytes);
    }
    Machine &of(u32 rank) { return *machines[rank / pes]; }
    /// The calls of ranks, each of which is PE rank % pes of its process; then all that comes of them. Gives the ranks that go on,
    /// ascending.
    Pes round(const std::map<u32, std::array<u32, 8>> &calls) {
        Pes resumed;
        for (u32 process = 0; process < processes; process++) {
            std::map<u32, std::array<u32, 8>> own;
            for (const auto &[rank, words] : calls)
                if (rank / pes == process) own[rank % pes] = words;
            for (const u32 pe : machines[process]->round(own)) resumed.push_back(process * pes + pe);
        }
        for (u32 quiet = 0; quiet < processes; quiet++)
            for (u32 process = 0; process < processes; process++) {
                Pes more;
                const Result<bool> came = machines[process]->engine.serve_others(more);
                REQUIRE(came);
                if (*came || machines[process]->engine.is_busy()) quiet = 0;
                for (const u32 pe : more) resumed.push_back(process * pes + pe);
            }
        std::ranges::sort(resumed);
        return resumed;
    }
    std::int32_t said(u32 rank) { return of(rank).said(rank % pes); }
    void put(u32 rank, u32 address, const std::vector<u32> &words) { of(rank).put(rank % pes, address, words); }
    std::vector<u32> get(u32 rank, u32 address, std::size_t count) { return of(rank).get(rank % pes, address, count); }
    /// All ranks call the same.
    template <typename Call>
    void all(Call call) {
        std::map<u32, std::array<u32, 8>> calls;
        Pes everyone(all_ranks);
        std::iota(everyone.begin(), everyone.end(), 0u);
        for (const u32 rank : everyone) calls[rank] = call(rank);
        CHECK(round(calls) == everyone);
        for (const u32 rank : everyone) CHECK(said(rank) == MPI_SUCCESS);
    }
};

}  // namespace

TEST_CASE("messages between processes meet their receives, whichever comes first, in their order") {
    Processes p;
    p.put(0, base, {11});
    CHECK(p.round({{5, receive(5, 0, 3, 4, base + 0x100)}}).empty());
    CHECK(p.round({{0, send(0, 5, 3, 4)}}) == Pes{0, 5});
    CHECK(p.get(5, base + 0x100, 1).front() == 11);
    CHECK(p.of(5).result(1).source == 0);
    for (const u32 value : {1u, 2u, 3u}) {
        p.put(4, base, {value});
        CHECK(p.round({{4, send(4, 1, value == 2 ? 9 : 7, 4)}}) == Pes{4});
    }
    const auto next = [&](int from, int tag) {
        CHECK(p.round({{1, receive(1, from, tag, 4, base + 0x40)}}) == Pes{1});
        return p.get(1, base + 0x40, 1).front();
    };
    CHECK(next(4, 9) == 2);
    CHECK(next(MPI_ANY_SOURCE, MPI_ANY_TAG) == 1);
    CHECK(next(4, 7) == 3);
    CHECK(p.round({{0, send(0, all_ranks, 0, 4)}}) == Pes{0});
    CHECK(p.said(0) == -MPI_ERR_RANK);
}

TEST_CASE("long messages to another process wait there for their receive, and come whole") {
    Settings settings;
    settings.limits.eager_bytes = 16;
    Processes p(settings);
    std::vector<u32> words(200);
    std::iota(words.begin(), words.end(), 1000u);
    p.put(3, base, words);
    CHECK(p.round({{3, send(3, 0, 1, 800)}}).empty());
    CHECK(p.round({{0, receive(0, 3, 1, 800, base + 0x400)}}) == Pes{0, 3});
    CHECK(p.get(0, base + 0x400, 200) == words);
    // What is too long is cut, and told.
    CHECK(p.round({{3, send(3, 0, 1, 800)}, {0, receive(0, 3, 1, 8, base)}}) == Pes{0, 3});
    CHECK(p.said(0) == -MPI_ERR_TRUNCATE);
    CHECK(p.get(0, base, 2) == std::vector<u32>{1000, 1001});
}

TEST_CASE("collectives of all processes move and combine as in one") {
    Processes p;
    for (u32 rank = 0; rank < all_ranks; rank++) {
        std::vector<u32> words(all_ranks);
        std::iota(words.begin(), words.end(), 100 * rank);
        p.put(rank, base, words);
    }
    const auto call = [](u32 operation, u32 root, u32 count, u32 type = 0, u32 reduction = 0) {
        return [=](u32 rank) { return collective(operation, rank, root, base, base + 0x100, count, type, reduction); };
    };
    p.all(call(MOG_MPI_barrier, 0, 0));
    p.all(call(MOG_MPI_gather, 3, 4));
    CHECK(p.get(3, base + 0x100, all_ranks) == std::vector<u32>{0, 100, 200, 300, 400, 500});
    p.all(call(MOG_MPI_scatter, 4, 4));
    for (u32 rank = 0; rank < all_ranks; rank++) CHECK(p.get(rank, base + 0x100, 1).front() == 400 + rank);
    p.all(call(MOG_MPI_allgather, 0, 4));
    for (u32 rank = 0; rank < all_ranks; rank++)
        CHECK(p.get(rank, base + 0x100, all_ranks) == std::vector<u32>{0, 100, 200, 300, 400, 500});
    p.all(call(MOG_MPI_alltoall, 0, 4));
    for (u32 rank = 0; rank < all_ranks; rank++)
        for (u32 from = 0; from < all_ranks; from++) CHECK(p.get(rank, base + 0x100 + 4 * from, 1).front() == 100 * from + rank);
    p.all(call(MOG_MPI_allreduce, 0, 2, int_type, sum));
    for (u32 rank = 0; rank < all_ranks; rank++) CHECK(p.get(rank, base + 0x100, 2) == std::vector<u32>{1500, 1506});
    p.all(call(MOG_MPI_reduce, 5, 1, int_type, max));
    CHECK(p.get(5, base + 0x100, 1).front() == 500);
    p.all(call(MOG_MPI_scan, 0, 1, int_type, sum));
    for (u32 rank = 0; rank < all_ranks; rank++) CHECK(p.get(rank, base + 0x100, 1).front() == 50 * rank * (rank + 1));
    p.all(call(MOG_MPI_exscan, 0, 1, int_type, sum));
    for (u32 rank = 1; rank < all_ranks; rank++) CHECK(p.get(rank, base + 0x100, 1).front() == 50 * rank * (rank - 1));
    p.all(call(MOG_MPI_reduce_scatter_block, 0, 1, int_type, sum));
    for (u32 rank = 0; rank < all_ranks; rank++) CHECK(p.get(rank, base + 0x100, 1).front() == 1500 + 6 * rank);
    p.all([](u32 rank) { return collective(MOG_MPI_bcast, rank, 2, base, 0, 8); });
    for (u32 rank = 0; rank < all_ranks; rank++) CHECK(p.get(rank, base, 2) == std::vector<u32>{200, 201});
}

TEST_CASE("communicators over processes, and what their members put into each other's windows") {
    Processes p;
    // The even ranks, backwards; the odd ones.
    p.all([](u32 rank) {
        return std::array<u32, 8>{
            MOG_MPI_WORD(MOG_MPI_split, 0, 0, 0), MOG_MPI_WORLD, rank, rank % 2, all_ranks - rank, base + 0xa00, 0, 0};
    });
    const auto made = [&](u32 rank) { return p.of(rank).get_structure<mog_mpi_made>(rank % pes, base + 0xa00); };
    for (u32 rank = 0; rank < all_ranks; rank++) {
        CHECK(made(rank).size == 3);
        CHECK(made(rank).rank == static_cast<int>((all_ranks - 1 - rank) / 2));
    }
    // Rank 0 of the even ones is rank 4 of the world.
    p.put(0, base, {77});
    CHECK(p.round({{0, send(2, 0, 0, 4, 0, made(0).context)}}) == Pes{0});
    CHECK(p.round({{4, receive(0, 2, 0, 4, base + 0x20, 0, made(4).context)}}) == Pes{4});
    CHECK(p.get(4, base + 0x20, 1).front() == 77);

    p.all([&](u32 rank) {
        return std::array<u32, 8>{
            MOG_MPI_WORD(MOG_MPI_win_create, 0, 0, 0), made(rank).context, static_cast<u32>(made(rank).rank), base + 0x400, 0x40, 4, 0, 0};
    });
    p.put(4, base + 0x400, {100, 200});
    mog_mpi_access a{};
    a.kind = MOG_MPI_ACCUMULATE;
    a.type = int_type;
    a.reduction = sum;
    a.target = 0;
    a.displacement = 1;
    a.bytes = 4;
    a.origin = base;
    a.result = base + 0x10;
    const auto access = [&](const mog_mpi_access &one) {
        p.of(0).put_structure(0, list_at, one);
        CHECK(p.round({{0, {MOG_MPI_WORD(MOG_MPI_win_access, 0, 0, 0), made(0).context, 2, list_at, 1, 0, 0, 0}}}) == Pes{0});
        return -p.said(0);
    };
    CHECK(access(a) == MPI_SUCCESS);
    CHECK(p.get(4, base + 0x400, 2) == std::vector<u32>{100, 277});
    CHECK(p.get(0, base + 0x10, 1).front() == 200);
    a.kind = MOG_MPI_GET;
    a.displacement = 0;
    CHECK(access(a) == MPI_SUCCESS);
    CHECK(p.get(0, base + 0x10, 1).front() == 100);
    a.displacement = 16;
    CHECK(access(a) == MPI_ERR_RMA_RANGE);
    // A lock of a part in another process keeps a third one out.
    const auto lock = [&](u32 rank, u32 operation) {
        return std::array<u32, 8>{MOG_MPI_WORD(operation, 0, 0, 0), made(rank).context, static_cast<u32>(made(rank).rank), 0, 1, 0, 0, 0};
    };
    CHECK(p.round({{0, lock(0, MOG_MPI_win_lock)}}) == Pes{0});
    CHECK(p.round({{2, lock(2, MOG_MPI_win_lock)}}).empty());
    CHECK(p.round({{0, lock(0, MOG_MPI_win_unlock)}}) == Pes{0, 2});
}
