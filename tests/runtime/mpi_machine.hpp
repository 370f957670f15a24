// mpi_machine.hpp: the MPI engine without programs: calls of PEs as words, PEs' memory before and after, and who goes on when.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "abi/mpi_call.h"
#include "abi/mpi_constants.h"
#include "runtime_host/mpi/engine.hpp"
#include "tests/runtime/fake_device.hpp"

namespace mog::test {

using mpi::u32;
using Pes = std::vector<u32>;

inline constexpr u32 base = MOG_DATA_BASE, data_bytes = 0x1000, result_at = base + 0x800, list_at = base + 0x900;
inline constexpr u32 v0_row = 100, a3_row = 101;
inline constexpr u32 int_type = MPI_INT & 0xff, sum = MPI_SUM & 0xff, max = MPI_MAX & 0xff;

/// PEs of one process, with the engine that serves them.
struct Machine {
    FakeDevice device;
    mpi::Engine engine;

    explicit Machine(u32 pes, mpi::Settings settings = {}, mpi::Bridge *bridge = nullptr)
        : device(pes, data_bytes), engine(device, pes, {data_bytes}, {v0_row, a3_row}, settings, host(), bridge) {}

    static mpi::Host host() {
        mpi::Host host;
        host.say = [](std::string_view) {};
        host.place_of = [](u32) { return std::string("in main"); };
        host.file = [](u32, u32) { return std::shared_ptr<OpenFile>(); };
        host.seconds = [] { return 0.0; };
        return host;
    }

    /// A round: the words of each PE's call, by PE. Gives who goes on, ascending.
    Pes round(const std::map<u32, std::array<u32, 8>> &calls) {
        std::vector<Request> requests;
        for (const auto &[pe, words] : calls) requests.push_back(system_call(pe, guest::call_mog_mpi, {words.begin(), words.end()}));
        Pes resumed;
        REQUIRE(engine.serve(requests, resumed));
        std::ranges::sort(resumed);
        return resumed;
    }
    /// What the PE's call gave: 0 or more, or minus an error class.
    std::int32_t said(u32 pe) { return static_cast<std::int32_t>(device.state.at({pe, v0_row})); }

    void put(u32 pe, u32 address, const std::vector<u32> &words) {
        device.put(pe, address, {reinterpret_cast<const char *>(words.data()), 4 * words.size()});
    }
    std::vector<u32> get(u32 pe, u32 address, std::size_t count) const {
        std::vector<u32> words(count);
        std::memcpy(words.data(), device.get(pe, address, 4 * count).data(), 4 * count);
        return words;
    }
    template <typename Structure>
    void put_structure(u32 pe, u32 address, const Structure &structure) {
        device.put(pe, address, {reinterpret_cast<const char *>(&structure), sizeof structure});
    }
    template <typename Structure>
    Structure get_structure(u32 pe, u32 address) const {
        Structure structure;
        std::memcpy(&structure, device.get(pe, address, sizeof structure).data(), sizeof structure);
        return structure;
    }
    mog_mpi_result result(u32 pe, u32 address = result_at) const { return get_structure<mog_mpi_result>(pe, address); }
};

inline std::array<u32, 8> send(u32 me, u32 to, u32 tag, u32 bytes, u32 flags = 0, u32 context = MOG_MPI_WORLD, u32 address = base) {
    return {MOG_MPI_WORD(MOG_MPI_send, flags, 0, 0), context, me, to, tag, address, bytes, flags & MOG_MPI_NONBLOCKING ? result_at : 0};
}
inline std::array<u32, 8> receive(u32 me, int from, int tag, u32 bytes, u32 address, u32 flags = 0, u32 context = MOG_MPI_WORLD) {
    return {
        MOG_MPI_WORD(MOG_MPI_receive, flags, 0, 0), context, me, static_cast<u32>(from), static_cast<u32>(tag), address, bytes, result_at};
}
inline std::array<u32, 8> collective(u32 operation, u32 me, u32 root, u32 from, u32 to, u32 count, u32 type = 0, u32 reduction = 0,
                                     u32 context = MOG_MPI_WORLD) {
    return {MOG_MPI_WORD(operation, 0, type, reduction), context, me, root, from, to, count, 0};
}

}  // namespace mog::test
