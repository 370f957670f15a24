// arithmetic.cpp: what a program needs, a user wishes and a device has, turned into one choice.
#include "runtime_host/device/arithmetic.hpp"

#include <fmt/format.h>

#include "assembler/image/facts.hpp"

namespace mog {

namespace {

using How = Arithmetic::How;

constexpr std::pair<Doubles, std::string_view> names[] = {
    {Doubles::Auto, "auto"}, {Doubles::Native, "native"}, {Doubles::Pair, "pair"}, {Doubles::Soft, "soft"}};

const char *text_of(How how) {
    switch (how) {
        case How::Native: return "native";
        case How::Soft: return "in software";
        case How::Pair: return "by pairs of floats";
        case How::ByDouble: return "by doubles";
    }
    return "";
}

std::string describe(const Arithmetic &choice, const Image &image) {
    if (!needs_floats(image)) return {};
    if (choice.fcsr) return "in software, with the rounding modes and exceptions that the program asks for";
    std::string text = fmt::format("floats {}", text_of(choice.floats));
    if (choice.divides != choice.floats) text += fmt::format(", their division {}", text_of(choice.divides));
    if (needs_doubles(image)) text += fmt::format(", doubles {}", text_of(choice.doubles));
    return text;
}

}  // namespace

std::string_view name_of(Doubles doubles) {
    for (const auto &[value, name] : names)
        if (value == doubles) return name;
    return "";
}

std::string Arithmetic::definitions() const {
    std::string text;
    if (floats == How::Soft) text += " -DMOG_FLOAT_SOFT";
    if (divides == How::Soft) text += " -DMOG_DIVF_SOFT";
    if (divides == How::ByDouble) text += " -DMOG_DIVF_BY_DOUBLE";
    if (doubles == How::Soft) text += " -DMOG_DOUBLE_SOFT";
    if (doubles == How::Pair) text += " -DMOG_DOUBLE_PAIR";
    return text;
}

Doubles wished_doubles(const Image &image) {
    const std::string_view text = image.products.text(ProductKind::doubles);
    for (const auto &[value, name] : names)
        if (name == text) return value;
    return Doubles::Auto;
}

Result<Arithmetic> choose_arithmetic(const Image &image, Doubles wish, const FloatAbilities &device, std::string_view id) {
    if (wish == Doubles::Auto) wish = wished_doubles(image);
    Arithmetic choice;
    choice.fcsr = keeps_fcsr(image);
    if (wish == Doubles::Native && !device.doubles && needs_doubles(image))
        return Error{
            fmt::format("{} has no doubles; --double=soft computes them in software, --double=pair faster, but "
                        "with some 45 bits instead of 53",
                        id)};
    if (wish == Doubles::Pair && !device.floats && needs_doubles(image))
        return Error{fmt::format("{} does not compute floats well enough for pairs of them; use --double=soft", id)};
    if (wish == Doubles::Pair && choice.fcsr)
        return Error{
            "the program uses the FPU's control register (fenv.h, cfc1, ctc1), and pairs of floats have neither "
            "rounding modes nor exceptions; use --double=soft"};
    if (choice.fcsr) {
        choice.floats = choice.divides = choice.doubles = How::Soft;
    } else {
        choice.floats = device.floats ? How::Native : How::Soft;
        choice.divides = !device.floats ? How::Soft : device.divides ? How::Native : device.doubles ? How::ByDouble : How::Soft;
        choice.doubles = wish == Doubles::Pair ? How::Pair : wish == Doubles::Soft || !device.doubles ? How::Soft : How::Native;
    }
    choice.description = describe(choice, image);
    return choice;
}

}  // namespace mog
