// report.cpp: places become names, and are added up.
#include "runtime_host/profile/report.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "assembler/ir/isa.hpp"

namespace mog::profile {

namespace {

constexpr std::size_t most_bins = 256;  ///< of ranks, and points of the sorted curve

/// Functions and source lines by MIPS address, each asked for once.
class Places {
public:
    struct Place {
        std::uint32_t function = 0, line = 0;
        std::string file;
    };
    explicit Places(const Image &image, std::vector<Function> &functions) : image_(image), functions_(functions) {}

    const Place &at(std::uint32_t address) {
        const auto [found, is_new] = places_.try_emplace(address);
        if (!is_new) return found->second;
        SourcePlace source = find_source(image_, address);
        if (source.function.empty()) source.function = "code without a name";
        Place &place = found->second;
        place.line = source.line;
        place.file = source.file;
        // Static functions of several files may have one name, and a function has lines of other files where something was inlined.
        const std::uint32_t begin = symbol_at(address);
        const auto [function, is_first] = numbers_.try_emplace({source.function, begin}, static_cast<std::uint32_t>(functions_.size()));
        if (is_first) {
            const SourcePlace first = begin == 0 ? SourcePlace() : find_source(image_, begin);
            functions_.push_back({source.function, first.file, first.line, {}, {}, {}});
        }
        place.function = function->second;
        return place;
    }

private:
    /// Where the code symbol at or below an address begins; 0: there is none.
    std::uint32_t symbol_at(std::uint32_t address) const {
        auto symbol = std::ranges::upper_bound(image_.symbols, address, {}, &Symbol::address);
        while (symbol != image_.symbols.begin()) {
            --symbol;
            if (!symbol->is_code) continue;
            return symbol->size == 0 || address - symbol->address < symbol->size ? symbol->address : 0;
        }
        return 0;
    }

    const Image &image_;
    std::vector<Function> &functions_;
    std::unordered_map<std::uint32_t, Place> places_;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> numbers_;
};

Ranks ranks_of(std::span<const RankWork> work) {
    Ranks ranks;
    const std::size_t count = work.size(), bins = std::min(count, most_bins);
    std::vector<double> sorted(count);
    ranks.least = work.front().instructions;
    for (std::size_t rank = 0; rank < count; ++rank) {
        const double own = sorted[rank] = work[rank].instructions;
        ranks.mean += own / static_cast<double>(count);
        if (own > ranks.most) ranks.most_rank = static_cast<std::uint32_t>(rank);
        if (own < ranks.least) ranks.least_rank = static_cast<std::uint32_t>(rank);
        ranks.most = std::max(ranks.most, own);
        ranks.least = std::min(ranks.least, own);
    }
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < bins; ++i) {
        const std::size_t first = i * count / bins, end = (i + 1) * count / bins;
        RankBin bin{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first), work[first].instructions, 0, 0, {}};
        for (std::size_t rank = first; rank < end; ++rank) {
            bin.least = std::min(bin.least, work[rank].instructions);
            bin.most = std::max(bin.most, work[rank].instructions);
            bin.all += work[rank].instructions;
            for (std::size_t kind = 0; kind < wait_kinds; ++kind) bin.waits[kind] += work[rank].waits[kind];
        }
        ranks.bins.push_back(bin);
        ranks.sorted.push_back(sorted[bins == 1 ? 0 : i * (count - 1) / (bins - 1)]);
    }
    return ranks;
}

}  // namespace

std::string_view name_of(By by) {
    constexpr std::string_view names[by_kinds] = {"interpreted", "compiled blocks",     "native code",
                                                  "lanes",       "kernel, interpreted", "kernel, compiled blocks"};
    return names[static_cast<std::size_t>(by)];
}

std::string_view name_of(WaitFor what) {
    constexpr std::string_view names[wait_kinds] = {"MPI", "locks and threads", "system calls"};
    return names[static_cast<std::size_t>(what)];
}

double Cost::waiting() const { return std::accumulate(waits.begin(), waits.end(), 0.0); }

Cost &Cost::operator+=(const Cost &other) {
    instructions += other.instructions;
    seconds += other.seconds;
    for (std::size_t kind = 0; kind < wait_kinds; ++kind) waits[kind] += other.waits[kind];
    return *this;
}

Report make_report(const Image &image, const ProfileCollector &collector, RunFacts run) {
    Report report;
    report.run = std::move(run);
    report.samples = collector.samples();
    report.looks = collector.looks();
    report.cut_stacks = collector.cut_stacks();
    report.seconds_of_looks = collector.seconds_of_looks();
    report.group = std::min(collector.group(), report.run.ranks);
    report.ranks = ranks_of(collector.ranks());
    // What the translator added belongs to what stands before it.
    std::vector<std::uint32_t> address_at(image.text.size());
    for (std::size_t at = 0; at < address_at.size(); ++at) {
        const std::uint32_t own = at < image.source_address.size() ? image.source_address[at] : 0;
        address_at[at] = own != 0 || at == 0 ? own : address_at[at - 1];
    }
    Places places(image, report.functions);
    // What each TEXT index costs in itself.
    std::map<std::uint32_t, Cost> at_index;
    std::map<std::pair<std::vector<Frame>, std::uint32_t>, Cost> stacks;
    for (const auto &[stack, weights] : collector.stacks()) {
        const std::uint32_t at = std::min<std::uint32_t>(stack.front(), static_cast<std::uint32_t>(image.text.size()) - 1);
        const Cost cost{weights.instructions, weights.seconds, weights.waits};
        at_index[at] += cost;
        report.all += cost;
        std::vector<Frame> frames;
        std::set<std::uint32_t> seen;
        for (std::size_t i = 0; i < stack.size(); ++i) {
            const Places::Place &place = places.at(i == 0 ? address_at[at] : stack[i]);
            frames.push_back({place.function, place.line});
            if (seen.insert(place.function).second) report.functions[place.function].total += cost;
        }
        stacks[{std::move(frames), address_at[at]}] += cost;
    }
    // Those that waited briefly may have been seen by nobody.
    report.all.waits = {};
    for (const RankWork &rank : collector.ranks())
        for (std::size_t kind = 0; kind < wait_kinds; ++kind) report.all.waits[kind] += rank.waits[kind];
    for (const auto &[stack, cost] : stacks) report.stacks.push_back({stack.first, stack.second, cost});
    if (report.is_counted()) {
        const double sampled = report.all.instructions;
        report.all.instructions = 0;
        for (auto &[at, cost] : at_index) cost.instructions = 0;
        for (std::size_t at = 0; at < report.run.counts.size() && at < image.text.size(); ++at) {
            if (report.run.counts[at] == 0) continue;
            const auto count = static_cast<double>(report.run.counts[at]);
            at_index[static_cast<std::uint32_t>(at)].instructions = count;
            report.all.instructions += count;
            places.at(address_at[at]);
        }
        // Stacks are samples all the same, in the same unit.
        const double factor = sampled > 0 ? report.all.instructions / sampled : 0;
        for (StackOf &stack : report.stacks) stack.cost.instructions *= factor;
        for (Function &function : report.functions) function.total.instructions *= factor;
    }
    std::map<std::pair<std::string, std::uint32_t>, std::pair<Line, Together>> lines;
    std::map<std::uint32_t, std::pair<Instruction, Together>> instructions;
    for (const auto &[at, cost] : at_index) {
        const std::uint32_t address = address_at[at];
        const Places::Place &place = places.at(address);
        const By by = at < report.run.by.size() ? report.run.by[at] : By::interpreter;
        Function &function = report.functions[place.function];
        function.self += cost;
        function.by[static_cast<std::size_t>(by)] += cost.instructions;
        report.by[static_cast<std::size_t>(by)] += cost.instructions;
        const auto found = collector.together().find(at);
        const Together together = found == collector.together().end() ? Together{} : found->second;
        const auto add = [&](auto &entry) {
            entry.first.self += cost;
            entry.second.weight += together.weight;
            entry.second.pes += together.pes;
        };
        if (place.line != 0) {
            auto &line = lines[{place.file, place.line}];
            line.first.file = place.file;
            line.first.line = place.line;
            line.first.function = place.function;
            add(line);
        }
        auto &instruction = instructions[address];
        if (instruction.first.address == 0)
            instruction.first = {address, place.function, place.line, place.file, "", instruction.first.self, by, 0};
        add(instruction);
    }
    const auto mean = [](const Together &together) { return together.weight > 0 ? together.pes / together.weight : 0; };
    for (auto &[place, line] : lines) {
        line.first.together = mean(line.second);
        report.lines.push_back(std::move(line.first));
    }
    std::map<std::uint32_t, std::string> names;
    for (std::size_t at = 0; at < image.text.size(); ++at)
        if (instructions.contains(address_at[at])) {
            std::string &text = names[address_at[at]];
            text += (text.empty() ? "" : " ") + std::string(info(op_at(image, at)).name);
        }
    for (auto &[address, instruction] : instructions) {
        instruction.first.mog = names[address];
        instruction.first.together = mean(instruction.second);
        report.instructions.push_back(std::move(instruction.first));
    }
    for (Function &function : report.functions) {  // counted ones that no sample was in, too
        function.total.instructions = std::max(function.total.instructions, function.self.instructions);
        function.total.seconds = std::max(function.total.seconds, function.self.seconds);
    }
    const auto by_self = [](const auto &a, const auto &b) { return a.self.instructions > b.self.instructions; };
    // Others name functions by their numbers.
    std::vector<std::uint32_t> order(report.functions.size()), place_of(order.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return by_self(report.functions[a], report.functions[b]); });
    std::vector<Function> functions;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place_of[order[i]] = i;
        functions.push_back(std::move(report.functions[order[i]]));
    }
    report.functions = std::move(functions);
    for (Line &line : report.lines) line.function = place_of[line.function];
    for (Instruction &instruction : report.instructions) instruction.function = place_of[instruction.function];
    for (StackOf &stack : report.stacks)
        for (Frame &frame : stack.frames) frame.function = place_of[frame.function];
    std::ranges::stable_sort(report.lines, by_self);
    std::ranges::stable_sort(report.instructions, by_self);
    std::ranges::stable_sort(report.stacks, [](const StackOf &a, const StackOf &b) { return a.cost.instructions > b.cost.instructions; });
    return report;
}

namespace {

constexpr Form forms[] = {
    {".html", nullptr}, {".json", as_json}, {".folded", as_folded}, {".callgrind", as_callgrind}, {".pb.gz", as_pprof}};

}  // namespace

const Form *form_of(std::string_view file) {
    for (const Form &form : forms)
        if (file.size() > form.ending.size() && file.ends_with(form.ending)) return &form;
    return nullptr;
}

std::string endings() {
    std::string text;
    for (const Form &form : forms)
        text += fmt::format("{}{}", text.empty() ? "" : &form == &forms[std::size(forms) - 1] ? " or " : ", ", form.ending);
    return text;
}

}  // namespace mog::profile
