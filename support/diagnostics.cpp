// diagnostics.cpp: places, sentences, carets.
#include "support/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "support/text.hpp"

namespace mog {

Diagnostics::Diagnostics(std::string_view file, std::string_view text) : file_(file), lines_(split_lines(text)) {}

void Diagnostics::error(std::size_t line, std::size_t column, std::string message) {
    ++count_;
    if (entries_.size() < limit) entries_.push_back({line, column, std::move(message)});
}

Error Diagnostics::to_error() const {
    Error result;
    std::vector<Entry> entries = entries_;
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry &a, const Entry &b) { return std::tie(a.line, a.column) < std::tie(b.line, b.column); });
    for (const Entry &entry : entries) {
        const std::string where = fmt::format("{}:{}:{}", file_, entry.line, entry.column);
        if (result.where.empty()) {
            result.where = where;
        } else {
            result.message += '\n' + where + ": ";
        }
        result.message += "error: " + entry.message;
        if (entry.line == 0 || entry.line > lines_.size()) continue;
        const std::string_view line = lines_[entry.line - 1];
        std::string marker;  // tabs as in the line, so that the caret stands below its column
        for (std::size_t i = 0; i + 1 < entry.column; ++i) marker += i < line.size() && line[i] == '\t' ? '\t' : ' ';
        result.message += fmt::format("\n{}\n{}^", line, marker);
    }
    if (count_ > entries_.size()) result.message += fmt::format("\n{} more mistakes", count_ - entries_.size());
    return result;
}

}  // namespace mog
