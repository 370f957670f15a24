/* <array>, <utility>, <tuple>, <optional>, <variant>-free, <type_traits>, <limits>, <bitset>-free: headers that need no library. */
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdio.h>
#include <tuple>
#include <type_traits>
#include <utility>

namespace {
template <typename T> const char *name() { return std::is_integral_v<T> ? "integral" : std::is_floating_point_v<T> ? "floating" : "other"; }
std::optional<int> half(int x) { if (x & 1) return std::nullopt; return x / 2; }
int sum(std::initializer_list<int> l) { int s = 0; for (int x : l) s += x; return s; }
}

int main() {
    std::array<int, 4> a{3, 1, 2};
    a[3] = 7;
    std::swap(a[0], a[3]);
    auto [x, y] = std::pair(a.front(), 2.5);
    std::tuple t(1, 'c', 3.5);
    std::get<0>(t) += a.size();
    printf("%d %d %g %d %c %s %s\n", a[0], x, y, std::get<0>(t), std::get<1>(t), name<char>(), name<float>());
    printf("%d %d %d %d\n", half(8).value_or(-1), half(7).value_or(-1), sum({1, 2, 3}), std::numeric_limits<int16_t>::max());
    static_assert(std::is_same_v<std::decay_t<const int &>, int>);
    return std::exchange(a[1], 9) + a[1];
}
