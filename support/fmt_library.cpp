// fmt_library.cpp: the part of fmt that is not templates, compiled once.
//
// Debian has fmt as headers and as a shared library. The launcher becomes part of every program that mogcc makes and must not
// need that library, and header-only use compiles all of fmt into every file: a build took three times as long.
// For fmt 9; others are used header-only (see the top CMakeLists.txt).
//
// format_to() and format_to_n() are templates down to the last digit: a file with one of them takes two to three seconds more. What is not
// called often appends what format() gives.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char *, const char *);
template void vformat_to(buffer<char> &, string_view, basic_format_args<buffer_context<char>>, locale_ref);

}  // namespace detail
FMT_END_NAMESPACE
