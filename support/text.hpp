// text.hpp: small things done with text in several places.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mog {

/// `text` with the line that consists of `hole` (blanks around it apart) replaced by `filling`; nullopt unless there is
/// exactly one such line. `filling` is whole lines, each ending in a newline.
std::optional<std::string> fill_hole(std::string_view text, std::string_view hole, std::string_view filling);

/// The candidate that `word` was most likely meant to be, empty if none is near (Levenshtein distance over a third).
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view> &candidates);

/// The lines of a text, without their newlines.
std::vector<std::string_view> split_lines(std::string_view text);

/// The words of a line or of a response file, as gcc splits it: blanks separate, quotes and backslashes protect.
std::vector<std::string> split_words(std::string_view text);

std::string_view trim(std::string_view text);

/// Puts `with` in place of each `what` in the text, which is not empty; what was put there is not looked at again.
void replace_all(std::string &text, std::string_view what, std::string_view with);

/// The name of a C++ function or variable as its program has it, of the name that it has for linkers (_Z...); other names as they are.
std::string demangled(const std::string &name);

/// Text as it stands in HTML, in attributes too: with entities for < > & and ".
std::string escape_html(std::string_view text);

}  // namespace mog
