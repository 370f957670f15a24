// say.hpp: messages of the tools on standard error, which must survive that nobody can receive them: the disk behind it
// is full, its reader left, it is closed.
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace mog {

/// Writes whole lines to standard error, in one piece. That it fails is ignored: there is nobody left to tell.
void say_text(std::string_view text);

/// The same with a format: say("{}: {}\n", tool, message).
template <typename... T>
void say(fmt::format_string<T...> format, T &&...values) {
    say_text(fmt::format(format, std::forward<T>(values)...));
}

}  // namespace mog
