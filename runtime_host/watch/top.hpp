// top.hpp: `mogrun top`: what the PEs of another process's run do, again and again.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace mog {

/// What `mogrun top --help` says.
extern const std::string_view top_help;

/// `words`: what is behind "top". Status: 0, also when the run ends meanwhile; 1 if there is no such run; 2 for a bad command line.
int run_top(std::span<const std::string> words, const std::function<void(std::string_view)> &complain);

}  // namespace mog
