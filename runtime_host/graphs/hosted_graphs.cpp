// hosted_graphs.cpp: the steps of abi/graph.h on the window of a run.
#include "runtime_host/graphs/hosted_graphs.hpp"

#include <algorithm>
#include <atomic>

namespace mog {

namespace {

/// GraphWords of the window, in which PEs may run meanwhile: each is read or written as a whole. The first failure stays; words are 0 from
/// then on, with which every step ends soon.
class GraphWords {
public:
    GraphWords(Device &device, const Addresses &addresses, const HostedGraphs::Wake &wake)
        : device_(device), addresses_(addresses), wake_(wake) {}

    std::uint32_t load(std::uint32_t at) {
        std::uint32_t word = 0;
        if (is_there(at))
            note(device_.gather({{Transfer{0, at, sizeof word, 0, false}}}, {reinterpret_cast<std::uint8_t *>(&word), sizeof word}));
        return failed_ ? 0 : word;
    }
    void store(std::uint32_t at, std::uint32_t word) {
        if (is_there(at))
            note(device_.scatter({{Transfer{0, at, sizeof word, 0, false}}}, {reinterpret_cast<const std::uint8_t *>(&word), sizeof word}));
    }
    /// What was there. The host is the word's only writer, but that who asks may fall asleep.
    std::uint32_t swap(std::uint32_t at, std::uint32_t word) {
        const std::uint32_t before = load(at);
        store(at, word);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return before;
    }
    bool compare_and_swap(std::uint32_t at, std::uint32_t expected, std::uint32_t wanted) {
        return load(at) == expected && swap(at, wanted) == expected;
    }
    bool reserve(std::uint32_t at, std::uint32_t count, std::uint32_t limit, std::uint32_t *was, std::uint32_t *tries) {
        for (*tries = 0;; ++*tries) {
            *was = load(at);
            if (failed_ || static_cast<std::int32_t>(limit - count - *was) < 0) return false;
            if (compare_and_swap(at, *was, *was + count)) return ++*tries, true;
        }
    }
    void wake(std::uint32_t at) {
        if (!failed_) wake_(at);
    }
    bool has_failed() const { return failed_; }
    const Result<void> &of_device() const { return of_device_; }

private:
    bool is_there(std::uint32_t at) {
        failed_ = failed_ || at % sizeof at != 0 || !addresses_.in_window(at, sizeof at);
        return !failed_;
    }
    void note(Result<void> done) {
        if (done) return;
        failed_ = true;
        of_device_ = std::move(done);
    }

    Device &device_;
    const Addresses &addresses_;
    const HostedGraphs::Wake &wake_;
    bool failed_ = false;
    Result<void> of_device_;
};

}  // namespace

}  // namespace mog

#define CHANNEL_MEMORY mog::GraphWords *
#define CHANNEL_FIXED(m, at) (m)->load(at)
#define CHANNEL_LOAD(m, at) (m)->load(at)
#define CHANNEL_STORE(m, at, value) (m)->store((at), (value))
#define CHANNEL_READ CHANNEL_LOAD
#define CHANNEL_WRITE CHANNEL_STORE
#define CHANNEL_RESERVE(m, at, count, limit, was, tries) (m)->reserve((at), (count), (limit), (was), (tries))
#define CHANNEL_CAS(m, at, expected, wanted) (m)->compare_and_swap((at), (expected), (wanted))
#define CHANNEL_ADD(m, at, n) (m)->swap((at), (m)->load(at) + (n))
#define CHANNEL_SWAP(m, at, value) (m)->swap((at), (value))
#define CHANNEL_RELAX(m) (void)(m)
#define CHANNEL_ROOM_MADE(m, channel) (void)(channel)
#define SCHEDULE_WAKE(m, at) (m)->wake(at)
// What PEs could say of a batch that is not full: nothing (mog_graph_execute() refuses such graphs).
#define SCHEDULE_MAY(m, stack, ready, width) ((void)(stack), false)

#include "abi/channel.h"
#include "abi/graph.h"

namespace mog {

/// The variable that has the lists, if the program has channels.
static std::optional<std::uint32_t> channels_of(const Image &image, const Addresses &addresses) {
    const auto found = std::ranges::find(image.symbols, "__mog_channels", &Symbol::name);
    if (addresses.window_bytes == 0 || found == image.symbols.end()) return std::nullopt;
    return found->address;
}

Result<std::optional<ChannelCounts>> channel_counts(Device &device, const Image &image, const Addresses &addresses) {
    constexpr int most_channels = 100000;
    const auto list = channels_of(image, addresses);
    if (!list) return std::optional<ChannelCounts>();
    const HostedGraphs::Wake nobody;
    GraphWords words(device, addresses, nobody);
    ChannelCounts counts;
    std::uint32_t at = words.load(*list);
    for (int i = 0; at != 0 && i < most_channels && !words.has_failed(); ++i, at = words.load(at + CHANNEL_NEXT)) {
        if (words.load(at + CHANNEL_KIND) != CHANNEL_KIND_CHANNEL || !(words.load(at + CHANNEL_FLAGS) & CHANNEL_COUNTED)) continue;
        const auto count = [&](std::uint32_t what) { return words.load(at + CHANNEL_COUNTS + 4 * what); };
        ++counts.channels;
        counts.reservations += count(CHANNEL_COUNT_RESERVATIONS);
        counts.compare_and_swaps += count(CHANNEL_COUNT_CAS);
        counts.joined += count(CHANNEL_COUNT_JOINED);
    }
    if (!words.of_device()) return words.of_device().error();
    return counts.channels > 0 ? std::optional(counts) : std::nullopt;
}

HostedGraphs::HostedGraphs(Device &device, const Image &image, const Addresses &addresses) : device_(device), addresses_(addresses) {
    if (const auto list = channels_of(image, addresses)) list_ = *list + CHANNELS_HOSTED;
}

Result<void> HostedGraphs::look(const Wake &wake) {
    constexpr int most_graphs = 1000;
    if (!list_) return {};
    GraphWords words(device_, addresses_, wake);
    std::uint32_t graph = words.load(*list_);
    for (int i = 0; graph != 0 && i < most_graphs && !words.has_failed(); ++i) {
        // Who has published something, or asks, and finds that nobody rests has done it before the last look.
        do {
            while (!words.has_failed() && schedule_look(&words, graph) != 0) {
            }
            words.swap(graph + GRAPH_RESTS, 1);
        } while (!words.has_failed() && schedule_look(&words, graph) != 0);
        graph = words.load(graph + GRAPH_NEXT_HOSTED);
    }
    return words.of_device();
}

}  // namespace mog
