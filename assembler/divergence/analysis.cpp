// analysis.cpp: transfer functions, and the solver.
#include "assembler/divergence/analysis.hpp"

#include <algorithm>
#include <array>

#include "assembler/divergence/evaluate.hpp"

namespace mog::divergence {
namespace {

bool needs_ranges(const Kernel &kernel) {
    for (const Block &block : kernel.blocks)
        for (const Instruction &instruction : block.code) {
            const Shape shape = info(instruction.operation).shape;
            if (shape == Shape::order || shape == Shape::widen || shape == Shape::narrow) return true;
        }
    return false;
}

bool is_special_place(const Instruction &instruction) {
    const Shape shape = info(instruction.operation).shape;
    return shape == Shape::special || shape == Shape::atomic || shape == Shape::opaque || shape == Shape::parameter;
}

}  // namespace

Analysis::Analysis(const Kernel &kernel, AnalysisOptions options)
    : options_(std::move(options)),
      domain_(std::clamp(options_.degree, 1u, most_degree)),
      form_(kernel),
      sync_(form_.graph, form_.dominators),
      facts_(form_.values.size()),
      not_uniform_(form_.values.size()),
      divergent_(form_.values.size()),
      gates_(form_.phis.size(), no_branch),
      etas_(form_.readings.size(), no_branch),
      parts_(kernel.blocks.size()),
      marked_(kernel.blocks.size()),
      waits_(form_.values.size()) {
    // The simple analysis knows nothing of orders but what the simple analysis knows of anything.
    if (options_.degree != 0 && needs_ranges(kernel)) ranges_ = find_ranges(form_, options_.shape);
    solve();
}

void Analysis::queue(ValueIndex value) {
    if (waits_[value]) return;
    waits_[value] = true;
    waiting_.push_back(value);
}

void Analysis::queue_reader(const Reading &reading) {
    if (reading.by == Reading::By::end) {
        check_condition(reading.block);
        return;
    }
    const ValueIndex by = reading.by == Reading::By::phi ? form_.phis[reading.index].value : form_.result_of(reading.block, reading.index);
    if (by != no_value) queue(by);
}

void Analysis::solve() {
    // Values stand in an order in which all but phis come after what they read: the first round leaves little to do.
    for (ValueIndex value = static_cast<ValueIndex>(facts_.size()); value-- > 0;) queue(value);
    while (!waiting_.empty() || !parting_.empty()) {
        if (waiting_.empty()) {
            const BlockIndex branch = parting_.back();
            parting_.pop_back();
            part(branch);
            continue;
        }
        const ValueIndex value = waiting_.back();
        waiting_.pop_back();
        waits_[value] = false;
        update(value);
    }
}

void Analysis::update(ValueIndex value) {
    ++steps_;
    Cause cause;
    const Fact fact = transfer(value, cause);
    if (fact == facts_[value]) return;
    facts_[value] = fact;
    if (!fact.is_top()) {
        // The first cause stays: those that it names came before it, so a chain of them has an end.
        if (!fact.is_uniform() && not_uniform_[value].kind == Cause::Kind::none) not_uniform_[value] = cause;
        if (domain_.is_divergent(fact) && divergent_[value].kind == Cause::Kind::none) divergent_[value] = cause;
    }
    for (const Reading &reading : form_.readings_of(value)) queue_reader(reading);
}

Fact Analysis::fact_at(ValueIndex value, std::uint32_t reading) const {
    const Fact &fact = facts_[value];
    // What is known as numbers is the same at all times.
    return etas_[reading] == no_branch || fact.is_top() || fact.is_known() ? fact : Fact::divergent();
}

void Analysis::check_condition(BlockIndex block) {
    if (parts_[block] || form_.graph.successors(block).size() < 2) return;
    const ValueIndex value = form_.condition_of(block);
    const Fact fact = fact_at(value, form_.condition_reading_of(block));
    if (fact.is_top() || fact.is_uniform()) return;
    parts_[block] = true;
    parting_.push_back(block);
}

void Analysis::part(BlockIndex branch) {
    const Parting parting = sync_.part(branch);
    if (options_.fault != Fault::no_gammas)
        for (const BlockIndex join : parting.joins)
            for (const std::uint32_t phi : form_.phis_of[join]) {
                if (gates_[phi] != no_branch) continue;
                gates_[phi] = branch;
                queue(form_.phis[phi].value);
            }
    if (options_.fault == Fault::no_etas) return;
    const std::pair of_loop{sync_.loops().innermost(branch), parting.end};
    for (const BlockIndex block : parting.again) {
        if (parting.is_of_loop) {
            if (std::ranges::find(marked_[block], of_loop) != marked_[block].end()) continue;
            marked_[block].push_back(of_loop);
        }
        SyncDependence::Readings where = sync_.readings_of(parting, block);
        // A phi where lanes meet takes what each of them brings, and they come at different times, even by the same edge.
        const auto is_met = [&](const Reading &reading) {
            return reading.by == Reading::By::phi && std::ranges::binary_search(parting.meetings, form_.phis[reading.index].block);
        };
        const auto mark = [&](ValueIndex value) {
            const std::uint32_t first = form_.first_reading(value);
            const auto readings = form_.readings_of(value);
            for (std::uint32_t i = 0; i < readings.size(); ++i) {
                if (etas_[first + i] != no_branch) continue;
                const bool is_behind = !where.meetings.empty() && readings[i].block != block && sync_.is_temporal(where, readings[i].block);
                if (!is_behind && !is_met(readings[i])) continue;
                etas_[first + i] = branch;
                queue_reader(readings[i]);
            }
        };
        for (const std::uint32_t phi : form_.phis_of[block]) mark(form_.phis[phi].value);
        for (std::size_t i = 0; i < form_.kernel.blocks[block].code.size(); ++i)
            if (const ValueIndex value = form_.result_of(block, i); value != no_value) mark(value);
    }
}

Fact Analysis::transfer(ValueIndex value, Cause &cause) const {
    const Value &of = form_.values[value];
    switch (of.kind) {
        case Value::Kind::incoming:
            cause.kind = Cause::Kind::source;
            return form_.kernel.incoming[of.variable] == Incoming::uniform ? Fact::uniform() : Fact::divergent();
        case Value::Kind::phi: return of_phi(form_.phis[of.index], cause);
        case Value::Kind::result: return of_instruction(of, cause);
    }
    return Fact::divergent();
}

Fact Analysis::of_phi(const Phi &phi, Cause &cause) const {
    Fact result = Fact::top();
    for (std::size_t edge = 0; edge < phi.operands.size(); ++edge) {
        const ValueIndex operand = phi.operands[edge];
        if (operand == no_value) continue;
        const Fact fact = fact_at(operand, phi.readings[edge]);
        const bool was_divergent = !result.is_top() && domain_.is_divergent(result);
        result = domain_.meet(result, fact);
        if (result.is_top() || was_divergent) continue;
        const bool is_rounds = domain_.is_divergent(fact) && !domain_.is_divergent(facts_[operand]);
        if (domain_.is_divergent(fact))
            cause = {is_rounds ? Cause::Kind::rounds : Cause::Kind::operand, operand, etas_[phi.readings[edge]]};
        else if (domain_.is_divergent(result)) cause = {Cause::Kind::mixture, operand, no_branch};
        else if (!fact.is_uniform() && cause.kind == Cause::Kind::none) cause = {Cause::Kind::operand, operand, no_branch};
        else if (!result.is_uniform() && cause.kind == Cause::Kind::none) cause = {Cause::Kind::mixture, operand, no_branch};
    }
    const BlockIndex gate = gates_[phi.value == no_value ? 0 : form_.values[phi.value].index];
    if (gate == no_branch || result.is_top() || result.is_known() || domain_.is_divergent(result)) return result;
    cause = {Cause::Kind::meeting, no_value, gate};
    return Fact::divergent();
}

/// Whether the instruction, with what is known of its operands' ranges, does not wrap.
bool Analysis::fits(const Instruction &instruction, const Value &value) const {
    if (instruction.exact) return true;
    if (ranges_.empty()) return false;
    std::array<Range, 3> operands;
    for (std::size_t o = 0; o < instruction.operands.size(); ++o)
        operands[o] = range_of(ranges_, form_.read_by(value.block, value.index, o), instruction.operands[o]);
    const auto range = unwrapped(instruction, std::span(operands).first(instruction.operands.size()));
    return range && range->within(all_of(form_.kernel.variables[value.variable].width));
}

Fact Analysis::of_order(const Instruction &instruction, const Value &value, const Fact &a, const Fact &b) const {
    const auto range = [&](std::size_t o) {
        return range_of(ranges_, form_.read_by(value.block, value.index, o), instruction.operands[o]);
    };
    const Range x = range(0), y = range(1);
    const bool is_signed = !instruction.is_unsigned || (x.least >= 0 && y.least >= 0),
               or_equal = instruction.operation == Operation::less_equal;
    // What ranges decide comes first, whatever is known of the operands by now: facts only ever get less.
    if (is_signed && (or_equal ? x.most <= y.least : x.most < y.least)) return Fact::number(1);
    if (is_signed && (or_equal ? x.least > y.most : x.least >= y.most)) return Fact::number(0);
    if (a.is_uniform() && b.is_uniform()) return Fact::uniform();
    if (!domain_.is_difference_uniform(a, b)) return Fact::divergent();
    // The difference says which is greater only where neither wraps, and where numbers are taken as they stand.
    const bool is_told = (a.exact && b.exact && is_signed) || options_.fault == Fault::order_wraps;
    return is_told ? Fact::uniform() : Fact::divergent();
}

Fact Analysis::of_instruction(const Value &value, Cause &cause) const {
    const Instruction &instruction = form_.kernel.blocks[value.block].code[value.index];
    const Shape shape = info(instruction.operation).shape;
    const unsigned width = form_.kernel.variables[value.variable].width;
    // What only its kind says.
    if (is_special_place(instruction)) {
        cause.kind = Cause::Kind::source;
        if (shape == Shape::parameter) return Fact::uniform();
        if (shape != Shape::special) return Fact::divergent();
        const Fact fact = options_.shape.fact_of(instruction.special);
        if (options_.degree == 0 && !fact.is_uniform()) return Fact::divergent();
        return domain_.narrow(fact, width, true);
    }
    constexpr std::size_t most_operands = 3;
    std::array<Fact, most_operands> facts;
    bool all_uniform = true, all_known = true, any_divergent = false;
    for (std::size_t o = 0; o < instruction.operands.size(); ++o) {
        const ValueIndex read = form_.read_by(value.block, value.index, o);
        Fact fact = Fact::number(instruction.operands[o].constant);
        if (read != no_value) {
            const std::uint32_t reading = form_.reading_of(value.block, value.index, o);
            fact = fact_at(read, reading);
            if (fact.is_top()) return fact;
            const bool is_rounds = domain_.is_divergent(fact) && !domain_.is_divergent(facts_[read]);
            // The most divergent operand is the one to blame.
            if (is_rounds && !any_divergent) cause = {Cause::Kind::rounds, read, etas_[reading]};
            else if (domain_.is_divergent(fact) && !any_divergent) cause = {Cause::Kind::operand, read, no_branch};
            else if (!fact.is_uniform() && cause.kind == Cause::Kind::none) cause = {Cause::Kind::operand, read, no_branch};
        }
        if (options_.degree == 0 && fact.is_known()) fact = Fact::uniform();
        all_uniform &= fact.is_uniform();
        all_known &= fact.is_constant();
        any_divergent |= domain_.is_divergent(fact);
        if (o < most_operands) facts[o] = fact;
    }
    // From here on: whatever is made of polynomials and is none itself was made so by the operation.
    const auto lost = [&] {
        if (cause.kind == Cause::Kind::operand && !any_divergent) cause.kind = Cause::Kind::operation;
        return Fact::divergent();
    };
    const auto kept = [&](const Fact &fact) { return domain_.is_divergent(fact) ? lost() : fact; };
    if (shape == Shape::load) {
        const bool same = instruction.memory == Memory::constant || (instruction.memory != Memory::own && !options_.loads_are_apart);
        if (all_uniform && same) return Fact::uniform();
        if (all_uniform) cause.kind = Cause::Kind::source;
        return lost();
    }
    if (options_.degree == 0) {
        if (all_uniform) return Fact::uniform();
        return shape == Shape::copy || any_divergent ? Fact::divergent() : lost();
    }
    if (all_known && !instruction.operands.empty() && instruction.operands.size() <= most_operands) {
        std::array<std::int64_t, most_operands> numbers{};
        for (std::size_t o = 0; o < instruction.operands.size(); ++o) numbers[o] = facts[o].a[0].number;
        const auto result =
            evaluate(instruction, std::span(numbers).first(instruction.operands.size()), width, operand_width(form_.kernel, instruction));
        return result ? Fact::number(*result) : Fact::uniform();
    }
    switch (shape) {
        case Shape::copy: return facts[0];
        case Shape::sum: return kept(domain_.add(facts[0], facts[1], width, fits(instruction, value)));
        case Shape::difference: return kept(domain_.subtract(facts[0], facts[1], width, fits(instruction, value)));
        case Shape::product: {
            const Fact product = domain_.multiply(facts[0], facts[1], width, fits(instruction, value));
            if (options_.fault == Fault::product_drops_squares && domain_.is_divergent(product) && !any_divergent)
                return Fact::affine(facts[0].a[1], facts[0].a[0]);
            return kept(product);
        }
        case Shape::multiply_add: {
            const bool exact = fits(instruction, value);
            return kept(domain_.add(domain_.multiply(facts[0], facts[1], width, exact), facts[2], width, exact));
        }
        case Shape::shift: {
            const Fact &bits = facts[1];
            if (bits.is_constant() && bits.a[0].number >= 0 && bits.a[0].number < static_cast<std::int64_t>(width)) {
                // 2^63 is a number modulo 2^64 only, so nothing is said of the integers then.
                const bool exact = fits(instruction, value) && bits.a[0].number < 63;
                return kept(domain_.multiply(
                    facts[0], Fact::number(wrap(static_cast<std::int64_t>(std::uint64_t{1} << bits.a[0].number), width)), width, exact));
            }
            return all_uniform ? Fact::uniform() : lost();
        }
        case Shape::narrow: return kept(domain_.narrow(facts[0], width, fits(instruction, value)));
        case Shape::widen: {
            if (all_uniform) return Fact::uniform();
            // Modulo a smaller number a polynomial says nothing of the greater one.
            if (facts[0].exact && fits(instruction, value)) return facts[0];
            if (options_.widening_is_checked && operand_width(form_.kernel, instruction) == 32 && width == 64 &&
                domain_.class_of(facts[0]) == Class::affine) {
                Fact line = Fact::affine(facts[0].a[1], Coefficient::unknown());
                line.exact = false;
                return line;
            }
            return lost();
        }
        case Shape::zeroes:
            for (std::size_t o = 0; o < 2; ++o)
                if (facts[o].is_constant() && facts[o].a[0].is(0)) return Fact::number(0);
            return all_uniform ? Fact::uniform() : lost();
        case Shape::equality: return domain_.is_difference_uniform(facts[0], facts[1]) ? Fact::uniform() : lost();
        case Shape::order: return kept(of_order(instruction, value, facts[0], facts[1]));
        case Shape::select:
            if (facts[0].is_uniform()) return domain_.meet(facts[1], facts[2]);
            return facts[1] == facts[2] && facts[1].is_known() ? facts[1] : lost();
        default:
            if (options_.fault == Fault::pure_wants_both && instruction.operands.size() == 2 &&
                (facts[0].is_uniform() || facts[1].is_uniform()))
                return Fact::uniform();
            return all_uniform ? Fact::uniform() : lost();
    }
}

}  // namespace mog::divergence
