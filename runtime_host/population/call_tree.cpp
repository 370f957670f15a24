// call_tree.cpp
#include "runtime_host/population/call_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mog {

namespace {

constexpr std::size_t most_children = 12;  // of one call that have lines of their own
constexpr std::size_t ranks_shown = 6;     // pieces

}  // namespace

CallTree::Place CallTree::place(const std::string &function, const std::string &text) {
    const auto [found, is_new] = numbers_.try_emplace(text, static_cast<Place>(places_.size()));
    if (is_new) {
        functions_.push_back(function);
        places_.push_back(text);
    }
    return found->second;
}

void CallTree::count(std::uint32_t node, std::uint32_t rank) {
    Node &n = nodes_[node];
    n.count++;
    if (!n.ranks.empty() && rank <= n.ranks.back().last) return;
    if (!n.ranks.empty() && rank == n.ranks.back().last + 1) n.ranks.back().last = rank;
    else n.ranks.push_back({rank, rank});
}

std::uint32_t CallTree::child(std::uint32_t parent, const std::string &text) {
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    const auto [found, is_new] = nodes_[parent].children.try_emplace(text, next);
    if (is_new) nodes_.push_back(Node{text});
    return found->second;
}

void CallTree::add(std::uint32_t rank, std::span<const Place> calls, const Wait *wait) {
    innermost_.clear();
    for (std::size_t i = 0; i < calls.size(); i++) innermost_[functions_[calls[i]]] = i;
    std::uint32_t at = 0;
    count(at, rank);
    for (std::size_t i = 0; i < calls.size(); i++) {
        const std::size_t last = innermost_[functions_[calls[i]]];
        at = child(at, places_[calls[last]] + (last > i ? " (recursive)" : ""));
        count(at, rank);
        i = last;
    }
    if (!wait) return;
    at = child(at, "(" + wait->text + ")");
    count(at, rank);
    if (wait->peer) nodes_[at].peers.push_back(*wait->peer);
}

void CallTree::line(std::uint64_t count, std::size_t depth, const std::string &what, std::string &text) const {
    // For a single one there is nothing to count.
    if (nodes_[0].count > 1) text += fmt::format("{:>8}  ", count);
    else text += "  ";
    text += fmt::format("{:{}}{}\n", "", 2 * depth, what);
}

void CallTree::show(std::uint32_t node, std::size_t depth, std::string &text) const {
    const Node &parent = nodes_[node];
    std::vector<const Node *> children;
    for (const auto &[name, number] : parent.children) children.push_back(&nodes_[number]);
    std::ranges::stable_sort(children, [](const Node *a, const Node *b) {
        return a->count != b->count ? a->count > b->count : a->ranks.front().first < b->ranks.front().first;
    });
    const std::size_t shown = children.size() > most_children ? most_children - 1 : children.size();
    for (std::size_t i = 0; i < shown; i++) {
        const Node &n = *children[i];
        std::string what = n.text;
        if (const std::size_t hole = what.find("{}"); !n.peers.empty() && hole != std::string::npos) {
            std::vector<std::uint32_t> peers = n.peers;
            std::ranges::sort(peers);
            peers.erase(std::ranges::unique(peers).begin(), peers.end());
            what.replace(hole, 2, fmt::format("rank{} {}", peers.size() == 1 ? "" : "s", fold_ranks(peers, ranks_shown)));
        }
        const auto is_same = [](const RankRange &a, const RankRange &b) { return a.first == b.first && a.last == b.last; };
        const bool is_one_pe = nodes_[0].ranks.size() == 1 && nodes_[0].ranks[0].first == nodes_[0].ranks[0].last;
        if (!is_one_pe && (node == 0 || !std::ranges::equal(n.ranks, parent.ranks, is_same)))
            what += fmt::format("  [{}]", fold_ranks(n.ranks, ranks_shown));
        line(n.count, depth, what, text);
        show(static_cast<std::uint32_t>(&n - nodes_.data()), depth + 1, text);
    }
    if (shown == children.size()) return;
    std::uint64_t rest = 0;
    for (std::size_t i = shown; i < children.size(); i++) rest += children[i]->count;
    line(rest, depth, fmt::format("... at {} other places", children.size() - shown), text);
}

std::string CallTree::text() const {
    std::string text;
    show(0, 0, text);
    return text;
}

}  // namespace mog
