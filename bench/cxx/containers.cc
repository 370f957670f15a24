/* containers: C++. Puts numbers into a map, a hashed map, a set and a deque, finds some, takes some out, and walks over what is left. */
#include "../programs/bench.h"

#include <deque>
#include <map>
#include <set>
#include <unordered_map>

FUNCTION unsigned work(unsigned rank)
{
    unsigned random = rank * 2654435761u + 1, sum = 0;
    std::map<unsigned, unsigned> ordered;
    std::unordered_map<unsigned, unsigned> hashed;
    std::set<unsigned> seen;
    std::deque<unsigned> recent;
    for (int i = 0; i < 1500; i++) {
        const unsigned key = next_random(&random) % 800;
        ordered[key] += i;
        hashed[key * 7919] ^= key + i;
        if (!seen.insert(key).second) sum++;
        recent.push_back(key);
        if (recent.size() > 100) {
            const unsigned old = recent.front();
            recent.pop_front();
            if (const auto found = ordered.find(old); found != ordered.end() && found->second % 3 == 0) ordered.erase(found);
            if (old % 5 == 0) hashed.erase(old * 7919);
            seen.erase(old);
        }
    }
    for (const auto &[key, value] : ordered) sum = sum * 31 + (key ^ value);
    unsigned unordered = 0;     /* buckets stand in another order where a size has 64 bits */
    for (const auto &[key, value] : hashed) unordered += key * value;
    for (auto at = seen.lower_bound(300); at != seen.end(); ++at) sum += *at;
    return sum ^ unordered;
}
