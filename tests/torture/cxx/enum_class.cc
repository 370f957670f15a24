/* Scoped enumerations with their types, switches over them, bit operations by overloads. */
#include <stdio.h>

namespace {
enum class colour : unsigned char { red = 1, green = 2, blue = 4 };
constexpr colour operator|(colour a, colour b) { return colour(unsigned(a) | unsigned(b)); }
constexpr bool has(colour c, colour part) { return unsigned(c) & unsigned(part); }
const char *name(colour c) {
    switch (c) {
    case colour::red: return "red";
    case colour::green: return "green";
    case colour::blue: return "blue";
    }
    return "mixed";
}
}

int main() {
    using enum colour;
    colour c = red | blue;
    printf("%zu %s %s %d%d%d\n", sizeof c, name(green), name(c), has(c, red), has(c, green), has(c, blue));
    return static_cast<int>(c);
}
