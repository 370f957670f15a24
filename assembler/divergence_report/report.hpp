// report.hpp: what an analysis of divergence found, for people and for programs: as text, as JSON, as a page that colours
// the source.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assembler/divergence/explain.hpp"

namespace mog::divergence {

/// One definition, branch or access, and what is known of it.
struct Entry {
    enum class Kind : std::uint8_t { value, phi, branch, load, store };
    Kind kind = Kind::value;
    Place place;
    std::string block;               ///< the label of the block that it stands in
    std::string text;                ///< as gated SSA
    std::string name;                ///< of what is defined; empty: nothing
    Class of = Class::unreached;     ///< of the value; of a branch uniform or divergent
    std::string fact, coefficients;  ///< empty for branches and stores
    std::optional<Class> address;    ///< of loads and stores
    std::string address_fact;
    std::vector<Because> why;
};

/// Of one kernel.
struct Findings {
    std::string name;
    std::vector<std::string> files;
    std::vector<std::string> hypotheses;  ///< sentences, without their ends
    std::vector<Entry> entries;
    std::array<std::size_t, 6> values{}, addresses{};  ///< how many of each Class
    std::size_t branches = 0, branches_that_part = 0;

    std::string place_text(const Place &place) const;
};

/// `hypotheses`: under which it holds, besides those of the analysis itself.
Findings find(const Analysis &analysis, std::vector<std::string> hypotheses);

struct Report {
    std::string input;     ///< the file that was analysed
    std::string analysis;  ///< "degree 2"
    std::vector<Findings> kernels;
};

std::string as_text(const Report &report);
std::string as_json(const Report &report);
/// `read_source`: the text of a source by its name; nullopt: it is not there, and its lines are shown without text.
std::string as_page(const Report &report, const std::function<std::optional<std::string>(const std::string &)> &read_source);

}  // namespace mog::divergence
