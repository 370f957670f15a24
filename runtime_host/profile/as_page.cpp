// as_page.cpp: the report as a page, of one file. The page's text stands in profile_page.html; here its holes are filled.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "interp_templates/templates.hpp"
#include "runtime_host/profile/pictures.hpp"
#include "support/text.hpp"

namespace mog::profile {

namespace {

// What is shown of a large program; the page says what is left out, and the JSON has it.
constexpr std::size_t most_functions = 200, most_lines = 200, most_hot_instructions = 100, most_files = 24, most_parting = 30;
constexpr std::uint32_t context = 8;              ///< lines around hot ones
constexpr std::size_t most_lines_of_file = 3000;  ///< with those
constexpr std::size_t most_source = 4u << 20;     ///< bytes of a source that are read

struct Page {
    const Report &report;
    std::map<std::string, std::size_t> files;  ///< that are shown, and their numbers
    std::map<std::string, std::set<std::uint32_t>> shown;
    std::vector<std::string> limits;

    double share(double instructions) const { return report.all.instructions > 0 ? instructions / report.all.instructions : 0; }

    std::string place(const std::string &file, std::uint32_t line) const {
        if (file.empty() || line == 0) return "<span class=soft>-</span>";
        const std::size_t slash = file.rfind('/');
        const std::string text = fmt::format("{}:{}", escape_html(slash == std::string::npos ? file : file.substr(slash + 1)), line);
        const auto in = shown.find(file);
        if (in != shown.end() && in->second.contains(line))
            return fmt::format("<a href=\"#s{}-{}\" title=\"{}\">{}</a>", files.at(file), line, escape_html(file), text);
        return fmt::format("<span title=\"{}\">{}</span>", escape_html(file), text);
    }
    std::string function_link(std::uint32_t number) const {
        const std::string name = escape_html(report.functions[number].name);
        return number < most_functions ? fmt::format("<a href=\"#f{}\">{}</a>", number, name) : name;
    }
    std::string number(double value) const { return fmt::format("<td class=n data-v={:.0f}>{}</td>", value, short_count(value)); }
    std::string percent(double part) const {
        return fmt::format("<td class=n data-v={:.8f}>{}</td><td class=bar><i style=\"width:{:.1f}%\"></i></td>", part, in_percent(part),
                           100 * std::min(1.0, part));
    }
    std::string seconds(double value) const {
        return fmt::format("<td class=n data-v={:.9f}>{}</td>", value, value > 0 ? short_seconds(value) : "-");
    }
    /// "15.2 of 16".
    std::string together(double pes) const {
        if (report.group <= 1 || pes <= 0) return "<td class=n data-v=0>-</td>";
        return fmt::format("<td class=n data-v={:.3f}>{:.1f}</td>", pes, pes);
    }
    void limit(std::size_t all, std::size_t most, std::string_view what) {
        if (all > most) limits.push_back(fmt::format("The {} costliest of {} {} are shown.", most, all, what));
    }

    std::string functions() {
        limit(report.functions.size(), most_functions, "functions");
        std::string rows;
        for (std::uint32_t i = 0; i < std::min(report.functions.size(), most_functions); ++i) {
            const Function &function = report.functions[i];
            std::string by;
            for (std::size_t kind = 0; kind < by_kinds; ++kind)
                if (function.by[kind] > 0 && function.self.instructions > 0)
                    by += fmt::format("<i class=e{} style=\"width:{:.1f}%\" title=\"{}: {}\"></i>", kind,
                                      100 * function.by[kind] / function.self.instructions, name_of(static_cast<By>(kind)),
                                      in_percent(function.by[kind] / function.self.instructions));
            rows += fmt::format(
                "<tr id=f{}><th class=op>{}</th>{}{}<td class=n data-v={:.8f}>{}</td>{}{}<td><span class=by>{}</span></td>"
                "<td>{}</td></tr>\n",
                i, escape_html(function.name), percent(share(function.self.instructions)), number(function.self.instructions),
                share(function.total.instructions), in_percent(share(function.total.instructions)), seconds(function.self.seconds),
                seconds(function.total.waiting()), by, place(function.file, function.line));
        }
        return rows;
    }
    std::string lines() {
        limit(report.lines.size(), most_lines, "lines");
        std::string rows;
        for (std::size_t i = 0; i < std::min(report.lines.size(), most_lines); ++i) {
            const Line &line = report.lines[i];
            if (line.self.instructions <= 0) continue;
            rows +=
                fmt::format("<tr><td>{}</td><td class=op>{}</td>{}{}{}</tr>\n", place(line.file, line.line), function_link(line.function),
                            percent(share(line.self.instructions)), number(line.self.instructions), together(line.together));
        }
        return rows;
    }
    std::string instructions() {
        limit(report.instructions.size(), most_hot_instructions, "instructions");
        std::string rows;
        for (std::size_t i = 0; i < std::min(report.instructions.size(), most_hot_instructions); ++i) {
            const Instruction &one = report.instructions[i];
            if (one.self.instructions <= 0) continue;
            rows += fmt::format(
                "<tr><td class=op data-v={}>{:#x}</td><td class=op>{}</td>{}{}<td>{}</td><td class=op>{}</td><td>{}</td></tr>\n",
                one.address, one.address, escape_html(one.mog), percent(share(one.self.instructions)), together(one.together),
                name_of(one.by), function_link(one.function), place(one.file, one.line));
        }
        return rows;
    }
    /// Where the most is lost if these PEs were executed in lock step.
    std::string parting() {
        if (report.group <= 1) return {};
        std::vector<std::pair<double, const Line *>> found;
        for (const Line &line : report.lines)
            if (line.together > 0) found.emplace_back(line.self.instructions * (1 - line.together / report.group), &line);
        std::ranges::stable_sort(found, [](const auto &a, const auto &b) { return a.first > b.first; });
        std::string rows;
        for (std::size_t i = 0; i < std::min(found.size(), most_parting); ++i) {
            const auto &[lost, line] = found[i];
            if (lost <= 0) break;
            rows +=
                fmt::format("<tr><td>{}</td><td class=op>{}</td>{}{}{}</tr>\n", place(line->file, line->line),
                            function_link(line->function), together(line->together), number(line->self.instructions), percent(share(lost)));
        }
        return rows;
    }

    /// Before anything links there.
    std::string sources(const std::function<std::optional<std::string>(const std::string &)> &read_source) {
        struct File {
            double instructions = 0;
            std::map<std::uint32_t, const Line *> lines;
        };
        std::map<std::string, File> all;
        for (const Line &line : report.lines) {
            all[line.file].instructions += line.self.instructions;
            all[line.file].lines[line.line] = &line;
        }
        std::vector<const std::pair<const std::string, File> *> order;
        for (const auto &entry : all) order.push_back(&entry);
        std::ranges::stable_sort(order, [](const auto *a, const auto *b) { return a->second.instructions > b->second.instructions; });
        limit(order.size(), most_files, "source files");
        std::map<std::string, std::map<std::uint32_t, std::uint32_t>> begins;  // functions, by file and line
        for (std::uint32_t i = 0; i < std::min(report.functions.size(), most_functions); ++i)
            if (report.functions[i].line != 0) begins[report.functions[i].file][report.functions[i].line] = i;
        double hottest = 0;
        for (const Line &line : report.lines) hottest = std::max(hottest, line.self.instructions);
        std::string text;
        std::size_t missing = 0;
        for (std::size_t i = 0; i < std::min(order.size(), most_files); ++i) {
            const auto &[name, file] = *order[i];
            const std::optional<std::string> source = read_source(name);
            if (!source || source->size() > most_source) {
                missing++;
                continue;
            }
            const std::size_t number = files.emplace(name, files.size()).first->second;
            const std::vector<std::string_view> rows = split_lines(*source);
            std::set<std::uint32_t> &here = shown[name];
            const auto add_around = [&](std::uint32_t line) {
                for (std::uint32_t l = line > context ? line - context : 1; l <= line + context && l <= rows.size(); ++l)
                    if (here.size() < most_lines_of_file) here.insert(l);
            };
            for (const auto &[line, what] : file.lines) add_around(line);
            for (const auto &[line, function] : begins[name]) add_around(line);
            text += fmt::format("<details open><summary>{} <span class=soft>{}</span></summary>\n<div class=source>\n", escape_html(name),
                                in_percent(share(file.instructions)));
            std::uint32_t before = 0;
            for (const std::uint32_t l : here) {
                if (l != before + 1) text += "<div class=gap>&#8942;</div>\n";
                before = l;
                const auto found = file.lines.find(l);
                const Line *line = found == file.lines.end() ? nullptr : found->second;
                const auto function = begins[name].find(l);
                const std::string back = function == begins[name].end()
                                             ? ""
                                             : fmt::format(" <a href=\"#f{0}\" title=\"in the table\">&#8679;</a>", function->second);
                if (!line || line->self.instructions <= 0) {
                    text += fmt::format("<div class=row id=s{}-{}><i></i><u></u><b>{}</b><code>{}</code>{}</div>\n", number, l, l,
                                        escape_html(rows[l - 1]), back);
                    continue;
                }
                const double heat = hottest > 0 ? std::clamp(8 + 62 * std::sqrt(line->self.instructions / hottest), 8.0, 70.0) : 0;
                text += fmt::format(
                    "<div class=\"row hot\" id=s{0}-{1} style=\"--h:{2:.0f}%\" title=\"{3}: {4} {5}{6}\"><i>{7}</i><u>{8}</u><b>{1}</b>"
                    "<code>{9}</code>{10}</div>\n",
                    number, l, heat, escape_html(report.functions[line->function].name), short_count(line->self.instructions),
                    report.unit(), line->self.waiting() > 0 ? ", waited " + short_seconds(line->self.waiting()) : std::string(),
                    in_percent(share(line->self.instructions)),
                    report.group > 1 && line->together > 0 ? fmt::format("{:.1f}", line->together) : std::string(),
                    escape_html(rows[l - 1]), back);
            }
            text += "</div></details>\n";
        }
        if (missing != 0)
            limits.push_back(
                fmt::format("{} source file{} not found on this machine, or not shown.", missing, missing == 1 ? " was" : "s were"));
        return text;
    }

    std::string mpi() const {
        std::string rows;
        for (const RunFacts::MpiFunction &function : report.run.mpi)
            rows += fmt::format("<tr><th class=op>{}</th>{}{}{}{}<td class=n data-v={}>{}</td></tr>\n", escape_html(function.name),
                                number(static_cast<double>(function.calls)), number(static_cast<double>(function.bytes)),
                                seconds(function.seconds), seconds(function.longest), function.longest_rank, function.longest_rank);
        return rows;
    }
    std::string waiting() const {
        std::string rows;
        std::vector<const Function *> order;
        for (const Function &function : report.functions)
            if (function.total.waiting() > 0) order.push_back(&function);
        std::ranges::stable_sort(order, [](const Function *a, const Function *b) { return a->total.waiting() > b->total.waiting(); });
        for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), most_parting); ++i) {
            const Function &function = *order[i];
            rows += fmt::format("<tr><th class=op>{}</th>{}{}{}{}<td>{}</td></tr>\n", escape_html(function.name),
                                seconds(function.total.waiting()), seconds(function.total.waits[0]), seconds(function.total.waits[1]),
                                seconds(function.total.waits[2]), place(function.file, function.line));
        }
        return rows;
    }
    std::string calls() const {
        std::string rows;
        for (const auto &[name, count] : report.run.calls)
            rows += fmt::format("<tr><th class=op>{}</th>{}</tr>\n", escape_html(name), number(static_cast<double>(count)));
        return rows;
    }
};

/// Nothing where there are no rows.
std::string section(std::string_view title, const std::string &before, std::string_view heads, const std::string &rows) {
    if (rows.empty()) return {};
    return fmt::format(
        "<section><h2>{}</h2>{}\n<div class=scroll><table class=sorts><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>"
        "</section>\n",
        title, before, heads, rows);
}

std::string tile(const std::string &value, std::string_view what) {
    return fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, what);
}

std::string flames(const Report &report, std::string_view title, double (*weight)(const Cost &cost), std::string (*amount)(double),
                   std::string_view what, std::vector<std::string> &limits) {
    const Flames graph = flame_graph(report, weight, amount, what);
    if (graph.svg.empty()) return {};
    if (graph.left_out != 0)
        limits.push_back(fmt::format("{}: {} frames that would be too small to be seen are left out.", title, graph.left_out));
    return fmt::format(
        "<section class=graph><h2>{}</h2><p class=tools><input type=search placeholder=\"search (a regular expression)\" "
        "aria-label=search><button type=button hidden>whole graph</button> <span class=soft></span></p>\n{}</section>\n",
        title, graph.svg);
}

}  // namespace

std::string as_page(const Report &report, const std::function<std::optional<std::string>(const std::string &)> &read_source) {
    const RunFacts &run = report.run;
    Page page{report, {}, {}, {}};
    const std::string sources = page.sources(read_source), unit(report.unit());
    if (report.cut_stacks != 0)
        page.limits.push_back(
            fmt::format("{} samples are without their callers: there were too many different stacks.", report.cut_stacks));
    if (report.samples == 0 && !report.is_counted())
        page.limits.emplace_back("The run was too short for samples; --device=reference counts each instruction.");
    if (run.passes)
        page.limits.emplace_back(
            "The engine runs PEs in lock step: what is counted are passes of all together, in which one of them may execute an "
            "instruction, several or "
            "none.");
    std::string tiles = tile(short_count(report.all.instructions), fmt::format("{}, all PEs", unit)) +
                        tile(short_seconds(run.seconds), fmt::format("run, of it {} in launches", short_seconds(run.device_seconds))) +
                        tile(fmt::format("{}", run.ranks), run.ranks == 1 ? "PE" : "PEs") +
                        tile(fmt::format("{:.2f} &times;", report.ranks.imbalance()), "most work of a PE, over the mean") +
                        tile(short_seconds(report.all.waiting()), "waiting, sum over all PEs") +
                        tile(fmt::format("{}", report.samples), fmt::format("samples, in {} looks", report.looks));
    std::string engines;
    for (std::size_t kind = 0; kind < by_kinds; ++kind)
        if (report.by[kind] > 0)
            engines += fmt::format("<i class=e{} style=\"width:{:.2f}%\"></i>", kind, 100 * page.share(report.by[kind]));
    std::string legend;
    for (std::size_t kind = 0; kind < by_kinds; ++kind)
        if (report.by[kind] > 0)
            legend += fmt::format("<span><i class=e{}></i> {} {}</span> ", kind, name_of(static_cast<By>(kind)),
                                  in_percent(page.share(report.by[kind])));
    const std::string method =
        report.is_counted()
            ? "Instructions of functions, lines and addresses are counted exactly. Stacks, and what functions take with those they call, "
              "are samples."
            : fmt::format(
                  "All by samples: PEs were looked at {} times, after {} that were drawn at random; {} of the time went into looking. What "
                  "each PE executed, how long it waited, calls and messages are counted.",
                  report.looks, unit, in_percent(run.seconds > 0 ? report.seconds_of_looks / run.seconds : 0));
    constexpr std::string_view place_heads = "<th>line</th><th>function</th>";
    const std::string together_head = fmt::format(
        "<th class=n title=\"PEs of a group of {0} neighbours that were found at the same instruction, on average\">together, of {0}</th>",
        report.group);
    std::string ranks;
    if (run.ranks > 1) {
        const std::string waits = ranks_waiting(report);
        ranks = fmt::format(
            "<section><h2>Ranks</h2><p>The least busy one is rank {}, the busiest rank {}: {} times the mean, so that with equal "
            "shares the run could be up to {} shorter.{}</p><div class=pictures><figure>{}<figcaption>{} by rank; the line is "
            "the mean</figcaption></figure><figure>{}<figcaption>sorted</figcaption></figure>{}</div></section>\n",
            report.ranks.least_rank, report.ranks.most_rank, fmt::format("{:.2f}", report.ranks.imbalance()),
            in_percent(1 - 1 / std::max(1.0, report.ranks.imbalance())),
            run.ranks > report.ranks.bins.size()
                ? fmt::format(" Each bar stands for some {} ranks, the stroke in it for the least and the most of them.",
                              run.ranks / report.ranks.bins.size())
                : "",
            ranks_in_order(report), unit, ranks_sorted(report),
            waits.empty() ? ""
                          : fmt::format("<figure>{}<figcaption>seconds waited: <i class=w0></i> MPI <i class=w1></i> locks and threads "
                                        "<i class=w2></i> system calls</figcaption></figure>",
                                        waits));
    }
    const auto instructions_of = [](const Cost &cost) { return cost.instructions; };
    const auto waiting_of = [](const Cost &cost) { return cost.waiting(); };
    const std::string share_heads = "<th class=n>share</th><th></th>";
    std::string body = flames(report, "Stacks", instructions_of, short_count, unit, page.limits);
    body += section("Functions", "<p class=soft>Sort by a click on a head. Time is of launches, divided as instructions were.</p>",
                    fmt::format("<th>function</th><th class=n>itself</th><th></th><th class=n>{}</th><th class=n>with calls</th>"
                                "<th class=n>time</th><th class=n>waited</th><th>engine</th><th>where</th>",
                                unit),
                    page.functions());
    body += section("Hot lines", "", fmt::format("{}{}<th class=n>{}</th>{}", place_heads, share_heads, unit, together_head), page.lines());
    if (!sources.empty())
        body += fmt::format(
            "<section><h2>Source</h2><p class=soft>The share of all {}, then how many of {} neighbours are there "
            "together.</p>{}</section>\n",
            unit, report.group, sources);
    body += ranks;
    body += flames(report, "Stacks of those that wait", waiting_of, short_seconds, "waiting", page.limits);
    body += section("Waiting",
                    "<p class=soft>In functions and what they call, summed over PEs; those that waited were looked at by samples.</p>",
                    "<th>function</th><th class=n>waited</th><th class=n>MPI</th><th class=n>locks, threads</th><th class=n>system "
                    "calls</th><th>where</th>",
                    page.waiting());
    body += section("MPI", "",
                    "<th>function</th><th class=n>calls</th><th class=n>bytes</th><th class=n>time</th><th class=n>longest</th><th "
                    "class=n>of rank</th>",
                    page.mpi());
    body += section(
        "Where PEs part",
        fmt::format("<p class=soft>{} neighbours are looked at together. The last column is what such a group would wait for others there, "
                    "if it were executed in lock step: a share of all {}.</p>",
                    report.group, unit),
        fmt::format("{}{}<th class=n>{}</th><th class=n>parted</th><th></th>", place_heads, together_head, unit), page.parting());
    body += section(
        "Hot instructions", "",
        fmt::format("<th>address</th><th>as MOG</th>{}{}<th>engine</th><th>function</th><th>where</th>", share_heads, together_head),
        page.instructions());
    body += section("System calls", "", "<th>call</th><th class=n>calls</th>", page.calls());
    std::string limits;
    for (const std::string &limit : page.limits) limits += fmt::format("<li>{}</li>\n", escape_html(limit));
    std::string text(template_text("profile_page.html"));
    replace_all(text, "@PROGRAM@", escape_html(run.program));
    replace_all(text, "@RUN@",
                fmt::format("{}{}{}: {}", escape_html(run.arguments), run.arguments.empty() ? "On " : ", on ", escape_html(run.device),
                            escape_html(run.engine)));
    replace_all(text, "@TILES@", tiles);
    replace_all(text, "@ENGINES@",
                engines.empty()
                    ? ""
                    : fmt::format("<section><h2>Engines</h2><div class=engines>{}</div><p class=key>{}</p></section>", engines, legend));
    replace_all(text, "@METHOD@", escape_html(method));
    replace_all(text, "@LIMITS@", limits.empty() ? "" : "<ul>" + limits + "</ul>");
    replace_all(text, "@BODY@", body);
    return text;
}

}  // namespace mog::profile
