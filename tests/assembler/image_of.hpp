// image_of.hpp: the image of a program that a test has as text.
#pragma once

#include <doctest/doctest.h>

#include "assembler/image/encode.hpp"
#include "assembler/text/parse.hpp"

namespace mog::test {

inline Image image_of(std::string_view text) {
    const auto program = parse(text, "test.mog");
    REQUIRE_MESSAGE(bool(program), (program ? "" : program.error().text()));
    const auto image = encode(*program);
    REQUIRE_MESSAGE(bool(image), (image ? "" : image.error().text()));
    return *image;
}

}  // namespace mog::test
