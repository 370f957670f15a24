// divergence.cpp: how long the analyses of divergence take, by kernel, and what they find. bench/divergence makes the programs and calls
// it.
//
//     divergence_bench PROGRAM.mog...
//
// Each function of the programs is a kernel; beside them stand kernels that are made here, of loops and branches in a row and in each
// other, up to a hundred thousand instructions. Times are of the processor: the least of several repetitions, for the machine may be busy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "assembler/divergence/analysis.hpp"
#include "assembler/divergence_report/mog_kernels.hpp"
#include "assembler/text/parse.hpp"
#include "assembler/usimd/usimd_text.hpp"
#include "support/files/files.hpp"
#include "support/say.hpp"

namespace {

using namespace mog;
using namespace mog::divergence;

constexpr unsigned degrees[] = {0, 1, 2};

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename Work>
double least_seconds(Work work) {
    constexpr double enough = 0.02;
    constexpr int least_repetitions = 5, most_repetitions = 200;
    double least = 1e9, spent = 0;
    for (int i = 0; i < most_repetitions && (i < least_repetitions || spent < enough); ++i) {
        const double start = processor_seconds();
        work();
        const double took = processor_seconds() - start;
        spent += took;
        least = std::min(least, took);
    }
    return least;
}

struct Measured {
    std::string name;
    std::size_t values = 0, instructions = 0;
    double form = 0;                               ///< seconds to make SSA and what sync dependence needs
    std::array<double, std::size(degrees)> whole;  ///< with it, by degree
    std::array<std::size_t, 6> classes{};          ///< of degree 2
    bool is_reducible = true;
    std::size_t uniform_simple = 0, branches = 0, parting = 0, parting_simple = 0;
};

Measured measure(const std::string &name, const Kernel &kernel) {
    Measured of;
    of.name = name;
    for (const auto &block : kernel.blocks) of.instructions += block.code.size() + 1;
    of.form = least_seconds([&] {
        const SsaForm form(kernel);
        const SyncDependence sync(form.graph, form.dominators);
    });
    for (std::size_t d = 0; d < std::size(degrees); ++d) {
        AnalysisOptions options;
        options.degree = degrees[d];
        of.whole[d] = least_seconds([&] { const Analysis analysis(kernel, options); });
        const Analysis analysis(kernel, options);
        of.values = analysis.form().values.size();
        of.is_reducible = analysis.sync().loops().is_reducible();
        std::size_t branches = 0, parting = 0;
        for (BlockIndex b = 0; b < kernel.blocks.size(); ++b) {
            if (!analysis.form().is_reached(b) || analysis.form().graph.successors(b).size() < 2) continue;
            ++branches;
            parting += !analysis.is_branch_uniform(b);
        }
        for (ValueIndex value = 0; value < of.values; ++value) {
            const Class is = analysis.class_of(value);
            if (degrees[d] == 0) of.uniform_simple += is <= Class::uniform;
            if (degrees[d] == 2) ++of.classes[static_cast<std::size_t>(is)];
        }
        (degrees[d] == 0 ? of.parting_simple : of.parting) = parting;
        of.branches = branches;
    }
    return of;
}

/// Loops in a row, each with branches in it, of which every other one parts lanes.
std::string made_program(std::size_t loops, std::size_t depth) {
    std::string text = ".param n, m\n.cells 1\n";
    for (std::size_t l = 0; l < loops; ++l) {
        for (std::size_t d = 0; d < depth; ++d)
            text += fmt::format("  i{1} = tid + {0}\n  d{1} = 0\nloop{0}_{1}: p = i{1} < {2}\n  bz p, out{0}_{1}\n", l, d,
                                l % 2 == 0 ? "n" : "m");
        for (std::size_t d = depth; d-- > 0;)
            text += fmt::format(
                "  a = i{1} * 4\n  b = a + m\n  x = [b]\n  q = x < d{1}\n  bz {2}, even{0}_{1}\n  s = s + x\neven{0}_{1}: d{1} = d{1} + 1\n"
                "  i{1} = i{1} + n\n  jump loop{0}_{1}\nout{0}_{1}: s = s + d{1}\n",
                l, d, l % 2 == 0 ? "q" : "d" + std::to_string(d));
    }
    return text + "stop\n";
}

/// How much of the times' variance a line through the origin's neighbourhood explains: R^2 of least squares over kernels.
double r_squared(const std::vector<Measured> &all, std::size_t degree) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (const Measured &of : all) {
        const auto x = static_cast<double>(of.values);
        const double y = of.whole[degree];
        n += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        syy += y * y;
    }
    const double covariance = n * sxy - sx * sy;
    return covariance * covariance / ((n * sxx - sx * sx) * (n * syy - sy * sy));
}

nlohmann::ordered_json summary(const std::vector<Measured> &all) {
    Measured sum;
    sum.whole = {};
    for (const Measured &of : all) {
        sum.values += of.values;
        sum.instructions += of.instructions;
        sum.form += of.form;
        for (std::size_t d = 0; d < std::size(degrees); ++d) sum.whole[d] += of.whole[d];
        for (std::size_t c = 0; c < sum.classes.size(); ++c) sum.classes[c] += of.classes[c];
        sum.uniform_simple += of.uniform_simple;
        sum.branches += of.branches;
        sum.parting += of.parting;
        sum.parting_simple += of.parting_simple;
    }
    return {{"kernels", all.size()},
            {"values", sum.values},
            {"instructions", sum.instructions},
            {"seconds_form", sum.form},
            {"seconds_simple", sum.whole[0]},
            {"seconds_affine", sum.whole[1]},
            {"seconds_degree2", sum.whole[2]},
            {"r2_simple", r_squared(all, 0)},
            {"r2_affine", r_squared(all, 1)},
            {"r2_degree2", r_squared(all, 2)},
            {"uniform_simple", sum.uniform_simple},
            {"constant", sum.classes[static_cast<std::size_t>(Class::constant)]},
            {"uniform", sum.classes[static_cast<std::size_t>(Class::uniform)]},
            {"affine", sum.classes[static_cast<std::size_t>(Class::affine)]},
            {"polynomial", sum.classes[static_cast<std::size_t>(Class::polynomial)]},
            {"divergent", sum.classes[static_cast<std::size_t>(Class::divergent)]},
            {"branches", sum.branches},
            {"parting_simple", sum.parting_simple},
            {"parting", sum.parting}};
}

int fail(const mog::Error &error) {
    say("divergence_bench: {}\n", error.text());
    return 1;
}

}  // namespace

int main(int argc, char **argv) {
    nlohmann::ordered_json result;
    std::vector<Measured> functions, crossed;
    for (int i = 1; i < argc; ++i) {
        const auto text = read_text_file(argv[i]);
        if (!text) return fail(text.error());
        const auto program = parse(*text, argv[i]);
        if (!program) return fail(program.error());
        for (const MogKernel &function : mog_kernels(*program, [](std::string_view) { return true; }))
            if (Measured of = measure(function.kernel.name, function.kernel); of.is_reducible) functions.push_back(std::move(of));
            else crossed.push_back(std::move(of));
    }
    if (!functions.empty()) result["functions"] = summary(functions);
    if (!crossed.empty()) result["crossed"] = summary(crossed);
    std::vector<Measured> made;
    for (const std::size_t depth : {std::size_t{1}, std::size_t{3}})
        for (std::size_t loops = 1; loops * depth <= 8192; loops *= 2) {
            const auto program = usimd::parse(made_program(loops, depth), "made");
            if (!program) return fail(program.error());
            made.push_back(measure(fmt::format("{} loops, {} deep", loops, depth), program->kernel));
            const Measured &of = made.back();
            result["made_kernels"].push_back({{"name", of.name},
                                              {"values", of.values},
                                              {"instructions", of.instructions},
                                              {"seconds_form", of.form},
                                              {"seconds_simple", of.whole[0]},
                                              {"seconds_affine", of.whole[1]},
                                              {"seconds_degree2", of.whole[2]}});
        }
    result["made"] = summary(made);
    fmt::print("{}\n", result.dump(2));
    return 0;
}
