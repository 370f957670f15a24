// report.hpp: a profile of a run, for people and for programs: by function, line and instruction, by rank, by what PEs waited for; and as
// stacks. What the collector found becomes names here. The forms: JSON, a page, folded stacks, files of callgrind and of pprof.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/image/image.hpp"
#include "runtime_host/profile/collector.hpp"

namespace mog::profile {

/// Who executed an instruction.
enum class By : std::uint8_t { interpreter, blocks, native, lanes, kernel_interpreter, kernel_blocks };
inline constexpr std::size_t by_kinds = 6;
std::string_view name_of(By by);
std::string_view name_of(WaitFor what);

/// What is known about a run beside where PEs were.
struct RunFacts {
    std::string program, arguments, device, engine;
    std::uint32_t ranks = 1;
    double seconds = 0, device_seconds = 0;  ///< of the run; of them in launches
    std::uint64_t launches = 0;
    bool passes = false;  ///< what is counted are passes of PEs in lock step, in which one may execute an instruction, several or none
    std::vector<By> by;   ///< by TEXT index
    /// By TEXT index: how often all PEs executed it; empty: nobody counted, and samples say it.
    std::vector<std::uint64_t> counts;
    struct MpiFunction {
        std::string name;
        std::uint64_t calls = 0, bytes = 0;
        double seconds = 0, longest = 0;
        std::uint64_t longest_rank = 0;
    };
    std::vector<MpiFunction> mpi;
    std::vector<std::pair<std::string, std::uint64_t>> calls;  ///< system calls, by name
};

struct Cost {
    double instructions = 0, seconds = 0;
    WaitSeconds waits{};
    double waiting() const;
    Cost &operator+=(const Cost &other);
};

struct Function {
    std::string name, file;             ///< the file is empty if it is not known
    std::uint32_t line = 0;             ///< the first one that was seen
    Cost self, total;                   ///< in itself; with what it calls
    std::array<double, by_kinds> by{};  ///< instructions
};
struct Line {
    std::string file;
    std::uint32_t line = 0, function = 0;
    Cost self;
    double together = 0;  ///< PEs of a group that were found at the same instruction, on average; 0: no sample was there
};
/// All that was made of one MIPS instruction.
struct Instruction {
    std::uint32_t address = 0, function = 0, line = 0;
    std::string file, mog;  ///< MOG instructions, by name
    Cost self;
    By by = By::interpreter;
    double together = 0;
};
struct Frame {
    std::uint32_t function = 0, line = 0;
    auto operator<=>(const Frame &) const = default;
};
struct StackOf {
    std::vector<Frame> frames;  ///< innermost first
    std::uint32_t address = 0;  ///< of the innermost
    Cost cost;
};
/// Ranks with neighbouring numbers.
struct RankBin {
    std::uint32_t first = 0, count = 0;
    double least = 0, most = 0, all = 0;  ///< instructions
    WaitSeconds waits{};
};
struct Ranks {
    std::vector<RankBin> bins;
    std::vector<double> sorted;  ///< instructions from the least on, at equal distances
    double mean = 0, least = 0, most = 0;
    std::uint32_t most_rank = 0, least_rank = 0;
    /// How much longer the run takes than with equal shares: the most over the mean.
    double imbalance() const { return mean > 0 ? most / mean : 1; }
};

struct Report {
    RunFacts run;
    std::uint64_t samples = 0, looks = 0, cut_stacks = 0;
    double seconds_of_looks = 0;
    std::uint32_t group = 1;
    Cost all;
    std::array<double, by_kinds> by{};
    std::vector<Function> functions;        ///< the most instructions in themselves first
    std::vector<Line> lines;                ///< likewise
    std::vector<Instruction> instructions;  ///< likewise
    std::vector<StackOf> stacks;            ///< likewise
    Ranks ranks;
    bool is_counted() const { return !run.counts.empty(); }
    /// "instructions" or "passes".
    std::string_view unit() const { return run.passes ? "passes" : "instructions"; }
};

Report make_report(const Image &image, const ProfileCollector &collector, RunFacts run);

std::string as_json(const Report &report);
/// Lines "outermost;...;innermost N", as flamegraph.pl and speedscope read them; instructions.
std::string as_folded(const Report &report);
std::string as_callgrind(const Report &report);
/// profile.proto of pprof, in a gzip file.
std::string as_pprof(const Report &report);
/// `read_source`: the text of a source by its name; nullopt: it is not there.
std::string as_page(const Report &report, const std::function<std::optional<std::string>(const std::string &)> &read_source);

/// A form, as the end of a file's name asks for it; null: none of them.
struct Form {
    std::string_view ending;
    std::string (*write)(const Report &report);  ///< null: the page
};
const Form *form_of(std::string_view file);
/// ".html, .json, ..." for messages.
std::string endings();

}  // namespace mog::profile
