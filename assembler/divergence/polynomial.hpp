// polynomial.hpp: what is known of a value in all lanes at once: a polynomial in the number of the thread.
//
//     value = a[n] * T^n + ... + a[1] * T + a[0]
//
// Each coefficient is not yet known (top), a number that is known now, or a number that is the same in all lanes that
// stand together but not known now, which may be another one each time. With the highest one unknown, nothing is known of
// the value at all: it is divergent. (Sampaio 2013, section 3.5; with n = 1, and a T of which nothing is known, the simple
// analysis of section 3.4.) The equation holds modulo 2^width; if the polynomial is exact, also of the integers.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace mog::divergence {

inline constexpr unsigned most_degree = 4;

struct Coefficient {
    enum class Kind : std::uint8_t { top, known, unknown };
    Kind kind = Kind::top;
    std::int64_t number = 0;

    static constexpr Coefficient known(std::int64_t number) { return {Kind::known, number}; }
    static constexpr Coefficient unknown() { return {Kind::unknown, 0}; }
    bool is_known() const { return kind == Kind::known; }
    bool is(std::int64_t wanted) const { return kind == Kind::known && number == wanted; }
    bool operator==(const Coefficient &) const = default;
};

/// From more to less: what is known of a value.
enum class Class : std::uint8_t {
    unreached,   ///< nothing ever defines it
    constant,    ///< one number, known now
    uniform,     ///< the same in all lanes that stand together
    affine,      ///< a[1] * T + a[0]
    polynomial,  ///< of a higher degree
    divergent,   ///< anything
};
/// In one letter, for pages and tables.
char letter_of(Class kind);
const char *name_of(Class kind);

struct Fact {
    std::array<Coefficient, most_degree + 1> a{};
    bool exact = true;

    static Fact top() { return {}; }
    static Fact number(std::int64_t value);
    /// The same in all lanes, and not known.
    static Fact uniform();
    static Fact divergent();
    /// stride * T + base
    static Fact affine(Coefficient stride, Coefficient base);

    bool operator==(const Fact &) const = default;
    bool is_top() const { return a[0].kind == Coefficient::Kind::top; }
    bool is_uniform() const;
    /// All coefficients are known: the value is the same each time.
    bool is_known() const;
    bool is_constant() const { return is_known() && is_uniform(); }
};

/// Arithmetic on facts, of a degree of 1 or more. Coefficients above it are 0, but for those of what is divergent.
class Polynomials {
public:
    explicit Polynomials(unsigned degree) : degree_(degree) {}

    unsigned degree() const { return degree_; }
    Class class_of(const Fact &fact) const;
    bool is_divergent(const Fact &fact) const { return fact.a[degree_].kind == Coefficient::Kind::unknown; }
    Fact meet(const Fact &a, const Fact &b) const;
    /// Results of `width` bits. Where `exact` says so, the instruction does not wrap.
    Fact add(const Fact &a, const Fact &b, unsigned width, bool exact) const;
    Fact subtract(const Fact &a, const Fact &b, unsigned width, bool exact) const;
    Fact multiply(const Fact &a, const Fact &b, unsigned width, bool exact) const;
    /// Modulo 2^width; exact only if the value fits, which the caller knows.
    Fact narrow(const Fact &a, unsigned width, bool fits) const;
    /// Whether a and b differ by the same number in all lanes.
    bool is_difference_uniform(const Fact &a, const Fact &b) const;
    /// "(0, 1, ?)" from a[degree] to a[0].
    std::string coefficients(const Fact &fact) const;
    /// "4*T + 16", "T + ?", "?", "divergent": for readers. Numbers known later are ?.
    std::string text(const Fact &fact) const;

private:
    template <typename Combine>
    Fact termwise(const Fact &a, const Fact &b, unsigned width, bool exact, Combine combine) const;

    unsigned degree_;
};

}  // namespace mog::divergence
