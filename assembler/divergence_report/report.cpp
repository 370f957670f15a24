// report.cpp: findings collected, and written as text and JSON.
#include "assembler/divergence_report/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace mog::divergence {

namespace {

constexpr Class classes[] = {Class::constant, Class::uniform, Class::affine, Class::polynomial, Class::divergent};

/// "12 constant, 30 uniform, ..." of those that there are.
std::string counts_text(const std::array<std::size_t, 6> &counts) {
    std::string text;
    for (const Class of : classes)
        if (const std::size_t count = counts[static_cast<std::size_t>(of)]; count != 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(of));
    return text.empty() ? "none" : text;
}

nlohmann::ordered_json counts_json(const std::array<std::size_t, 6> &counts) {
    nlohmann::ordered_json json;
    for (const Class of : classes) json[name_of(of)] = counts[static_cast<std::size_t>(of)];
    return json;
}

/// "prog.c:42": without the folders, for a line has little room.
std::string short_place(const Findings &kernel, const Place &place) {
    const std::string whole = kernel.place_text(place);
    return whole.substr(whole.rfind('/') + 1);
}

std::string entry_text(const Findings &kernel, const Entry &entry) {
    std::string facts;
    if (entry.kind == Entry::Kind::branch) facts = entry.of == Class::uniform ? "all go one way" : "parts lanes";
    else if (!entry.name.empty()) facts = entry.of == Class::divergent ? "divergent" : fmt::format("{}: {}", name_of(entry.of), entry.fact);
    if (entry.address) facts += fmt::format("{}address {}", facts.empty() ? "" : "; ", entry.address_fact);
    const bool is_address = entry.kind == Entry::Kind::store && entry.name.empty();
    const std::string place = short_place(kernel, entry.place);
    std::string text = fmt::format("{:>24} {} {:<34} {}\n", place.empty() ? entry.block : place,
                                   letter_of(is_address ? *entry.address : entry.of), entry.text, facts);
    const auto say = [&](const char *word, const Because &because) {
        const std::string at = short_place(kernel, because.place);
        text += fmt::format("{:>27}{} {}{}\n", "", word, because.text, at.empty() ? "" : fmt::format(" ({})", at));
    };
    // Of values the first cause, the others being told where they come up, and the last.
    const bool is_branch = entry.kind == Entry::Kind::branch;
    for (std::size_t i = 0; i < entry.why.size(); ++i) {
        const bool is_last = i + 1 == entry.why.size();
        if (i == 0 || is_branch || is_last) say(i == 0 || is_branch ? "because" : "in the end because", entry.why[i]);
    }
    return text;
}

class Collector {
public:
    explicit Collector(const Analysis &analysis) : analysis_(analysis), form_(analysis.form()) {
        findings_.name = form_.kernel.name;
        findings_.files = form_.kernel.files;
    }

    Findings run() {
        for (BlockIndex b = 0; b < form_.kernel.blocks.size(); ++b) {
            if (!form_.is_reached(b)) continue;
            for (const std::uint32_t phi : form_.phis_of[b]) {
                Entry &entry = add(Entry::Kind::phi, b, form_.place_of(form_.phis[phi].value), gated_text(analysis_, phi));
                describe(entry, form_.phis[phi].value);
            }
            const Block &block = form_.kernel.blocks[b];
            for (std::size_t i = 0; i < block.code.size(); ++i) instruction(b, i);
            if (form_.graph.successors(b).size() > 1) branch(b);
        }
        return std::move(findings_);
    }

private:
    Entry &add(Entry::Kind kind, BlockIndex block, Place place, std::string text) {
        Entry &entry = findings_.entries.emplace_back();
        entry.block = form_.kernel.blocks[block].label;
        entry.kind = kind;
        entry.place = place;
        entry.text = std::move(text);
        return entry;
    }
    void describe(Entry &entry, ValueIndex value) {
        entry.name = form_.name_of(value);
        entry.of = analysis_.class_of(value);
        entry.fact = analysis_.domain().text(analysis_.fact(value));
        entry.coefficients = analysis_.domain().coefficients(analysis_.fact(value));
        entry.why = why(analysis_, value);
        ++findings_.values[static_cast<std::size_t>(entry.of)];
    }
    void instruction(BlockIndex b, std::size_t i) {
        const Instruction &instruction = form_.kernel.blocks[b].code[i];
        const Shape shape = info(instruction.operation).shape;
        if (shape == Shape::barrier) return;
        // What code elsewhere leaves in registers that nobody reads is of no interest.
        if (shape == Shape::opaque && form_.result_of(b, i) != no_value && form_.readings_of(form_.result_of(b, i)).empty()) return;
        const bool is_store = shape == Shape::store || shape == Shape::atomic;
        const ValueIndex result = form_.result_of(b, i);
        if (result == no_value && !is_store) return;
        Entry &entry = add(is_store               ? Entry::Kind::store
                           : shape == Shape::load ? Entry::Kind::load
                                                  : Entry::Kind::value,
                           b, instruction.place, gated_text(analysis_, b, i));
        if (result != no_value) describe(entry, result);
        if (!is_store && shape != Shape::load) return;
        const ValueIndex address = form_.read_by(b, i, 0);
        const Fact fact =
            address == no_value ? Fact::number(instruction.operands[0].constant) : analysis_.fact_at(address, form_.reading_of(b, i, 0));
        entry.address = analysis_.domain().class_of(fact);
        entry.address_fact = analysis_.domain().text(fact);
        ++findings_.addresses[static_cast<std::size_t>(*entry.address)];
    }
    void branch(BlockIndex b) {
        Entry &entry = add(Entry::Kind::branch, b, form_.kernel.blocks[b].end.place, gated_condition(analysis_, b));
        const bool is_uniform = analysis_.is_branch_uniform(b);
        entry.of = is_uniform ? Class::uniform : Class::divergent;
        entry.why = why_parted(analysis_, b);
        ++findings_.branches;
        findings_.branches_that_part += !is_uniform;
    }

    const Analysis &analysis_;
    const SsaForm &form_;
    Findings findings_;
};

}  // namespace

std::string Findings::place_text(const Place &place) const {
    if (place.file >= files.size() || place.line == 0) return {};
    return fmt::format("{}:{}", files[place.file], place.line);
}

Findings find(const Analysis &analysis, std::vector<std::string> hypotheses) {
    Findings findings = Collector(analysis).run();
    findings.hypotheses = std::move(hypotheses);
    return findings;
}

std::string as_text(const Report &report) {
    std::string text = fmt::format("{}: {}\n", report.input, report.analysis);
    for (const Findings &kernel : report.kernels) {
        text += fmt::format("\n{}\n", kernel.name);
        for (const std::string &hypothesis : kernel.hypotheses) text += fmt::format("  holds if {}\n", hypothesis);
        text += fmt::format("  values: {}\n  addresses: {}\n  branches: {} of {} part lanes\n", counts_text(kernel.values),
                            counts_text(kernel.addresses), kernel.branches_that_part, kernel.branches);
        for (const Entry &entry : kernel.entries) text += entry_text(kernel, entry);
    }
    return text;
}

std::string as_json(const Report &report) {
    using Json = nlohmann::ordered_json;
    Json json;
    json["input"] = report.input;
    json["analysis"] = report.analysis;
    json["kernels"] = Json::array();
    const auto place_json = [](const Findings &kernel, const Place &place, Json &into) {
        if (place.file >= kernel.files.size() || place.line == 0) return;
        into["file"] = kernel.files[place.file];
        into["line"] = place.line;
    };
    for (const Findings &kernel : report.kernels) {
        Json one;
        one["name"] = kernel.name;
        one["hypotheses"] = kernel.hypotheses;
        one["values"] = counts_json(kernel.values);
        one["addresses"] = counts_json(kernel.addresses);
        one["branches"] = kernel.branches;
        one["branches_that_part"] = kernel.branches_that_part;
        one["entries"] = Json::array();
        for (const Entry &entry : kernel.entries) {
            constexpr const char *kinds[] = {"value", "phi", "branch", "load", "store"};
            Json line;
            line["kind"] = kinds[static_cast<std::size_t>(entry.kind)];
            place_json(kernel, entry.place, line);
            line["block"] = entry.block;
            line["text"] = entry.text;
            if (!entry.name.empty()) line["name"] = entry.name;
            if (entry.kind == Entry::Kind::branch || !entry.name.empty()) line["class"] = name_of(entry.of);
            if (!entry.fact.empty()) line["fact"] = entry.fact;
            if (!entry.coefficients.empty()) line["coefficients"] = entry.coefficients;
            if (entry.address) line["address"] = {{"class", name_of(*entry.address)}, {"fact", entry.address_fact}};
            if (!entry.why.empty()) {
                line["because"] = Json::array();
                for (const Because &because : entry.why) {
                    Json cause;
                    cause["text"] = because.text;
                    place_json(kernel, because.place, cause);
                    line["because"].push_back(cause);
                }
            }
            one["entries"].push_back(line);
        }
        json["kernels"].push_back(one);
    }
    return json.dump(2) + "\n";
}

}  // namespace mog::divergence
