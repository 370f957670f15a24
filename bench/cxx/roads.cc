/* roads: C++. Shortest ways by a queue with priorities in a graph of vectors; what is known of each place stands in a variant and is told
 * by a std::function. */
#include "../programs/bench.h"

#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <variant>
#include <vector>

namespace {

constexpr unsigned places = 200;

struct Unreached {};
struct Reached {
    unsigned distance, from;
};
using State = std::variant<Unreached, Reached>;

struct Road {
    unsigned to, length;
};

std::optional<unsigned> distance_of(const State &state)
{
    if (const Reached *reached = std::get_if<Reached>(&state)) return reached->distance;
    return {};
}

}  // namespace

FUNCTION unsigned work(unsigned rank)
{
    unsigned random = rank * 2246822519u + 1;
    auto graph = std::make_shared<std::vector<std::vector<Road>>>(places);
    for (unsigned from = 0; from < places; from++)
        for (int i = 0; i < 5; i++) {
            const unsigned number = next_random(&random);
            (*graph)[from].push_back({number % places, 1 + (number >> 16) % 100});
        }
    std::vector<State> states(places);
    unsigned sum = 0;
    const std::function<void(unsigned, const Reached &)> tell = [&sum, graph](unsigned place, const Reached &reached) {
        sum = sum * 31 + (reached.distance ^ place) + static_cast<unsigned>((*graph)[place].size());
    };
    using Entry = std::tuple<unsigned, unsigned, unsigned>;     /* distance, place, from */
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    queue.emplace(0, rank % places, rank % places);
    while (!queue.empty()) {
        const auto [distance, place, from] = queue.top();
        queue.pop();
        if (distance_of(states[place]).value_or(~0u) <= distance) continue;
        states[place] = Reached{distance, from};
        std::visit([&, here = place](const auto &state) {
            if constexpr (std::is_same_v<std::decay_t<decltype(state)>, Reached>) tell(here, state);
        }, states[place]);
        for (const Road &road : (*graph)[place])
            if (distance_of(states[road.to]).value_or(~0u) > distance + road.length) queue.emplace(distance + road.length, road.to, place);
    }
    return sum;
}
