// page.cpp: the report as a page: the source, each line in the colour of the least that is known of what it computes. The page's text
// stands in divergence_page.html; here its holes are filled.
#include <fmt/format.h>

#include <map>

#include "assembler/divergence_report/report.hpp"
#include "interp_templates/templates.hpp"
#include "support/text.hpp"

namespace mog::divergence {

namespace {

/// What is said of a line: of all that it computes, in all kernels.
struct LineFindings {
    Class least = Class::unreached;
    bool parts = false, has_address = false;
    Class address = Class::unreached;
    std::vector<std::pair<const Findings *, const Entry *>> entries;
};

/// For the pointer to rest on: as text.
std::string hover_of(const LineFindings &line) {
    std::string text;
    std::size_t count = 0;
    constexpr std::size_t most_entries = 12;
    for (const auto &[kernel, entry] : line.entries) {
        if (++count > most_entries) return text + "...";
        const bool is_branch = entry->kind == Entry::Kind::branch;
        text += entry->text;
        if (is_branch) text += entry->of == Class::uniform ? ": all lanes go one way" : ": parts lanes";
        else if (!entry->name.empty())
            text += fmt::format(": {}{}", name_of(entry->of), entry->of == Class::divergent ? "" : ", " + entry->fact);
        if (entry->address) text += fmt::format(", address {}", entry->address_fact);
        text += "\n";
        for (const Because &because : entry->why) {
            const std::string place = kernel->place_text(because.place);
            text += fmt::format("    because {}{}\n", because.text, place.empty() ? "" : fmt::format(" ({})", place));
        }
    }
    return text;
}

std::string row(std::size_t number, std::string_view source, const LineFindings *line) {
    if (line == nullptr) return fmt::format("<div class=row><i></i><b>{}</b><code>{}</code></div>\n", number, escape_html(source));
    const char letter = letter_of(line->least);
    return fmt::format("<div class=\"row {}\" tabindex=0 title=\"{}\"><i>{}{}{}</i><b>{}</b><code>{}</code></div>\n", name_of(line->least),
                       escape_html(hover_of(*line)), letter, line->parts ? "<u>&#8916;</u>" : "",
                       line->has_address ? fmt::format("<s>[{}]</s>", letter_of(line->address)) : "", number, escape_html(source));
}

}  // namespace

std::string as_page(const Report &report, const std::function<std::optional<std::string>(const std::string &)> &read_source) {
    std::map<std::string, std::map<std::size_t, LineFindings>> files;
    std::array<std::size_t, 6> values{}, addresses{};
    std::size_t branches = 0, parting = 0;
    std::string kernels;
    for (const Findings &kernel : report.kernels) {
        for (const Entry &entry : kernel.entries) {
            if (entry.place.line == 0 || entry.place.file >= kernel.files.size()) continue;
            LineFindings &line = files[kernel.files[entry.place.file]][entry.place.line];
            line.entries.emplace_back(&kernel, &entry);
            line.least = std::max(line.least, entry.of);
            line.parts |= entry.kind == Entry::Kind::branch && entry.of == Class::divergent;
            if (entry.address) {
                line.has_address = true;
                line.address = std::max(line.address, *entry.address);
                if (entry.name.empty()) line.least = std::max(line.least, *entry.address);
            }
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] += kernel.values[i];
            addresses[i] += kernel.addresses[i];
        }
        branches += kernel.branches;
        parting += kernel.branches_that_part;
        std::string hypotheses;
        for (const std::string &hypothesis : kernel.hypotheses) hypotheses += fmt::format("<li>{}</li>", escape_html(hypothesis));
        kernels += fmt::format("<tr><th>{}</th><td>{}</td><td>{} of {}</td><td><ul>{}</ul></td></tr>\n", escape_html(kernel.name),
                               kernel.entries.size(), kernel.branches_that_part, kernel.branches, hypotheses);
    }
    std::string sources;
    for (const auto &[name, lines] : files) {
        sources += fmt::format("<section><h2>{}</h2>\n<div class=source>\n", escape_html(name));
        const std::optional<std::string> text = read_source(name);
        if (text) {
            std::size_t number = 0;
            for (const std::string_view source : split_lines(*text)) {
                const auto line = lines.find(++number);
                sources += row(number, source, line == lines.end() ? nullptr : &line->second);
            }
        } else {
            // The source is elsewhere: what it computes stands for it.
            for (const auto &[number, line] : lines) sources += row(number, line.entries.front().second->text, &line);
        }
        sources += "</div></section>\n";
    }
    const auto share = [](const std::array<std::size_t, 6> &counts, Class of) {
        std::size_t all = 0;
        for (const std::size_t count : counts) all += count;
        return all == 0
                   ? std::string("-")
                   : fmt::format("{:.0f} %", 100.0 * static_cast<double>(counts[static_cast<std::size_t>(of)]) / static_cast<double>(all));
    };
    std::string tiles;
    for (const Class of : {Class::constant, Class::uniform, Class::affine, Class::polynomial, Class::divergent})
        tiles += fmt::format("<div class={}><b>{}</b><span>{} {}; addresses {}</span></div>\n", name_of(of), share(values, of),
                             letter_of(of), name_of(of), share(addresses, of));
    tiles += fmt::format("<div><b>{} of {}</b><span>branches part lanes &#8916;</span></div>\n", parting, branches);
    std::string page(template_text("divergence_page.html"));
    replace_all(page, "@INPUT@", escape_html(report.input));
    replace_all(page, "@ANALYSIS@", escape_html(report.analysis));
    replace_all(page, "@TILES@", tiles);
    replace_all(page, "@KERNELS@", kernels);
    replace_all(page, "@SOURCES@", sources);
    return page;
}

}  // namespace mog::divergence
