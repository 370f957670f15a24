// collector.cpp: when to look, whom to look at, and what is kept of it.
#include "runtime_host/profile/collector.hpp"

#include <algorithm>
#include <cmath>

#include "runtime_host/faults/backtrace.hpp"

namespace mog {

namespace {

constexpr std::size_t most_samples = 64;      ///< of a look
constexpr std::size_t most_waiting = 16;      ///< that are looked at together
constexpr std::size_t most_stacks = 200'000;  ///< that are told apart; of more only the place itself is
constexpr std::size_t most_frames = 200;      ///< of one of them
constexpr std::uint32_t stack_window = 256;   ///< words of a stack that are fetched with the registers
constexpr std::uint32_t lanes_of_host = 16;   ///< PEs that are looked at together where nothing runs in lock step, as lanes are many
/// Before anything is known of how fast PEs are; and instructions between two looks, at least.
constexpr std::uint32_t first_distance = 20'000, least_distance = 1000;
/// Between two looks, seconds of launches: of a few PEs; of more than there are cores, which lose what is in caches when it is others'
/// turn, and of devices whose launches take some 50 us to begin; and for each PE of a launch.
constexpr double near_looks = 0.00025, far_looks = 0.004, for_each_pe = 20e-6;
/// What looking may take of the time.
constexpr double most_share = 0.01;

}  // namespace

std::size_t ProfileCollector::HashStack::operator()(const Stack &stack) const {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const u32 word : stack) hash = (hash ^ word) * 0x100000001b3u;
    return static_cast<std::size_t>(hash ^ hash >> 29);
}

ProfileCollector::ProfileCollector(const Image &image, const DeviceInfo &device, const ProfilePopulation &population, bool cuts)
    : image_(image),
      device_(device),
      population_(population),
      cuts_(cuts),
      group_(std::clamp<u32>(device.lanes, lanes_of_host, most_samples)),
      left_(first_distance),
      ranks_(population.processes),
      waits_(population.pes) {}

/// A number below that one, of a generator of our own: two runs look at the same places, as far as they are the same.
std::uint32_t ProfileCollector::draw(u32 below) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<u32>((random_ >> 32) * below >> 32);
}

void ProfileCollector::plan_next() {
    const bool is_near = !device_.is_gpu && device_.id == "host" && pes_ <= device_.units;
    const double distance = std::max({is_near ? near_looks : far_looks, look_cost_ / most_share, for_each_pe * static_cast<double>(pes_)});
    next_look_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(distance));
    constexpr double most = 1u << 30;
    const double mean = rate_ > 0 ? std::clamp<double>(rate_ * distance, least_distance, most) : first_distance;
    left_ = 1 + draw(2 * static_cast<u32>(mean));
}

Result<void> ProfileCollector::ran(Device &device, std::span<const u32> pes, std::span<const Request> stopped, u32 passes,
                                   std::span<const u32> own_passes, double seconds) {
    round_ = Clock::now();
    auto request = stopped.begin();
    u32 longest = 0;
    double all = 0;
    for (std::size_t i = 0; i < pes.size(); ++i) {
        const u32 pe = pes[i];
        u32 used = own_passes.empty() ? passes : own_passes[i];
        while (request != stopped.end() && (*request)[MOG_Q_PE] < pe) ++request;  // threads that were woken in the midst of the launch
        if (request != stopped.end() && (*request)[MOG_Q_PE] == pe) used -= std::min(used, (*request)[MOG_Q_LEFT]);
        longest = std::max(longest, used);
        ranks_[pe % population_.processes].instructions += used;
        all += used;
    }
    instructions_ += all;
    seconds_ += seconds;
    pes_ = pes.size();
    constexpr double weight_of_last = 0.25;
    if (const double rate = longest / std::max(seconds, 1e-7); rate_ <= 0) rate_ = rate;
    else rate_ += weight_of_last * (rate - rate_);
    if (cuts_ && longest < left_) {
        left_ -= longest;
        return {};
    }
    // What ends where nobody drew a number would be looked at too often.
    if (!cuts_ && Clock::now() < next_look_) return {};
    std::vector<u32> going;
    request = stopped.begin();
    for (const u32 pe : pes) {
        while (request != stopped.end() && (*request)[MOG_Q_PE] < pe) ++request;
        const bool has_stopped = request != stopped.end() && (*request)[MOG_Q_PE] == pe;
        if (!has_stopped && waits_[pe].since == Clock::time_point{} && !waits_[pe].is_gone) going.push_back(pe);
    }
    if (going.empty()) {  // the next that does not stop
        left_ = 1;
        return {};
    }
    MOG_TRY(look(device, going));
    plan_next();
    return {};
}

Result<void> ProfileCollector::look(Device &device, std::span<const u32> pes) {
    const Clock::time_point begin = Clock::now();
    // Whole groups of neighbours, so that it is seen whether they are together; of a group that is drawn by one of its PEs each counts
    // less, the more there are.
    struct Group {
        std::span<const u32> pes;
        double weight;
    };
    const auto group_of = [&](u32 pe) {
        const u32 first = pe / group_ * group_;
        const auto from = std::ranges::lower_bound(pes, first), to = std::ranges::lower_bound(pes, first + group_);
        return std::span<const u32>(from, to);
    };
    std::vector<Group> groups;
    if (pes.size() <= most_samples) {
        for (std::size_t at = 0; at < pes.size(); at += groups.back().pes.size()) groups.push_back({group_of(pes[at]), 1});
        for (Group &group : groups) group.weight = 1.0 / static_cast<double>(pes.size());
    } else {
        const std::size_t count = std::max<std::size_t>(1, most_samples / group_);
        for (std::size_t i = 0; i < count; ++i) {
            const std::span<const u32> drawn = group_of(pes[draw(static_cast<u32>(pes.size()))]);
            groups.push_back({drawn, 1.0 / static_cast<double>(count * drawn.size())});
        }
    }
    std::vector<u32> all;
    for (const Group &group : groups) all.insert(all.end(), group.pes.begin(), group.pes.end());
    Result<std::vector<Stack>> found = stacks_of(device, all, false);
    if (!found) return found.error();
    std::size_t at = 0;
    for (const Group &group : groups) {
        const std::span<const Stack> stacks(found->data() + at, group.pes.size());
        at += group.pes.size();
        for (const Stack &stack : stacks) {
            if (stacks.size() == 1) continue;
            const auto others = std::ranges::count_if(stacks, [&](const Stack &other) { return other.front() == stack.front(); }) - 1;
            Together &together = together_[stack.front()];
            together.weight += group.weight * instructions_;
            // Those of the group that were not in the launch are as those that were.
            const double share = static_cast<double>(others) / static_cast<double>(stacks.size() - 1);
            together.pes += group.weight * instructions_ * (1 + share * (std::min(group_, population_.processes) - 1));
        }
        for (const Stack &stack : stacks) {
            StackWeights &weights = weights_of(stack);
            weights.instructions += group.weight * instructions_;
            weights.seconds += group.weight * seconds_;
            weights.samples++;
        }
    }
    instructions_ = seconds_ = 0;
    looks_++;
    samples_ += all.size();
    const double cost = std::chrono::duration<double>(Clock::now() - begin).count();
    looking_ += cost;
    // A look that was interrupted says little.
    look_cost_ = look_cost_ == 0 ? cost : std::min(look_cost_ + 0.2 * (cost - look_cost_), 2 * look_cost_);
    return {};
}

/// Registers of all in one transfer, pieces of their stacks in another; what is deeper is fetched when it is come to.
Result<std::vector<ProfileCollector::Stack>> ProfileCollector::stacks_of(Device &device, std::span<const u32> pes, bool in_call) {
    const std::optional<u32> fp = find_register(image_, "fp");
    const auto row_of = [&](Role role) { return MOG_S_REGS + image_.roles[static_cast<std::size_t>(role)]; };
    const std::array<u32, 4> rows = {MOG_S_PC, row_of(Role::sp), row_of(Role::ra), fp ? MOG_S_REGS + *fp : u32{MOG_S_PC}};
    std::vector<Transfer> transfers;
    for (const u32 pe : pes)
        for (const u32 row : rows) transfers.push_back({pe, row, 4, static_cast<u32>(4 * transfers.size()), true});
    std::vector<u32> words(transfers.size());
    MOG_TRY(device.gather(transfers, {reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size()}));
    transfers.clear();
    std::vector<u32> sizes(pes.size());
    u32 total = 0;
    for (std::size_t i = 0; i < pes.size(); ++i) {
        const u32 sp = words[4 * i + 1];
        if ((sp & 3) != 0 || sp < MOG_DATA_BASE || sp - MOG_DATA_BASE >= population_.data_bytes) continue;
        sizes[i] = std::min(stack_window, (MOG_DATA_BASE + population_.data_bytes - sp) / 4);
        if (sizes[i] != 0) transfers.push_back({pes[i], sp, 4 * sizes[i], 4 * total, false});
        total += sizes[i];
    }
    std::vector<u32> content(total);
    if (!transfers.empty()) MOG_TRY(device.gather(transfers, {reinterpret_cast<std::uint8_t *>(content.data()), 4 * content.size()}));
    std::vector<Stack> found;
    u32 first = 0;
    for (std::size_t i = 0; i < pes.size(); ++i) {
        u32 at = words[4 * i];
        if (in_call && at != 0) --at;
        // What the translator added belongs to what stands before it.
        u32 own = std::min<u32>(at, static_cast<u32>(image_.text.size()) - 1);
        while (own > 0 && (own >= image_.source_address.size() || image_.source_address[own] == 0)) --own;
        StoppedPe pe(device, image_, population_.data_bytes, {pes[i], own, words[4 * i + 1], words[4 * i + 2], words[4 * i + 3], 0});
        pe.set_window(words[4 * i + 1], {content.data() + first, sizes[i]});
        first += sizes[i];
        const Backtrace trace = unwind(image_, pe, nullptr, most_frames);
        Stack stack{at};
        stack.insert(stack.end(), trace.frames.begin() + 1, trace.frames.end());
        found.push_back(std::move(stack));
    }
    return found;
}

StackWeights &ProfileCollector::weights_of(Stack stack) {
    if (const auto found = stacks_.find(stack); found != stacks_.end()) return found->second;
    if (stacks_.size() >= most_stacks && stack.size() > 1) {
        cut_stacks_++;
        stack.resize(1);
    }
    return stacks_[std::move(stack)];
}

void ProfileCollector::waits(u32 pe, WaitFor what) {
    Wait &wait = waits_[pe];
    if (wait.since == Clock::time_point{}) {
        wait.since = time_of(what);
        began_to_wait_.push_back(pe);
    }
    wait.what = what;
}

void ProfileCollector::goes_on(u32 pe) {
    Wait &wait = waits_[pe];
    wait.is_gone = false;
    if (wait.since == Clock::time_point{}) return;
    const double seconds = std::max(0.0, std::chrono::duration<double>(time_of(wait.what) - wait.since).count());
    const auto kind = static_cast<std::size_t>(wait.what);
    ranks_[pe % population_.processes].waits[kind] += seconds;
    if (wait.look != 0) {
        Waiting &waiting = waiting_[wait.look - 1];
        StackWeights &weights = weights_of(std::move(waiting.stack));
        weights.waits[kind] += waiting.weight * seconds;
        weights.samples++;
        free_.push_back(wait.look - 1);
    }
    wait = {};
}

void ProfileCollector::leaves(u32 pe) {
    goes_on(pe);
    waits_[pe].is_gone = true;
}

Result<void> ProfileCollector::look_at_waiting(Device &device, bool is_idle) {
    const Clock::time_point begin = round_ = Clock::now();
    if (began_to_wait_.empty()) return {};
    if (begin < next_look_at_waiting_ && !is_idle) {
        // Those that wait on can be seen later; of those that do not, others stand for them.
        constexpr std::size_t most_kept = 1u << 16;
        if (began_to_wait_.size() > most_kept) began_to_wait_.resize(most_kept);
        return {};
    }
    const auto all = static_cast<double>(began_to_wait_.size());
    std::erase_if(began_to_wait_, [this](u32 pe) { return waits_[pe].since == Clock::time_point{} || waits_[pe].look != 0; });
    std::vector<u32> seen;
    for (std::size_t i = 0; i < most_waiting && !began_to_wait_.empty(); ++i) {
        const u32 at = began_to_wait_.size() <= most_waiting ? static_cast<u32>(began_to_wait_.size() - 1)
                                                             : draw(static_cast<u32>(began_to_wait_.size()));
        seen.push_back(began_to_wait_[at]);
        began_to_wait_[at] = began_to_wait_.back();
        began_to_wait_.pop_back();
    }
    began_to_wait_.clear();
    std::ranges::sort(seen);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    if (!seen.empty()) {
        Result<std::vector<Stack>> found = stacks_of(device, seen, true);
        if (!found) return found.error();
        for (std::size_t i = 0; i < seen.size(); ++i) {
            u32 place = static_cast<u32>(waiting_.size());
            if (free_.empty()) {
                waiting_.emplace_back();
            } else {
                place = free_.back();
                free_.pop_back();
            }
            waiting_[place] = {std::move((*found)[i]), all / static_cast<double>(seen.size())};
            waits_[seen[i]].look = place + 1;
        }
        samples_ += seen.size();
    }
    const Clock::time_point end = Clock::now();
    looking_ += std::chrono::duration<double>(end - begin).count();
    next_look_at_waiting_ = end + std::chrono::duration_cast<Clock::duration>((end - begin) / most_share);
    return {};
}

void ProfileCollector::finish() {
    for (u32 pe = 0; pe < waits_.size(); ++pe) goes_on(pe);
    // Of stacks that were seen the waiting is an estimate, by others' that were not; what it is in all is known.
    WaitSeconds all{}, seen{};
    for (const RankWork &rank : ranks_)
        for (std::size_t kind = 0; kind < wait_kinds; ++kind) all[kind] += rank.waits[kind];
    for (const auto &[stack, weights] : stacks_)
        for (std::size_t kind = 0; kind < wait_kinds; ++kind) seen[kind] += weights.waits[kind];
    for (auto &[stack, weights] : stacks_)
        for (std::size_t kind = 0; kind < wait_kinds; ++kind)
            if (seen[kind] > 0) weights.waits[kind] *= all[kind] / seen[kind];
    // What was executed after the last look is as what was before.
    double instructions = 0, executed = 0;
    for (const RankWork &rank : ranks_) executed += rank.instructions;
    for (const auto &[stack, weights] : stacks_) instructions += weights.instructions;
    if (instructions > 0)
        for (auto &[stack, weights] : stacks_) weights.instructions *= executed / instructions;
}

}  // namespace mog
