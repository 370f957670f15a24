// spaces.hpp: the spaces that a program's accesses may go to besides its PEs' own memory, "private".
//
// A space has a name and a page of definitions, space_NAME.h, that says how its words are read and written, in the terms of
// space_private.h; and one for lanes, space_NAME_lanes.h, in those of space_private_lanes.h. A program's loads and stores go where their
// addresses say: to private memory, or else to the space that has them. The words of all spaces stand in one buffer that all PEs of a
// device see, zero before the run, which it passes to the kernels as `spaces` (MOG_ARG_RUN_... and HostCode): a page finds
// its own from NAME_AT on.
//
// Two spaces are MOG's own (docs/memory.md). "shared" is the window. How large it is, a run decides, so its size stands in the buffer,
// before what PEs can reach. "constants" has what no PE may write, where that is much; its words are the image's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assembler/image/image.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {

struct Space {
    std::string name;         ///< in lower case; its words begin with it in upper case
    std::uint32_t base = 0;   ///< first address, a multiple of 8
    std::uint32_t bytes = 0;  ///< a multiple of 8; of the window, those that the program's own variables take

    /// Its size is the run's.
    bool is_window() const { return name == "shared"; }
    /// Stores to it are bad.
    bool is_constants() const { return name == "constants"; }
    bool operator==(const Space &) const = default;
};

/// Gives the image another space, with its pages. They stand in the image unless they are among the templates.
void add_space(Image &image, const Space &space, const std::string &page, const std::string &lanes_page);
/// Gives the image the window, with so many bytes for variables of the program.
void add_window(Image &image, std::uint32_t bytes);
/// Gives the image constants that all PEs have once, from constants_base on; empty: none. Before the window.
void set_constants(Image &image, std::span<const std::uint8_t> bytes);
std::span<const std::uint8_t> constants_of(const Image &image);
/// What PEs can read and not write: those, or what of DATA read_only_of() says.
ReadOnlyData unwritable_of(const Image &image);
/// The image's spaces besides "private", in the order in which their words stand in the buffer.
std::vector<Space> spaces_of(const Image &image);
inline bool has_spaces(const Image &image) { return image.products.has(ProductKind::spaces); }
/// The least that the window has; none: the program has no window.
std::optional<std::uint32_t> window_bytes(const Image &image);
/// It has spaces of its own, which only code that was generated for it knows.
bool has_own_spaces(const Image &image);
/// The device `host` can run it: there is code for it, or what is part of MOG knows all of its memory.
inline bool runs_on_host(const Image &image) { return image.brings_host_code() || !has_own_spaces(image); }

/// That buffer, for a run whose window has so many bytes.
struct SpaceBuffer {
    std::vector<std::uint32_t> header;          ///< what it begins with: sizes, in a page
    std::uint64_t words = 0;                    ///< in all; 0: there are no other spaces, and nothing is passed to kernels
    std::uint64_t window_at = 0;                ///< the word where the window begins, at a page; 0: there is none
    std::uint64_t constants_at = 0;             ///< the same of constants,
    std::uint64_t constants_words = 0;          ///< which take so many,
    std::span<const std::uint8_t> constants{};  ///< and are these, the image's
};
SpaceBuffer space_buffer(const Image &image, std::uint32_t window_bytes);
/// Words before the first space. Pages of the host have no more, so that they can be mapped without it.
inline constexpr std::uint32_t space_header_words = 1024;

/// The space of an access that nothing is known of: PRIVATE, or MAPPED where addresses say.
std::string space_of_access(const Image &image);
/// Whose accesses they are: a PE's; those of lanes; or a PE's in an interpreter for any program, which is told where they are.
enum class SpacesFor : std::uint8_t { thread, lanes, any_program };
/// Definitions and pages, and the pages that lanes have besides. Empty if there are no other spaces.
std::string space_pages(const Image &image, SpacesFor whom);
std::string lanes_space_pages(const Image &image);

}  // namespace mog
