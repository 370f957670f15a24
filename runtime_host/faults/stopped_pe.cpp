// stopped_pe.cpp: see stopped_pe.hpp.
#include "runtime_host/faults/stopped_pe.hpp"

#include <algorithm>

namespace mog {

namespace {

constexpr std::uint32_t piece_bytes = 1u << 14;

std::span<std::uint8_t> bytes_of(std::vector<std::uint32_t> &words) {
    return {reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size()};
}

}  // namespace

StoppedPe::StoppedPe(Device &device, const Image &image, std::uint32_t data_bytes, const Facts &facts)
    : device_(device), image_(image), data_bytes_(data_bytes), facts_(facts) {
    if (facts.text_index < image.source_address.size()) address_ = image.source_address[facts.text_index];
}

void StoppedPe::set_window(std::uint32_t address, std::span<const std::uint32_t> words) {
    window_at_ = address;
    window_ = words;
}

std::optional<std::uint32_t> StoppedPe::word(std::uint32_t address) {
    const std::uint32_t offset = address - MOG_DATA_BASE;
    if (offset >= data_bytes_ || (address & 3) != 0) return std::nullopt;
    if (address >= window_at_ && (address - window_at_) / 4 < window_.size()) return window_[(address - window_at_) / 4];
    const std::uint32_t begin = offset / piece_bytes * piece_bytes;
    const auto [piece, is_new] = pieces_.try_emplace(begin);
    if (is_new) {
        const std::uint32_t size = std::min(piece_bytes, data_bytes_ - begin) & ~3u;
        piece->second.resize(size / 4);
        const Transfer transfer{facts_.pe, MOG_DATA_BASE + begin, size, 0, false};
        if (!device_.gather({&transfer, 1}, bytes_of(piece->second))) piece->second.clear();
    }
    const std::uint32_t at = (offset - begin) / 4;
    if (at >= piece->second.size()) return std::nullopt;
    return piece->second[at];
}

const std::vector<std::uint32_t> &StoppedPe::registers() {
    if (!registers_.empty()) return registers_;
    std::vector<std::uint32_t> values(image_.register_names.size());
    std::vector<Transfer> transfers;
    for (std::uint32_t i = 0; i < values.size(); i++) transfers.push_back({facts_.pe, MOG_S_REGS + i, 4, 4 * i, true});
    if (device_.gather(transfers, bytes_of(values))) registers_ = std::move(values);
    return registers_;
}

Result<std::vector<std::uint8_t>> StoppedPe::data() {
    std::vector<std::uint8_t> bytes(data_bytes_);
    const Transfer all{facts_.pe, MOG_DATA_BASE, data_bytes_, 0, false};
    if (Result<void> done = device_.gather({&all, 1}, bytes); !done) return done.error();
    return bytes;
}

std::optional<std::uint32_t> find_register(const Image &image, std::string_view name) {
    const auto at = std::find(image.register_names.begin(), image.register_names.end(), name);
    if (at == image.register_names.end()) return std::nullopt;
    return static_cast<std::uint32_t>(at - image.register_names.begin());
}

}  // namespace mog
