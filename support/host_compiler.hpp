// host_compiler.hpp: the interpreter and the compiled blocks of a program become native code, for the device `host`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/subprocess.hpp"

namespace mog {

/// The C++ compiler of this machine, perhaps with options: $MOG_CXX, else c++. Empty: none wanted.
std::string host_compiler();

/// One of them: a product of the image, made from objects that are compiled at the same time.
struct HostLibrary {
    struct Part {
        const char *source;  ///< a product of the image
        std::string object;  ///< for the name of a file
        std::vector<std::string> flags;
    };
    const char *product;
    std::vector<Part> parts;
};

/// What there is to make of an image that has compiled blocks, or has them for lanes too.
std::vector<HostLibrary> host_libraries(bool has_blocks, bool has_lanes);

/// True if this machine's processor runs code that was compiled for lanes.
bool runs_lanes();

/// `doubles`: native, pair or soft; empty for native.
Command compile_part(Command compiler, const HostLibrary::Part &part, std::string_view doubles, const std::string &source,
                     const std::string &object);
Command link_library(Command compiler, const std::vector<std::string> &objects, const std::string &library);

}  // namespace mog
