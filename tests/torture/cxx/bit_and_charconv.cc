/* <bit>, <charconv> for integers, <string_view>: header-only parts. */
#include <bit>
#include <charconv>
#include <stdint.h>
#include <stdio.h>
#include <string_view>

int main() {
    std::string_view s = "the header-only parts";
    auto word = s.substr(4, s.find('-') - 4);
    char digits[12] = {};
    auto end = std::to_chars(digits, digits + 11, -1234, 7).ptr;
    int back = 0;
    std::from_chars(digits, end, back, 7);
    printf("%d %d %u %d\n", std::popcount(0xf0f0u), std::countl_zero(1u), std::bit_ceil(37u), (int)(std::bit_cast<uint32_t>(1.0f) >> 23));
    printf("%.*s %zu %d %lld\n", (int)word.size(), word.data(), s.rfind("part"), word < "zebra", (long long)back);
    return 0;
}
