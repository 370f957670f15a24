// random.hpp: random numbers that are the same on every machine, for searches and tests that a seed must repeat.
#pragma once

#include <cstdint>

namespace mog {

/// SplitMix64: one word of state, passes the usual tests, and every seed is a good one.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// 0 .. bound-1, for a bound of at least 1 and far below 2^32.
    std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }
    /// 0 <= x < 1
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::uint64_t state_;
};

}  // namespace mog
