// kernel_facts.cpp: order, waiting lanes, liveness, and what the analysis of divergence says of registers.
#include "runtime_host/ptx/code/kernel_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "translator/ptx/uses.hpp"

namespace mog::ptx {
namespace {

/// Above these, it would take minutes to look at them all: what is known of a block is a bit for each other one, and for each register.
constexpr std::size_t most_blocks = 8000, most_instructions = 80000;
/// Of a loop. MOG's own kernel has one of hundreds, where its interpreter goes from block to block: what could wait where takes longer to
/// find than what compiling it saves, which is nothing.
constexpr std::size_t most_entries = 64;

}  // namespace

/// Others' writes need not be seen by one that is neither atomic nor volatile.
Waits waits_by(const Opcode &opcode) {
    if (opcode.action() == Action::atomic) return Waits::surely;
    if (opcode.action() != Action::load) return Waits::no;
    const bool is_ordered = opcode.is_volatile || opcode.has(Word::relaxed) || opcode.has(Word::acquire);
    return is_ordered ? Waits::surely : opcode.space == Space::param || opcode.space == Space::constant ? Waits::no : Waits::hardly;
}

KernelFacts::KernelFacts(const Program &program, const Function &function, const KernelShape &shape, std::uint32_t lanes, Waits calls)
    : program_(program), function_(function), calls_(calls), blocks_(find_blocks(program, function)) {
    if (blocks_.blocks.empty() || blocks_.blocks.size() > most_blocks || function.code.size() > most_instructions) {
        why_not_ = blocks_.blocks.empty() ? "it is empty" : "it is too large";
        return;
    }
    const Graph graph = blocks_.graph();
    constexpr Node roots[] = {0};
    ways_ = with_single_entries(graph, roots);
    for (std::size_t added = 0; added < ways_.first.size(); ++added)
        if (ways_.entries_of(ways_.old_size + static_cast<Node>(added)).size() > most_entries) {
            why_not_ = fmt::format("it has a loop of more than {} entries", most_entries);
            return;
        }
    graph_ = ways_.graph;
    loops_ = std::make_unique<LoopForest>(graph_, roots);
    put_in_order();
    if (!why_not_.empty()) return;
    kept_.resize(function.registers.size());
    widenings_.resize(function.code.size());
    if (lanes == 1) {
        // A lane agrees with itself.
        uniform_.assign(graph_.size(), true);
        on_all_ways_.assign(graph_.size(), false);
        on_all_ways_[0] = true;
        waiting_.resize(graph_.size());
        for (std::uint32_t reg = 0; reg < kept_.size(); ++reg) kept_[reg].is_scalar = register_bits(function.registers[reg]) <= 64;
        find_live();
        find_loops_that_wait();
        return;
    }
    std::vector<DivergenceKernel> kernels = divergence_kernels(program, {function.name});
    make_entries_single(kernels.front());
    divergence::AnalysisOptions options;
    options.degree = 1;
    options.shape = {shape.x, shape.y, shape.z, lanes, false};
    const divergence::Analysis sure(kernels.front().kernel, options);
    options.widening_is_checked = true;
    const divergence::Analysis analysis(kernels.front().kernel, options);
    find_waiting(shape.has_facts ? &analysis : nullptr);
    find_live();
    if (shape.has_facts) {
        find_kept(kernels.front(), analysis);
        find_widenings(kernels.front(), analysis, sure);
    }
    find_loops_that_wait();
}

KernelFacts::Node KernelFacts::first_of(std::uint32_t loop) const {
    const Node header = loops_->loops()[loop].header;
    return is_block(header) ? header : ways_.first_of(header);
}

std::uint32_t KernelFacts::loop_of_first(Node block) const {
    const std::uint32_t loop = loops_->innermost(block);
    return loop != LoopForest::none && first_of(loop) == block ? loop : LoopForest::none;
}

KernelFacts::Node KernelFacts::first_wait(Node from, Node to) const {
    const auto &blocks = blocks_.blocks[from].successors;
    return graph_.successors(from)[static_cast<std::size_t>(std::ranges::find(blocks, to) - blocks.begin())];
}

/// What it is like where lanes come to loops of several entries by one: a number says which is theirs. Blocks of the kernel that is
/// analysed have one before them, and one behind.
void KernelFacts::make_entries_single(DivergenceKernel &kernel) const {
    const auto size = static_cast<Node>(blocks_.blocks.size());
    if (graph_.size() == size) return;
    auto &blocks = kernel.kernel.blocks;
    const auto place_of = [&](Node node) { return is_block(node) ? node + 1 : node + 2; };
    const divergence::Variable entry = kernel.kernel.add_variable("entry");
    blocks.resize(place_of(graph_.size()));
    for (Node added = size; added < graph_.size(); ++added) {
        divergence::Block &block = blocks[place_of(added)];
        block.label = "entries" + std::to_string(added - size);
        block.end.kind = divergence::End::Kind::choice;
        block.end.condition = divergence::Operand::of(entry);
        for (const Node to : graph_.successors(added)) block.end.targets.push_back(place_of(to));
    }
    for (Node from = 0; from < size; ++from) {
        for (std::size_t way = 0; way < blocks[from + 1].end.targets.size(); ++way) {
            const divergence::BlockIndex target = blocks[from + 1].end.targets[way];
            if (target > size || first_wait(from, target - 1) == target - 1) continue;
            divergence::Block block;
            block.label = "way" + std::to_string(blocks.size());
            divergence::Instruction sets;
            sets.result = entry;
            sets.operands = {divergence::Operand::number(target)};
            block.code.push_back(std::move(sets));
            block.end.kind = divergence::End::Kind::jump;
            block.end.targets = {place_of(first_wait(from, target - 1))};
            blocks[from + 1].end.targets[way] = static_cast<divergence::BlockIndex>(blocks.size());
            blocks.push_back(std::move(block));
        }
    }
    kernel.made_of.resize(blocks.size());
    for (auto &made_of : kernel.made_of)
        if (const auto &code = blocks[static_cast<std::size_t>(&made_of - kernel.made_of.data())].code; made_of.size() < code.size())
            made_of.resize(code.size(), DivergenceKernel::Where::none);
}

/// Each time the first in the text of what nothing has to come before any more, from the innermost loop that is not complete.
void KernelFacts::put_in_order() {
    const auto size = graph_.size();
    constexpr Node roots[] = {0};
    const std::vector<bool> reached = reached_from(graph_, roots);
    const auto is_back = [&](Node from, Node to) {
        for (std::uint32_t loop = loops_->innermost(from); loop != LoopForest::none; loop = loops_->loops()[loop].parent)
            if (loops_->loops()[loop].header == to) return true;
        return false;
    };
    std::vector<std::uint32_t> before(size);
    for (Node from = 0; from < size; ++from) {
        if (from != 0 && !reached[from]) continue;
        for (const Node to : graph_.successors(from))
            if (!is_back(from, to)) ++before[to];
    }
    position_.assign(size, FunctionPlaces::none);
    const auto in_text = [&](Node node) { return is_block(node) ? node : ways_.first_of(node); };
    std::vector<Node> ready = {0};
    std::uint32_t inside = LoopForest::none;
    while (!ready.empty()) {
        auto best = ready.end();
        for (std::uint32_t loop = inside;; loop = loops_->loops()[loop].parent) {
            for (auto one = ready.begin(); one != ready.end(); ++one) {
                if (loop != LoopForest::none && !loops_->contains(loop, *one)) continue;
                if (best == ready.end() || in_text(*one) < in_text(*best)) best = one;
            }
            if (best != ready.end() || loop == LoopForest::none) break;
        }
        const Node block = *best;
        ready.erase(best);
        position_[block] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(block);
        inside = loops_->innermost(block);
        for (const Node to : graph_.successors(block))
            if (!is_back(block, to) && --before[to] == 0) ready.push_back(to);
    }
    for (const LoopOf &loop : loops_->loops()) {
        std::uint32_t least = FunctionPlaces::none, most = 0, count = 0;
        for (const Node node : loop.nodes) {
            if (position_[node] == FunctionPlaces::none) continue;
            least = std::min(least, position_[node]);
            most = std::max(most, position_[node]);
            ++count;
        }
        if (count != 0 && (most - least + 1 != count || position_[loop.header] != least)) why_not_ = "its loops cannot be put in order";
    }
}

void KernelFacts::find_waiting(const divergence::Analysis *analysis) {
    const auto size = graph_.size();
    uniform_.assign(size, true);
    waiting_.resize(size);
    std::vector<Node> exits = final_nodes(graph_);
    for (Node node = 0; node < blocks_.blocks.size(); ++node) {
        const Instruction &last = function_.code[blocks_.blocks[node].end - 1];
        const bool leaves_by_guard = last.guard >= 0 && graph_.successors(node).size() < 2;
        if (leaves_by_guard && std::ranges::find(exits, node) == exits.end()) exits.push_back(node);
    }
    for (const Node node : endless_exits(graph_, exits)) exits.push_back(node);
    const DominatorTree post = post_dominators(graph_, exits);
    on_all_ways_.assign(size, false);
    for (Node node = 0; node != DominatorTree::none && node < size; node = post.parent(node)) on_all_ways_[node] = true;
    std::vector<std::vector<bool>> waits(size, std::vector<bool>(size));
    for (const Node branch : order_) {
        if (graph_.successors(branch).size() < 2) continue;
        // As make_entries_single() has them.
        if (analysis != nullptr && analysis->is_branch_uniform(is_block(branch) ? branch + 1 : branch + 2)) continue;
        if (analysis == nullptr && is_block(branch)) {
            const Instruction &last = function_.code[blocks_.blocks[branch].end - 1];
            if (last.guard < 0 && program_.opcode_of(last).action() != Action::branch_table) continue;
        }
        uniform_[branch] = false;
        find_waiting_of(branch, post.is_reached(branch) ? post.parent(branch) : DominatorTree::none, waits);
    }
    // Who waits to come into a loop is known by the entry.
    for (const Node place : order_) {
        if (is_block(place)) continue;
        const std::vector<Node> entries = ways_.entries_of(place);
        for (Node block = 0; block < size; ++block)
            if (waits[place][block])
                for (const Node entry : entries) waits[entry][block] = true;
    }
    for (Node block = 0; block < size; ++block)
        for (const Node place : order_)
            if (waits[place][block] && is_block(place)) waiting_[block].push_back(place);
}

/// Of the lanes that part at a branch, whose ways meet at `end`: waits[place][block].
void KernelFacts::find_waiting_of(Node branch, Node end, std::vector<std::vector<bool>> &waits) const {
    const auto size = graph_.size();
    const std::vector<Node> none;
    std::vector<Node> region = {branch};
    std::vector<bool> is_inside(size), is_open(size);
    is_open[branch] = true;
    for (std::size_t at = 0; at < region.size(); ++at) {
        if (at != 0 && region[at] == end) continue;
        for (const Node to : graph_.successors(region[at])) {
            is_inside[to] = true;
            if (is_open[to]) continue;
            is_open[to] = true;
            region.push_back(to);
        }
    }
    // Ways from the branch, which is a node that nothing leads back to here: a block is on all ways to what it dominates.
    const auto successors = [&](Node node) -> std::span<const Node> {
        if (node == size) return graph_.successors(branch);
        return is_inside[node] && node != end ? graph_.successors(node) : std::span<const Node>(none);
    };
    const Node roots[] = {size};
    const DominatorTree on_ways(Graph(size + 1, successors), roots);
    std::vector<Node> inside;  // in order
    for (const Node node : region)
        if (is_inside[node] && node != end) inside.push_back(node);
    std::ranges::sort(inside, {}, [&](Node node) { return position_[node]; });
    const auto behind = [&](Node node) {
        return std::ranges::upper_bound(inside, position_[node], {}, [&](Node one) { return position_[one]; });
    };
    for (const Node place : region) {
        if (!is_inside[place]) continue;
        const std::uint32_t at = position_[place];
        const auto wait_in = [&](Node block, bool is_before, Node from) {
            if (block == place || waits[place][block]) return;
            if (is_before && (on_ways.dominates(block, place) || (from != branch && on_ways.dominates(block, from)))) return;
            waits[place][block] = true;
        };
        for (const Node from : graph_.predecessors(place)) {
            if (position_[from] == FunctionPlaces::none || (from != branch && !is_inside[from]) || from == end) continue;
            // In this round, by a way on which the block is not.
            for (auto between = behind(from); between != inside.end() && position_[*between] < at; ++between) wait_in(*between, true, from);
            // They went back to the head of a loop before.
            const std::uint32_t loop = loops_->innermost(place);
            if (loops_->is_header(place) && position_[from] >= at)
                for (auto later = behind(from); later != inside.end() && loops_->contains(loop, *later); ++later)
                    wait_in(*later, true, from);
            // In a round before, out of a loop around both.
            std::uint32_t around = LoopForest::none;
            for (std::uint32_t one = loops_->innermost(from); one != LoopForest::none; one = loops_->loops()[one].parent)
                if (loops_->contains(one, branch) && !loops_->contains(one, place)) around = one;
            if (around == LoopForest::none) continue;
            for (const Node block : inside)
                if (position_[block] < at && loops_->contains(around, block)) wait_in(block, false, from);
        }
    }
}

/// Calls set(register, whether it is live before the instruction) for those of which it says so.
void KernelFacts::step_back(std::uint32_t at, const auto &set) const {
    const Instruction &instruction = function_.code[at];
    const auto visit = [&](bool wanted) {
        each_register(program_, function_, instruction, [&](const Operand &reg, bool writes) {
            if (writes == wanted && (!writes || instruction.guard < 0)) set(reg.index, !writes);
        });
    };
    visit(true);
    visit(false);
    if (instruction.guard >= 0) set(static_cast<std::uint32_t>(instruction.guard), true);
}

/// Many functions have thousands of registers, and of a block each time the same of them is asked: they are words of bits here, and what a
/// block does to them is found once.
void KernelFacts::find_live() {
    const std::size_t registers = function_.registers.size(), words = (registers + 63) / 64;
    using Words = std::vector<std::uint64_t>;
    const auto put = [](Words &to, std::size_t reg, bool is_in) {
        const std::uint64_t bit = std::uint64_t{1} << reg % 64;
        to[reg / 64] = is_in ? to[reg / 64] | bit : to[reg / 64] & ~bit;
    };
    std::vector<Words> wants(graph_.size()), passes(graph_.size()), live_in(graph_.size(), Words(words));
    for (const Node block : order_) {
        wants[block].assign(words, 0);
        passes[block].assign(words, ~std::uint64_t{0});
        if (!is_block(block)) continue;
        for (std::uint32_t at = blocks_.blocks[block].end; at-- > blocks_.blocks[block].begin;)
            step_back(at, [&](std::uint32_t reg, bool is_live) {
                put(wants[block], reg, is_live);
                put(passes[block], reg, is_live);
            });
    }
    Words given_back(words);
    for (std::size_t reg = 0; const bool is_given : returned()) put(given_back, reg++, is_given);
    for (bool changes = true; changes;) {
        changes = false;
        for (auto block = order_.rbegin(); block != order_.rend(); ++block) {
            Words &before = live_in[*block];
            for (std::size_t word = 0; word < words; ++word) {
                std::uint64_t live = given_back[word];
                for (const Node to : graph_.successors(*block)) live |= live_in[to][word];
                live = wants[*block][word] | (live & passes[*block][word]);
                changes |= live != before[word];
                before[word] = live;
            }
        }
    }
    const auto unpack = [&](const Words &from) {
        Bits to(registers);
        for (std::size_t word = 0; word < words; ++word)
            for (std::uint64_t left = from[word]; left != 0; left &= left - 1)
                to[word * 64 + static_cast<std::size_t>(std::countr_zero(left))] = true;
        return to;
    };
    Words somewhere(words);
    live_in_.resize(graph_.size());
    for (Node block = 0; block < graph_.size(); ++block) {
        live_in_[block] = unpack(live_in[block]);
        for (std::size_t word = 0; word < words; ++word) somewhere[word] |= live_in[block][word];
    }
    live_somewhere_ = unpack(somewhere);
}

KernelFacts::Bits KernelFacts::returned() const {
    Bits bits(function_.registers.size());
    for (const Formal &formal : function_.returns)
        if (formal.is_register) bits[formal.index] = true;
    return bits;
}

/// Behind a block: what those want that it leads to, and what a function gives back in registers.
KernelFacts::Bits KernelFacts::live_out(Node block) const {
    Bits live = returned();
    for (const Node to : graph_.successors(block))
        for (std::size_t reg = 0; reg < live.size(); ++reg)
            if (live_in_[to][reg]) live[reg] = true;
    return live;
}

KernelFacts::Bits KernelFacts::live_before(std::uint32_t instruction) const {
    const Node block = blocks_.block_of[instruction];
    Bits live = live_out(block);
    for (std::uint32_t at = blocks_.blocks[block].end; at-- > instruction;)
        step_back(at, [&](std::uint32_t reg, bool is_live) { live[reg] = is_live; });
    return live;
}

bool KernelFacts::is_wanted_elsewhere(Node block, std::uint32_t reg) const {
    return std::ranges::any_of(waiting_[block], [&](Node place) { return live_in_[place][reg]; });
}

void KernelFacts::find_kept(const DivergenceKernel &kernel, const divergence::Analysis &analysis) {
    std::map<divergence::Variable, std::uint32_t> registers;
    for (std::uint32_t reg = 0; reg < function_.registers.size(); ++reg) {
        registers[kernel.variables[reg]] = reg;
        kept_[reg].is_scalar = register_bits(function_.registers[reg]) <= 64;
    }
    std::vector<bool> is_known(kept_.size());
    const auto meet = [&](std::uint32_t reg, const divergence::Fact &fact) {
        if (fact.is_top()) return;
        Kept &kept = kept_[reg];
        const Type type = function_.registers[reg];
        std::int64_t stride = 0;
        if (!fact.is_uniform()) {
            if (!fact.a[1].is_known() || type == Type::pred || is_real(type)) {
                kept.is_scalar = false;
                return;
            }
            stride = fact.a[1].number;
        }
        if (is_known[reg] && kept.stride != stride) kept.is_scalar = false;
        kept.stride = stride;
        is_known[reg] = true;
    };
    const auto &values = analysis.form().values;
    for (divergence::ValueIndex value = 0; value < values.size(); ++value) {
        const auto reg = registers.find(values[value].variable);
        if (reg == registers.end() || values[value].kind == divergence::Value::Kind::incoming) continue;
        meet(reg->second, analysis.fact(value));
        const std::uint32_t first = analysis.form().first_reading(value);
        const std::size_t count = analysis.form().readings_of(value).size();
        for (std::uint32_t reading = first; reading < first + count; ++reading) meet(reg->second, analysis.fact_at(value, reading));
    }
    // What a function is given is another in each lane, and what it gives.
    for (const auto *formals : {&function_.returns, &function_.parameters})
        for (const Formal &formal : *formals)
            if (formal.is_register) kept_[formal.index].is_scalar = false;
    // One place for all lanes does where no lanes wait for what was there before.
    for (const Node block : order_) {
        if (!is_block(block)) continue;
        for (std::uint32_t at = blocks_.blocks[block].begin; at < blocks_.blocks[block].end; ++at) {
            const Instruction &instruction = function_.code[at];
            each_register(program_, function_, instruction, [&](const Operand &reg, bool writes) {
                if (!writes) return;
                const bool is_guarded = instruction.guard >= 0;
                if (is_guarded || is_wanted_elsewhere(block, reg.index)) kept_[reg.index].is_scalar = false;
            });
        }
    }
    for (Kept &kept : kept_)
        if (!kept.is_scalar) kept.stride = 0;
}

void KernelFacts::find_widenings(const DivergenceKernel &kernel, const divergence::Analysis &analysis, const divergence::Analysis &sure) {
    std::map<divergence::Variable, std::uint32_t> registers;
    for (std::uint32_t reg = 0; reg < function_.registers.size(); ++reg) registers[kernel.variables[reg]] = reg;
    const auto &form = analysis.form();
    for (divergence::BlockIndex block = 0; block < kernel.kernel.blocks.size(); ++block) {
        const auto &code = kernel.kernel.blocks[block].code;
        for (std::size_t at = 0; at < code.size(); ++at) {
            if (code[at].operation != divergence::Operation::widen) continue;
            const divergence::ValueIndex value = form.result_of(block, at);
            if (value == divergence::no_value) continue;
            const divergence::Fact &fact = analysis.fact(value);
            if (fact.is_top() || fact.is_uniform() || !fact.a[1].is_known() || sure.fact(value) == fact) continue;
            if (!sure.fact(value).is_top() && sure.class_of(value) == divergence::Class::affine) continue;
            const auto reg = registers.find(code[at].operands[0].variable);
            if (reg == registers.end()) {
                why_not_ = "it widens what is in no register";
                return;
            }
            widenings_[kernel.made_of[block][at]].push_back({reg->second, fact.a[1].number, !code[at].is_unsigned});
        }
    }
}

bool KernelFacts::is_for_single_threads() const {
    for (std::uint32_t number = 0; number < loops_->loops().size(); ++number) {
        const LoopOf &loop = loops_->loops()[number];
        bool is_left_apart = false, reads_apart = false;
        for (const Node block : loop.nodes) {
            if (position_[block] == FunctionPlaces::none || !is_block(block)) continue;
            is_left_apart |=
                !uniform_[block] && std::ranges::any_of(graph_.successors(block), [&](Node to) { return !loops_->contains(number, to); });
            for (std::uint32_t at = blocks_.blocks[block].begin; at < blocks_.blocks[block].end; ++at) {
                const Opcode &opcode = program_.opcode_of(function_.code[at]);
                if (opcode.action() != Action::load || opcode.space == Space::shared) continue;
                const Operand &from = function_.operands_of(function_.code[at])[1];
                reads_apart |= from.kind == Operand::Kind::reg && !kept_[from.index].is_scalar;
            }
        }
        if (is_left_apart && reads_apart) return true;
    }
    return false;
}

Waits KernelFacts::waits_by(const Instruction &instruction) const {
    const Opcode &opcode = program_.opcode_of(instruction);
    if (opcode.action() == Action::call) return calls_;
    if (opcode.action() == Action::load && opcode.space == Space::param) {
        // What a call has left in a variable.
        const Operand &from = function_.operands_of(instruction)[1];
        const bool is_given = from.kind == Operand::Kind::own_variable &&
                              std::ranges::find(function_.parameters, from.index, &Formal::index) != function_.parameters.end();
        return is_given ? Waits::no : calls_;
    }
    return ptx::waits_by(opcode);
}

void KernelFacts::find_loops_that_wait() {
    may_wait_.assign(loops_->loops().size(), Waits::no);
    for (std::uint32_t number = 0; number < loops_->loops().size(); ++number) {
        const LoopOf &loop = loops_->loops()[number];
        // By register: how what it holds depends on memory that the loop reads.
        std::vector<Waits> depends(function_.registers.size(), Waits::no);
        for (bool changes = true; changes;) {
            changes = false;
            for (const Node block : loop.nodes) {
                if (!is_block(block)) continue;
                for (std::uint32_t at = blocks_.blocks[block].begin; at < blocks_.blocks[block].end; ++at) {
                    const Instruction &instruction = function_.code[at];
                    Waits most = waits_by(instruction);
                    each_register(program_, function_, instruction, [&](const Operand &reg, bool writes) {
                        if (!writes) most = std::max(most, depends[reg.index]);
                    });
                    each_register(program_, function_, instruction, [&](const Operand &reg, bool writes) {
                        if (!writes || depends[reg.index] >= most) return;
                        depends[reg.index] = most;
                        changes = true;
                    });
                }
            }
        }
        Waits &waits = may_wait_[number];
        bool is_left = false;
        for (const Node block : loop.nodes) {
            if (!is_block(block)) continue;
            const auto successors = graph_.successors(block);
            is_left |= std::ranges::any_of(successors, [&](Node to) { return !loops_->contains(number, to); });
            // What is asked inside the loop may be what it is left by later.
            for (std::uint32_t at = blocks_.blocks[block].begin; at < blocks_.blocks[block].end; ++at) {
                const Instruction &instruction = function_.code[at];
                if (instruction.guard < 0) continue;
                waits = std::max(waits, depends[static_cast<std::size_t>(instruction.guard)]);
                is_left |= at + 1 == blocks_.blocks[block].end && successors.size() < 2;
            }
        }
        if (!is_left) waits = Waits::surely;
    }
}

}  // namespace mog::ptx
