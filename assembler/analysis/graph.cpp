// graph.cpp: predecessors and the walks. None of them calls itself: programs are deeper than stacks.
#include "assembler/analysis/graph.hpp"

#include <algorithm>
#include <numeric>

namespace mog {

using Node = Graph::Node;

void Graph::find_predecessors() {
    predecessors_begin_.assign(begins_.size(), 0);
    for (const Node to : successors_) ++predecessors_begin_[to + 1];
    std::partial_sum(predecessors_begin_.begin(), predecessors_begin_.end(), predecessors_begin_.begin());
    predecessors_.resize(successors_.size());
    std::vector<std::uint32_t> next(predecessors_begin_.begin(), predecessors_begin_.end() - 1);
    for (Node node = 0; node < size(); ++node)
        for (const Node to : successors(node)) predecessors_[next[to]++] = node;
}

Graph Graph::reversed() const {
    Graph graph;
    graph.successors_ = predecessors_;
    graph.begins_ = predecessors_begin_;
    // Anew, for the order: of turned edges too, predecessors ascend.
    graph.find_predecessors();
    return graph;
}

namespace {

/// A depth-first walk from one root after the other.
class Walk {
public:
    explicit Walk(const Graph &graph) : graph_(graph), met_(graph.size()) {}

    void from(Node root) {
        if (met_[root]) return;
        enter(root);
        while (!path_.empty()) {
            auto &[node, next] = path_.back();
            const auto successors = graph_.successors(node);
            if (next == successors.size()) {
                order_.push_back(node);
                path_.pop_back();
            } else if (const Node to = successors[next++]; !met_[to]) {
                enter(to);
            }
        }
    }
    std::vector<Node> take_order() { return std::move(order_); }
    std::vector<bool> take_met() { return std::move(met_); }

private:
    void enter(Node node) {
        met_[node] = true;
        path_.emplace_back(node, 0);
    }

    const Graph &graph_;
    std::vector<bool> met_;
    std::vector<std::pair<Node, std::size_t>> path_;  // and which successor comes next
    std::vector<Node> order_;
};

}  // namespace

std::vector<Node> post_order(const Graph &graph, std::span<const Node> roots) {
    Walk walk(graph);
    for (const Node root : roots) walk.from(root);
    return walk.take_order();
}

std::vector<Node> post_order(const Graph &graph) {
    Walk walk(graph);
    for (Node node = 0; node < graph.size(); ++node) walk.from(node);
    return walk.take_order();
}

std::vector<bool> reached_from(const Graph &graph, std::span<const Node> roots) {
    Walk walk(graph);
    for (const Node root : roots) walk.from(root);
    return walk.take_met();
}

std::vector<std::vector<Node>> strong_components(const Graph &graph) {
    std::vector<Node> nodes(graph.size());
    std::iota(nodes.begin(), nodes.end(), 0u);
    std::vector<std::uint32_t> number(graph.size());
    return strong_components(graph, nodes, number);
}

std::vector<std::vector<Node>> strong_components(const Graph &graph, std::span<const Node> nodes, std::vector<std::uint32_t> &number) {
    // number: outside 0; of `nodes`: 1 not yet met, from 2 on in the order in which they are met, `done` in a
    // component. low: the lowest number that is known to be in the same component.
    constexpr std::uint32_t unmet = 1, done = 0xffffffff;
    for (const Node node : nodes) number[node] = unmet;
    std::uint32_t last = unmet;
    struct Step {
        Node node;
        std::size_t next;
        std::uint32_t low;
    };
    std::vector<Step> path;
    std::vector<Node> open;
    std::vector<std::vector<Node>> components;
    const auto enter = [&](Node node) {
        number[node] = ++last;
        open.push_back(node);
        path.push_back({node, 0, last});
    };
    for (const Node root : nodes) {
        if (number[root] != unmet) continue;
        enter(root);
        while (!path.empty()) {
            Step &step = path.back();
            const auto successors = graph.successors(step.node);
            if (step.next < successors.size()) {
                const Node to = successors[step.next++];
                if (number[to] == unmet) enter(to);
                else if (number[to] != 0 && number[to] != done) step.low = std::min(step.low, number[to]);
                continue;
            }
            const Step left = step;
            path.pop_back();
            if (!path.empty()) path.back().low = std::min(path.back().low, left.low);
            if (left.low != number[left.node]) continue;
            const auto first = std::find(open.rbegin(), open.rend(), left.node).base() - 1;
            std::vector<Node> &component = components.emplace_back(first, open.end());
            open.erase(first, open.end());
            for (const Node node : component) number[node] = done;
            std::ranges::sort(component);
        }
    }
    for (const Node node : nodes) number[node] = 0;
    return components;
}

}  // namespace mog
