// image_sections.hpp: the sections of an image file, a row each, in their order.
#pragma once

#include <span>
#include <string_view>

#include "assembler/image/image.hpp"
#include "assembler/image/image_bytes.hpp"

namespace mog {

struct ImageSection {
    std::string_view name;
    void (*write)(ImageWriter &, const Image &, ImageForm);
    void (*read)(ImageReader &, Image &);
    /// Whether ImageForm::small has it compressed.
    bool is_compressed = true;
    /// The same content as ImageForm::small has it, where that differs; false: it would be larger, and is written as it is.
    bool (*write_dense)(ImageWriter &, const Image &) = nullptr;
    void (*read_dense)(ImageReader &, Image &) = nullptr;
};

std::span<const ImageSection> section_rows();

}  // namespace mog
