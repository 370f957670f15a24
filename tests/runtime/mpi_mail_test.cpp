// Mailboxes: the code of kernels, compiled for this machine, and the engine that takes over what is in them. PEs are threads of nothing but
// calls, and who comes next, and when the host has its turn, is drawn.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <random>

#include "runtime_host/mpi/pt2pt/mail.hpp"
#include "tests/runtime/mpi_machine.hpp"

using namespace mog;
using namespace mog::mpi;
using namespace mog::test;

namespace kernel {

// What dialects and generator give a kernel.
// NOLINTBEGIN
using i32 = std::int32_t;
enum { MOG_REG_V0, MOG_REG_A0, MOG_REG_A1, MOG_REG_A2, MOG_REG_A3, MOG_REG_SP, registers_of_pe };
#define FUNCTION [[maybe_unused]] static
#define SEPARATE_FUNCTION static
#define DATA_SPACE
#define DEVICE_BUFFER
#define REGISTERS_PARAMETER u32 *registers
#define REG(n) registers[n]
#define PRIVATE_WORD(w) mem[w]
#define PRIVATE_GET32(w) PRIVATE_WORD(w)
#define PRIVATE_PUT32(w, v) PRIVATE_WORD(w) = (v);
#define PRIVATE_GET8(o) (reinterpret_cast<u8 *>(mem)[o])
#define PRIVATE_PUT8(o, v) PRIVATE_GET8(o) = static_cast<u8>(v);
#define PE_MEMORY(pe) (data + (pe) * (data_words + MOG_M_WORDS))
#define NOW_AT(p) (*(const volatile u32 *)(p))
#define FENCE
#define ATOMIC_INC(p) (*(p))++
#define COMPARE_AND_SWAP(p, old, value) (*(p) == (old) ? (*(p) = (value), (old)) : *(p))
constexpr u32 MOG_READ_ONLY_BASE = base + 0x700, constant_bytes = 0x10, WAITS_IN_LAUNCH = 1024;
constexpr u32 MAIL_SEND = MOG_MPI_send, MAIL_RECEIVE = MOG_MPI_receive, MAIL_PROBE = MOG_MPI_probe, MAIL_WAIT = MOG_MPI_wait,
              MAIL_YIELD = MOG_MPI_yield, MAIL_NONBLOCKING = MOG_MPI_NONBLOCKING, MAIL_WORLD = MOG_MPI_WORLD,
              MAIL_INTERNAL = MOG_MPI_INTERNAL, MAIL_ANY_SOURCE = static_cast<u32>(MPI_ANY_SOURCE),
              MAIL_ANY_TAG = static_cast<u32>(MPI_ANY_TAG), MAIL_RESULT_DONE = MOG_MPI_DONE, MAIL_TRUNCATED = MPI_ERR_TRUNCATE;
#include "interp_templates/kernels/own_calls.h"
// Its functions are those of:
#include "interp_templates/kernels/mailboxes.h"
#undef FUNCTION
#undef SEPARATE_FUNCTION
#undef DATA_SPACE
#undef DEVICE_BUFFER
#undef REGISTERS_PARAMETER
#undef REG
#undef NOW_AT
#undef FENCE
#undef MAIL
#undef POSTED
// NOLINTEND

}  // namespace kernel

namespace {

constexpr u32 memory_bytes = 0x10000, stack = base + memory_bytes - 64;

/// PEs' memory, one after the other, each with its mailbox behind it.
class MailDevice final : public Device, public mog::Mailboxes {
public:
    explicit MailDevice(u32 pes) : nproc(pes), words(pes * (memory_bytes / 4 + MOG_M_WORDS)), registers(pes) {
        for (u32 pe = 0; pe < pes; pe++) {
            *place(pe, base + 4 * MOG_CB_NPROC) = pes;
            registers[pe][kernel::MOG_REG_SP] = stack;
        }
    }

    /// The PE makes this call: what becomes of it in a launch, one of CALL_...
    u32 call(u32 pe, const std::array<u32, 8> &w, u32 tries = kernel::WAITS_IN_LAUNCH) {
        for (u32 k = 0; k < 4; k++) registers[pe][kernel::MOG_REG_A0 + k] = w[k];
        std::memcpy(place(pe, stack + 16), w.data() + 4, 16);
        header[MOG_N_MAIL] = how;
        if (how == MOG_MAIL_RESTS) return CALL_FOR_HOST;
        return kernel::mog_mail(registers[pe].data(), place(pe, base), words.data(), memory_bytes / 4, pe, kernel::constant_bytes,
                                header.data(), tries);
    }
    std::int32_t said(u32 pe) const { return static_cast<std::int32_t>(registers[pe][kernel::MOG_REG_V0]); }
    u32 *place(u32 pe, u32 at) { return words.data() + pe * (memory_bytes / 4 + MOG_M_WORDS) + (at - base) / 4; }

    u32 address() const override { return base + memory_bytes; }
    void use(u32 now) override { how = now; }
    u32 moved() const override { return header[MOG_N_MOVED]; }

    const DeviceInfo &info() const override { return info_; }
    std::uint64_t bytes_per_pe(const Image &, u32) const override { return 0; }
    Result<void> load(const Image &, const LoadConfig &) override { return {}; }
    Result<std::vector<Request>> run(std::span<const u32>, u32, std::span<const u32>) override { return std::vector<Request>(); }
    Result<DeviceStats> stats() override { return DeviceStats{}; }
    Result<void> gather(std::span<const Transfer> transfers, std::span<u8> staging) override {
        for (const Transfer &t : transfers) std::memcpy(staging.data() + t.staging, bytes(t), t.length);
        return {};
    }
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const u8> staging) override {
        for (const Transfer &t : transfers) std::memcpy(bytes(t), staging.data() + t.staging, t.length);
        return {};
    }

    u32 nproc, how = MOG_MAIL_RESTS;
    std::array<u32, MOG_N_WORDS> header{};
    std::vector<u32> words;
    std::vector<std::array<u32, kernel::registers_of_pe>> registers;
    std::map<u32, u32> places;  ///< how far the host has led PEs on

private:
    u8 *bytes(const Transfer &t) {
        if (t.is_state && t.address == MOG_S_PC) return reinterpret_cast<u8 *>(&places[t.pe]);
        if (t.is_state) return reinterpret_cast<u8 *>(&registers[t.pe][t.address == v0_row ? kernel::MOG_REG_V0 : kernel::MOG_REG_A3]);
        return reinterpret_cast<u8 *>(place(t.pe, t.address & ~3u)) + t.address % 4;
    }
    DeviceInfo info_;
};

struct MailMachine {
    MailDevice device;
    mpi::Engine engine;

    explicit MailMachine(u32 pes)
        : device(pes), engine(device, pes, {memory_bytes}, {v0_row, a3_row}, {}, Machine::host(), nullptr, &device) {}

    Pes round(const std::map<u32, std::array<u32, 8>> &calls) {
        std::vector<Request> requests;
        for (const auto &[pe, w] : calls) requests.push_back(system_call(pe, guest::call_mog_mpi, {w.begin(), w.end()}));
        Pes resumed;
        REQUIRE(engine.serve(requests, resumed));
        return resumed;
    }
    void launch_ends(bool is_quiet) {
        REQUIRE(engine.launched(is_quiet));
        device.header = {};
    }
};

std::array<u32, 8> wait_for(u32 number) { return {MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), number, 1, 1, 0, 0, 0, 0}; }

}  // namespace

TEST_CASE("a message that is left in a mailbox is received there, or by the host, if the receive comes to it") {
    MailMachine m(2);
    *m.device.place(0, base + 0x100) = 77;
    CHECK(m.device.call(0, test::send(0, 1, 5, 4, 0, MOG_MPI_WORLD, base + 0x100)) == CALL_DONE);
    CHECK(m.device.call(1, receive(1, 0, 5, 4, base + 0x200)) == CALL_DONE);
    CHECK(*m.device.place(1, base + 0x200) == 77);
    CHECK(*m.device.place(1, result_at) == MOG_MPI_DONE);
    *m.device.place(0, base + 0x100) = 78;
    CHECK(m.device.call(0, test::send(0, 1, 5, 4, 0, MOG_MPI_WORLD, base + 0x100)) == CALL_DONE);
    m.launch_ends(false);
    CHECK(m.round({{1, receive(1, MPI_ANY_SOURCE, MPI_ANY_TAG, 4, base + 0x200)}}) == Pes{1});
    CHECK(*m.device.place(1, base + 0x200) == 78);
    CHECK(m.device.call(1, receive(1, 0, 5, 4, base + 0x200)) == CALL_AGAIN);
}

TEST_CASE("a message that is longer than its receive is an error of the receive, or of its result") {
    MailMachine m(2);
    for (int i = 0; i < 3; i++) CHECK(m.device.call(0, test::send(0, 1, 5, 8)) == CALL_DONE);
    CHECK(m.device.call(1, receive(1, 0, 5, 4, base + 0x200)) == CALL_DONE);
    CHECK(m.device.said(1) == -MPI_ERR_TRUNCATE);
    CHECK(m.device.call(1, receive(1, 0, 5, 4, base + 0x200, MOG_MPI_NONBLOCKING)) == CALL_DONE);
    CHECK(m.device.said(1) == 0);
    CHECK(*m.device.place(1, result_at) == (MOG_MPI_DONE | MPI_ERR_TRUNCATE << 8));
    CHECK(*m.device.place(1, result_at + 12) == 4);
    CHECK(m.device.call(1, receive(1, 0, 5, 8, base + 0x200)) == CALL_DONE);
    CHECK(m.device.said(1) == 0);
}

TEST_CASE("a mailbox is closed as long as the host has something of its PE") {
    MailMachine m(2);
    CHECK(m.device.call(0, test::send(0, 1, 5, 4)) == CALL_DONE);
    m.launch_ends(false);
    // A longer one stays with the host, and the one before with it.
    CHECK(m.round({{0, test::send(0, 1, 6, 200)}}) == Pes{0});
    CHECK(m.device.call(0, test::send(0, 1, 5, 4)) == CALL_FOR_HOST);
    CHECK(m.device.call(1, receive(1, 0, 5, 4, base + 0x200)) == CALL_FOR_HOST);
    CHECK(m.device.call(1, test::send(1, 0, 5, 4)) == CALL_DONE);
    CHECK(m.round({{1, receive(1, 0, 5, 4, base + 0x200)}}) == Pes{1});
    CHECK(m.device.call(0, test::send(0, 1, 5, 4)) == CALL_FOR_HOST);
    CHECK(m.round({{1, receive(1, 0, 6, 200, base + 0x200)}}) == Pes{1});
    CHECK(m.device.call(0, test::send(0, 1, 5, 4)) == CALL_DONE);
}

TEST_CASE("a long message is fetched where it is, and its sender goes on then") {
    MailMachine m(2);
    constexpr u32 bytes = 300, from = base + 0x1000, to = base + 0x2000;
    const auto fill = [&](u32 first) {
        for (u32 i = 0; i < bytes / 4; i++) m.device.place(0, from)[i] = first + i;
    };
    const auto has = [&](u32 first) {
        for (u32 i = 0; i < bytes / 4; i++)
            if (m.device.place(1, to)[i] != first + i) return false;
        return true;
    };
    const auto blocking = test::send(0, 1, 5, bytes, 0, MOG_MPI_WORLD, from);
    fill(1000);
    CHECK(m.device.call(0, blocking) == CALL_AGAIN);
    CHECK(m.device.call(0, blocking) == CALL_AGAIN);
    CHECK(m.device.call(1, receive(1, 0, 5, bytes, to)) == CALL_DONE);
    CHECK(has(1000));
    CHECK(m.device.call(0, blocking) == CALL_DONE);
    // It is not taken for long: the host has it.
    fill(2000);
    CHECK(m.device.call(0, blocking) == CALL_AGAIN);
    CHECK(m.device.call(0, blocking, 0) == CALL_FOR_HOST);
    m.launch_ends(false);
    CHECK(m.round({{0, blocking}}) == Pes{0});
    CHECK(m.round({{1, receive(1, 0, 5, bytes, to)}}) == Pes{1});
    CHECK(has(2000));
    // It is taken when the call is on its way to the host.
    fill(3000);
    CHECK(m.device.call(0, blocking) == CALL_AGAIN);
    CHECK(m.device.call(0, blocking, 0) == CALL_FOR_HOST);
    CHECK(m.device.call(1, receive(1, 0, 5, bytes, to)) == CALL_DONE);
    CHECK(has(3000));
    m.launch_ends(false);
    CHECK(m.round({{0, blocking}}) == Pes{0});
    CHECK(m.device.call(1, receive(1, 0, 5, bytes, to)) == CALL_AGAIN);
    // Nobody waits for it at once.
    const auto begins = test::send(0, 1, 5, bytes, MOG_MPI_NONBLOCKING, MOG_MPI_WORLD, from);
    fill(4000);
    *m.device.place(0, result_at) = 0;
    CHECK(m.device.call(0, begins) == CALL_DONE);
    const u32 number = static_cast<u32>(m.device.said(0));
    CHECK(number > MOG_M_NUMBERS);
    CHECK(m.device.call(0, wait_for(number)) == CALL_AGAIN);
    SUBCASE("in the launch") { CHECK(m.device.call(1, receive(1, 0, 5, bytes, to)) == CALL_DONE); }
    SUBCASE("by the host, which its sender asks") {
        m.launch_ends(false);
        CHECK(m.round({{0, wait_for(number)}}).empty());
        CHECK(m.device.call(1, receive(1, 0, 5, bytes, to)) == CALL_FOR_HOST);
        CHECK(m.round({{1, receive(1, 0, 5, bytes, to)}}).size() == 2);
    }
    SUBCASE("by the host, which its receiver asks") {
        m.launch_ends(false);
        CHECK(m.round({{1, receive(1, 0, 5, bytes, to)}}) == Pes{1});
    }
    CHECK(has(4000));
    CHECK(*m.device.place(0, result_at) == MOG_MPI_DONE);
}

TEST_CASE("who waits for a message to be taken, and it was, goes on when all is settled") {
    MailMachine m(2);
    CHECK(m.device.call(0, test::send(0, 1, 5, 300)) == CALL_AGAIN);
    CHECK(m.device.call(1, receive(1, 0, 5, 300, base + 0x2000)) == CALL_DONE);
    m.launch_ends(false);
    REQUIRE(m.engine.settle());
    CHECK(m.device.places[0] == 1);
    CHECK(m.device.said(0) == 0);
    CHECK(m.device.call(0, test::send(0, 1, 5, 4)) == CALL_DONE);
}

TEST_CASE("who waits and is alone with that calls the host in the next launch") {
    MailMachine m(2);
    CHECK(m.device.call(0, receive(0, 1, 5, 4, base + 0x200)) == CALL_AGAIN);
    m.launch_ends(true);
    CHECK(m.device.call(0, receive(0, 1, 5, 4, base + 0x200)) == CALL_FOR_HOST);
    CHECK(m.round({{0, receive(0, 1, 5, 4, base + 0x200)}}).empty());
    CHECK(m.engine.blocked().size() == 1);
    m.launch_ends(false);
    CHECK(m.device.call(1, test::send(1, 0, 5, 4)) == CALL_FOR_HOST);
}

TEST_CASE("what was taken over in a round is not taken again when all messages are to be seen") {
    MailMachine m(2);
    CHECK(m.device.call(0, test::send(0, 1, 5, 4)) == CALL_DONE);
    m.launch_ends(false);
    CHECK(m.round({{1, {MOG_MPI_WORD(MOG_MPI_variable, 0, 0, 0), 0, 0, MOG_MPI_UNEXPECTED, base + 0x300, 0, 0, 0}}}) == Pes{1});
    CHECK(*m.device.place(1, base + 0x300) == 1);
    CHECK(m.device.how == MOG_MAIL_RESTS);
    CHECK(m.round({{1, receive(1, 0, 5, 4, base + 0x200)}}) == Pes{1});
    CHECK(m.round({{1, receive(1, 0, 5, 4, base + 0x200)}}).empty());
}

TEST_CASE("calls that mailboxes are not for, and buffers that are not good, are the host's") {
    MailMachine m(2);
    for (const std::array<u32, 8> &call :
         {test::send(0, 1, 5, MOG_M_LONGEST + 1), test::send(0, 1, 5, 4, MOG_MPI_SYNCHRONOUS), test::send(0, 1, 5, 4, 0, MOG_MPI_SELF),
          test::send(0, 2, 5, 4), test::send(1, 0, 5, 4), test::send(0, 1, static_cast<u32>(-1), 4),
          test::send(0, 1, 5, 4, 0, MOG_MPI_WORLD, base - 4), test::send(0, 1, 5, 4, 0, MOG_MPI_WORLD, base + memory_bytes - 2),
          receive(0, 1, 5, 4, base + 0x700), receive(0, 1, 5, 4, base + 0x6fe), receive(0, 2, 5, 4, base), receive(0, 1, -3, 4, base),
          receive(0, 1, 5, 4, base, MOG_MPI_MATCHED), wait_for(3), collective(MOG_MPI_barrier, 0, 0, 0, 0, 0)})
        CHECK(m.device.call(0, call) == CALL_FOR_HOST);
    CHECK(m.device.call(0, wait_for(0)) == CALL_DONE);
    CHECK(m.device.call(0, receive(0, 1, 5, 0x6f0, base)) == CALL_AGAIN);
}

TEST_CASE("no message overtakes another one, whichever way each takes") {
    constexpr u32 pes = 3, sends_of_each = 40, longest = 200;
    struct Sent {
        u32 to, tag, bytes;
    };
    struct Received {
        u32 tag = 0, number = 0;
    };
    struct Pe {
        std::vector<Sent> sends;
        std::size_t sent = 0;
        std::vector<u32> numbers;               ///< of sends that it has not waited for
        std::vector<u32> tags;                  ///< of what comes to it
        std::vector<Received> received;         ///< or to be
        std::array<u32, pes> serials{};         ///< by receiver: of the next message
        std::optional<std::array<u32, 8>> now;  ///< the call under way,
        bool is_at_host = false, is_parked = false;
    };
    const auto result_of = [](std::size_t i) { return base + 0xb000 + 16 * static_cast<u32>(i); };
    const auto place_of = [](std::size_t i) { return base + 0x1000 + 200 * static_cast<u32>(i); };
    const auto result_of_send = [](std::size_t i) { return base + 0xc000 + 16 * static_cast<u32>(i); };
    const auto place_of_send = [](std::size_t i) { return base + 0xd000 + 200 * static_cast<u32>(i); };
    int by_mailbox = 0, by_host = 0;
    for (unsigned seed = 0; seed < 300; seed++) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto draw = [&](u32 below) { return static_cast<u32>(random() % below); };
        MailMachine m(pes);
        std::array<Pe, pes> all;
        for (Pe &pe : all)
            for (u32 i = 0; i < sends_of_each; i++) {
                const u32 to = draw(pes), tag = draw(3);
                pe.sends.push_back({to, tag, draw(4) == 0 ? 68 + 4 * draw(34) : 8 + 4 * draw(15)});
                all[to].tags.push_back(tag);
            }
        // The next call of a PE, or none: all it has to do is done.
        const auto next = [&](u32 at) -> std::optional<std::array<u32, 8>> {
            Pe &pe = all[at];
            const bool receives = pe.received.size() < pe.tags.size();
            if (pe.sent < pe.sends.size() && (!receives || draw(2) == 0)) {
                const std::size_t i = pe.sent++;
                const Sent &s = pe.sends[i];
                u32 *const out = m.device.place(at, place_of_send(i));
                out[0] = at;
                out[1] = pe.serials[s.to]++;
                out[s.bytes / 4 - 1] = s.bytes == 8 ? out[1] : at ^ out[1];
                auto call = test::send(at, s.to, s.tag, s.bytes, draw(2) ? MOG_MPI_NONBLOCKING : 0, MOG_MPI_WORLD, place_of_send(i));
                if (call[7] != 0) call[7] = result_of_send(i);
                return call;
            }
            if (receives) {
                const std::size_t i = pe.received.size();
                pe.received.push_back({pe.tags[i]});
                auto call = receive(at, MPI_ANY_SOURCE, static_cast<int>(pe.tags[i]), longest, place_of(i), MOG_MPI_NONBLOCKING);
                call[7] = result_of(i);
                return call;
            }
            for (std::size_t i = 0; i < pe.received.size(); i++)
                if (*m.device.place(at, result_of(i)) == 0) return wait_for(pe.received[i].number);
            if (!pe.numbers.empty()) return wait_for(pe.numbers.back());
            return std::nullopt;
        };
        const auto finish = [&](u32 at) {
            Pe &pe = all[at];
            REQUIRE(m.device.said(at) >= 0);
            const u32 operation = (*pe.now)[0] & 0xff;
            if (operation == MOG_MPI_receive) pe.received.back().number = static_cast<u32>(m.device.said(at));
            if (operation == MOG_MPI_send && m.device.said(at) > 0) pe.numbers.push_back(static_cast<u32>(m.device.said(at)));
            if (operation == MOG_MPI_wait && !pe.numbers.empty() && (*pe.now)[1] == pe.numbers.back()) pe.numbers.pop_back();
            pe.now.reset();
        };
        for (u32 idle = 0, step = 0; idle < 400; step++, idle++) {
            REQUIRE(step < 100000);
            const u32 at = draw(pes);
            Pe &pe = all[at];
            if (!pe.now) pe.now = next(at);
            if (pe.now && !pe.is_at_host) {
                const u32 way = m.device.call(at, *pe.now, draw(8) == 0 ? 0 : kernel::WAITS_IN_LAUNCH);
                if (way == CALL_DONE) {
                    finish(at);
                    by_mailbox++;
                    idle = 0;
                }
                pe.is_at_host = way == CALL_FOR_HOST;
                by_host += pe.is_at_host;
            }
            if (draw(20) != 0) continue;
            m.launch_ends(idle > 50);  // all may send to full mailboxes
            std::map<u32, std::array<u32, 8>> calls;
            for (u32 who = 0; who < pes; who++)
                if (all[who].is_at_host && !std::exchange(all[who].is_parked, true)) calls[who] = *all[who].now;
            const Pes resumed = m.round(calls);
            for (const auto &[who, steps] : std::exchange(m.device.places, {}))
                if (steps != 0) finish(who);
            for (const u32 who : resumed) {
                all[who].is_at_host = all[who].is_parked = false;
                finish(who);
                idle = 0;
            }
        }
        for (u32 at = 0; at < pes; at++) {
            Pe &pe = all[at];
            REQUIRE(pe.sent == pe.sends.size());
            REQUIRE(pe.received.size() == pe.tags.size());
            REQUIRE(pe.numbers.empty());
            std::map<std::pair<u32, u32>, u32> next_serial;  // by sender and tag: at least
            for (std::size_t i = 0; i < pe.received.size(); i++) {
                REQUIRE(*m.device.place(at, result_of(i)) == MOG_MPI_DONE);
                const u32 from = *m.device.place(at, result_of(i) + 4), serial = *m.device.place(at, place_of(i) + 4);
                CHECK(*m.device.place(at, place_of(i)) == from);
                const u32 bytes = *m.device.place(at, result_of(i) + 12);
                CHECK(m.device.place(at, place_of(i))[bytes / 4 - 1] == (bytes == 8 ? serial : from ^ serial));
                CHECK(*m.device.place(at, result_of(i) + 8) == pe.received[i].tag);
                u32 &least = next_serial[{from, pe.received[i].tag}];
                CHECK(serial >= least);
                least = serial + 1;
            }
        }
    }
    CHECK(by_mailbox > 5000);
    CHECK(by_host > 1000);
}
