// device.cpp: what all devices have in common.
#include "runtime_host/device/device.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace mog {

Result<void> Device::answer(std::span<const Answer> answers, AnswerRows rows) {
    std::vector<Transfer> transfers;
    std::vector<std::uint32_t> words;
    transfers.reserve(2 * answers.size());
    words.reserve(2 * answers.size());
    for (const Answer &a : answers)
        for (const auto &[row, word] : {std::pair{rows.v0, a.value}, std::pair{rows.a3, std::uint32_t{a.failed}}}) {
            transfers.push_back({a.pe, row, 4, static_cast<std::uint32_t>(4 * words.size()), true});
            words.push_back(word);
        }
    return scatter(transfers, {reinterpret_cast<const std::uint8_t *>(words.data()), 4 * words.size()});
}

Result<void> Device::copy_state(std::uint32_t from_pe, std::uint32_t to_pe, std::uint32_t words) {
    std::vector<Transfer> transfers;
    for (std::uint32_t row = 0; row < words; ++row) transfers.push_back({from_pe, row, 4, 4 * row, true});
    std::vector<std::uint8_t> staging(std::size_t{4} * words);
    MOG_TRY(gather(transfers, staging));
    for (Transfer &transfer : transfers) transfer.pe = to_pe;
    return scatter(transfers, staging);
}

DeviceId parse_device_id(std::string_view id) {
    std::size_t colon = id.find(':');
    DeviceId parsed{id.substr(0, colon), 0};
    if (colon == std::string_view::npos) return parsed;
    std::string_view digits = id.substr(colon + 1);
    auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), parsed.number);
    if (digits.empty() || failed != std::errc() || end != digits.data() + digits.size()) return {};
    return parsed;
}

Result<void> Device::find_not_zero(std::span<const Range> ranges, std::span<std::uint32_t> found) {
    // In pieces of all ranges at once: many PEs have short ranges, and few have long ones.
    constexpr std::uint32_t most_bytes = 16u << 20;
    std::vector<Transfer> transfers;
    std::vector<std::size_t> asked, open;
    std::vector<std::uint32_t> staging(most_bytes / 4);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        found[i] = ranges[i].begin;
        if (ranges[i].begin < ranges[i].end) open.push_back(i);
    }
    while (!open.empty()) {
        const std::uint32_t each = std::max<std::uint32_t>(4096, most_bytes / static_cast<std::uint32_t>(open.size()) & ~3u);
        transfers.clear();
        asked.clear();
        std::uint32_t at = 0;
        for (const std::size_t i : open) {
            const std::uint32_t length = std::min(each, ranges[i].end - found[i]);
            if (at + length > most_bytes) break;
            transfers.push_back({ranges[i].pe, found[i], length, at, false});
            asked.push_back(i);
            at += length;
        }
        MOG_TRY(gather(transfers, {reinterpret_cast<std::uint8_t *>(staging.data()), at}));
        for (std::size_t k = 0; k < asked.size(); ++k) {
            const auto begin = staging.begin() + transfers[k].staging / 4, end = begin + transfers[k].length / 4;
            const auto first = std::find_if(begin, end, [](std::uint32_t word) { return word != 0; });
            found[asked[k]] += 4 * static_cast<std::uint32_t>(first - begin);
            if (first == end && found[asked[k]] < ranges[asked[k]].end) continue;
            std::erase(open, asked[k]);
        }
    }
    return {};
}

Result<void> number_pes(Device &device, std::uint32_t count, std::uint32_t first, std::uint32_t world) {
    static_assert(MOG_CB_IPROC == MOG_CB_NPROC + 1);
    constexpr std::uint32_t at_once = 1u << 16;
    std::vector<Transfer> transfers;
    std::vector<std::uint32_t> words;
    for (std::uint32_t begin = 0; begin < count; begin += at_once) {
        transfers.clear();
        words.clear();
        for (std::uint32_t pe = begin; pe < std::min(begin + at_once, count); pe++) {
            transfers.push_back({pe, MOG_DATA_BASE + 4 * MOG_CB_NPROC, 8, static_cast<std::uint32_t>(4 * words.size()), false});
            words.insert(words.end(), {world, first + pe});
            transfers.push_back({pe, MOG_DATA_BASE + 4 * MOG_CB_DEVICE, 4, static_cast<std::uint32_t>(4 * words.size()), false});
            words.push_back(first / count);
        }
        MOG_TRY(device.scatter(transfers, {reinterpret_cast<const std::uint8_t *>(words.data()), 4 * words.size()}));
    }
    return {};
}

Error no_compiled_blocks() {
    return Error{"--engine=blocks: the program has no compiled code in it (mogcc --build-time=0, or nothing in it is executed often)"};
}

}  // namespace mog
