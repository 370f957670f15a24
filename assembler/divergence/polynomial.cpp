// polynomial.cpp: coefficients added, multiplied and met.
#include "assembler/divergence/polynomial.hpp"

#include <fmt/format.h>

#include "assembler/divergence/evaluate.hpp"

namespace mog::divergence {
namespace {

constexpr Coefficient zero = Coefficient::known(0);

Coefficient met(const Coefficient &a, const Coefficient &b) {
    if (a.kind == Coefficient::Kind::top) return b;
    if (b.kind == Coefficient::Kind::top || a == b) return a;
    return Coefficient::unknown();
}

/// `overflows`: __builtin_add_overflow and its like. A number that does not fit is still the same in all lanes.
template <typename Overflows>
Coefficient computed(const Coefficient &a, const Coefficient &b, unsigned width, bool exact, Overflows overflows) {
    if (!a.is_known() || !b.is_known()) return Coefficient::unknown();
    std::int64_t number = 0;
    const bool lost = overflows(a.number, b.number, &number);
    if (exact) return lost ? Coefficient::unknown() : Coefficient::known(number);
    return Coefficient::known(wrap(number, width));
}

Coefficient sum(const Coefficient &a, const Coefficient &b, unsigned width, bool exact) {
    return computed(a, b, width, exact, [](std::int64_t x, std::int64_t y, std::int64_t *z) { return __builtin_add_overflow(x, y, z); });
}

Coefficient difference_of(const Coefficient &a, const Coefficient &b, unsigned width, bool exact) {
    return computed(a, b, width, exact, [](std::int64_t x, std::int64_t y, std::int64_t *z) { return __builtin_sub_overflow(x, y, z); });
}

Coefficient product(const Coefficient &a, const Coefficient &b, unsigned width, bool exact) {
    if (a.is(0) || b.is(0)) return zero;
    return computed(a, b, width, exact, [](std::int64_t x, std::int64_t y, std::int64_t *z) { return __builtin_mul_overflow(x, y, z); });
}

}  // namespace

char letter_of(Class kind) { return "-CUAPD"[static_cast<std::size_t>(kind)]; }

const char *name_of(Class kind) {
    constexpr const char *names[] = {"unreached", "constant", "uniform", "affine", "polynomial", "divergent"};
    return names[static_cast<std::size_t>(kind)];
}

Fact Fact::number(std::int64_t value) {
    Fact fact;
    fact.a.fill(zero);
    fact.a[0] = Coefficient::known(value);
    return fact;
}

Fact Fact::uniform() {
    Fact fact = number(0);
    fact.a[0] = Coefficient::unknown();
    return fact;
}

Fact Fact::divergent() {
    Fact fact;
    fact.a.fill(Coefficient::unknown());
    fact.exact = false;
    return fact;
}

Fact Fact::affine(Coefficient stride, Coefficient base) {
    Fact fact = number(0);
    fact.a[0] = base;
    fact.a[1] = stride;
    return fact;
}

bool Fact::is_uniform() const {
    for (unsigned i = 1; i <= most_degree; ++i)
        if (!a[i].is(0)) return false;
    return !is_top();
}

bool Fact::is_known() const {
    for (const Coefficient &coefficient : a)
        if (!coefficient.is_known()) return false;
    return true;
}

Class Polynomials::class_of(const Fact &fact) const {
    if (fact.is_top()) return Class::unreached;
    if (fact.is_uniform()) return fact.a[0].is_known() ? Class::constant : Class::uniform;
    if (is_divergent(fact)) return Class::divergent;
    for (unsigned i = 2; i <= degree_; ++i)
        if (!fact.a[i].is(0)) return Class::polynomial;
    return Class::affine;
}

Fact Polynomials::meet(const Fact &a, const Fact &b) const {
    if (a.is_top()) return b;
    if (b.is_top()) return a;
    Fact result = a;
    for (unsigned i = 0; i <= degree_; ++i) result.a[i] = met(a.a[i], b.a[i]);
    if (is_divergent(result)) return Fact::divergent();
    result.exact = a.exact && b.exact;
    return result;
}

/// Coefficient by coefficient.
template <typename Combine>
Fact Polynomials::termwise(const Fact &a, const Fact &b, unsigned width, bool exact, Combine combine) const {
    if (is_divergent(a) || is_divergent(b)) return Fact::divergent();
    Fact result = Fact::number(0);
    result.exact = exact && a.exact && b.exact;
    for (unsigned i = 0; i <= degree_; ++i) result.a[i] = combine(a.a[i], b.a[i], width, result.exact);
    if (is_divergent(result)) return Fact::divergent();
    result.exact |= result.is_uniform();
    return result;
}

Fact Polynomials::add(const Fact &a, const Fact &b, unsigned width, bool exact) const { return termwise(a, b, width, exact, sum); }

Fact Polynomials::subtract(const Fact &a, const Fact &b, unsigned width, bool exact) const {
    return termwise(a, b, width, exact, difference_of);
}

Fact Polynomials::multiply(const Fact &a, const Fact &b, unsigned width, bool exact) const {
    if (a.is_constant() && a.a[0].is(0)) return a;
    if (b.is_constant() && b.a[0].is(0)) return b;
    if (is_divergent(a) || is_divergent(b)) return Fact::divergent();
    Fact result = Fact::number(0);
    result.exact = exact && a.exact && b.exact;
    for (unsigned i = 0; i <= degree_; ++i) {
        if (a.a[i].is(0)) continue;
        for (unsigned j = 0; j <= degree_; ++j) {
            const Coefficient part = product(a.a[i], b.a[j], width, result.exact);
            if (part.is(0)) continue;
            if (i + j > degree_) return Fact::divergent();
            result.a[i + j] = sum(result.a[i + j], part, width, result.exact);
        }
    }
    if (is_divergent(result)) return Fact::divergent();
    result.exact |= result.is_uniform();
    return result;
}

Fact Polynomials::narrow(const Fact &a, unsigned width, bool fits) const {
    if (is_divergent(a)) return a;
    Fact result = a;
    for (unsigned i = 0; i <= degree_; ++i)
        if (a.a[i].is_known()) result.a[i].number = wrap(a.a[i].number, width);
    result.exact = (a.exact && fits) || result.is_uniform();
    return result;
}

bool Polynomials::is_difference_uniform(const Fact &a, const Fact &b) const {
    for (unsigned i = 1; i <= degree_; ++i)
        if (!a.a[i].is_known() || a.a[i] != b.a[i]) return false;
    return true;
}

std::string Polynomials::coefficients(const Fact &fact) const {
    std::string result;
    for (unsigned i = degree_ + 1; i-- > 0;) {
        const Coefficient &c = fact.a[i];
        result += (result.empty() ? "(" : ", ") + (c.is_known()                       ? std::to_string(c.number)
                                                   : c.kind == Coefficient::Kind::top ? "top"
                                                                                      : "?");
    }
    return result + ")";
}

std::string Polynomials::text(const Fact &fact) const {
    if (fact.is_top()) return "unreached";
    if (is_divergent(fact)) return "divergent";
    std::string result;
    for (unsigned i = degree_ + 1; i-- > 0;) {
        const Coefficient &c = fact.a[i];
        if (c.is(0) && (i != 0 || !result.empty())) continue;
        const std::string power = i == 0 ? "" : i == 1 ? "T" : fmt::format("T^{}", i);
        std::string part = c.is_known() ? std::to_string(c.number) : "?";
        if (i != 0) part = c.is(1) ? power : fmt::format("{}*{}", part, power);
        result += result.empty() ? part : part[0] == '-' ? " - " + part.substr(1) : " + " + part;
    }
    return result;
}

}  // namespace mog::divergence
