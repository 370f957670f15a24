// analyze.cpp: words into options, texts and programs into kernels, findings into reports.
#include "assembler/analyze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "assembler/divergence_report/mog_kernels.hpp"
#include "assembler/divergence_report/report.hpp"
#include "assembler/usimd/allocated_program.hpp"
#include "assembler/usimd/machine.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace mog {
namespace {

constexpr std::uint32_t most_threads_of_block = 1024;

std::optional<std::uint32_t> number_in(std::string_view text, std::uint32_t most) {
    std::uint32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number < 1 || number > most) return std::nullopt;
    return number;
}

/// "32x8x1", with dimensions left out being 1 and ? for one that is not known.
bool read_block(std::string_view text, divergence::ThreadShape &shape) {
    std::optional<std::uint32_t> *const sizes[] = {&shape.x, &shape.y, &shape.z};
    for (auto *const size : sizes) *size = 1;
    for (std::size_t dimension = 0; dimension < std::size(sizes); ++dimension) {
        const std::string_view part = text.substr(0, text.find('x'));
        if (part == "?") {
            *sizes[dimension] = std::nullopt;
        } else {
            *sizes[dimension] = number_in(part, most_threads_of_block);
            if (!*sizes[dimension]) return false;
        }
        if (part.size() == text.size()) return true;
        text.remove_prefix(part.size() + 1);
    }
    return false;
}

divergence::AnalysisOptions analysis_options(const AnalyzeOptions &options) {
    divergence::AnalysisOptions result;
    result.degree = options.degree;
    result.shape = options.shape;
    return result;
}

Result<std::string> written(const divergence::Report &report, const AnalyzeOptions &options, std::string_view input_text) {
    switch (options.format) {
        case AnalyzeOptions::Format::text: return divergence::as_text(report);
        case AnalyzeOptions::Format::json: return divergence::as_json(report);
        case AnalyzeOptions::Format::html: break;
    }
    return divergence::as_page(report, [&](const std::string &name) -> std::optional<std::string> {
        if (name == report.input && !input_text.empty()) return std::string(input_text);
        auto text = read_text_file(name);
        return text ? std::optional(std::move(*text)) : std::nullopt;
    });
}

std::string analysis_name(unsigned degree) {
    return degree == 0 ? "simple analysis, uniform or divergent"
                       : fmt::format("polynomials up to degree {} in T, the number of the thread", degree);
}

}  // namespace

std::string_view analyze_help() {
    return "Print what is known of each value in all lanes together, and why: divergence, and behind commas simple, affine or degree2 "
           "(default); text "
           "(default), json or html; function=NAME; and of kernels block=32x8 (?: not known), warp=32, whole-rows; of PTX exact: sums and "
           "products of 32 bits do not wrap";
}

Result<AnalyzeOptions> read_analyze_options(std::string_view words) {
    AnalyzeOptions options;
    bool is_first = true;
    while (true) {
        const std::string_view word = words.substr(0, words.find(','));
        const auto after = [&](std::string_view prefix) { return word.substr(prefix.size()); };
        if (is_first) {
            if (word != "divergence") return Error{fmt::format("there is divergence to analyse, but no {}", word)};
        } else if (word == "simple") {
            options.degree = 0;
        } else if (word == "affine") {
            options.degree = 1;
        } else if (word == "degree2") {
            options.degree = 2;
        } else if (word == "text") {
            options.format = AnalyzeOptions::Format::text;
        } else if (word == "json") {
            options.format = AnalyzeOptions::Format::json;
        } else if (word == "html") {
            options.format = AnalyzeOptions::Format::html;
        } else if (word == "whole-rows") {
            options.shape.rows_are_whole = true;
        } else if (word == "exact") {
            options.is_exact = true;
        } else if (word.starts_with("function=")) {
            options.functions.emplace_back(after("function="));
        } else if (word.starts_with("block=")) {
            options.has_block = true;
            if (!read_block(after("block="), options.shape))
                return Error{fmt::format("{}: a block has 1 to 3 dimensions of 1 to {} threads, as 32x8, or ? for one", word,
                                         most_threads_of_block)};
        } else if (word.starts_with("warp=")) {
            const auto lanes = number_in(after("warp="), most_threads_of_block);
            if (!lanes) return Error{fmt::format("{}: a warp has 1 to {} lanes", word, most_threads_of_block)};
            options.shape.warp = *lanes;
        } else {
            const std::string_view near = nearest_word(
                word, {"simple", "affine", "degree2", "text", "json", "html", "whole-rows", "exact", "function=", "block=", "warp="});
            return Error{fmt::format("there is nothing called {}{}", word, near.empty() ? "" : fmt::format("; did you mean {}?", near))};
        }
        is_first = false;
        if (word.size() == words.size()) return options;
        words.remove_prefix(word.size() + 1);
    }
}

Result<std::string> analyze(const MogProgram &program, const std::string &input, const AnalyzeOptions &options) {
    const auto is_wanted = [&](std::string_view name) {
        return options.functions.empty() || std::ranges::find(options.functions, name) != options.functions.end();
    };
    divergence::Report report{input, analysis_name(options.degree), {}};
    const bool any_lines = !program.lines.empty() && options.functions.empty();
    for (const MogKernel &function : mog_kernels(program, is_wanted)) {
        divergence::Findings findings =
            divergence::find(divergence::Analysis(function.kernel, analysis_options(options)), function.hypotheses);
        const auto has_line = [&](const divergence::Entry &entry) { return !findings.place_text(entry.place).empty(); };
        if (!any_lines || std::ranges::any_of(findings.entries, has_line)) report.kernels.push_back(std::move(findings));
    }
    for (const std::string &name : options.functions)
        if (std::ranges::find(report.kernels, name, &divergence::Findings::name) == report.kernels.end())
            return Error{fmt::format("no function is called {}", name), input};
    return written(report, options, {});
}

Result<std::string> analyze_usimd(std::string_view text, const std::string &input, const AnalyzeOptions &options) {
    if (!options.functions.empty()) return Error{"function= is for MOG programs: a text of the u-SIMD machine has no functions", input};
    auto program = usimd::parse(text, input);
    if (!program) return program.error();
    program->kernel.name = std::string(input.substr(input.rfind('/') + 1));
    divergence::AnalysisOptions how = analysis_options(options);
    if (!options.has_block && program->shape.x) {
        how.shape = program->shape;
        how.shape.warp = options.shape.warp;
    }
    std::vector<std::string> hypotheses = {"lanes that part at a branch meet again where its region ends"};
    if (how.shape.x || how.shape.rows_are_whole || options.has_block) hypotheses.push_back("threads lie in " + how.shape.text());
    divergence::Report report{input, analysis_name(options.degree), {}};
    report.kernels.push_back(divergence::find(divergence::Analysis(program->kernel, how), std::move(hypotheses)));
    return written(report, options, text);
}

Result<std::string> analyze_kernels(const std::vector<AnalyzedKernel> &kernels, std::string_view text, const std::string &input,
                                    const AnalyzeOptions &options) {
    const divergence::AnalysisOptions how = analysis_options(options);
    divergence::Report report{input, analysis_name(options.degree), {}};
    for (const AnalyzedKernel &one : kernels) {
        std::vector<std::string> hypotheses = one.hypotheses;
        if (options.has_block || how.shape.rows_are_whole) hypotheses.push_back("threads lie in " + how.shape.text());
        report.kernels.push_back(divergence::find(divergence::Analysis(one.kernel, how), std::move(hypotheses)));
    }
    for (const std::string &name : options.functions)
        if (std::ranges::find(report.kernels, name, &divergence::Findings::name) == report.kernels.end())
            return Error{fmt::format("no function is called {}", name), input};
    return written(report, options, text);
}

Result<std::string> simulate_usimd(std::string_view text, const std::string &input, const SimulateOptions &options) {
    const auto program = usimd::parse(text, input);
    if (!program) return program.error();
    usimd::MachineOptions how;
    how.threads = options.threads;
    how.warp = options.warp;
    return options.trace ? usimd::trace(*program, how) : usimd::result_of(*program, how);
}

std::vector<std::string> allocator_names() {
    using registers::Allocator;
    std::vector<std::string> names;
    for (const Allocator allocator : registers::allocators) names.emplace_back(registers::name_of(allocator));
    return names;
}

Result<std::string> allocate_usimd(std::string_view text, const std::string &input, std::string_view allocator, unsigned registers,
                                   const SimulateOptions &options) {
    const auto program = usimd::parse(text, input);
    if (!program) return program.error();
    registers::AllocateOptions how;
    for (const registers::Allocator of : registers::allocators)
        if (registers::name_of(of) == allocator) how.allocator = of;
    how.registers = registers;
    how.shape.warp = options.warp;
    const auto allocated = usimd::allocate(*program, how);
    if (!allocated) return allocated.error();
    usimd::MachineOptions machine;
    machine.threads = options.threads;
    machine.warp = options.warp;
    return usimd::describe(*allocated, how, machine);
}

bool is_usimd_name(std::string_view path) { return path.ends_with(".usimd"); }

}  // namespace mog
