// mpi_engine_test.cpp: what the MPI engine does with calls of one process: messages, collectives, communicators, windows.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/runtime/mpi_machine.hpp"

using namespace mog;
using namespace mog::mpi;
using namespace mog::test;

TEST_CASE("a message goes to its receive, whichever of the two comes first") {
    Machine m(2);
    m.put(0, base, {11, 22});
    // The receive is there.
    CHECK(m.round({{1, receive(1, 0, 5, 8, base + 0x100)}}).empty());
    CHECK(m.round({{0, send(0, 1, 5, 8)}}) == Pes{0, 1});
    CHECK(m.get(1, base + 0x100, 2) == std::vector<u32>{11, 22});
    CHECK(m.said(0) == MPI_SUCCESS);
    CHECK(m.said(1) == MPI_SUCCESS);
    CHECK(m.result(1).source == 0);
    CHECK(m.result(1).tag == 5);
    CHECK(m.result(1).bytes == 8);
    // The message is there: its sender has gone on, and may write to its buffer.
    CHECK(m.round({{0, send(0, 1, 6, 8)}}) == Pes{0});
    m.put(0, base, {0, 0});
    CHECK(m.round({{1, receive(1, 0, 6, 8, base + 0x200)}}) == Pes{1});
    CHECK(m.get(1, base + 0x200, 2) == std::vector<u32>{11, 22});
    CHECK(m.engine.leaks().empty());
}

TEST_CASE("messages of a sender are received in their order; tags, sources and contexts are told apart") {
    Machine m(3);
    for (const u32 value : {1u, 2u, 3u}) {
        m.put(0, base, {value});
        CHECK(m.round({{0, send(0, 2, value == 2 ? 9 : 7, 4)}}) == Pes{0});
    }
    m.put(1, base, {4});
    CHECK(m.round({{1, send(1, 2, 7, 4)}}) == Pes{1});
    m.put(1, base, {5});
    CHECK(m.round({{1, send(1, 2, 7, 4, 0, MOG_MPI_WORLD | MOG_MPI_INTERNAL)}}) == Pes{1});
    const auto next = [&](int from, int tag, u32 context = MOG_MPI_WORLD) {
        CHECK(m.round({{2, receive(2, from, tag, 4, base + 0x40, 0, context)}}) == Pes{2});
        return m.get(2, base + 0x40, 1).front();
    };
    CHECK(next(1, MPI_ANY_TAG) == 4);
    CHECK(next(MPI_ANY_SOURCE, 9) == 2);
    CHECK(next(MPI_ANY_SOURCE, MPI_ANY_TAG) == 1);
    CHECK(next(0, 7) == 3);
    CHECK(next(MPI_ANY_SOURCE, MPI_ANY_TAG, MOG_MPI_WORLD | MOG_MPI_INTERNAL) == 5);
    // In a round lower ranks come first.
    m.put(0, base, {60});
    m.put(1, base, {61});
    CHECK(m.round({{0, send(0, 2, 1, 4)}, {1, send(1, 2, 1, 4)}}) == Pes{0, 1});
    CHECK(next(MPI_ANY_SOURCE, 1) == 60);
    CHECK(next(MPI_ANY_SOURCE, 1) == 61);
}

TEST_CASE("long messages and synchronous ones wait for their receive; what is too long for it is cut") {
    Settings settings;
    settings.limits.eager_bytes = 16;
    Machine m(2, settings);
    std::vector<u32> words(16);
    std::iota(words.begin(), words.end(), 1u);
    m.put(0, base, words);
    CHECK(m.round({{0, send(0, 1, 0, 64)}}).empty());
    const std::vector<Blocked> stuck = m.engine.blocked();
    REQUIRE(stuck.size() == 1);
    CHECK(stuck.front().pe == 0);
    CHECK(stuck.front().peer == 1);
    CHECK(m.round({{1, receive(1, 0, 0, 64, base + 0x100)}}) == Pes{0, 1});
    CHECK(m.get(1, base + 0x100, 16) == words);
    CHECK(m.round({{0, send(0, 1, 0, 4, MOG_MPI_SYNCHRONOUS)}}).empty());
    CHECK(m.round({{1, receive(1, 0, 0, 4, base)}}) == Pes{0, 1});
    m.put(1, base + 0x200, {0, 0, 77});
    CHECK(m.round({{0, send(0, 1, 0, 16)}, {1, receive(1, 0, 0, 8, base + 0x200)}}) == Pes{0, 1});
    CHECK(m.said(0) == MPI_SUCCESS);
    CHECK(m.said(1) == -MPI_ERR_TRUNCATE);
    CHECK(m.get(1, base + 0x200, 3) == std::vector<u32>{1, 2, 77});
}

TEST_CASE("what does not wait gets a number, a result block when it is done, and can be cancelled") {
    Machine m(2);
    m.put(1, result_at, {0, 0, 0, 0});
    CHECK(m.round({{1, receive(1, 0, 3, 4, base, MOG_MPI_NONBLOCKING)}}) == Pes{1});
    const u32 number = static_cast<u32>(m.said(1));
    REQUIRE(number >= 1);
    CHECK((m.result(1).state & MOG_MPI_DONE) == 0);
    // Nobody has sent: asked how many are done, none is; then it waits.
    CHECK(m.round({{1, {MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), number, 1, 1}}}).empty());
    m.put(0, base, {99});
    CHECK(m.round({{0, send(0, 1, 3, 4)}}) == Pes{0, 1});
    CHECK((m.result(1).state & MOG_MPI_DONE) != 0);
    CHECK(m.result(1).bytes == 4);
    CHECK(m.get(1, base, 1).front() == 99);
    // A number that is not known counts as done.
    CHECK(m.round({{1, {MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), 4711, 1, 1}}}) == Pes{1});
    m.put(1, result_at, {0, 0, 0, 0});
    CHECK(m.round({{1, receive(1, 0, 3, 4, base, MOG_MPI_NONBLOCKING)}}) == Pes{1});
    CHECK(m.round({{1, {MOG_MPI_WORD(MOG_MPI_cancel, 0, 0, 0), static_cast<u32>(m.said(1))}}}) == Pes{1});
    CHECK((m.result(1).state & MOG_MPI_CANCELLED) != 0);
    // Of two, wait for one.
    std::vector<u32> numbers;
    for (const int tag : {1, 2}) {
        CHECK(m.round({{1, receive(1, 0, tag, 4, base, MOG_MPI_NONBLOCKING)}}) == Pes{1});
        numbers.push_back(static_cast<u32>(m.said(1)));
    }
    m.put(1, list_at, numbers);
    CHECK(m.round({{1, {MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), list_at, 2, 1}}}).empty());
    CHECK(m.round({{0, send(0, 1, 2, 4)}}) == Pes{0, 1});
    CHECK(m.round({{1, {MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), list_at, 2, 2}}}).empty());
    CHECK(m.round({{0, send(0, 1, 1, 4)}}) == Pes{0, 1});
}

TEST_CASE("a probe tells of a message and leaves it there; a matched one takes it") {
    Machine m(2);
    const auto probe = [](u32 flags) {
        return std::array<u32, 8>{MOG_MPI_WORD(MOG_MPI_probe, flags, 0, 0),
                                  MOG_MPI_WORLD,
                                  1,
                                  static_cast<u32>(MPI_ANY_SOURCE),
                                  static_cast<u32>(MPI_ANY_TAG),
                                  0,
                                  0,
                                  result_at};
    };
    CHECK(m.round({{1, probe(MOG_MPI_NONBLOCKING)}}) == Pes{1});
    CHECK(m.said(1) == 0);
    CHECK(m.round({{1, probe(0)}}).empty());
    m.put(0, base, {5});
    CHECK(m.round({{0, send(0, 1, 8, 4)}}) == Pes{0, 1});
    CHECK(m.result(1).tag == 8);
    CHECK(m.round({{1, probe(MOG_MPI_NONBLOCKING | MOG_MPI_MATCHED)}}) == Pes{1});
    const u32 taken = static_cast<u32>(m.said(1));
    REQUIRE(taken >= 1);
    CHECK(m.round({{1, probe(MOG_MPI_NONBLOCKING)}}) == Pes{1});
    CHECK(m.said(1) == 0);  // nobody else finds it
    auto matched = receive(1, 0, 0, 4, base + 0x10, MOG_MPI_MATCHED);
    matched[3] = taken - 1;
    CHECK(m.round({{1, matched}}) == Pes{1});
    CHECK(m.get(1, base + 0x10, 1).front() == 5);
}

TEST_CASE("what cannot be is an error of its caller alone") {
    Machine m(2);
    const auto failed = [&](const std::array<u32, 8> &words) {
        CHECK(m.round({{0, words}}) == Pes{0});
        return -m.said(0);
    };
    CHECK(failed(send(0, 2, 0, 4)) == MPI_ERR_RANK);
    CHECK(failed(send(0, 1, 0, 4, 0, MOG_MPI_WORLD, base + data_bytes - 2)) == MPI_ERR_BUFFER);
    CHECK(failed(send(0, 1, 0, 0xffffffff)) == MPI_ERR_BUFFER);
    CHECK(failed(send(1, 1, 0, 4)) == MPI_ERR_COMM);  // it is another rank
    CHECK(failed(send(0, 1, 0, 4, 0, 77)) == MPI_ERR_COMM);
    CHECK(failed(receive(0, 5, 0, 4, base)) == MPI_ERR_RANK);
    CHECK(failed({MOG_MPI_WORD(250, 0, 0, 0)}) > 0);
    CHECK(m.engine.blocked().empty());
}

TEST_CASE("a collective is done when all members have come") {
    Machine m(3);
    m.put(1, base, {7, 8});
    const auto bcast = [](u32 me) { return collective(MOG_MPI_bcast, me, 1, base, 0, 8); };
    CHECK(m.round({{0, bcast(0)}}).empty());
    CHECK(m.round({{1, bcast(1)}}).empty());
    CHECK(m.engine.blocked().size() == 2);
    CHECK(m.round({{2, bcast(2)}}) == Pes{0, 1, 2});
    for (const u32 pe : {0u, 2u}) CHECK(m.get(pe, base, 2) == std::vector<u32>{7, 8});

    const auto all = [&](u32 operation, u32 root, u32 count, u32 type = 0, u32 reduction = 0) {
        CHECK(m.round({{0, collective(operation, 0, root, base, base + 0x100, count, type, reduction)},
                       {1, collective(operation, 1, root, base, base + 0x100, count, type, reduction)},
                       {2, collective(operation, 2, root, base, base + 0x100, count, type, reduction)}}) == Pes{0, 1, 2});
        for (const u32 pe : {0u, 1u, 2u}) CHECK(m.said(pe) == MPI_SUCCESS);
    };
    for (const u32 pe : {0u, 1u, 2u}) m.put(pe, base, {10 * pe + 1, 10 * pe + 2, 10 * pe + 3});
    all(MOG_MPI_gather, 2, 4);
    CHECK(m.get(2, base + 0x100, 3) == std::vector<u32>{1, 11, 21});
    CHECK(m.get(0, base + 0x100, 1) == std::vector<u32>{0});
    all(MOG_MPI_scatter, 1, 4);
    for (const u32 pe : {0u, 1u, 2u}) CHECK(m.get(pe, base + 0x100, 1).front() == 11 + pe);
    all(MOG_MPI_allgather, 0, 4);
    for (const u32 pe : {0u, 1u, 2u}) CHECK(m.get(pe, base + 0x100, 3) == std::vector<u32>{1, 11, 21});
    all(MOG_MPI_alltoall, 0, 4);
    for (const u32 pe : {0u, 1u, 2u}) CHECK(m.get(pe, base + 0x100, 3) == std::vector<u32>{1 + pe, 11 + pe, 21 + pe});
    all(MOG_MPI_allreduce, 0, 2, int_type, sum);
    for (const u32 pe : {0u, 1u, 2u}) CHECK(m.get(pe, base + 0x100, 2) == std::vector<u32>{33, 36});
    all(MOG_MPI_reduce, 1, 1, int_type, max);
    CHECK(m.get(1, base + 0x100, 1).front() == 21);
    all(MOG_MPI_scan, 0, 1, int_type, sum);
    for (const u32 pe : {0u, 1u, 2u}) CHECK(m.get(pe, base + 0x100, 1).front() == std::array{1u, 12u, 33u}[pe]);
    all(MOG_MPI_exscan, 0, 1, int_type, sum);
    CHECK(m.get(2, base + 0x100, 1).front() == 12);
    all(MOG_MPI_reduce_scatter_block, 0, 1, int_type, sum);
    for (const u32 pe : {0u, 1u, 2u}) CHECK(m.get(pe, base + 0x100, 1).front() == std::array{33u, 36u, 39u}[pe]);
}

TEST_CASE("members that do not agree are all told") {
    Machine m(2);
    CHECK(m.round({{0, collective(MOG_MPI_bcast, 0, 0, base, 0, 4)}, {1, collective(MOG_MPI_bcast, 1, 1, base, 0, 4)}}) == Pes{0, 1});
    for (const u32 pe : {0u, 1u}) CHECK(m.said(pe) == -MPI_ERR_NOT_SAME);
    CHECK(m.round({{0, collective(MOG_MPI_barrier, 0, 0, 0, 0, 0)},
                   {1, collective(MOG_MPI_allreduce, 1, 0, base, base, 1, int_type, sum)}}) == Pes{0, 1});
    for (const u32 pe : {0u, 1u}) CHECK(m.said(pe) == -MPI_ERR_NOT_SAME);
    CHECK(m.round({{0, collective(MOG_MPI_allreduce, 0, 0, base, base, 1, int_type, max)},
                   {1, collective(MOG_MPI_allreduce, 1, 0, base, base, 1, int_type, sum)}}) == Pes{0, 1});
    CHECK(m.said(0) == -MPI_ERR_NOT_SAME);
    // A root that there is not.
    CHECK(m.round({{0, collective(MOG_MPI_bcast, 0, 2, base, 0, 4)}, {1, collective(MOG_MPI_bcast, 1, 2, base, 0, 4)}}) == Pes{0, 1});
    CHECK(m.said(0) == -MPI_ERR_ROOT);
}

namespace {

/// Splits all PEs: the communicator that each is in afterwards.
std::vector<mog_mpi_made> split(Machine &m, const std::vector<std::pair<int, u32>> &color_and_key) {
    std::map<u32, std::array<u32, 8>> calls;
    Pes all;
    for (u32 pe = 0; pe < color_and_key.size(); pe++) {
        calls[pe] = {MOG_MPI_WORD(MOG_MPI_split, 0, 0, 0),
                     MOG_MPI_WORLD,
                     pe,
                     static_cast<u32>(color_and_key[pe].first),
                     color_and_key[pe].second,
                     base + 0xa00,
                     0,
                     0};
        all.push_back(pe);
    }
    CHECK(m.round(calls) == all);
    std::vector<mog_mpi_made> made;
    for (const u32 pe : all) made.push_back(m.get_structure<mog_mpi_made>(pe, base + 0xa00));
    return made;
}

}  // namespace

TEST_CASE("communicators are split by color, ordered by key, and freed") {
    Machine m(4);
    const auto made = split(m, {{1, 5}, {0, 0}, {1, 3}, {-1, 0}});
    CHECK(made[3].context == MOG_MPI_NO_CONTEXT);
    CHECK(made[0].context == made[2].context);
    CHECK(made[0].context != made[1].context);
    CHECK(made[0].rank == 1);
    CHECK(made[2].rank == 0);
    CHECK(made[0].size == 2);
    CHECK(made[1].size == 1);
    // Ranks are those of the new one.
    m.put(0, base, {42});
    CHECK(m.round({{0, send(1, 0, 0, 4, 0, made[0].context)}}) == Pes{0});
    CHECK(m.round({{2, receive(0, 1, 0, 4, base + 0x20, 0, made[0].context)}}) == Pes{2});
    CHECK(m.get(2, base + 0x20, 1).front() == 42);
    // Once all have gone it is no more.
    const auto free = [&](u32 rank) { return std::array<u32, 8>{MOG_MPI_WORD(MOG_MPI_free, 0, 0, 0), made[0].context, rank}; };
    CHECK(m.round({{0, free(1)}, {2, free(0)}}) == Pes{0, 2});
    CHECK(m.round({{0, send(1, 0, 0, 4, 0, made[0].context)}}) == Pes{0});
    CHECK(m.said(0) == -MPI_ERR_COMM);
}

TEST_CASE("windows: what is put, got, combined and swapped, and what is out of them") {
    Machine m(2);
    const auto made = split(m, {{0, 0}, {0, 1}});
    const u32 context = made[0].context;
    const auto create = [&](u32 me) {
        return std::array<u32, 8>{MOG_MPI_WORD(MOG_MPI_win_create, 0, 0, 0), context, me, base + 0x400, 0x40, 4, 0, 0};
    };
    m.round({{0, create(0)}, {1, create(1)}});
    for (const u32 pe : {0u, 1u}) REQUIRE(m.said(pe) == MPI_SUCCESS);
    m.put(1, base + 0x400, {100, 200, 300});
    const auto access = [&](mog_mpi_access a) {
        m.put_structure(0, list_at, a);
        CHECK(m.round({{0, {MOG_MPI_WORD(MOG_MPI_win_access, 0, 0, 0), context, 0, list_at, 1, 0, 0, 0}}}) == Pes{0});
        return -m.said(0);
    };
    mog_mpi_access a{};
    a.target = 1;
    a.bytes = 4;
    a.origin = base;
    a.result = base + 0x10;
    m.put(0, base, {5});
    a.kind = MOG_MPI_GET;
    a.displacement = 2;  // units of 4 bytes
    CHECK(access(a) == MPI_SUCCESS);
    CHECK(m.get(0, base + 0x10, 1).front() == 300);
    a.kind = MOG_MPI_PUT;
    a.result = 0;
    a.displacement = 1;
    CHECK(access(a) == MPI_SUCCESS);
    CHECK(m.get(1, base + 0x400, 3) == std::vector<u32>{100, 5, 300});
    a.kind = MOG_MPI_ACCUMULATE;
    a.type = int_type;
    a.reduction = sum;
    a.result = base + 0x10;
    a.displacement = 0;
    CHECK(access(a) == MPI_SUCCESS);
    CHECK(m.get(1, base + 0x400, 1).front() == 105);
    CHECK(m.get(0, base + 0x10, 1).front() == 100);  // what was there
    a.kind = MOG_MPI_SWAP;
    a.compare = base + 0x20;
    m.put(0, base + 0x20, {1});
    CHECK(access(a) == MPI_SUCCESS);
    CHECK(m.get(1, base + 0x400, 1).front() == 105);  // something else is there
    m.put(0, base + 0x20, {105});
    CHECK(access(a) == MPI_SUCCESS);
    CHECK(m.get(1, base + 0x400, 1).front() == 5);
    a.kind = MOG_MPI_GET;
    a.displacement = 15;
    CHECK(access(a) == MPI_SUCCESS);
    a.displacement = 16;
    CHECK(access(a) == MPI_ERR_RMA_RANGE);
    a.offset = -4;
    CHECK(access(a) == MPI_SUCCESS);
    a.target = 2;
    CHECK(access(a) == MPI_ERR_RANK);
}

TEST_CASE("windows: locks of a part exclude or share, and who waits goes on when they are given back") {
    Machine m(3);
    const u32 context = split(m, {{0, 0}, {0, 1}, {0, 2}}).front().context;
    const auto create = [&](u32 me) {
        return std::array<u32, 8>{MOG_MPI_WORD(MOG_MPI_win_create, 0, 0, 0), context, me, base + 0x400, 0x40, 4, 0, 0};
    };
    m.round({{0, create(0)}, {1, create(1)}, {2, create(2)}});
    const auto lock = [&](u32 me, u32 rank, u32 exclusive) {
        return std::array<u32, 8>{MOG_MPI_WORD(MOG_MPI_win_lock, 0, 0, 0), context, me, rank, exclusive, 0, 0, 0};
    };
    const auto unlock = [&](u32 me, u32 rank) {
        return std::array<u32, 8>{MOG_MPI_WORD(MOG_MPI_win_unlock, 0, 0, 0), context, me, rank, 0, 0, 0, 0};
    };
    CHECK(m.round({{0, lock(0, 1, 0)}, {1, lock(1, 1, 0)}}) == Pes{0, 1});
    CHECK(m.round({{2, lock(2, 1, 1)}}).empty());
    CHECK(m.round({{0, unlock(0, 1)}}) == Pes{0});
    CHECK(m.round({{1, unlock(1, 1)}}) == Pes{1, 2});
    CHECK(m.round({{0, lock(0, MOG_MPI_ALL_RANKS, 0)}}).empty());
    CHECK(m.round({{1, lock(1, 0, 1)}}).size() <= 1);
    CHECK(m.round({{2, unlock(2, 1)}}).size() >= 1);
    CHECK(m.round({{2, unlock(2, 2)}}) == Pes{2});  // it has none there
    CHECK(m.said(2) == -MPI_ERR_RMA_SYNC);
}

TEST_CASE("window locks by themselves: waiting ones go on in their order, and all parts together wait for each writer") {
    WindowLocks locks;
    std::vector<u32> granted;
    using Taken = WindowLocks::Taken;
    CHECK(locks.lock(0, 1, true) == Taken::Yes);
    CHECK(locks.lock(0, 1, false) == Taken::Twice);
    CHECK(locks.lock(0, 2, false) == Taken::Waits);
    CHECK(locks.lock(0, 3, true) == Taken::Waits);
    CHECK(locks.lock(0, 4, false) == Taken::Waits);
    CHECK(locks.lock(1, 5, true) == Taken::Yes);  // another part
    std::map<u32, std::int64_t> holders;
    locks.each_waiting([&](u32 origin, u32, bool, std::int64_t holder) { holders[origin] = holder; });
    CHECK(holders == std::map<u32, std::int64_t>{{2, 1}, {3, 1}, {4, 1}});
    CHECK(locks.unlock(0, 1, granted));
    CHECK(granted == std::vector<u32>{2});  // 4 came behind the writer 3
    granted.clear();
    CHECK(locks.unlock(0, 2, granted));
    CHECK(granted == std::vector<u32>{3});
    granted.clear();
    CHECK(locks.lock_all(6) == Taken::Waits);
    CHECK(locks.unlock(0, 3, granted));
    CHECK(std::ranges::find(granted, 4u) != granted.end());
    CHECK(std::ranges::find(granted, 6u) == granted.end());  // part 1 has a writer
    granted.clear();
    CHECK(locks.unlock(1, 5, granted));
    CHECK(granted == std::vector<u32>{6});
    CHECK_FALSE(locks.unlock(0, 9, granted));
    CHECK_FALSE(locks.unlock_all(9, granted));
    CHECK(locks.unlock_all(6, granted));
}
