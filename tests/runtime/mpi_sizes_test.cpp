// mpi_sizes_test.cpp: collectives and puts whose bytes do not fit 32 bits, with a device that has no memory but knows what has to come.
#include <doctest/doctest.h>

#include <cstring>
#include <numeric>

#include "runtime_host/mpi/collective.hpp"
#include "runtime_pe/include/mpi.h"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::mpi;

namespace {

constexpr u32 ranks = 1024, block = 4500, data_bytes = 16u << 20;
constexpr u32 more_at = MOG_DATA_BASE, counts_at = more_at + 64, displacements_at = counts_at + 4 * ranks, send_at = MOG_DATA_BASE + (1u << 20),
              receive_at = MOG_DATA_BASE + (8u << 20);

/// What stands at an address of a PE that sends.
u8 sent(u32 pe, u32 address) { return static_cast<u8>(pe * 7 + address * 31 + (address >> 8)); }

/// All PEs have the same lists; what they send is as above; what they get is compared, the ends of each block.
class PatternDevice final : public Device {
public:
    bool is_alltoall = false;
    std::vector<u64> came = std::vector<u64>(ranks);  ///< bytes, by PE
    u64 wrong = 0, most_at_once = 0;

    PatternDevice() : lists_(1u << 20) {
        mog_mpi_more more{};
        more.send_counts = more.receive_counts = counts_at;
        more.send_displacements = more.receive_displacements = displacements_at;
        more.send_unit = more.receive_unit = 1;
        std::memcpy(lists_.data(), &more, sizeof more);
        for (u32 i = 0; i < ranks; i++) {
            const u32 count = block, displacement = i * block;
            std::memcpy(lists_.data() + (counts_at - MOG_DATA_BASE) + 4 * i, &count, 4);
            std::memcpy(lists_.data() + (displacements_at - MOG_DATA_BASE) + 4 * i, &displacement, 4);
        }
    }
    const DeviceInfo &info() const override { return info_; }
    std::uint64_t bytes_per_pe(const Image &, std::uint32_t data_words) const override { return 4ull * data_words; }
    Result<void> load(const Image &, const LoadConfig &) override { return {}; }
    Result<std::vector<Request>> run(std::span<const std::uint32_t>, std::uint32_t, std::span<const std::uint32_t>) override { return Error{"no PE runs"}; }
    Result<DeviceStats> stats() override { return DeviceStats{}; }

    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override {
        for (const Transfer &t : transfers) {
            REQUIRE(u64{t.staging} + t.length <= staging.size());
            if (t.address < send_at) std::memcpy(staging.data() + t.staging, lists_.data() + (t.address - MOG_DATA_BASE), t.length);
            else
                for (u32 i = 0; i < t.length; i++) staging[t.staging + i] = sent(t.pe, t.address + i);
        }
        most_at_once = std::max<u64>(most_at_once, staging.size());
        return {};
    }
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override {
        for (const Transfer &t : transfers) {
            REQUIRE(u64{t.staging} + t.length <= staging.size());
            came[t.pe] += t.length;
            for (u32 i = 0; i < t.length; i += std::min(997u, std::max(1u, t.length - 1 - i))) wrong += staging[t.staging + i] != expected(t.pe, t.address + i);
        }
        most_at_once = std::max<u64>(most_at_once, staging.size());
        return {};
    }
    Result<void> copy(std::span<const Copy> copies) override {
        for (const Copy &c : copies) {
            came[c.to_pe] += c.length;
            for (const u32 i : {0u, c.length - 1}) wrong += sent(c.from_pe, c.from + i) != expected(c.to_pe, c.to + i);
        }
        return {};
    }

private:
    u8 expected(u32 pe, u32 address) const {
        const u32 from = (address - receive_at) / block, offset = (address - receive_at) % block;
        return sent(from, send_at + (is_alltoall ? pe * block : 0) + offset);
    }
    DeviceInfo info_;
    std::vector<u8> lists_;
};

Instance all_ranks(u32 operation) {
    Instance instance;
    for (u32 rank = 0; rank < ranks; rank++)
        instance.parts.push_back({rank, rank, rank, {MOG_MPI_WORD(operation, 0, 0, 0), 0, rank, 0, send_at, receive_at, block, more_at}});
    return instance;
}

}  // namespace

TEST_CASE("collectives move more than 4 GiB, a bounded part of it through the host at a time") {
    for (const u32 operation : {MOG_MPI_allgather, MOG_MPI_allgatherv, MOG_MPI_alltoall, MOG_MPI_alltoallv}) {
        CAPTURE(operation);
        PatternDevice device;
        device.is_alltoall = operation == MOG_MPI_alltoall || operation == MOG_MPI_alltoallv;
        Delivery delivery(device, {}, data_bytes, {});
        Budget budget(1u << 30);
        Communicators communicators(World{ranks}, budget);
        Performer performer(communicators, delivery);
        const Result<int> done = performer.perform(all_ranks(operation));
        REQUIRE(done);
        CHECK(*done == MPI_SUCCESS);
        std::vector<u32> resumed;
        REQUIRE(delivery.flush(resumed));
        CHECK(device.wrong == 0);
        CHECK(u64{ranks} * ranks * block > UINT32_MAX);
        CHECK(std::ranges::count(device.came, u64{ranks} * block) == ranks);
        CHECK(device.most_at_once <= 2 * most_staging);
    }
}

TEST_CASE("what is put beyond 4 GiB in a round comes to the right place") {
    PatternDevice device;
    Delivery delivery(device, {}, data_bytes, {});
    // All ranks are sent the same here.
    std::vector<u8> all(u64{ranks} * block);
    for (u32 i = 0; i < all.size(); i++) all[i] = sent(i / block, send_at + i % block);
    for (u32 rank = 0; rank < ranks; rank++) delivery.put(rank, receive_at, all);
    std::vector<u32> resumed;
    REQUIRE(delivery.flush(resumed));
    CHECK(device.wrong == 0);
    CHECK(std::ranges::count(device.came, u64{ranks} * block) == ranks);
    CHECK(device.most_at_once <= most_staging + 4);
}

TEST_CASE("a copy within a PE moves bytes as memmove does, whatever overlaps") {
    constexpr u32 bytes = 12u << 20;
    for (const u32 shift : {1u, 4100u, 5u << 20, 7u << 20})
        for (const bool up : {true, false}) {
            CAPTURE(shift);
            CAPTURE(up);
            test::FakeDevice device(1, 20u << 20);
            Delivery delivery(device, {}, 20u << 20, {});
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
    Delivery delivery(device, {}, 1u << 20, [&] { return is_over; });
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
