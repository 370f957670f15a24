// regrouping.cpp
#include "runtime_host/devices/tiers/regrouping.hpp"

#include <algorithm>
#include <numeric>

namespace mog {

namespace {

/// Other PEs in a warp are worth their memory's being elsewhere where launches do so much more in a second; and a launch says so that takes
/// longer than what is between launches.
constexpr double worth_while = 1.05, least_seconds = 0.001;
constexpr std::uint32_t first_interval = 4, most_interval = 64;

/// By TEXT index: the number of the symbol that it is of.
std::vector<std::uint32_t> functions_of(const Image &image) {
    std::vector<std::uint32_t> starts;
    for (const Symbol &symbol : image.symbols)
        if (symbol.is_code) starts.push_back(symbol.address);
    std::vector<std::uint32_t> function(image.text.size() + 1);
    for (std::size_t at = 0; at < image.source_address.size() && at < function.size(); ++at)
        function[at] = image.source_address[at] == 0
                           ? at == 0 ? 0 : function[at - 1]
                           : static_cast<std::uint32_t>(std::ranges::upper_bound(starts, image.source_address[at]) - starts.begin());
    return function;
}

}  // namespace

std::string_view name_of(Regroup how) {
    switch (how) {
        case Regroup::Off: return "off";
        case Regroup::Always: return "always";
        default: return "auto";
    }
}

void Regrouping::start(const Image &image, Regroup how, bool deterministic, u32 pes, u32 lanes) {
    *this = Regrouping();
    how_ = how == Regroup::Auto && deterministic ? Regroup::Off : how;
    lanes_ = lanes;
    if (how_ == Regroup::Off || pes <= lanes) return;
    function_ = functions_of(image);
    place_.resize(pes);
    std::iota(place_.begin(), place_.end(), 0u);
}

bool Regrouping::wants_places(std::size_t active) {
    regroups_ = is_trial_ = false;
    counts_ = how_ != Regroup::Off && active > lanes_;
    if (!counts_) return false;
    stats_.launches++;
    is_trial_ = how_ == Regroup::Auto && until_trial_ == 0;
    // All stand at the program's beginning.
    regroups_ = stats_.launches != 1 && (how_ == Regroup::Always || pays_ != is_trial_);
    return regroups_;
}

/// Stable, so that PEs which are at the same place stay together; digit by digit, for there may be millions, and most digits are the same
/// for all.
void Regrouping::sort(std::span<const u32> keys, std::span<const u32> active) {
    constexpr u32 bits = 11, mask = (1u << bits) - 1;
    keyed_.resize(order_.size());
    other_.resize(order_.size());
    u32 differ = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const u32 key = keys[active[order_[i]]];
        differ |= key ^ keys[active[order_.front()]];
        keyed_[i] = u64{key} << 32 | order_[i];
    }
    if (differ == 0) return;
    for (u32 shift = 0; shift < 32; shift += bits) {
        if ((differ >> shift & mask) == 0) continue;
        std::array<u32, mask + 2> begin{};
        for (const u64 one : keyed_) begin[(one >> (32 + shift) & mask) + 1]++;
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        for (const u64 one : keyed_) other_[begin[one >> (32 + shift) & mask]++] = one;
        keyed_.swap(other_);
    }
    std::ranges::transform(keyed_, order_.begin(), [](u64 one) { return static_cast<u32>(one); });
}

std::span<const std::uint32_t> Regrouping::order(std::span<const u32> active, std::span<const u32> places, std::span<const u32> stacks) {
    order_.resize(active.size());
    std::iota(order_.begin(), order_.end(), 0u);
    sort(place_, active);
    sort(places, active);
    sort(stacks, active);
    keys_.resize(places.size());
    for (const u32 pe : active) keys_[pe] = function_[std::min<std::size_t>(places[pe], function_.size() - 1)];
    sort(keys_, active);
    for (u32 at = 0; at < order_.size(); ++at) {
        u32 &place = place_[active[order_[at]]];
        stats_.moves += place / lanes_ != at / lanes_;
        place = at;
    }
    stats_.regrouped++;
    return order_;
}

void Regrouping::ran(u64 instructions, double seconds, double ordering) {
    stats_.seconds += ordering;
    if (how_ != Regroup::Auto || !counts_ || seconds < least_seconds) return;
    compare(static_cast<double>(instructions) / seconds);
}

/// One launch is made the other way, between two of the way that is thought to be the better one: what a program does changes.
void Regrouping::compare(double rate) {
    if (is_trial_) {
        tried_ = rate;
        was_trial_ = true;
        until_trial_ = interval_;
        return;
    }
    if (was_trial_) {
        was_trial_ = false;
        const double usual = (before_ + rate) / 2, with = pays_ ? usual : tried_, without = pays_ ? tried_ : usual;
        stats_.trials++;
        stats_.gain = with / without;
        const bool pays = stats_.gain > worth_while;
        interval_ = pays == pays_ ? std::min(2 * interval_, most_interval) : first_interval;
        pays_ = pays;
    }
    before_ = rate;
    if (until_trial_ != 0) until_trial_--;
}

std::optional<DeviceStats::Regrouped> Regrouping::stats() const {
    if (stats_.launches == 0) return std::nullopt;
    return stats_;
}

}  // namespace mog
