// record_order.cpp: where many stopped, each record is put at its PE's place first: sorting tens of thousands takes longer than many a
// launch.
#include "runtime_host/device/record_order.hpp"

#include <algorithm>
#include <utility>

namespace mog {

std::vector<Request> RecordOrder::ascending(std::span<const Request> records, std::span<const std::uint32_t> active) {
    std::vector<Request> ordered;
    if (records.size() < active.size() / 8) {
        ordered.assign(records.begin(), records.end());
        std::ranges::sort(ordered, {}, [](const Request &q) { return q[MOG_Q_PE]; });
        return ordered;
    }
    if (records.empty()) return ordered;
    if (place_of_.size() <= active.back()) place_of_.resize(active.back() + std::size_t{1});
    for (std::size_t i = 0; i < records.size(); i++) place_of_[records[i][MOG_Q_PE]] = static_cast<std::uint32_t>(i + 1);
    ordered.resize(records.size());
    Request *next = ordered.data();
    for (const std::uint32_t pe : active)
        if (const std::uint32_t place = std::exchange(place_of_[pe], 0)) *next++ = records[place - 1];
    return ordered;
}

}  // namespace mog
