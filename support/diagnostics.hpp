// diagnostics.hpp: what is wrong with a text that the user wrote: places, sentences, carets. Collected while reading,
// so that one run shows many mistakes; printed once, by main.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace mog {

class Diagnostics {
public:
    /// `file` names the text in messages. Both must outlive this object.
    Diagnostics(std::string_view file, std::string_view text);

    /// A mistake at `line` and `column`, both from 1. Beyond the limit mistakes are counted, not kept.
    void error(std::size_t line, std::size_t column, std::string message);

    bool any() const { return count_ != 0; }
    std::size_t count() const { return count_; }

    /// All mistakes, by place, as one Error, whose text() is what a compiler prints:
    ///     file:3:9: error: no instruction is called `lrr`; did you mean `lr`?
    ///             lrr $sp
    ///             ^
    Error to_error() const;

private:
    struct Entry {
        std::size_t line, column;
        std::string message;
    };
    static constexpr std::size_t limit = 20;

    std::string_view file_;
    std::vector<std::string_view> lines_;
    std::vector<Entry> entries_;
    std::size_t count_ = 0;
};

}  // namespace mog
