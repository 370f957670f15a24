// templates.hpp: the files of this folder as text inside the program, so that mogas needs no file beside it.
#pragma once

#include <string_view>

namespace mog {

/// The content of the template called `name`, in whichever folder of interp_templates/; empty if there is none.
std::string_view template_text(std::string_view name);

}  // namespace mog
