// allocate.cpp: scans until nothing more is spilled, then the text anew.
#include "assembler/registers/allocate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "assembler/divergence/evaluate.hpp"
#include "assembler/registers/linear_scan.hpp"
#include "assembler/registers/webs.hpp"

namespace mog::registers {
namespace {

using namespace divergence;

/// An instruction in a loop counts so many times as one around it, up to so deep.
constexpr double times_of_loop = 10;
constexpr std::uint32_t most_depth = 6;

unsigned registers_for(unsigned width, unsigned bits) { return (width + bits - 1) / bits; }

/// An instruction with all its parts, [begin, end) of a block's code; both the code's size: the block's end.
struct Whole {
    std::size_t begin = 0, end = 0;
};

/// Each instruction of a block, and its end.
template <typename Visit>
void each_whole(const Block &block, Visit visit) {
    for (std::size_t begin = 0; begin < block.code.size();) {
        const std::size_t end = end_of_instruction(block, begin);
        visit(Whole{begin, end});
        begin = end;
    }
    visit(Whole{block.code.size(), block.code.size()});
}

/// Each variable that an instruction or a block's end reads, once.
template <typename Visit>
void each_read(const Block &block, const Whole &whole, Visit visit) {
    std::vector<Variable> seen;
    const auto add = [&](const Operand &operand) {
        if (!operand.is_constant() && std::ranges::find(seen, operand.variable) == seen.end()) seen.push_back(operand.variable);
    };
    for (std::size_t i = whole.begin; i < whole.end; ++i)
        for (const Operand &operand : block.code[i].operands) add(operand);
    if (whole.begin == whole.end) add(block.end.condition);
    for (const Variable variable : seen) visit(variable);
}

/// Whether nothing is lost if it is not executed, but for its result.
bool is_only_a_number(const Instruction &instruction, bool exact_may_stop) {
    switch (info(instruction.operation).shape) {
        case Shape::constant:
        case Shape::special:
        case Shape::copy: return true;
        case Shape::load:
        case Shape::store:
        case Shape::atomic:
        case Shape::opaque:
        case Shape::parameter:
        case Shape::barrier: return false;
        default: return !(instruction.exact && exact_may_stop) && instruction.operation != Operation::other;
    }
}

class Allocation {
public:
    Allocation(const Kernel &kernel, const AllocateOptions &options)
        : options_(options),
          webs_(split_into_webs(kernel)),
          kernel_(webs_.kernel),
          analysis_(kernel_, analysis_options(options)),
          lifetimes_(kernel_),
          homes_(analysis_, lifetimes_, webs_.count, options.allocator, options.flaw),
          costs_(webs_.count),
          spilled_(webs_.count) {}

    Result<Allocated> run() {
        find_costs();
        for (;;) {
            ++result_.scans;
            list_intervals();
            assignment_ = linear_scan(intervals_, options_.registers);
            if (assignment_.unplaced) return no_room(owners_[*assignment_.unplaced]);
            if (assignment_.spilled.empty()) break;
            for (const std::uint32_t interval : assignment_.spilled) spill(interval);
        }
        place_webs();
        find_slots();
        write();
        return std::move(result_);
    }

private:
    static AnalysisOptions analysis_options(const AllocateOptions &options) {
        AnalysisOptions how;
        if (options.allocator == Allocator::divergent) how.degree = 0;
        how.shape = options.shape;
        return how;
    }

    unsigned width(Variable variable) const { return kernel_.variables[variable].width; }
    unsigned size(unsigned width) const { return registers_for(width, options_.bits); }
    bool is_web(Variable variable) const { return variable < webs_.count; }
    bool is_spilled(Variable variable) const { return is_web(variable) && spilled_[variable]; }

    /// How often a block is thought to be executed.
    double times(BlockIndex b) const { return std::pow(times_of_loop, std::min(analysis_.sync().loops().depth(b), most_depth)); }
    void find_costs() {
        for (BlockIndex b = 0; b < kernel_.blocks.size(); ++b) {
            const auto add = [&](Variable variable) {
                if (is_web(variable)) costs_[variable] += times(b);
            };
            each_whole(kernel_.blocks[b], [&](const Whole &whole) { each_read(kernel_.blocks[b], whole, add); });
            for (const Instruction &instruction : kernel_.blocks[b].code)
                if (instruction.result != no_variable) add(instruction.result);
        }
        // What is in the way for long is worth less.
        for (Variable variable = 0; variable < webs_.count; ++variable)
            if (const std::uint32_t points = length(lifetimes_.of(variable)); points != 0) costs_[variable] /= points;
    }

    /// A web; a spilled one from a load or its definition on, to readings that follow in the block; or a register that spill code needs for
    /// itself.
    struct Owner {
        Variable variable = no_variable;
        BlockIndex block = 0;
        std::size_t index = 0;  ///< of its first part
        enum class What : std::uint8_t { web, read, written, load_help, store_help } what = What::web;
        auto operator<=>(const Owner &) const = default;
    };

    std::uint32_t add_interval(const Owner &owner, LiveRange range, unsigned registers) {
        const auto number = static_cast<std::uint32_t>(intervals_.size());
        pieces_.emplace(owner, number);
        intervals_.push_back({{range}, registers, Interval::cannot});
        owners_.push_back(owner);
        readers_.emplace_back();
        return number;
    }

    SpillHomes::Load load_of(BlockIndex b, const Whole &whole, Variable variable) const {
        const SsaForm &form = analysis_.form();
        for (std::size_t i = whole.begin; i < whole.end; ++i) {
            const auto &operands = kernel_.blocks[b].code[i].operands;
            for (std::size_t o = 0; o < operands.size(); ++o)
                if (operands[o] == Operand::of(variable))
                    return homes_.load(variable, analysis_.fact_at(form.read_by(b, i, o), form.reading_of(b, i, o)));
        }
        return homes_.load(variable, analysis_.fact_at(form.condition_of(b), form.condition_reading_of(b)));
    }
    bool is_stored(BlockIndex b, std::size_t i) const { return homes_.is_stored(analysis_.form().result_of(b, i)); }
    /// Whether a result is of no use but to other parts of the same instruction.
    bool is_inside(BlockIndex b, const Whole &whole, std::size_t i) const {
        return !kernel_.variables[kernel_.blocks[b].code[i].result].wants_register &&
               std::ranges::all_of(analysis_.form().readings_of(analysis_.form().result_of(b, i)), [&](const Reading &reading) {
                   return reading.by == Reading::By::instruction && reading.block == b && reading.index >= whole.begin &&
                          reading.index < whole.end;
               });
    }
    bool is_dropped(BlockIndex b, const Whole &whole) const {
        bool writes = false;
        for (std::size_t i = whole.begin; i < whole.end; ++i) {
            const Instruction &part = kernel_.blocks[b].code[i];
            if (part.result == no_variable || !is_only_a_number(part, options_.exact_may_stop)) return false;
            if (is_spilled(part.result) ? is_stored(b, i) : !is_inside(b, whole, i)) return false;
            writes |= is_spilled(part.result);
        }
        return writes;
    }

    void list_intervals() {
        intervals_.clear();
        owners_.clear();
        pieces_.clear();
        readers_.clear();
        for (Variable variable = 0; variable < webs_.count; ++variable)
            if (!spilled_[variable] && kernel_.variables[variable].wants_register && !lifetimes_.of(variable).empty()) {
                intervals_.push_back({lifetimes_.of(variable), size(width(variable)), costs_[variable]});
                owners_.push_back({variable});
                readers_.emplace_back();
            }
        for (BlockIndex b = 0; b < kernel_.blocks.size(); ++b) list_pieces(b);
    }

    void list_pieces(BlockIndex b) {
        const Block &block = kernel_.blocks[b];
        const std::size_t first = intervals_.size();
        std::map<Variable, std::uint32_t> held;  // by spilled variable the piece that has its value, if one has
        each_whole(block, [&](const Whole &whole) {
            if (is_dropped(b, whole)) {
                for (std::size_t i = whole.begin; i < whole.end; ++i) held.erase(block.code[i].result);
                return;
            }
            const std::uint32_t point = lifetimes_.point(b, whole.begin);
            unsigned help = 0;
            each_read(block, whole, [&](Variable variable) {
                if (!is_spilled(variable)) return;
                const Owner reader{variable, b, whole.begin, Owner::What::read};
                const LiveRange range{point, point + writes_at};
                if (const auto piece = held.find(variable); piece != held.end() && !loads_anew_.contains(reader)) {
                    intervals_[piece->second].ranges.back().to = range.to;
                    readers_[piece->second].push_back(reader);
                    pieces_.emplace(reader, piece->second);
                    return;
                }
                held[variable] = add_interval(reader, range, size(width(variable)));
                if (load_of(b, whole, variable).home == Home::base) help = std::max(help, size(width(variable)));
            });
            if (help != 0) add_interval({no_variable, b, whole.begin, Owner::What::load_help}, {point, point + reads_at}, help);
            help = 0;
            for (std::size_t i = whole.begin; i < whole.end; ++i) {
                const Variable result = block.code[i].result;
                if (result == no_variable || !is_spilled(result)) continue;
                const bool stores = is_stored(b, i);
                held[result] = add_interval({result, b, whole.begin, Owner::What::written},
                                            {point + writes_at, point + (stores ? points_of_instruction : stores_at)}, size(width(result)));
                if (stores && homes_.memory(result).home == Home::base) help = std::max(help, size(width(result)));
            }
            if (help != 0)
                add_interval({no_variable, b, whole.begin, Owner::What::store_help}, {point + stores_at, point + points_of_instruction},
                             help);
        });
        // A piece that serves several readings can give way, for loads.
        for (std::size_t interval = first; interval < intervals_.size(); ++interval)
            if (!readers_[interval].empty())
                intervals_[interval].cost = times(b) * static_cast<double>(readers_[interval].size()) / length(intervals_[interval].ranges);
    }

    void spill(std::uint32_t interval) {
        if (owners_[interval].what == Owner::What::web) spilled_[owners_[interval].variable] = true;
        loads_anew_.insert(readers_[interval].begin(), readers_[interval].end());
    }

    Error no_room(const Owner &owner) const {
        const Block &block = kernel_.blocks[owner.block];
        const bool is_end = owner.index == block.code.size();
        const Place &place = is_end ? block.end.place : block.code[owner.index].place;
        return {fmt::format("{} of {} bits are too few for {}, even if all else is spilled: give it {}",
                            options_.registers == 1 ? "1 register" : fmt::format("{} registers", options_.registers), options_.bits,
                            is_end ? "the branch" : fmt::format("`{}`", text_of(kernel_, block.code[owner.index])),
                            least_registers(kernel_, options_.bits)),
                kernel_.place_text(place)};
    }

    void place_webs() {
        home_of_web_.assign(webs_.count, Assignment::none);
        for (std::uint32_t interval = 0; interval < intervals_.size(); ++interval)
            if (owners_[interval].what == Owner::What::web) home_of_web_[owners_[interval].variable] = assignment_.first[interval];
        for (Variable variable = 0; variable < webs_.count; ++variable) result_.webs += kernel_.variables[variable].wants_register;
        result_.spilled = static_cast<std::size_t>(std::ranges::count(spilled_, true));
    }

    /// Cells of lanes and warps, each for as many webs as get on with each other in it.
    void find_slots() {
        slots_.assign(webs_.count, 0);
        std::vector<std::vector<Variable>> rows, words;
        for (Variable variable = 0; variable < webs_.count; ++variable) {
            const Home home = homes_.memory(variable).home;
            if (!spilled_[variable] || !is_memory(home)) continue;
            auto &slots = is_word(home) ? words : rows;
            std::size_t slot = 0;
            while (slot < slots.size() && !homes_.may_share(slots[slot], variable)) ++slot;
            if (slot == slots.size()) slots.emplace_back();
            slots[slot].push_back(variable);
            slots_[variable] = static_cast<std::int64_t>(slot);
        }
        result_.rows = rows.size();
        result_.words = words.size();
    }

    // --- the text anew
    Variable register_variable(unsigned first, unsigned width) {
        const auto [at, is_new] = registers_.try_emplace({first, width}, no_variable);
        if (is_new) {
            const unsigned count = size(width);
            std::string name = count == 1 ? fmt::format("{}{}", prefix_, first) : fmt::format("{}{}_{}", prefix_, first, first + count - 1);
            if (width != count * options_.bits) name += fmt::format(".{}", width);
            at->second = result_.kernel.add_variable(std::move(name), static_cast<std::uint8_t>(width));
            result_.places.push_back({first, count, no_variable});
        }
        return at->second;
    }
    Variable outside_variable(Variable variable) {
        const auto [at, is_new] = outside_.try_emplace(variable, no_variable);
        if (is_new) {
            at->second = result_.kernel.add_variable(kernel_.variables[variable].name, static_cast<std::uint8_t>(width(variable)),
                                                     kernel_.incoming[variable]);
            result_.kernel.variables.back().wants_register = false;
            result_.places.push_back({0, 0, webs_.origin[variable]});
        }
        return at->second;
    }
    Variable piece(const Owner &owner, unsigned width) { return register_variable(assignment_.first[pieces_.at(owner)], width); }
    Variable in_register(BlockIndex b, std::size_t i, Owner::What what, Variable variable) {
        if (!is_web(variable) || !kernel_.variables[variable].wants_register) return outside_variable(variable);
        if (!spilled_[variable]) return register_variable(home_of_web_[variable], width(variable));
        return piece({variable, b, i, what}, width(variable));
    }

    /// Spill code wraps: what it computes is right modulo 2^width, whatever its sums are on the way.
    Instruction &emit(Operation operation, Variable result, std::vector<Operand> operands, const Place &place) {
        Instruction &instruction = code_->emplace_back();
        instruction.operation = operation;
        instruction.result = result;
        instruction.operands = std::move(operands);
        instruction.place = place;
        tags_->emplace_back();
        return instruction;
    }
    void emit_special(Special special, Variable result, const Place &place) {
        emit(Operation::special, result, {}, place).special = special;
    }
    /// result = thread's number in `number` * factor + addend, in as few instructions as it takes: 0 or 1.
    void emit_line(Variable result, Variable number, std::int64_t factor, Operand addend, const Place &place) {
        const bool adds = !addend.is_constant() || addend.constant != 0;
        if (factor == 1 && adds) emit(Operation::add, result, {Operand::of(number), addend}, place);
        else if (factor != 1 && !adds) emit(Operation::multiply, result, {Operand::of(number), Operand::number(factor)}, place);
        else if (factor != 1) emit(Operation::multiply_add, result, {Operand::of(number), Operand::number(factor), addend}, place);
    }
    Memory memory_of(Home home) const { return is_word(home) ? Memory::warp : Memory::own; }
    std::uint8_t bytes_of(Variable variable) const {
        constexpr unsigned least_bytes = 4, bits_of_byte = 8;  // as registers are, at least
        return static_cast<std::uint8_t>(std::max(least_bytes, width(variable) / bits_of_byte));
    }
    void tag(std::size_t from, Tag::Kind kind, Home home, std::uint8_t bytes) {
        for (std::size_t i = from; i < tags_->size(); ++i)
            (*tags_)[i] = {kind, home, i + 1 == tags_->size(), bytes, static_cast<std::uint32_t>(here_)};
        auto &counts = kind == Tag::Kind::load ? result_.counts.loads : result_.counts.stores;
        ++counts[static_cast<std::size_t>(home)];
        if (is_memory(home))
            result_.bytes[static_cast<std::size_t>(home)] += bytes * (is_word(home) ? 1 : options_.shape.warp) * times(block_);
    }

    void write_load(BlockIndex b, const Whole &whole, Variable variable, const Place &place) {
        here_ = whole.begin;
        // Where a piece goes on that began before, it is there.
        const Owner reader{variable, b, whole.begin, Owner::What::read};
        if (owners_[pieces_.at(reader)] != reader) return;
        const SpillHomes::Load how = load_of(b, whole, variable);
        const Variable to = piece(reader, width(variable));
        const std::size_t from = tags_->size();
        const Operand slot = Operand::number(slots_[variable]);
        switch (how.home) {
            case Home::constant: emit(Operation::constant, to, {Operand::number(how.addend)}, place); break;
            case Home::affine:
                emit_special(options_.thread, to, place);
                emit_line(to, to, how.factor, Operand::number(how.addend), place);
                break;
            case Home::uniform:
            case Home::row: emit(Operation::load, to, {slot}, place).memory = memory_of(how.home); break;
            case Home::base: {
                const Variable base = piece({no_variable, b, whole.begin, Owner::What::load_help}, width(variable));
                emit(Operation::load, base, {slot}, place).memory = Memory::warp;
                emit_special(Special::lane, to, place);
                emit_line(to, to, how.factor, Operand::of(base), place);
                break;
            }
        }
        tag(from, Tag::Kind::load, how.home, is_memory(how.home) ? bytes_of(variable) : std::uint8_t{0});
    }

    /// `i`: of the first part of the instruction that has written it.
    void write_store(BlockIndex b, std::size_t i, Variable variable, Variable from_register, const Place &place) {
        here_ = i;
        const SpillHomes::Memory &memory = homes_.memory(variable);
        const std::size_t from = tags_->size();
        Variable stored = from_register;
        if (memory.home == Home::base) {
            stored = piece({no_variable, b, i, Owner::What::store_help}, width(variable));
            emit_special(Special::lane, stored, place);
            const std::int64_t factor = wrap(static_cast<std::int64_t>(-static_cast<std::uint64_t>(memory.factor)), width(variable));
            emit_line(stored, stored, factor, Operand::of(from_register), place);
        }
        emit(Operation::store, no_variable, {Operand::number(slots_[variable]), Operand::of(stored)}, place).memory =
            memory_of(memory.home);
        tag(from, Tag::Kind::store, memory.home, bytes_of(variable));
    }

    void write() {
        Kernel &kernel = result_.kernel;
        kernel.name = kernel_.name;
        kernel.files = kernel_.files;
        kernel.blocks.resize(kernel_.blocks.size());
        result_.tags.resize(kernel_.blocks.size());
        choose_prefix();
        for (BlockIndex b = 0; b < kernel_.blocks.size(); ++b) {
            const Block &block = kernel_.blocks[b];
            kernel.blocks[b].label = block.label;
            kernel.blocks[b].end = block.end;
            code_ = &kernel.blocks[b].code;
            tags_ = &result_.tags[b];
            block_ = b;
            each_whole(block, [&](const Whole &whole) {
                if (whole.begin != whole.end) write_instruction(b, whole);
            });
            Operand &condition = kernel.blocks[b].end.condition;
            if (condition.is_constant()) continue;
            const Whole end{block.code.size(), block.code.size()};
            if (is_spilled(condition.variable)) write_load(b, end, condition.variable, block.end.place);
            condition.variable = in_register(b, end.begin, Owner::What::read, condition.variable);
        }
    }

    void write_instruction(BlockIndex b, const Whole &whole) {
        const Block &block = kernel_.blocks[b];
        const auto each_spilled_result = [&](auto visit) {
            for (std::size_t i = whole.begin; i < whole.end; ++i)
                if (const Variable result = block.code[i].result; result != no_variable && is_spilled(result)) visit(i, result);
        };
        each_spilled_result([&](std::size_t i, Variable) {
            const ValueIndex value = analysis_.form().result_of(b, i);
            if (is_stored(b, i) || analysis_.form().readings_of(value).empty()) return;
            ++result_.counts.stores[static_cast<std::size_t>(analysis_.fact(value).is_constant() ? Home::constant : Home::affine)];
        });
        if (is_dropped(b, whole)) return;
        const Place place = block.code[whole.begin].place;
        each_read(block, whole, [&](Variable variable) {
            if (is_spilled(variable)) write_load(b, whole, variable, place);
        });
        for (std::size_t i = whole.begin; i < whole.end; ++i) {
            Instruction instruction = block.code[i];
            for (Operand &operand : instruction.operands)
                if (!operand.is_constant()) operand.variable = in_register(b, whole.begin, Owner::What::read, operand.variable);
            if (instruction.result != no_variable)
                instruction.result = in_register(b, whole.begin, Owner::What::written, instruction.result);
            // What has come into the register already that it is copied to needs no copy.
            if (whole.end - whole.begin == 1 && instruction.operation == Operation::copy &&
                instruction.operands[0] == Operand::of(instruction.result))
                continue;
            code_->push_back(std::move(instruction));
            tags_->emplace_back().of = static_cast<std::uint32_t>(i);
        }
        each_spilled_result([&](std::size_t i, Variable result) {
            if (is_stored(b, i)) write_store(b, whole.begin, result, in_register(b, whole.begin, Owner::What::written, result), place);
        });
    }

    /// Of registers' names: one that begins nobody else's.
    void choose_prefix() {
        const auto is_taken = [&] {
            for (Variable variable = static_cast<Variable>(webs_.count); variable < kernel_.variables.size(); ++variable)
                if (kernel_.variables[variable].name.starts_with(prefix_)) return true;
            return false;
        };
        while (is_taken()) prefix_ += "r";
    }

    AllocateOptions options_;
    Webs webs_;
    const Kernel &kernel_;
    Analysis analysis_;
    Lifetimes lifetimes_;
    SpillHomes homes_;
    std::vector<double> costs_;  // by web
    std::vector<bool> spilled_;  // by web
    std::vector<Interval> intervals_;
    std::vector<Owner> owners_;                // by interval
    std::vector<std::vector<Owner>> readers_;  // by interval: those that find it there
    std::map<Owner, std::uint32_t> pieces_;    // the interval
    std::set<Owner> loads_anew_;
    Assignment assignment_;
    std::vector<std::uint32_t> home_of_web_;
    std::vector<std::int64_t> slots_;
    std::string prefix_ = "r";
    std::map<std::pair<unsigned, unsigned>, Variable> registers_;  // by first register and width
    std::map<Variable, Variable> outside_;
    std::vector<Instruction> *code_ = nullptr;
    std::vector<Tag> *tags_ = nullptr;
    BlockIndex block_ = 0;  // that is written
    std::size_t here_ = 0;  // the instruction of it that is loaded or stored for
    Allocated result_;
};

}  // namespace

std::uint64_t SpillCounts::operations() const {
    std::uint64_t sum = 0;
    for (std::size_t home = 0; home < homes; ++home) sum += loads[home] + stores[home];
    return sum;
}

std::vector<std::vector<Variable>> Allocated::overlaps() const {
    std::vector<std::vector<Variable>> result(places.size());
    for (Variable a = 0; a < places.size(); ++a)
        for (Variable b = 0; b < places.size(); ++b)
            if (a != b && places[a].first < places[b].first + places[b].count && places[b].first < places[a].first + places[a].count)
                result[a].push_back(b);
    return result;
}

Result<Allocated> allocate(const Kernel &kernel, const AllocateOptions &options) { return Allocation(kernel, options).run(); }

unsigned least_registers(const Kernel &kernel, unsigned bits) {
    unsigned least = 1;
    const auto count = [&](const std::vector<unsigned> &sizes) {
        if (sizes.empty()) return;
        // Beside them what puts a base together; and neighbours begin at multiples.
        const unsigned widest = *std::ranges::max_element(sizes);
        unsigned sum = widest;
        for (const unsigned size : sizes) sum += size;
        least = std::max(least, (sum + widest - 1) / widest * widest);
    };
    for (const Block &block : kernel.blocks) {
        each_whole(block, [&](const Whole &whole) {
            std::vector<unsigned> reads, writes;
            const auto add = [&](std::vector<unsigned> &to, Variable variable) {
                if (kernel.variables[variable].wants_register) to.push_back(registers_for(kernel.variables[variable].width, bits));
            };
            each_read(block, whole, [&](Variable variable) { add(reads, variable); });
            for (std::size_t i = whole.begin; i < whole.end; ++i)
                if (block.code[i].result != no_variable) add(writes, block.code[i].result);
            count(reads);
            count(writes);
        });
    }
    return least;
}

}  // namespace mog::registers
