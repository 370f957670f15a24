// words.hpp: context.h and vectors.h as text, which each compiled kernel begins with.
#pragma once

#include <string_view>

namespace mog::ptx {

std::string_view words_of_context();
std::string_view words_of_vectors();

}  // namespace mog::ptx
