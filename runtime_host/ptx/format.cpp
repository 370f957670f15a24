// format.cpp: each conversion by the C library's snprintf, with what stands next among the arguments.
#include "runtime_host/ptx/format.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace mog::ptx {
namespace {

class Arguments {
public:
    explicit Arguments(const std::byte *at) : at_(at) {}
    template <typename T>
    T next() {
        const auto address = reinterpret_cast<std::uintptr_t>(at_);
        at_ = reinterpret_cast<const std::byte *>((address + sizeof(T) - 1) / sizeof(T) * sizeof(T));
        T value;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }

private:
    const std::byte *at_;
};

template <typename T>
void append(std::string &text, const std::string &conversion, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(nullptr, 0, conversion.c_str(), value);
    if (size <= 0) return;
    const std::size_t before = text.size();
    text.resize(before + static_cast<std::size_t>(size) + 1);
    std::snprintf(text.data() + before, static_cast<std::size_t>(size) + 1, conversion.c_str(), value);
#pragma GCC diagnostic pop
    text.pop_back();
}

/// A conversion from behind its %, up to and with its letter.
struct Conversion {
    std::string flags;  ///< and width and precision, with what was * filled in
    bool is_long = false;
    unsigned stars = 0;
    char letter = 0;
};
Conversion conversion_at(const char *&at) {
    Conversion result;
    while (*at != 0 && std::string_view("-+ #0123456789.*").find(*at) != std::string_view::npos) {
        if (*at == '*') ++result.stars;
        result.flags += *at++;
    }
    while (*at != 0 && std::string_view("hlLjzt").find(*at) != std::string_view::npos) {
        if (*at != 'h') result.is_long = true;
        ++at;
    }
    if (*at != 0) result.letter = *at++;
    return result;
}

}  // namespace

std::string format_text(const char *format, const std::byte *given) {
    std::string text;
    Arguments arguments(given);
    for (const char *at = format; *at != 0;) {
        if (*at != '%') {
            text += *at++;
            continue;
        }
        ++at;
        if (*at == '%') {
            text += *at++;
            continue;
        }
        Conversion one = conversion_at(at);
        for (std::size_t star = one.flags.find('*'); star != std::string::npos; star = one.flags.find('*'))
            one.flags.replace(star, 1, std::to_string(arguments.next<int>()));
        const std::string begin = "%" + one.flags;
        switch (one.letter) {
            case 'd':
            case 'i':
                if (one.is_long) {
                    append(text, begin + "lld", arguments.next<long long>());
                } else {
                    append(text, begin + "d", arguments.next<int>());
                }
                break;
            case 'u':
            case 'x':
            case 'X':
            case 'o':
                if (one.is_long) {
                    append(text, begin + "ll" + one.letter, arguments.next<unsigned long long>());
                } else {
                    append(text, begin + one.letter, arguments.next<unsigned>());
                }
                break;
            case 'c': append(text, begin + "c", arguments.next<int>()); break;
            case 'f':
            case 'F':
            case 'e':
            case 'E':
            case 'g':
            case 'G':
            case 'a':
            case 'A': append(text, begin + one.letter, arguments.next<double>()); break;
            case 's': {
                const char *const string = arguments.next<const char *>();
                append(text, begin + "s", string == nullptr ? "(null)" : string);
                break;
            }
            case 'p': append(text, begin + "p", arguments.next<const void *>()); break;
            case 'n': arguments.next<const void *>(); break;
            default:
                text += begin;
                if (one.letter != 0) text += one.letter;
                break;
        }
    }
    return text;
}

std::uint32_t count_of_arguments(const char *format) {
    std::uint32_t count = 0;
    for (const char *at = format; *at != 0;) {
        if (*at++ != '%') continue;
        if (*at == '%') {
            ++at;
            continue;
        }
        const Conversion one = conversion_at(at);
        count += 1 + one.stars;
    }
    return count;
}

}  // namespace mog::ptx
