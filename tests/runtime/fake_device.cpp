// fake_device.cpp: see fake_device.hpp.
#include "tests/runtime/fake_device.hpp"

#include <doctest/doctest.h>
#include <algorithm>

namespace mog::test {

Request system_call(std::uint32_t pe, std::uint32_t number, std::vector<std::uint32_t> arguments) {
    Request q{};
    q[MOG_Q_PE] = pe;
    q[MOG_Q_STOP] = MOG_STOP_SYS;
    q[MOG_Q_PC] = 1;
    q[MOG_Q_SP] = MOG_DATA_BASE + 0x800;
    q[MOG_Q_NUMBER] = number;
    for (std::size_t i = 0; i < arguments.size(); i++) q[MOG_Q_ARG + i] = arguments[i];
    return q;
}

Request fault(std::uint32_t pe, std::uint32_t stop, std::uint32_t info) {
    Request q{};
    q[MOG_Q_PE] = pe;
    q[MOG_Q_STOP] = stop;
    q[MOG_Q_INFO] = info;
    q[MOG_Q_SP] = MOG_DATA_BASE + 0x800;
    return q;
}

FakeDevice::FakeDevice(std::uint32_t nproc, std::uint32_t data_bytes, std::uint32_t threads)
    : pes_(nproc * threads), memory_(nproc, std::vector<std::uint8_t>(data_bytes)) {
    info_.id = "fake";
}

void FakeDevice::put(std::uint32_t pe, std::uint32_t address, std::string_view bytes) {
    std::memcpy(memory_[pe].data() + (address - MOG_DATA_BASE), bytes.data(), bytes.size());
}

std::string FakeDevice::get(std::uint32_t pe, std::uint32_t address, std::size_t length) const {
    const auto *at = reinterpret_cast<const char *>(memory_[pe].data()) + (address - MOG_DATA_BASE);
    return {at, length};
}

Result<std::vector<Request>> FakeDevice::run(std::span<const std::uint32_t> active, std::uint32_t,
                                             std::span<const std::uint32_t> own_passes) {
    launched.emplace_back(active.begin(), active.end());
    passes.emplace_back(own_passes.begin(), own_passes.end());
    if (script.empty()) {
        std::vector<Request> exits;
        for (std::uint32_t pe : active) exits.push_back(system_call(pe, 4001, {0}));
        return exits;
    }
    Step next = std::move(script.front());
    script.pop_front();
    return next(active);
}

std::uint8_t *FakeDevice::place(const Transfer &t) {
    REQUIRE(t.staging % 4 == 0);
    REQUIRE(t.pe < pes_);
    auto &memory = memory_[t.pe % memory_.size()];
    // The loop promises that ranges are checked.
    REQUIRE(t.address >= MOG_DATA_BASE);
    REQUIRE(t.address - MOG_DATA_BASE + t.length <= memory.size());
    return memory.data() + (t.address - MOG_DATA_BASE);
}

Result<void> FakeDevice::gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) {
    if (gather_fails) return Error{"the fake device lost its memory"};
    most_staged = std::max(most_staged, staging.size());
    for (const Transfer &t : transfers) {
        REQUIRE(t.staging + t.length <= staging.size());
        if (t.is_state) std::memcpy(staging.data() + t.staging, &state[{t.pe, t.address}], 4);
        else std::memcpy(staging.data() + t.staging, place(t), t.length);
    }
    return {};
}

Result<void> FakeDevice::scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) {
    if (scatter_fails) return Error{"the fake device lost its memory"};
    most_staged = std::max(most_staged, staging.size());
    for (const Transfer &t : transfers) {
        REQUIRE(t.staging + t.length <= staging.size());
        if (t.is_state) std::memcpy(&state[{t.pe, t.address}], staging.data() + t.staging, 4);
        else std::memcpy(place(t), staging.data() + t.staging, t.length);
    }
    return {};
}

Image small_image() {
    Image image;
    image.text = {0x0200, 0x0204, 0x0205, 0x9700};  // lr, lr, lr, brk
    image.register_names = {"sp", "ra", "v0", "v1", "a0", "a1", "a2", "a3"};
    image.roles = {0, 1, 2, 3, 4, 5, 6, 7};
    image.code_base = 0x400000;
    image.code_map = {0, 1, 2, 3, 2, 3};
    image.entries.assign(6, Entry::Label);
    image.jumps.assign(4, JumpKind::plain);
    image.labels = {"zero", "one", "two", "three"};
    image.label_at = {0, 1, 2, 3};
    image.source_address = {0x400000, 0x400004, 0x400010, 0x400014};
    image.retires = {1, 1, 1, 1};
    image.symbols = {{"main", 0x400000, 16, true}, {"library", 0x400010, 16, true}};
    image.files = {"t.c"};
    image.lines = {{0x400000, 0, 7}, {0x400004, 0, 8}, {0x400010, 0, 0}};
    image.frames = {{0x400000, FrameRule::Base::Sp, 0x20, -4, 0}, {0x400010, FrameRule::Base::Sp, 0, 0, 0}};
    image.data.resize(64);
    image.brk = MOG_DATA_BASE + 64;
    return image;
}

RunConfig config_for(std::uint32_t nproc, std::uint32_t data_bytes, Transcript &transcript) {
    RunConfig config;
    config.nproc = nproc;
    config.data_words = data_bytes / 4;
    config.output.sink = [&transcript](int stream, std::string_view bytes) {
        (stream == 1 ? transcript.out : transcript.err) += bytes;
        return 0;
    };
    config.options.stdin_mode = FileSystem::Stdin::None;
    config.say = [&transcript](std::string_view line) { transcript.said.emplace_back(line); };
    return config;
}

}  // namespace mog::test
