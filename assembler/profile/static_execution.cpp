// static_execution.cpp: how often code is executed, estimated without running it.
//
// Branches are predicted by the heuristics of Ball and Larus ("Branch Prediction for Free", PLDI 1993). Each says which
// way a branch goes and was right in the part of the cases that its hit rate names; where several speak, Wu and Larus
// ("Static Branch Frequency and Program Profile Analysis", MICRO 1994) take the hit rates for probabilities and combine
// them as evidence, after Dempster and Shafer. Block frequencies follow from the flow within a function, those of
// functions from the call graph, begun at the entry point.
#include <algorithm>

#include "assembler/image/constants.hpp"
#include "assembler/profile/execution.hpp"

namespace mog {
namespace {

// Hit rates as Wu and Larus give them (their table 1).
constexpr double loop_branch = 0.88;  // back to the head of a loop
constexpr double loop_exit = 0.80;    // stays in the loop
constexpr double loop_header = 0.75;  // into a loop rather than round it
constexpr double call_hit = 0.78;     // not to a block that calls
constexpr double return_hit = 0.72;   // not to a block that returns
constexpr double store_hit = 0.55;    // not to a block that stores
constexpr double opcode_hit = 0.84;   // a number is not negative

constexpr double most_calls = 4096;     // of a function; recursion would grow without end
constexpr double never_called = 0.001;  // reached through pointers that nobody is seen to use
constexpr int flow_rounds = 200, call_rounds = 12;

// Calls through pointers may lead to all functions whose address is taken. Where these are more pairs than so many, as in programs with
// virtual functions, each call is told to lead to a few of them, evenly chosen.
constexpr std::size_t most_pairs = 1'000'000, few_callees = 32;

class Estimate {
public:
    explicit Estimate(const Image &image) : image_(image), blocks_(code_blocks(image)) {}

    Execution run() {
        find_blocks();
        find_loops();
        local_.assign(count(), 0);
        for (const auto &function : blocks_.functions) solve(function);
        follow_calls();
        return execution();
    }

private:
    enum class End : std::uint8_t { falls, branch, jump, call, tail_call, returns, table, indirect_call, stops };
    struct Block {
        End end = End::falls;
        std::uint32_t last = 0;      // TEXT index
        std::uint32_t target = 0;    // block
        double taken = 0;            // branch: how likely
        std::uint32_t depth = 0;     // of loops around it
        std::uint32_t loop_end = 0;  // its innermost loop, as blocks [loop_head, loop_end]; none if loop_end is 0
        std::uint32_t loop_head = 0;
        bool heads_loop = false, calls = false, stores = false, asks_host = false;
    };

    std::size_t count() const { return blocks_.start.size(); }
    bool same_function(std::uint32_t a, std::uint32_t b) const { return blocks_.function[a] == blocks_.function[b]; }

    void find_blocks() {
        info_.resize(count());
        for (std::uint32_t b = 0; b < count(); ++b) {
            Block &block = info_[b];
            block.last = blocks_.end(image_, b) - 1;
            for (std::uint32_t i = blocks_.start[b]; i <= block.last; ++i) {
                block.stores |= (info(op_at(image_, i)).writes & Mem) != 0;
                block.asks_host |= always_stops(op_at(image_, i)) && !ends_block(op_at(image_, i));
            }
            const Op op = op_at(image_, block.last);
            const bool call = is_call(image_, block.last);
            if (const auto target = named_block(image_, blocks_, block.last)) block.target = *target;
            const bool jumps = (info(op).writes & Pc) != 0;
            block.end = !jumps                          ? (ends_block(op) ? End::stops : End::falls)
                        : is_branch(op)                 ? End::branch
                        : !jumps_to_address(op)         ? call                             ? End::call
                                                          : same_function(b, block.target) ? End::jump
                                                                                           : End::tail_call
                        : call                          ? End::indirect_call
                        : is_return(image_, block.last) ? End::returns
                                                        : End::table;
            block.calls = block.end == End::call || block.end == End::indirect_call;
        }
        // Where jumps through registers may go: functions whose address is taken, and the cases of switches.
        function_entries_.clear();
        tables_.assign(blocks_.functions.size(), {});
        for (std::size_t word = 0; word < image_.code_map.size(); ++word) {
            if (image_.code_map[word] >= image_.text.size()) continue;
            const std::uint32_t b = blocks_.block_of[image_.code_map[word]];
            const auto &function = blocks_.functions[blocks_.function[b]];
            if (b == function.first_block) function_entries_.push_back(b);
            else if (image_.entries[word] != Entry::Return) tables_[blocks_.function[b]].push_back(b);
        }
        std::size_t calls = 0;
        for (std::uint32_t b = 0; b < count(); ++b) calls += calls_any(b);
        many_pairs_ = calls * function_entries_.size() > most_pairs;
    }

    /// A jump back within a function closes a loop over what it jumps across; of loops with one head the longest.
    void find_loops() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> loops;  // end, head
        for (std::uint32_t b = 0; b < count(); ++b) {
            const Block &block = info_[b];
            if ((block.end == End::branch || block.end == End::jump) && block.target <= b && same_function(b, block.target))
                loops.emplace_back(block.target, b);
        }
        std::erase_if(loops, [&](auto loop) { return ends_in_host(loop.first, loop.second); });
        std::sort(loops.begin(), loops.end(), [](auto x, auto y) { return x.first != y.first ? x.first < y.first : x.second > y.second; });
        std::uint32_t last_head = 0xffffffff;
        for (const auto &[head, end] : loops) {
            if (head == last_head) continue;
            last_head = head;
            info_[head].heads_loop = true;
            for (std::uint32_t b = head; b <= end; ++b) {  // inner loops come later and so overwrite outer ones
                info_[b].loop_head = head;
                info_[b].loop_end = end;
                ++info_[b].depth;
            }
        }
        for (std::uint32_t b = 0; b < count(); ++b)
            if (info_[b].end == End::branch) info_[b].taken = likelihood(b);
    }

    /// A loop that nothing leaves, around a system call and no call of a function, as in _exit(): it is the call that does
    /// not come back, or such loops would be most of what every program does. It becomes the end it is.
    bool ends_in_host(std::uint32_t head, std::uint32_t end) {
        if (info_[end].end != End::jump) return false;
        bool asks = false;
        for (std::uint32_t b = head; b <= end; ++b) {
            const Block &block = info_[b];
            const bool stays = block.end == End::falls ||
                               ((block.end == End::branch || block.end == End::jump) && block.target >= head && block.target <= end);
            if (!stays) return false;
            asks |= block.asks_host;
        }
        if (asks) info_[end].end = End::stops;
        return asks;
    }

    double likelihood(std::uint32_t b) const {
        const Block &block = info_[b];
        const std::uint32_t on = b + 1 < count() ? b + 1 : b, to = block.target;
        double taken = 0.5;
        const auto hear = [&](double probability) {
            taken = taken * probability / (taken * probability + (1 - taken) * (1 - probability));
        };
        const bool back = to <= b && same_function(b, to);
        if (back) {
            hear(loop_branch);
        } else if (block.depth != 0) {
            const auto leaves = [&](std::uint32_t x) { return x < block.loop_head || x > block.loop_end; };
            if (leaves(to) != leaves(on)) hear(leaves(to) ? 1 - loop_exit : loop_exit);
        }
        if (!back && info_[to].heads_loop != info_[on].heads_loop) hear(info_[to].heads_loop ? loop_header : 1 - loop_header);
        const auto against = [&](bool taken_has, bool other_has, double hit) {
            if (taken_has != other_has) hear(taken_has ? 1 - hit : hit);
        };
        if (!back) {
            against(info_[to].calls, info_[on].calls, call_hit);
            against(info_[to].end == End::returns, info_[on].end == End::returns, return_hit);
            against(info_[to].stores, info_[on].stores, store_hit);
        }
        if (block.last > 0 && op_at(image_, block.last - 1) == Op::slti_ &&
            static_cast<std::int32_t>(constant_at(image_, block.last - 1)) <= 1 &&
            static_cast<std::int32_t>(constant_at(image_, block.last - 1)) >= 0)
            hear(op_at(image_, block.last) == Op::jt_ ? 1 - opcode_hit : opcode_hit);
        return taken;
    }

    /// Executions of each block for one call of its function: the flow equations, iterated. Loops that never end stop
    /// growing with the rounds.
    void solve(const CodeBlocks::Function &function) {
        const std::uint32_t first = function.first_block, end = first + function.blocks;
        std::vector<double> in(function.blocks);
        // The program may begin in the middle of one.
        const std::uint32_t entry = blocks_.block_of[image_.entry];
        const std::uint32_t begin = entry >= first && entry < end ? entry - first : 0;
        for (int round = 0; round < flow_rounds; ++round) {
            double change = 0;
            // Gauss-Seidel: what comes from blocks before is of this round, what comes from behind of the last one.
            in[begin] += 1;
            for (std::uint32_t b = first; b < end; ++b) {
                const double now = in[b - first];
                in[b - first] = 0;
                change = std::max(change, std::abs(now - local_[b]) / (now + 1e-9));
                local_[b] = now;
                spread(b, now, [&](std::uint32_t to, double flow) {
                    if (to >= first && to < end) in[to - first] += flow;
                });
            }
            if (change < 1e-4) break;
        }
    }

    /// Where control goes from block `b` within its function, calls taken as steps over them.
    template <typename Sink>
    void spread(std::uint32_t b, double flow, Sink sink) const {
        const Block &block = info_[b];
        switch (block.end) {
            case End::falls:
            case End::call:
            case End::indirect_call:
                if (b + 1 < count()) sink(b + 1, flow);
                break;
            case End::branch:
                sink(block.target, flow * block.taken);
                if (b + 1 < count()) sink(b + 1, flow * (1 - block.taken));
                break;
            case End::jump: sink(block.target, flow); break;
            case End::table:
                for (const std::uint32_t to : table_of(b)) sink(to, flow / static_cast<double>(table_of(b).size()));
                break;
            default: break;
        }
    }

    const std::vector<std::uint32_t> &table_of(std::uint32_t b) const { return tables_[blocks_.function[b]]; }

    /// Whether it may call any function whose address is taken.
    bool calls_any(std::uint32_t b) const {
        return info_[b].end == End::indirect_call || (info_[b].end == End::table && table_of(b).empty());
    }

    template <typename Sink>
    void callees(std::uint32_t b, double flow, Sink sink) const {
        const Block &block = info_[b];
        if (block.end == End::call || block.end == End::tail_call) sink(block.target, flow);
        if (!calls_any(b)) return;
        const std::size_t all = function_entries_.size();
        if (!many_pairs_) {
            for (const std::uint32_t to : function_entries_) sink(to, flow / static_cast<double>(all));
            return;
        }
        const std::size_t few = std::min(few_callees, all);
        for (std::size_t k = 0; k < few; ++k) sink(function_entries_[(b + k * all / few) % all], flow / static_cast<double>(few));
    }

    void follow_calls() {
        times_.assign(blocks_.functions.size(), 0);
        for (int round = 0; round < call_rounds; ++round) {
            std::vector<double> next(times_.size(), never_called);
            next[blocks_.function[blocks_.block_of[image_.entry]]] += 1;
            double to_any = 0;
            for (std::uint32_t b = 0; b < count(); ++b) {
                const double flow = local_[b] * times_[blocks_.function[b]];
                if (many_pairs_ && calls_any(b)) to_any += flow;
                else callees(b, flow, [&](std::uint32_t to, double part) { next[blocks_.function[to]] += part; });
            }
            if (to_any > 0)
                for (const std::uint32_t to : function_entries_)
                    next[blocks_.function[to]] += to_any / static_cast<double>(function_entries_.size());
            for (double &value : next) value = std::min(value, most_calls);
            if (next == times_) break;
            times_ = std::move(next);
        }
    }

    Execution execution() const {
        Execution result;
        result.count.resize(image_.text.size());
        std::vector<std::vector<std::uint32_t>> returns(blocks_.functions.size());
        std::vector<double> returned(blocks_.functions.size());
        const auto weight = [&](std::uint32_t b) { return local_[b] * times_[blocks_.function[b]]; };
        for (std::uint32_t b = 0; b < count(); ++b) {
            for (std::uint32_t i = blocks_.start[b]; i <= info_[b].last; ++i) result.count[i] = weight(b);
            if (info_[b].end != End::returns) continue;
            returns[blocks_.function[b]].push_back(b);
            returned[blocks_.function[b]] += weight(b);
        }
        const auto jump = [&](std::uint32_t from, std::uint32_t to_block, double flow) {
            if (flow > 0) result.jumps.push_back({info_[from].last, blocks_.start[to_block], flow});
        };
        for (std::uint32_t b = 0; b < count(); ++b) {
            const Block &block = info_[b];
            if (block.end == End::branch || block.end == End::jump || block.end == End::table)
                spread(b, weight(b), [&](std::uint32_t to, double flow) {
                    if (block.end != End::branch || to == block.target) jump(b, to, flow);
                });
            callees(b, weight(b), [&](std::uint32_t to, double flow) {
                jump(b, to, flow);
                const std::uint32_t f = blocks_.function[to];
                if (block.calls && b + 1 < count() && returned[f] > 0)
                    for (const std::uint32_t r : returns[f]) jump(r, b + 1, flow * weight(r) / returned[f]);
            });
        }
        sort_jumps(result.jumps);
        return result;
    }

    /// A program with many indirect calls has a million of these, those from one place nearly in order: counted by their places they take a
    /// tenth of the time to sort.
    void sort_jumps(std::vector<Execution::Jump> &jumps) const {
        std::vector<std::size_t> end(image_.text.size() + 1);
        for (const Execution::Jump &jump : jumps) ++end[jump.from + 1];
        for (std::size_t from = 1; from < end.size(); ++from) end[from] += end[from - 1];
        std::vector<Execution::Jump> sorted(jumps.size());
        for (const Execution::Jump &jump : jumps) sorted[end[jump.from]++] = jump;
        for (std::size_t from = 0, begin = 0; from + 1 < end.size(); begin = end[from++]) {
            const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                       last = sorted.begin() + static_cast<std::ptrdiff_t>(end[from]);
            if (!std::is_sorted(first, last)) std::sort(first, last);
        }
        jumps = std::move(sorted);
    }

    const Image &image_;
    CodeBlocks blocks_;
    std::vector<Block> info_;
    std::vector<std::uint32_t> function_entries_;
    std::vector<std::vector<std::uint32_t>> tables_;  // by function
    bool many_pairs_ = false;                         // of calls through pointers and such functions
    std::vector<double> local_;                       // by block: executions for one call of its function
    std::vector<double> times_;                       // by function: calls of it
};

}  // namespace

Execution static_execution(const Image &image) {
    Execution execution = Estimate(image).run();
    execution.is_guess = true;
    return execution;
}

}  // namespace mog
