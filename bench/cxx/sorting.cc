/* sorting: C++. The library's algorithms with lambdas: sorts, stable sorts, the nth element, parts, heaps, sums and searches. */
#include "../programs/bench.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

struct Item {
    unsigned key, weight;
    double value;
};

}  // namespace

FUNCTION unsigned work(unsigned rank)
{
    unsigned random = rank * 69069u + 3, sum = 0;
    std::vector<Item> items(1200);
    for (Item &item : items) {
        const unsigned number = next_random(&random);
        item = {number % 500, number >> 20, (number >> 8 & 0xffff) / 16.0};
    }
    std::stable_sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.key < b.key; });
    for (std::size_t i = 0; i < items.size(); i += 50) sum = sum * 31 + items[i].weight;
    std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
        if (a.value != b.value) return a.value > b.value;
        return a.weight != b.weight ? a.weight < b.weight : a.key < b.key;
    });
    const unsigned limit = rank % 100 + 200;
    const auto middle = std::stable_partition(items.begin(), items.end(), [limit](const Item &item) { return item.key < limit; });
    sum += static_cast<unsigned>(middle - items.begin());
    sum ^= static_cast<unsigned>(std::accumulate(items.begin(), middle, 0.0,
                                                 [](double s, const Item &item) { return s + item.value * item.weight; }));
    std::vector<unsigned> keys(items.size());
    std::transform(items.begin(), items.end(), keys.begin(), [](const Item &item) { return item.key * 4096 + item.weight; });
    std::nth_element(keys.begin(), keys.begin() + 600, keys.end());
    sum ^= keys[600];
    std::make_heap(keys.begin(), keys.end());
    for (int i = 0; i < 200; i++) {
        std::pop_heap(keys.begin(), keys.end() - i);
        sum = sum * 33 + *(keys.end() - i - 1);
    }
    std::sort(keys.begin(), keys.end());
    for (unsigned i = 0; i < 500; i++) sum += static_cast<unsigned>(std::lower_bound(keys.begin(), keys.end(), i * 4096) - keys.begin());
    return sum;
}
