// call_tree.hpp: the calls that many PEs are in, as one tree: a line for each call that some of them have in common, with how many they
// are and which.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime_host/output/ranks.hpp"

namespace mog {

class CallTree {
public:
    /// A place in the program, by the number that the tree has given it.
    using Place = std::uint32_t;
    /// "step at heat.c:31", in a function of this name. The same text is the same place.
    Place place(const std::string &function, const std::string &text);

    /// What one waits for: "{}" in it stands for the peer, in which those differ who wait for the same.
    struct Wait {
        std::string text;
        std::optional<std::uint32_t> peer{};
    };
    /// A thread of PE `rank`, which stands in `calls`, outermost first. A function that is there several times is shown once, where its
    /// innermost call is: recursion of any depth is one line. Ranks come in ascending order; threads of one PE one after the other.
    void add(std::uint32_t rank, std::span<const Place> calls, const Wait *wait);

    /// Lines with a newline at each end. Of very many different calls from one place the rarest are only counted.
    std::string text() const;

private:
    struct Node {
        std::string text;
        std::uint64_t count = 0;  ///< threads
        std::vector<RankRange> ranks{};
        std::vector<std::uint32_t> peers{};
        std::map<std::string, std::uint32_t> children{};
    };

    std::uint32_t child(std::uint32_t parent, const std::string &text);
    void count(std::uint32_t node, std::uint32_t rank);
    void show(std::uint32_t node, std::size_t depth, std::string &text) const;
    void line(std::uint64_t count, std::size_t depth, const std::string &what, std::string &text) const;

    std::vector<Node> nodes_{Node{}};                         ///< the first one has all
    std::vector<std::string> functions_, places_;             ///< by Place
    std::unordered_map<std::string, Place> numbers_;          ///< by text
    std::unordered_map<std::string, std::size_t> innermost_;  ///< of a stack, by function; kept for its room
};

}  // namespace mog
