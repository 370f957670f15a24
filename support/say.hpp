// say.hpp: messages of the tools on standard error, which must survive that nobody can receive them: the disk behind it
// is full, its reader left, it is closed.
#pragma once

#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace mog {

/// Writes whole lines to standard error, in one piece. That it fails is ignored: there is nobody left to tell.
void say_text(std::string_view text);

/// From here on messages wait for a reader of standard error until then at most; those that it has not taken are lost.
void say_until(std::chrono::steady_clock::time_point end);

/// The same with a format: say("{}: {}\n", tool, message).
template <typename... T>
void say(fmt::format_string<T...> format, T &&...values) {
    say_text(fmt::format(format, std::forward<T>(values)...));
}

}  // namespace mog
