// lanes_writer.cpp: whose turn it is stands once in a group, and each block counts its instructions. What has a guarded copy has it behind
// all blocks.
#include "assembler/emit/lanes_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assembler/image/constants.hpp"

namespace mog {
namespace {

/// As scalars are called, and lanes' variables.
std::string scalar(std::uint32_t variable) { return variable == acc_variable ? "one_acc" : fmt::format("one{}", variable); }
std::string lanes(std::uint32_t variable) { return variable == acc_variable ? "acc" : fmt::format("r{}", variable); }

template <typename F>
void for_each(const RegisterSet &set, F f) {
    for (std::uint32_t variable = 0; variable < set.size(); ++variable)
        if (set[variable]) f(variable);
}

}  // namespace

void LanesWriter::before_state() { line(fmt::format("enum {{ uses_d = {} }};", group_.uses_d ? 1 : 0)); }

void LanesWriter::dispatch() {
    RegisterSet scalars;
    std::size_t guards = 0;
    for (std::size_t region = 0; region < regions_.size(); ++region)
        for (const GuardedRegion::Block &block : regions_[region].blocks) {
            scalars |= ~block.differs | regions_[region].written;
            if (block.is_head) heads_[block.block][region] = guards++;
        }
    if (!regions_.empty()) line(fmt::format("REGIONS({})", guards));
    for_each(scalars, [&](std::uint32_t variable) {
        if (variable < acc_variable && group_.used[variable] && !group_.in_pair(variable))
            line(fmt::format("MAYBE_UNUSED ::u32 {} = 0;", scalar(variable)));
    });
    line("SELECT");
    group_.for_each_written(
        [&](std::uint32_t r, bool pair) { line(pair ? fmt::format("PARTED_PAIR({0}u, p{0})", r) : fmt::format("PARTED({0}u, r{0})", r)); });
    line(fmt::format("SELECTED({}u) {{", group_.number));
    line("default: goto leave;");
    for (std::size_t i = 0; i < group_.entries.size(); ++i) line(fmt::format("case {}u: goto b{};", i, group_.entries[i]));
    line("}");
}

void LanesWriter::begin_block(std::uint32_t b) {
    if (const auto head = heads_.find(b); head != heads_.end() && b > 0 && group_.here(b - 1))
        for (const auto &[region, guard] : head->second)
            if (regions_[region].find(b - 1) == nullptr) line(fmt::format("VISIT({})", guard));
    bare_line(fmt::format("  {}:", label(b)));
    if (const auto head = heads_.find(b); head != heads_.end())
        for (const auto &[region, guard] : head->second) line(fmt::format("GUARD({})", guard));
    line(fmt::format("ENTER({}u, {}u)", group_.begin(b), group_.end(b) - group_.begin(b)));
}

/// Lanes that part at a jump have done before what is due at either end of it.
LanesWriter::Variables LanesWriter::nans_before(std::uint32_t at) const {
    Variables nans = group_.nans->before(at);
    if (info(op_at(group_.image, at)).writes & Pc) {
        add(nans, group_.nans->on_jump(at));
        add(nans, group_.nans->at_end(at));
    }
    return nans;
}

LanesWriter::Variables LanesWriter::nans_after(std::uint32_t last) const {
    return info(op_at(group_.image, last)).writes & Pc ? Variables() : group_.nans->at_end(last);
}

std::string LanesWriter::way(std::uint32_t at, std::uint32_t b) {
    const OpInfo &row = info(op_at(group_.image, at));
    if (row.operand != OperandKind::Label) return "LEAVE_ANYWHERE";
    const std::uint32_t target = constant_at(group_.image, at);
    if (comparing_) return {};
    if (region_ != nullptr) {
        if (is_call(group_.image, at)) return fmt::format("goto {};", way_out(go(b, target)));
        if (ends_block(row.op)) return fmt::format("goto {};", here_or_out(target));
        if (!is_scalar(acc_variable)) return parting(at, target);
        return fmt::format("GO_IF_ALL({})", here_or_out(target));
    }
    if (ends_block(row.op)) return go(b, target);
    const auto to = group_.block_at(target);
    return fmt::format("{}({}, {})", to && group_.here(*to) ? "GO_OR_DIVERGE" : "LEAVE_OR_DIVERGE", target, at + 1);
}

void LanesWriter::end_cold() {
    if (!regions_.empty()) {
        bare_line("#undef TRAPPED\n#define TRAPPED GUARDED_TRAPPED\n    GUARDED");
        for (std::size_t i = 0; i < regions_.size(); ++i) region(i);
        bare_line("    }");
        bare_line("  guarded:");
        line("switch (state) {");
        line("default: break;");
        for (const auto &[what, number] : stops_) line(fmt::format("case {}: {}", number, what));
        line("}");
        bare_line("#undef TRAPPED\n#define TRAPPED goto stopped;");
    }
    bare_line("  cold: __attribute__((unused));");
}

// ---- copies of regions ----

std::string LanesWriter::spread(const RegisterSet &which) {
    std::string text;
    for_each(which, [&](std::uint32_t variable) { text += fmt::format("{} = V({}); ", lanes(variable), scalar(variable)); });
    return text;
}

std::size_t LanesWriter::stop(const std::string &what) { return stops_.emplace(what, stops_.size() + 1).first->second; }

/// Where control goes to from the copy: to a block of it, or out of it, by way of what is to be done then.
std::string LanesWriter::here_or_out(std::uint32_t target) {
    const auto to = group_.block_at(target);
    if (to && region_->find(*to) != nullptr) return fmt::format("g{}_{}", number_, target);
    return way_out(fmt::format("STAYED {}({})", to && group_.here(*to) ? "GO" : "LEAVE", target));
}

/// At a branch that may come out differently: those that do not take it have a block to themselves, or somebody leaves the loop.
std::string LanesWriter::parting(std::uint32_t at, std::uint32_t target) {
    const auto inside = [&](std::uint32_t to) { return region_->find(*group_.block_at(to)); };
    const GuardedRegion::Block *next = inside(at + 1), *other = inside(target);
    if (next != nullptr && next->joins) return fmt::format("SOME(g{}_{})", number_, target);
    const std::string out = way_out(fmt::format("PARTED_AT({}, {})", at + 1, target));
    return next != nullptr && other == nullptr ? fmt::format("GO_IF_ANY({})", out)
                                               : fmt::format("GO_UNLESS_ALL({}) goto g{}_{};", out, number_, target);
}

/// The label where it is done what leaving the copy here takes, and then `what`.
std::string LanesWriter::way_out(const std::string &what) {
    const std::string all = fmt::format("{}GUARDED_DONE {}", spread(to_write_back()), what);
    return fmt::format("out{}_{}", number_, outs_.emplace(all, outs_.size() + 1).first->second);
}

void LanesWriter::region(std::size_t number) {
    region_ = &regions_[number];
    number_ = number + 1;
    outs_.clear();
    bare_line(fmt::format("    /* a copy for all lanes together: {} blocks */", region_->blocks.size()));
    for (const GuardedRegion::Block &block : region_->blocks)
        if (block.is_head) guard(block);
    for (const GuardedRegion::Block &block : region_->blocks)
        if (!block.joins) guarded_block(block);
    for (const auto &[what, out] : outs_) {
        bare_line(fmt::format("  out{}_{}:", number_, out));
        line(what);
    }
    region_ = nullptr;
}

void LanesWriter::guard(const GuardedRegion::Block &head) {
    const std::size_t number = heads_.at(head.block).at(number_ - 1);
    bare_line(fmt::format("  try{}:", number));
    line(fmt::format("TRY({}, {})", number, region_->has_some() ? 2 : 1));
    for_each(head.asked, [&](std::uint32_t variable) { line(fmt::format("ASK({}, {})", scalar(variable), lanes(variable))); });
    line(fmt::format("TRIED({}, g{}_{})", number, number_, group_.begin(head.block)));
}

void LanesWriter::guarded_block(const GuardedRegion::Block &block) {
    const std::uint32_t b = block.block, first = group_.begin(b), end = group_.end(b);
    const bool some = block.joins.has_value();
    differs_ = block.differs;
    joins_ = block.joins;
    if (some) {
        line(fmt::format("FOR_SOME({}u)", end - first));
    } else {
        bare_line(fmt::format("  g{}_{}:", number_, first));
        if (block.is_head) line(fmt::format("PAUSE({}u, {})", first, stop(spread(to_write_back()) + "GUARDED_DONE goto paused;")));
        line(fmt::format("SPENT({}u, {}u)", end - first, block.scalars));
    }
    begin_places();
    for (std::uint32_t at = first; at < end; ++at) {
        source_line(at);
        if (at + 1 == end && (info(op_at(group_.image, at)).writes & Pc) != 0) guarded_way_out(b);
        instruction(at, b);
    }
    const Op last = op_at(group_.image, end - 1);
    if (some) {
        line(fmt::format("SOME_DONE goto g{}_{};", number_, group_.begin(*block.joins)));
    } else if (!ends_block(last)) {
        if ((info(last).writes & Pc) == 0) {
            if (const std::string nans = default_nans(nans_after(end - 1)); !nans.empty()) line(nans);
            guarded_way_out(b);
        }
        const GuardedRegion::Block *next = region_->find(b + 1);
        if (next != nullptr && next->joins) guarded_block(*next);
        else line(fmt::format("goto {};", here_or_out(end)));
    }
    joins_.reset();
}

/// Before a block's jump: what is a scalar here, and may be read where it is expected in lanes' variables.
void LanesWriter::guarded_way_out(std::uint32_t b) {
    const std::uint32_t last = group_.end(b) - 1;
    RegisterSet expected;
    const auto add_next = [&](std::optional<std::uint32_t> next) {
        if (const GuardedRegion::Block *to = next ? region_->find(*next) : nullptr) expected |= to->differs & to->live;
    };
    if (!joins_ && !is_call(group_.image, last)) {
        add_next(named_block(group_.image, group_.plan.code, last));
        if (!ends_block(op_at(group_.image, last))) add_next(b + 1);
    }
    if (const std::string text = spread(~differs_ & expected); !text.empty()) line(text);
}

bool LanesWriter::is_confirmed(std::uint32_t at) const {
    return std::ranges::any_of(regions_, [&](const GuardedRegion &region) { return std::ranges::binary_search(region.confirmed, at); });
}

void LanesWriter::instruction(std::uint32_t at, std::uint32_t b) {
    if (region_ == nullptr) {
        if (is_confirmed(at)) bare_line(fmt::format("  m{}:", at));
        return FormWriter::instruction(at, b);
    }
    const OpInfo &row = info(op_at(group_.image, at));
    const divergence::LaneStep step = region_->step(group_, at);
    const bool acc_is_address = row.access.address == AddressIn::acc || row.access.address == AddressIn::sum;
    is_same_ = step.is_same(differs_) && !step.is_confirmed && !joins_;
    if (const std::string nans = default_nans(nans_before(at)); !nans.empty()) line(nans);
    if (!is_same_ && (row.reads & Acc) != 0 && !acc_is_address && is_scalar(acc_variable)) line(spread(RegisterSet().set(acc_variable)));
    Operands operands = operands_of(row, at, b);
    std::string before;
    if (row.writes & group_.stops) {
        const std::string spread_there = spread(to_write_back());
        const std::size_t what = stop(joins_ ? fmt::format("{}SOME_STOPPED({}u)", spread_there, group_.begin(*joins_))
                                             : spread_there + "GUARDED_DONE goto stopped;");
        before = fmt::format("STOPS_GUARDED({}, {}, {}, {}) ", at, group_.left(b, at), group_.nans->on_stop(at), what);
    }
    std::string use = use_of(row, operands);
    if (is_same_) {
        // The same of all lanes beside it, for a build that compares.
        is_same_ = false;
        comparing_ = true;
        const RegisterSet differs = std::exchange(differs_, ~RegisterSet());
        const Operands compared = operands_of(row, at, b);
        differs_ = differs;
        comparing_ = false;
        const auto written = step.writes;
        std::string of = "acc, one_acc";
        for_each(written, [&](std::uint32_t variable) { of = fmt::format("{}, {}", lanes(variable), scalar(variable)); });
        use = fmt::format("SCALAR({}, {}, {})", use, use_of(row, compared), written.none() ? "V(0u), 0u" : of);
    }
    // It is done again, for each lane, where they have not loaded the same: then what it has overwritten was its address.
    if (step.is_confirmed) use += fmt::format(" CONFIRM(one_acc, acc, {})", way_out(fmt::format("goto m{};", at)));
    line(fmt::format("{{ {}{} }}", before, use));
    differs_ = step.differ_behind(differs_, joins_.has_value());
}

std::string LanesWriter::value_of(std::uint32_t r) const {
    if (!is_scalar(r) || group_.in_pair(r)) return FormWriter::value_of(r);
    return is_same_ ? scalar(r) : fmt::format("V({})", scalar(r));
}

void LanesWriter::place_of(std::uint32_t r, Operands &operands) const {
    FormWriter::place_of(r, operands);
    if (is_same_) {
        operands[OperandWord::PUT] = "SET_SCALAR";
        operands[OperandWord::DST] = scalar(r);
    } else if (joins_) {
        operands[OperandWord::PUT] = "SET_SOME";
    }
}

/// All of it as scalars, or nothing.
std::string LanesWriter::address(const OpInfo &row, std::uint32_t operand) const {
    if (region_ == nullptr) return FormWriter::address(row, operand);
    const bool in_acc = row.access.address != AddressIn::reg, in_register = row.access.address != AddressIn::acc;
    const bool is_one = (!in_acc || is_scalar(acc_variable)) && (!in_register || is_scalar(operand));
    std::string text;
    if (in_acc) text = is_one ? "one_acc" : is_scalar(acc_variable) ? "V(one_acc)" : "ACC";
    if (in_register) text += (in_acc ? " + " : "") + (is_one ? scalar(operand) : value_of(operand));
    return text;
}

}  // namespace mog
