/* operator<=> made by default and by hand. */
#include <compare>
#include <stdio.h>

namespace {
struct version { int major, minor; auto operator<=>(const version &) const = default; };
struct word { const char *s; std::weak_ordering operator<=>(const word &o) const { return (s[0] | 32) <=> (o.s[0] | 32); } };
}

int main() {
    version a{1, 9}, b{2, 0};
    printf("%d%d%d%d %d%d\n", a < b, a >= b, a == version{1, 9}, a != b, word{"Abc"} < word{"b"}, (word{"A"} <=> word{"a"}) == 0);
    return (1.0 <=> 2.0) < 0;
}
