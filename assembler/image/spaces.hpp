// spaces.hpp: the spaces that a program's accesses may go to besides its PEs' own memory, "private".
//
// A space has a name and a page of definitions, space_NAME.h, that says how its words are read and written, in the terms of
// space_private.h; and one for lanes, space_NAME_lanes.h, in those of space_private_lanes.h. A program's loads and stores go where their
// addresses say: to the space that has them, or else to private memory. The words of all spaces stand in one buffer that all PEs of a
// device see, zero before the run, which it passes to the kernels as `spaces` (MOG_ARG_RUN_... and HostCode): a page finds
// its own from NAME_AT on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assembler/image/image.hpp"

namespace mog {

struct Space {
    std::string name;         ///< in lower case; its words begin with it in upper case
    std::uint32_t base = 0;   ///< first address, a multiple of 8
    std::uint32_t bytes = 0;  ///< a multiple of 8

    bool operator==(const Space &) const = default;
};

/// Gives the image another space, with its pages. They stand in the image until they are among the templates.
void add_space(Image &image, const Space &space, const std::string &page, const std::string &lanes_page);
/// The image's spaces besides "private", in the order in which their words stand in the buffer.
std::vector<Space> spaces_of(const Image &image);
/// The words of that buffer; 0: there are no other spaces, and nothing is passed to kernels.
std::size_t space_words(const Image &image);

/// The space of an access that nothing is known of: PRIVATE, or MAPPED where addresses say.
std::string space_of_access(const Image &image);
/// Definitions and pages, for code of lanes or any other; and the pages that lanes have besides. Empty if there are no other spaces.
std::string space_pages(const Image &image, bool lanes);
std::string lanes_space_pages(const Image &image);

}  // namespace mog
