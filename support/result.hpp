// result.hpp: a value or the reason why there is none. (C++20 has no std::expected.)
#pragma once

#include <string>
#include <utility>
#include <variant>

/// Hands a failure on: for functions that return any Result.
#define MOG_TRY(expression) \
    if (mog::Result<void> outcome_ = (expression); !outcome_) return outcome_.error()

namespace mog {

/// What went wrong, as a sentence for the user of the program; where, if a place in one of their files is known.
struct Error {
    std::string message;
    std::string where{};  ///< "file:line" or "file"; empty if unknown

    /// "where: message", as gcc writes it.
    std::string text() const { return where.empty() ? message : where + ": " + message; }
};

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T &operator*() & { return std::get<0>(state_); }
    const T &operator*() const & { return std::get<0>(state_); }
    T &&operator*() && { return std::get<0>(std::move(state_)); }
    T *operator->() { return &std::get<0>(state_); }
    const T *operator->() const { return &std::get<0>(state_); }
    const Error &error() const { return std::get<1>(state_); }

private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), ok_(false) {}

    explicit operator bool() const { return ok_; }
    const Error &error() const { return error_; }

private:
    Error error_;
    bool ok_ = true;
};

}  // namespace mog
