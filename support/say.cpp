// say.cpp: messages through C's standard error, whose order with what others write there stays.
#include "support/say.hpp"

#include <cstdio>

namespace mog {

void say_text(std::string_view text) {
    // Not fmt::print, which throws where this only returns less.
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace mog
