// machine.cpp: the rules, one step after the other.
#include "assembler/usimd/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembler/divergence/evaluate.hpp"
#include "assembler/divergence/sync.hpp"

namespace mog::usimd {
namespace {

using namespace divergence;

/// What memory and registers hold of which nothing can be said: no number that programs come by on their own.
constexpr std::int64_t anything = 0x6b6b6b6b6b6b;

bool needs_stand_in(const Instruction &instruction) {
    const Shape of = info(instruction.operation).shape;
    return of == Shape::opaque || of == Shape::parameter || instruction.operation == Operation::other;
}

bool is_none(const Lanes &lanes) { return std::ranges::find(lanes, true) == lanes.end(); }

void unite(Lanes &lanes, const Lanes &others) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        if (others[lane]) lanes[lane] = true;
}

std::string cells_text(const Machine &machine) {
    std::string text = "cells:";
    for (const std::int64_t cell : machine.cells()) text += fmt::format(" {}", cell);
    return text + "\n";
}

}  // namespace

Result<Machine> Machine::make(const Program &program, const MachineOptions &options) {
    Machine machine(program, options);
    if (const auto ready = machine.prepare(); !ready) return ready.error();
    return machine;
}

Error Machine::stuck(const Place &place, std::string message) const { return {std::move(message), kernel().place_text(place)}; }

Result<void> Machine::prepare() {
    if (const std::string wrong = kernel().check(); !wrong.empty()) return stuck({}, wrong);
    const ThreadShape &shape = program_->shape;
    threads_ = shape.x ? *shape.x * shape.y.value_or(1) * shape.z.value_or(1) : options_.threads;
    if (threads_ == 0 || options_.warp == 0) return stuck({}, "there is at least one thread, and one lane in a warp");
    const Graph graph = kernel().graph();
    constexpr Graph::Node entry[] = {0};
    const DominatorTree dominators(graph, entry);
    SyncDependence sync(graph, dominators);
    bool has_sync = false;
    for (const Block &block : kernel().blocks)
        for (const Instruction &instruction : block.code) has_sync |= instruction.operation == Operation::sync;
    ends_.assign(kernel().blocks.size(), Parting::nowhere);
    comes_back_.resize(kernel().blocks.size());
    std::vector<bool> ends_one(kernel().blocks.size());
    for (BlockIndex b = 0; b < kernel().blocks.size(); ++b) {
        const End &end = kernel().blocks[b].end;
        if (end.targets.size() < 2 || !dominators.is_reached(b)) continue;
        const Parting parting = sync.part(b);
        ends_[b] = parting.end;
        for (const BlockIndex target : end.targets) {
            // Whether a way leads from there to the branch, without its region's end.
            std::vector<bool> met(graph.size());
            std::vector<BlockIndex> work;
            if (target != parting.end) work.push_back(target);
            while (!work.empty()) {
                const BlockIndex node = work.back();
                work.pop_back();
                if (met[node]) continue;
                met[node] = true;
                for (const BlockIndex to : graph.successors(node))
                    if (to != parting.end) work.push_back(to);
            }
            comes_back_[b].push_back(met[b]);
        }
        if (!has_sync) continue;
        if (parting.end == Parting::nowhere)
            return stuck(end.place,
                         "the ways from this branch never meet again, so its lanes have no sync to wait at: let all of them lead to one");
        ends_one[parting.end] = true;
        const Block &meeting = kernel().blocks[parting.end];
        if (meeting.code.empty() || meeting.code.front().operation != Operation::sync)
            return stuck(end.place, fmt::format("the ways from this branch meet at `{}`, which does not begin with sync", meeting.label));
    }
    for (BlockIndex b = 0; b < kernel().blocks.size(); ++b)
        for (std::size_t i = 0; i < kernel().blocks[b].code.size(); ++i) {
            const Instruction &instruction = kernel().blocks[b].code[i];
            if (instruction.operation == Operation::sync && dominators.is_reached(b) && (i != 0 || !ends_one[b]))
                return stuck(instruction.place,
                             "no branch has its lanes wait at this sync: one stands first where all ways from a branch have met");
            if (!options_.has_stand_ins && needs_stand_in(instruction))
                return stuck(instruction.place, fmt::format("the machine does not know what `{}` does", text_of(kernel(), instruction)));
        }
    cells_ = program_->cells;
    return {};
}

Result<void> Machine::run(const Watcher &watcher) {
    for (first_thread_ = 0; first_thread_ < threads_; first_thread_ += options_.warp) {
        const std::size_t lanes = std::min(options_.warp, threads_ - first_thread_);
        active_.assign(lanes, true);
        stack_.clear();
        locals_.assign(kernel().variables.size(), std::vector<std::int64_t>(lanes));
        for (Variable variable = 0; variable < locals_.size(); ++variable) locals_[variable].assign(lanes, program_->parameters[variable]);
        warp_cells_.assign(program_->warp_cells, anything);
        lane_cells_.assign(lanes, std::vector<std::int64_t>(program_->lane_cells, anything));
        if (auto done = run_warp(watcher); !done) return done;
    }
    return {};
}

Result<void> Machine::run_warp(const Watcher &watcher) {
    at_ = 0;
    for (std::uint64_t count = 0;;) {
        const auto tell = [&](Step::What what, std::size_t index, const char *rule) {
            if (watcher) watcher(*this, {what, at_, index, rule, &active_});
        };
        if (!stack_.empty() && stack_.back().end == at_) {
            const BlockIndex meeting = at_;
            const Lanes came = active_;
            const bool all_are_here = synchronise();
            ++steps_;
            if (!all_are_here) {
                if (watcher) watcher(*this, {Step::What::waits, meeting, 0, "SS", &came});
                continue;
            }
        }
        tell(Step::What::comes, 0, "");
        const Block &block = kernel().blocks[at_];
        const auto spend = [&] { return ++count > options_.most_steps; };
        for (std::size_t i = 0; i < block.code.size(); ++i) {
            if (spend()) return stuck(block.code[i].place, fmt::format("no end after {} steps", options_.most_steps));
            tell(Step::What::before, i, "");
            if (auto done = execute(block.code[i]); !done) return done;
            ++steps_;
            tell(Step::What::after, i, rule_);
        }
        if (spend()) return stuck(block.end.place, fmt::format("no end after {} steps", options_.most_steps));
        if (block.end.kind == End::Kind::stop) {
            tell(Step::What::end, block.code.size(), "SF");
            ++steps_;
            // SF wants an empty stack. Lanes of regions that end nowhere are done when they stop.
            while (!stack_.empty() && stack_.back().end == Parting::nowhere && stack_.back().todo.empty()) stack_.pop_back();
            if (stack_.empty()) return {};
            if (stack_.back().end != Parting::nowhere)
                return stuck(block.end.place, "stop, while lanes wait at a sync that these have not come to");
            Node &top = stack_.back();
            active_ = top.todo.back().second;
            at_ = top.todo.back().first;
            top.todo.pop_back();
            continue;
        }
        if (block.end.targets.size() > 1) {
            const Lanes before = active_;
            const BlockIndex from = at_;
            branch(block.end);
            ++steps_;
            if (watcher) watcher(*this, {Step::What::end, from, block.code.size(), rule_, &before});
        } else {
            tell(Step::What::end, block.code.size(), block.end.kind == End::Kind::jump ? "JP" : "");
            at_ = block.end.targets.front();
        }
    }
}

/// SS and SP: lanes are where the region of the top node ends. False: others have their turn, elsewhere.
bool Machine::synchronise() {
    const BlockIndex meeting = at_;
    while (!stack_.empty() && stack_.back().end == meeting) {
        Node &top = stack_.back();
        if (top.todo.empty()) {
            // SP: all are here.
            unite(active_, top.done);
            stack_.pop_back();
            continue;
        }
        // SS: those that came are done, beside any that were before. The others may have nothing to do but to be here.
        unite(top.done, active_);
        active_ = top.todo.back().second;
        at_ = top.todo.back().first;
        top.todo.pop_back();
        if (at_ != meeting) return false;
    }
    return true;
}

void Machine::branch(const End &end) {
    const BlockIndex from = at_;
    // split(): lanes by where they go.
    std::vector<Lanes> by_target(end.targets.size(), Lanes(active_.size()));
    for (std::size_t lane = 0; lane < active_.size(); ++lane) {
        if (!active_[lane]) continue;
        const std::int64_t value = read(end.condition, lane);
        // A switch takes target 0, 1, ..., and the last for all other numbers.
        const std::size_t last = end.targets.size() - 1;
        const std::size_t way = end.kind == End::Kind::branch                          ? (value != 0 ? 0 : 1)
                                : value < 0 || value > static_cast<std::int64_t>(last) ? last
                                                                                       : static_cast<std::size_t>(value);
        by_target[way][lane] = true;
    }
    std::vector<std::size_t> taken;
    for (std::size_t way = 0; way < by_target.size(); ++way)
        if (!is_none(by_target[way])) taken.push_back(way);
    // Lanes that fall through go first; those that jump wait (BD). The text has the way that jumps by its label, so the
    // block behind is the one with the next number.
    std::size_t first = taken.front();
    for (const std::size_t way : taken)
        if (end.targets[way] == from + 1) first = way;
    std::vector<std::pair<BlockIndex, Lanes>> todo;
    for (const std::size_t way : taken)
        if (way != first) todo.emplace_back(end.targets[way], by_target[way]);
    // BT: all jump. BF: none does.
    rule_ = !todo.empty() ? "BD" : end.targets[first] == from + 1 ? "BF" : "BT";
    push(from, std::move(todo));
    active_ = by_target[first];
    at_ = end.targets[first];
}

void Machine::push(BlockIndex branch, std::vector<std::pair<BlockIndex, Lanes>> todo) {
    // The branch's node, if one of those on top that wait for the same end is its own.
    Node *own = nullptr;
    for (std::size_t i = stack_.size(); i-- > 0 && stack_[i].end == ends_[branch] && own == nullptr;)
        if (stack_[i].branch == branch) own = &stack_[i];
    const auto may_join = [&](BlockIndex target) {
        const auto &targets = kernel().blocks[branch].end.targets;
        return !comes_back_[branch][std::ranges::find(targets, target) - targets.begin()];
    };
    if (own != nullptr) {
        for (auto &[target, lanes] : todo) {
            const auto waiting = std::ranges::find(own->todo, target, &std::pair<BlockIndex, Lanes>::first);
            // The third rule of push, where those that wait are out of the loop.
            if (waiting != own->todo.end() && may_join(target)) {
                unite(waiting->second, lanes);
                lanes.assign(lanes.size(), false);
            }
        }
        std::erase_if(todo, [](const auto &entry) { return is_none(entry.second); });
        if (todo.empty()) return;
        if (own == &stack_.back()) {
            for (auto &entry : todo) own->todo.push_back(std::move(entry));
            return;
        }
    }
    stack_.push_back({branch, Lanes(active_.size()), std::move(todo), ends_[branch]});
}

std::int64_t Machine::read(const Operand &operand, std::size_t lane) const {
    return operand.is_constant() ? operand.constant : locals_[operand.variable][lane];  // MV; constants stand for themselves
}

std::int64_t Machine::special(Special special, std::size_t lane) const {
    const std::int64_t t = thread(lane);  // MT
    const std::int64_t x = program_->shape.x ? *program_->shape.x : threads_, y = program_->shape.y.value_or(1);
    switch (special) {
        case Special::tid: return t;
        case Special::tid_x: return t % x;
        case Special::tid_y: return t / x % y;
        case Special::tid_z: return t / x / y;
        case Special::lane: return static_cast<std::int64_t>(lane);
        case Special::ntid_x: return x;
        case Special::ntid_y: return y;
        case Special::ntid_z: return program_->shape.z.value_or(1);
        case Special::warp: return warp();
        case Special::nctaid_x:
        case Special::nctaid_y:
        case Special::nctaid_z: return 1;
        default: return 0;
    }
}

Result<std::int64_t *> Machine::cell(const Instruction &instruction, std::size_t lane, const char *does) {
    const std::int64_t address = read(instruction.operands[0], lane);
    std::vector<std::int64_t> &cells = instruction.memory == Memory::own    ? lane_cells_[lane]
                                       : instruction.memory == Memory::warp ? warp_cells_
                                                                            : cells_;
    if (address < 0 || address >= static_cast<std::int64_t>(cells.size()))
        return stuck(instruction.place, fmt::format("thread {} {} {}cell {}, but there are {}: {} says how many", thread(lane), does,
                                                    prefix_of(instruction.memory), address, cells.size(),
                                                    instruction.memory == Memory::own    ? ".local"
                                                    : instruction.memory == Memory::warp ? ".warp"
                                                                                         : ".cells"));
    return &cells[address];
}

/// Of the active lanes.
void Machine::lose_overlaps(Variable written) {
    for (const Variable other : program_->overlaps[written])
        for (std::size_t lane = 0; lane < active_.size(); ++lane)
            if (active_[lane]) locals_[other][lane] = anything;
}

std::int64_t Machine::stand_in(const Instruction &instruction, std::size_t lane) const {
    std::uint64_t mixed = 0;
    const auto mix = [&](std::uint64_t number) {
        // The finalizer of splitmix64.
        mixed = (mixed ^ number) + 0x9e3779b97f4a7c15u;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
        mixed ^= mixed >> 31;
    };
    for (const char letter : instruction.word) mix(static_cast<unsigned char>(letter));
    if (info(instruction.operation).shape == Shape::opaque) mix(static_cast<std::uint64_t>(thread(lane)));
    for (const Operand &operand : instruction.operands) mix(static_cast<std::uint64_t>(read(operand, lane)));
    return held(static_cast<std::int64_t>(mixed), kernel().variables[instruction.result].width);
}

Result<void> Machine::execute(const Instruction &instruction) {
    // TL: one lane after the other; in which order says no rule, here the lowest is first.
    constexpr std::size_t most_operands = 3;
    std::array<std::int64_t, most_operands> operands{};
    const unsigned from = operand_width(kernel(), instruction);
    for (std::size_t lane = 0; lane < active_.size(); ++lane) {
        if (!active_[lane]) continue;
        std::int64_t *const result = instruction.result == no_variable ? nullptr : &locals_[instruction.result][lane];
        if (needs_stand_in(instruction)) {
            rule_ = "BP";
            *result = stand_in(instruction, lane);
            continue;
        }
        switch (info(instruction.operation).shape) {
            case Shape::barrier: rule_ = "SP"; break;
            case Shape::special:
                rule_ = "AS";
                *result = special(instruction.special, lane);
                break;
            case Shape::load: {
                rule_ = "LD";
                const auto from_cell = cell(instruction, lane, "reads");
                if (!from_cell) return from_cell.error();
                // A cell has 64 bits, the variable may have fewer.
                *result = held(**from_cell, kernel().variables[instruction.result].width);
                break;
            }
            case Shape::store: {
                rule_ = "ST";
                const auto to = cell(instruction, lane, "writes");
                if (!to) return to.error();
                **to = read(instruction.operands[1], lane);
                break;
            }
            case Shape::atomic: {
                rule_ = "AT";
                const auto to = cell(instruction, lane, "adds to");
                if (!to) return to.error();
                if (__builtin_add_overflow(**to, read(instruction.operands[1], lane), *to))
                    return stuck(instruction.place, fmt::format("thread {}: the cell's number does not fit into 64 bits", thread(lane)));
                if (result != nullptr) *result = held(**to, kernel().variables[instruction.result].width);
                break;
            }
            default: {
                rule_ = info(instruction.operation).shape == Shape::constant ? "CT"
                        : info(instruction.operation).shape == Shape::copy   ? "AS"
                                                                             : "BP";
                for (std::size_t o = 0; o < instruction.operands.size(); ++o) operands[o] = read(instruction.operands[o], lane);
                const auto value = evaluate(instruction, std::span(operands).first(instruction.operands.size()),
                                            kernel().variables[instruction.result].width, from);
                if (!value)
                    return stuck(instruction.place,
                                 fmt::format("thread {}: the result of `{}` does not fit into {} bits", thread(lane),
                                             text_of(kernel(), instruction), kernel().variables[instruction.result].width));
                *result = *value;
            }
        }
    }
    if (instruction.result != no_variable && !program_->overlaps.empty()) lose_overlaps(instruction.result);
    return {};
}

Result<std::string> trace(const Program &program, const MachineOptions &options) {
    auto machine = Machine::make(program, options);
    if (!machine) return machine.error();
    const Kernel &kernel = program.kernel;
    std::string text;
    std::uint64_t number = 0;
    std::uint32_t warp = 0xffffffff;
    const auto watch = [&](const Machine &at, const Step &step) {
        if (step.what == Step::What::before || step.what == Step::What::comes) return;
        const Block &block = kernel.blocks[step.block];
        const bool is_end = step.what == Step::What::end || (step.what == Step::What::waits && block.code.empty());
        if (is_end && *step.rule == '\0') return;
        const Instruction *const instruction = is_end ? nullptr : &block.code[step.index];
        const Place place = is_end ? block.end.place : instruction->place;
        if (place.line == 0) return;
        // A way on to the next block is no instruction of the text.
        const bool falls = is_end && block.end.kind == End::Kind::jump && !block.code.empty() && block.code.back().place == place;
        if (falls) return;
        if (warp != at.warp()) {
            warp = at.warp();
            text += fmt::format("warp {}: threads {} to {}\n", warp, at.thread(0), at.thread(step.active->size() - 1));
        }
        std::string what = step.what == Step::What::waits ? "sync" : is_end ? "stop" : text_of(kernel, *instruction);
        std::string values;
        const auto value_of = [&](const Operand &operand, std::size_t lane) {
            return operand.is_constant() ? operand.constant : at.value(operand.variable, lane);
        };
        const auto list = [&](const Operand &operand) {
            for (std::size_t lane = 0; lane < step.active->size(); ++lane)
                values += (*step.active)[lane] ? fmt::format(" {}", value_of(operand, lane)) : " .";
        };
        if (step.what == Step::What::waits) {
        } else if (is_end && block.end.kind == End::Kind::jump) {
            what = "jump " + kernel.blocks[block.end.targets[0]].label;
        } else if (is_end && block.end.kind != End::Kind::stop) {
            const bool jumps_if_zero = block.end.targets[0] == step.block + 1;
            what = fmt::format("{} {}, {}", jumps_if_zero ? "bz" : "bnz", text_of(kernel, block.end.condition),
                               kernel.blocks[block.end.targets[jumps_if_zero ? 1 : 0]].label);
            list(block.end.condition);
        } else if (!is_end && instruction->result != no_variable) {
            list(Operand::of(instruction->result));
        } else if (!is_end && instruction->operation == Operation::store) {
            list(instruction->operands[1]);
        }
        std::string lanes;
        for (const bool is_active : *step.active) lanes += is_active ? 'x' : '.';
        text += fmt::format("{:>5} {:>4}  {:<24} {} {} {}\n", ++number, place.line, what, step.rule, lanes,
                            values.empty() ? "" : values.substr(1));
        while (text[text.size() - 2] == ' ') text.erase(text.size() - 2, 1);
    };
    if (const auto done = machine->run(watch); !done) return done.error();
    return text + cells_text(*machine);
}

Result<std::string> result_of(const Program &program, const MachineOptions &options) {
    auto machine = Machine::make(program, options);
    if (!machine) return machine.error();
    if (const auto done = machine->run({}); !done) return done.error();
    return cells_text(*machine);
}

}  // namespace mog::usimd
