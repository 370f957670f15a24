// mpi_sizes_test.cpp: collectives, windows and files whose bytes do not fit 32 bits, with a device that has no memory but knows what has to
// come.
#include <doctest/doctest.h>

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/performer.hpp"
#include "runtime_host/mpi/io/files.hpp"
#include "runtime_host/mpi/rma/window_access.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::mpi;

namespace {

constexpr u32 ranks = 1024, data_bytes = 0x60000000;
// Lists that all PEs have alike; two buffers, the second with room for more; and a third one.
constexpr u32 more_at = MOG_DATA_BASE, counts_at = more_at + 64, displacements_at = counts_at + 4 * ranks,
              access_at = displacements_at + 4 * ranks, runs_at = access_at + 64, near = MOG_DATA_BASE + (1u << 20),
              third = MOG_DATA_BASE + (8u << 20), far = MOG_DATA_BASE + (16u << 20);

/// What stands at an address of a PE that sends: bytes, or, where 4 GiB of them are to be combined, a word in each 512.
u8 sent(u32 pe, u32 address) { return static_cast<u8>(pe * 7 + address * 31 + (address >> 8) + (address >> 16) * 13); }
u32 sent_word(u32 pe, u32 address) { return pe * 0x01000193u + address * 0x9e3779b1u; }
constexpr u32 word_distance = 512;
/// The sum of these words of the PEs from `begin` up to `end`.
u32 sum_of_words(u32 begin, u32 end, u32 address) {
    return (end - begin) * sent_word(0, address) +
           static_cast<u32>((u64{begin} + end - 1) * (end - begin) / 2) * (sent_word(1, 0) - sent_word(0, 0));
}
/// Calls `take(offset, word's address)` for these words of a range.
template <typename Take>
void each_word(u64 address, u64 length, Take take) {
    for (u64 at = (address + word_distance - 1) / word_distance * word_distance; at + 4 <= address + length; at += word_distance)
        take(at - address, at);
}

/// All PEs have the same lists; what they send is as above; what they get is compared with what has to come there.
class PatternDevice final : public Device {
public:
    struct Place {
        u32 pe, address;
    };
    std::function<Place(u32 pe, u32 address)> source;  ///< whose byte has to come to a place
    std::function<u32(u32 pe, u32 address)> word;      ///< the word that has to come there; empty: bytes come
    mog_mpi_access access{};                           ///< to the window of the next rank
    u64 came = 0, wrong = 0, most_at_once = 0;

    /// `block`: bytes of each in lists of counts and displacements, and in files.
    explicit PatternDevice(u32 block) : block_(block), lists_(1u << 20) {
        mog_mpi_more more{};
        more.send_counts = more.receive_counts = counts_at;
        more.send_displacements = more.receive_displacements = displacements_at;
        more.send_unit = more.receive_unit = 1;
        std::memcpy(lists_.data(), &more, sizeof more);
        for (u32 i = 0; i < ranks; i++) {
            const u32 displacement = i * block;
            std::memcpy(lists_.data() + (counts_at - MOG_DATA_BASE) + 4 * i, &block, 4);
            std::memcpy(lists_.data() + (displacements_at - MOG_DATA_BASE) + 4 * i, &displacement, 4);
        }
    }
    const DeviceInfo &info() const override { return info_; }
    std::uint64_t bytes_per_pe(const Image &, std::uint32_t data_words) const override { return 4ull * data_words; }
    Result<void> load(const Image &, const LoadConfig &) override { return {}; }
    Result<std::vector<Request>> run(std::span<const std::uint32_t>, std::uint32_t, std::span<const std::uint32_t>) override {
        return Error{"no PE runs"};
    }
    Result<DeviceStats> stats() override { return DeviceStats{}; }

    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override {
        for (const Transfer &t : transfers) {
            REQUIRE(u64{t.staging} + t.length <= staging.size());
            u8 *const to = staging.data() + t.staging;
            if (t.address < near) copy_list(t, to);
            else if (word)
                each_word(t.address, t.length,
                          [&](u64 offset, u64 address) { put_word(to + offset, sent_word(t.pe, static_cast<u32>(address))); });
            else
                for (u32 i = 0; i < t.length; i++) to[i] = sent(t.pe, t.address + i);
        }
        most_at_once = std::max<u64>(most_at_once, staging.size());
        return {};
    }
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override {
        for (const Transfer &t : transfers) {
            REQUIRE(u64{t.staging} + t.length <= staging.size());
            if (t.is_state) continue;  // what calls answer
            came += t.length;
            const u8 *const from = staging.data() + t.staging;
            if (word)
                each_word(t.address, t.length, [&](u64 offset, u64 address) {
                    wrong += std::memcmp(from + offset, std::array{word(t.pe, static_cast<u32>(address))}.data(), 4) != 0;
                });
            else
                for (u32 i = 0; i < t.length; i += std::min(997u, std::max(1u, t.length - 1 - i)))
                    wrong += from[i] != expected(t.pe, t.address + i);
        }
        most_at_once = std::max<u64>(most_at_once, staging.size());
        return {};
    }
    Result<void> copy(std::span<const Copy> copies) override {
        for (const Copy &c : copies) {
            came += c.length;
            for (const u32 i : {0u, c.length - 1}) wrong += sent(c.from_pe, c.from + i) != expected(c.to_pe, c.to + i);
        }
        return {};
    }

private:
    u8 expected(u32 pe, u32 address) const {
        const Place from = source(pe, address);
        return sent(from.pe, from.address);
    }
    static void put_word(u8 *to, u32 value) { std::memcpy(to, &value, 4); }
    /// Its target, and its place in a file, are those of the PE.
    void copy_list(const Transfer &t, u8 *to) {
        mog_mpi_access own = access;
        own.target = (t.pe + 1) % ranks;
        std::memcpy(lists_.data() + (access_at - MOG_DATA_BASE), &own, sizeof own);
        const u64 offset = u64{t.pe} * block_;
        const mog_mpi_file_run run{static_cast<u32>(offset), static_cast<u32>(offset >> 32), block_, 1, 0, 0};
        std::memcpy(lists_.data() + (runs_at - MOG_DATA_BASE), &run, sizeof run);
        std::memcpy(to, lists_.data() + (t.address - MOG_DATA_BASE), t.length);
    }
    u32 block_;
    DeviceInfo info_;
    std::vector<u8> lists_;
};

/// A file that has in each block of its PE what that one has in its first buffer.
class PatternFile final : public OpenFile {
public:
    u64 wrong = 0, written = 0;
    explicit PatternFile(u32 block) : block_(block) { flags = O_RDWR; }
    HostResult read(std::span<u8>) override { return -ESPIPE; }
    HostResult write(u32, std::span<const u8>) override { return -ESPIPE; }
    HostResult seek(std::int64_t, int) override { return -ESPIPE; }
    HostResult read_at(std::span<u8> to, std::int64_t offset) override {
        each_word(static_cast<u64>(offset), to.size(), [&](u64 i, u64 at) { std::memcpy(to.data() + i, std::array{word(at)}.data(), 4); });
        return static_cast<HostResult>(to.size());
    }
    HostResult write_at(std::span<const u8> from, std::int64_t offset) override {
        each_word(static_cast<u64>(offset), from.size(),
                  [&](u64 i, u64 at) { wrong += std::memcmp(from.data() + i, std::array{word(at)}.data(), 4) != 0; });
        written += from.size();
        return static_cast<HostResult>(from.size());
    }
    int status(struct stat *) const override { return 0; }
    int truncate(std::int64_t) override { return 0; }
    int host_fd() const override { return -1; }

private:
    u32 word(u64 at) const { return sent_word(static_cast<u32>(at / block_), near + static_cast<u32>(at % block_)); }
    u32 block_;
};

// Bytes of each to each: they make no whole words; and of one to all, so many that there are 4 GiB of them.
constexpr u32 small_block = 4501, block_of_words = 9 * word_distance, large_block = ranks * block_of_words, rooted_block = 1500001;

struct Moved {
    u32 kind, block;
    u32 times;          ///< in one round: one PE alone has no 4 GiB
    u32 send, receive;  ///< addresses
    u64 came;           ///< bytes, of one group and each time
};
constexpr u64 by_all = u64{ranks} * ranks * small_block, by_one = u64{ranks} * rooted_block;
constexpr Moved moved[] = {
    {MOG_MPI_bcast, large_block, 1, near, near, u64{ranks} * large_block},
    {MOG_MPI_gather, rooted_block, 3, near, far, by_one},
    {MOG_MPI_gatherv, rooted_block, 3, near, far, by_one},
    {MOG_MPI_scatter, rooted_block, 3, far, near, by_one},
    {MOG_MPI_scatterv, rooted_block, 3, far, near, by_one},
    {MOG_MPI_allgather, small_block, 1, near, far, by_all},
    {MOG_MPI_allgatherv, small_block, 1, near, far, by_all},
    {MOG_MPI_alltoall, small_block, 1, near, far, by_all},
    {MOG_MPI_alltoallv, small_block, 1, near, far, by_all},
};

/// Of one group of all ranks; or of two of as many, where roots are in the first one.
Instance instance_of(u32 word0, u32 root, u32 send, u32 receive, u32 count, bool is_inter) {
    Instance instance;
    const u32 kind = word0 & 0xff;
    for (u32 pe = 0; pe < ranks * (is_inter ? 2 : 1); pe++) {
        u32 word3 = root;
        if (is_inter && !has_root(kind)) word3 = count;  // then it says how large blocks are that come
        else if (is_inter && pe < ranks) word3 = static_cast<u32>(pe == root ? MPI_ROOT : MPI_PROC_NULL);
        instance.parts.push_back({pe, pe, pe, {word0, 0, pe % ranks, word3, send, receive, count, more_at}});
    }
    instance.first_group = is_inter ? ranks : 0;
    return instance;
}

/// Performs it with each of some roots, in one round: what came has the right bytes, and the host had little of it at a time.
void perform(PatternDevice &device, const std::function<Instance(u32 root)> &make, u32 times) {
    Delivery delivery(device, {}, {data_bytes}, {});
    Budget budget(1u << 30);
    Communicators communicators(World{2 * ranks}, budget);
    Performer performer(communicators, delivery);
    for (u32 root = 0; root < times; root++) {
        const Result<int> done = performer.perform(make(root));
        REQUIRE(done);
        CHECK(*done == MPI_SUCCESS);
    }
    std::vector<u32> resumed;
    REQUIRE(delivery.flush(resumed));
    CHECK(device.wrong == 0);
    CHECK(device.most_at_once <= 2 * most_staging);
}

}  // namespace

TEST_CASE("collectives move more than 4 GiB, a bounded part of it through the host at a time") {
    for (const bool is_inter : {false, true})
        for (const Moved &row : moved) {
            CAPTURE(name_of_collective(row.kind));
            CAPTURE(is_inter);
            PatternDevice device(row.block);
            // Each time another root gathers; all are sent the same by one that scatters.
            device.source = [&](u32 pe, u32 address) -> PatternDevice::Place {
                const u32 others = is_inter && pe < ranks ? ranks : 0, from = (address - row.receive) / row.block,
                          offset = (address - row.receive) % row.block;
                switch (row.kind) {
                    case MOG_MPI_bcast: return {0, address};
                    case MOG_MPI_scatter:
                    case MOG_MPI_scatterv: return {0, row.send + pe % ranks * row.block + offset};
                    case MOG_MPI_alltoall:
                    case MOG_MPI_alltoallv: return {others + from, row.send + pe % ranks * row.block + offset};
                    default: return {others + from, row.send + offset};
                }
            };
            const bool scatters = row.kind == MOG_MPI_scatter || row.kind == MOG_MPI_scatterv;
            const auto make = [&](u32 time) {
                return instance_of(MOG_MPI_WORD(row.kind, 0, 0, 0), scatters ? 0 : time, row.send, row.receive, row.block, is_inter);
            };
            perform(device, make, row.times);
            const u64 groups = is_inter && !has_root(row.kind) ? 2 : 1;
            // The root of a broadcast has its bytes.
            const u64 wanted = row.came * row.times * groups - (row.kind == MOG_MPI_bcast && !is_inter ? row.block : 0);
            CHECK(wanted > UINT32_MAX);
            CHECK(device.came == wanted);
        }
}

TEST_CASE("collectives combine more than 4 GiB, a bounded part of it at a time") {
    for (const bool is_inter : {false, true})
        for (const u32 kind :
             {MOG_MPI_reduce, MOG_MPI_allreduce, MOG_MPI_reduce_scatter, MOG_MPI_reduce_scatter_block, MOG_MPI_scan, MOG_MPI_exscan}) {
            const bool is_scan = kind == MOG_MPI_scan || kind == MOG_MPI_exscan,
                       is_scattered = kind == MOG_MPI_reduce_scatter || kind == MOG_MPI_reduce_scatter_block;
            // Between groups there are no scans; and all others of them differ from these only in who gets what.
            if (is_inter && kind != MOG_MPI_reduce && kind != MOG_MPI_reduce_scatter) continue;
            CAPTURE(name_of_collective(kind));
            CAPTURE(is_inter);
            // Lists of reduce_scatter count elements: of 8 bytes, for it goes faster; their lower words are looked at.
            PatternDevice device(block_of_words / 8);
            device.word = [&](u32 pe, u32 address) {
                const u32 from = near + address - far + (is_scattered ? pe % ranks * block_of_words : 0);
                if (is_scan) return sum_of_words(0, kind == MOG_MPI_scan ? pe + 1 : pe, from);
                const u32 first = is_inter && pe < ranks ? ranks : 0;
                return sum_of_words(first, first + ranks, from);
            };
            const u32 count = (kind == MOG_MPI_reduce_scatter_block ? block_of_words : large_block) / 8;
            const u32 word0 = MOG_MPI_WORD(kind, 0, MPI_UNSIGNED_LONG_LONG, MPI_SUM);
            perform(
                device, [&](u32 own) { return instance_of(word0, own, near, far, count, is_inter); }, 1);
            const u64 receivers = kind == MOG_MPI_reduce ? 1 : kind == MOG_MPI_exscan ? ranks - 1 : is_inter ? 2 * ranks : ranks;
            CHECK(u64{ranks} * large_block > UINT32_MAX);
            CHECK(device.came == receivers * (is_scattered ? block_of_words : large_block));
        }
}

TEST_CASE("windows: more than 4 GiB are put, got, combined and fetched in a round") {
    constexpr u32 last = ranks - 1;
    constexpr struct {
        mog_mpi_access_kind kind;
        bool fetches;
    } rows[] = {{MOG_MPI_PUT, false}, {MOG_MPI_GET, false}, {MOG_MPI_ACCUMULATE, false}, {MOG_MPI_ACCUMULATE, true}};
    for (const auto [kind, fetches] : rows) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(fetches);
        PatternDevice device(0);
        device.access = {static_cast<u8>(kind),
                         static_cast<u8>(MPI_UNSIGNED_LONG_LONG),
                         static_cast<u8>(MPI_SUM),
                         0,
                         0,
                         0,
                         0,
                         large_block,
                         near,
                         fetches               ? third
                         : kind == MOG_MPI_GET ? near
                                               : 0,
                         0,
                         0,
                         0,
                         0};
        if (kind == MOG_MPI_PUT)
            device.source = [](u32 pe, u32 address) { return PatternDevice::Place{(pe + last) % ranks, address - far + near}; };
        if (kind == MOG_MPI_GET)
            device.source = [](u32 pe, u32 address) { return PatternDevice::Place{(pe + 1) % ranks, address - near + far}; };
        if (kind == MOG_MPI_ACCUMULATE)
            device.word = [](u32 pe, u32 address) {
                if (address < far) return sent_word((pe + 1) % ranks, address - third + far);
                return sent_word(pe, address) + sent_word((pe + last) % ranks, address - far + near);
            };
        Delivery delivery(device, {}, {data_bytes}, {});
        WindowAccesses accesses(delivery, [](auto &&...) { FAIL("nothing is elsewhere"); });
        const auto parts = std::make_shared<WindowParts>(ranks);
        std::vector<WindowCall> calls;
        for (u32 pe = 0; pe < ranks; pe++) {
            (*parts)[pe].pe = pe;
            (*parts)[pe].ranges[far] = large_block;
            calls.push_back({.pe = pe, .list = access_at, .count = 1, .parts = parts});
        }
        REQUIRE(accesses.perform(calls));
        std::vector<u32> resumed;
        REQUIRE(delivery.flush(resumed));
        CHECK(std::ranges::all_of(calls, [](const WindowCall &call) { return call.error == MPI_SUCCESS; }));
        CHECK(device.wrong == 0);
        CHECK(device.came == u64{ranks} * large_block * (fetches ? 2 : 1));
        CHECK(device.most_at_once <= 2 * most_staging);
    }
}

TEST_CASE("files: more than 4 GiB are read and written in a round") {
    for (const u32 operation : {MOG_MPI_file_read, MOG_MPI_file_write}) {
        CAPTURE(operation);
        PatternDevice device(large_block);
        device.word = sent_word;
        Delivery delivery(device, {}, {data_bytes}, {});
        Budget budget(1u << 30);
        Communicators communicators(World{ranks}, budget);
        const auto file = std::make_shared<PatternFile>(large_block);
        Host host;
        host.file = [&](u32, u32) { return file; };
        Files files(communicators, delivery, host, nullptr);
        for (u32 pe = 0; pe < ranks; pe++)
            files.move({pe, std::array{MOG_MPI_WORD(operation, 0, 0, 0), 3u, pe, runs_at, 1u, near, large_block, 0u}.data()});
        REQUIRE(files.end_round());
        std::vector<u32> resumed;
        REQUIRE(delivery.flush(resumed));
        CHECK(resumed.size() == ranks);
        CHECK(device.wrong + file->wrong == 0);
        CHECK((operation == MOG_MPI_file_read ? device.came : file->written) == u64{ranks} * large_block);
        CHECK(device.most_at_once <= 2 * most_staging);
    }
}

TEST_CASE("what is put beyond 4 GiB in a round comes to the right place") {
    PatternDevice device(0);
    device.source = [](u32, u32 address) { return PatternDevice::Place{0, address - far + near}; };
    Delivery delivery(device, {}, {data_bytes}, {});
    // All ranks are sent the same here.
    std::vector<u8> all(large_block);
    for (u32 i = 0; i < all.size(); i++) all[i] = sent(0, near + i);
    for (u32 rank = 0; rank < ranks; rank++) delivery.put(rank, far, all);
    std::vector<u32> resumed;
    REQUIRE(delivery.flush(resumed));
    CHECK(device.wrong == 0);
    CHECK(device.came == u64{ranks} * large_block);
    CHECK(device.most_at_once <= most_staging + 4);
}

TEST_CASE("a copy within a PE moves bytes as memmove does, whatever overlaps") {
    constexpr u32 bytes = 12u << 20;
    for (const u32 shift : {1u, 4100u, 5u << 20, 7u << 20})
        for (const bool up : {true, false}) {
            CAPTURE(shift);
            CAPTURE(up);
            test::FakeDevice device(1, 20u << 20);
            Delivery delivery(device, {}, {20u << 20}, {});
            std::string before(bytes, ' ');
            for (u32 i = 0; i < bytes; i++) before[i] = static_cast<char>(sent(0, i) ^ (i >> 16));
            const u32 from = MOG_DATA_BASE + (up ? 0 : shift), to = MOG_DATA_BASE + (up ? shift : 0);
            device.put(0, from, before);
            delivery.copy(0, from, 0, to, bytes);
            std::vector<u32> resumed;
            REQUIRE(delivery.flush(resumed));
            CHECK(device.get(0, to, bytes) == before);
        }
}

TEST_CASE("when the run is over, a round is left") {
    test::FakeDevice device(2, 1u << 20);
    bool is_over = false;
    Delivery delivery(device, {}, {1u << 20}, [&] { return is_over; });
    std::vector<u32> resumed;
    delivery.resume(0, 0);
    REQUIRE(delivery.flush(resumed));
    CHECK(resumed.size() == 1);
    is_over = true;
    CHECK(!delivery.is_over_after(1));  // clocks are not asked at each step
    CHECK(delivery.is_over_after(1u << 30));
    delivery.resume(1, 0);
    CHECK(!delivery.flush(resumed));
    CHECK(resumed.size() == 1);
    CHECK(delivery.was_over());
}
