/* mog/graph.hpp: graphs (mog/graph.h) whose stacks have types and whose nodes are anything that can be called, such as lambdas.
 *
 *     mog::graph graph("count");                              // the same in each PE
 *     mog::stack<int> numbers(graph, "numbers", 1024, 30);    // 30 levels of 1,024 elements
 *     graph.node("halve", 32, numbers, [&](mog::batch<int> batch) {
 *         for (int &number : batch)
 *             if (number > 1) numbers.put(batch.level() + 1, number / 2);
 *     }).makes(numbers);
 *     if (IPROC == 0) numbers.put(0, 1000);
 *     if (!graph.execute()) std::perror("count");
 *
 * What was not made is false: errno says why. A node's function lives as long as the graph's object.
 */
#ifndef MOG_GRAPH_HPP
#define MOG_GRAPH_HPP

#include <mog/channel.hpp>
#include <mog/graph.h>

#include <memory>
#include <utility>
#include <vector>

namespace mog {

/* Elements that a node's function is called for. They are freed after it, or by free(). */
template <typename Element>
class batch {
public:
    explicit batch(mog_batch *batch) : batch_(batch) {}
    uint32_t size() const { return batch_->count; }
    uint32_t level() const { return batch_->level; }
    Element &operator[](uint32_t i) const { return *static_cast<Element *>(mog_batch_element(batch_, i)); }
    void free() { mog_batch_free(batch_); }

    class iterator {
    public:
        iterator(const batch *of, uint32_t at) : of_(of), at_(at) {}
        Element &operator*() const { return (*of_)[at_]; }
        iterator &operator++() { return ++at_, *this; }
        bool operator!=(const iterator &other) const { return at_ != other.at_; }
        bool operator==(const iterator &other) const { return at_ == other.at_; }

    private:
        const batch *of_;
        uint32_t at_;
    };
    iterator begin() const { return {this, 0}; }
    iterator end() const { return {this, size()}; }

private:
    mog_batch *batch_;
};

class graph;

template <typename Element>
class stack {
    static_assert(std::is_trivially_copyable_v<Element>, "elements lie in memory that PEs share: they are copied as bytes");

public:
    stack(graph &graph, const char *name, uint32_t length, uint32_t levels = 1);
    explicit operator bool() const { return stack_ != nullptr; }
    mog_stack *get() const { return stack_; }
    Element *talloc(uint32_t level, uint32_t count = 1) { return static_cast<Element *>(mog_graph_talloc(stack_, level, count)); }
    void enq(uint32_t level, Element *elements, uint32_t count = 1) { mog_graph_enq(stack_, level, elements, count); }
    bool put(uint32_t level, const Element &element) {
        Element *const place = talloc(level);
        if (place) enq(level, &(*place = element));
        return place != nullptr;
    }

private:
    mog_stack *stack_;
};

class node {
public:
    explicit node(mog_node *node) : node_(node) {}
    explicit operator bool() const { return node_ != nullptr; }
    mog_node *get() const { return node_; }
    /* What its function makes elements of, for the picture. */
    template <typename... Elements>
    node &makes(const stack<Elements> &...stacks) {
        if (node_) (mog_graph_makes(node_, stacks.get()), ...);
        return *this;
    }
    /* When a batch may be dispatched that is not full. */
    node &predicate(int (*predicate)(uint32_t ready, uint32_t width)) {
        if (node_) mog_node_predicate(node_, predicate);
        return *this;
    }

private:
    mog_node *node_;
};

class graph {
public:
    explicit graph(const char *name, uint32_t participants = 0) : graph_(mog_graph_open(name, participants)) {}
    explicit operator bool() const { return graph_ != nullptr; }
    mog_graph *get() const { return graph_; }
    void channels(const mog_channel_options &options) { mog_graph_channels(graph_, &options); }

    /* `function` is called with a mog::batch<Element> of the stack's elements, up to `width` of them. */
    template <typename Element, typename Function>
    node node(const char *name, uint32_t width, const stack<Element> &from, Function function) {
        mog_node *const made = graph_ && from ? mog_graph_node(graph_, name, &call<Element, Function>, width) : nullptr;
        if (made) {
            auto kept = std::make_shared<Function>(std::move(function));
            mog_node_constant(made, 0, kept.get());
            functions_.push_back(std::move(kept));
            mog_graph_connect(from.get(), made);
        }
        return mog::node(made);
    }
    bool execute() { return mog_graph_execute(graph_) == 0; }
    mog_graph_statistics statistics() const { return mog_graph_get_statistics(graph_); }
    bool draw(const char *file) const { return mog_graph_draw(graph_, file) == 0; }

private:
    template <typename Element, typename Function>
    static void call(mog_batch *elements) {
        (*static_cast<Function *>(mog_batch_constant(elements, 0)))(batch<Element>(elements));
    }

    mog_graph *graph_;
    std::vector<std::shared_ptr<void>> functions_;
};

template <typename Element>
stack<Element>::stack(graph &graph, const char *name, uint32_t length, uint32_t levels)
    : stack_(graph ? mog_graph_stack(graph.get(), name, type_name<Element>().c_str(), sizeof(Element), length, levels) : nullptr) {}

} /* namespace mog */

#endif
