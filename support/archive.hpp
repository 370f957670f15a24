// archive.hpp: values as bytes, and back. A class says once which of its members belong to its state, in which order, and both ways follow
// from it:
//
//     static void carry(auto &self, auto &archive) { archive(self.first_, self.second_); }
//
// The form: integers, floats and enumerations as they are in memory, the lowest byte first; a bool as a byte, 0 or 1; a text or sequence
// its length in 64 bits, then its elements; a map or set like a sequence of its elements; an optional value, or a pointer that owns one, a
// bool and the value if there is one; pairs, tuples, arrays and classes their parts one after the other.
//
// What is read may be damaged, or made up. A length is believed only as far as there are bytes, and the memory that is taken grows with
// them. Whether values make sense, whoever reads them knows.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace mog {

static_assert(std::endian::native == std::endian::little, "archives are written as memory is");

namespace archived {

template <typename T>
concept number = (std::is_arithmetic_v<T> || std::is_enum_v<T>)&&!std::is_same_v<T, bool>;
template <typename T>
concept parts = requires {
    std::tuple_size<T>::value;
};
/// vector, deque, string
template <typename T>
concept sequence = !parts<T> && requires(T t, typename T::value_type v) {
    t.push_back(v);
    t.size();
};
/// map, set
template <typename T>
concept keyed = requires(T t, typename T::key_type k) {
    t.contains(k);
    t.size();
};
template <typename T>
concept optional = requires(T t) {
    t.has_value();
    *t;
    t.reset();
};
template <typename T>
concept owner = requires(T t) {
    typename T::element_type;
    t.get();
    t.reset();
};
/// Numbers in one piece of memory.
template <typename T>
concept block = sequence<T> && requires(T t) {
    t.data();
} && number<typename T::value_type>;

/// What is put into a map is a pair whose key is not constant.
template <typename T>
struct element {
    using type = typename T::value_type;
};
template <typename T>
requires requires { typename T::mapped_type; }
struct element<T> {
    using type = std::pair<typename T::key_type, typename T::mapped_type>;
};

}  // namespace archived

class ArchiveWriter {
public:
    static constexpr bool reads = false;
    template <typename... T>
    void operator()(const T &...values) {
        (put(values), ...);
    }
    const std::vector<std::uint8_t> &bytes() const { return bytes_; }
    std::vector<std::uint8_t> take() { return std::exchange(bytes_, {}); }

private:
    void put_bytes(const void *from, std::size_t size) {
        const auto *bytes = static_cast<const std::uint8_t *>(from);
        bytes_.insert(bytes_.end(), bytes, bytes + size);
    }
    template <typename T>
    void put(const T &value) {
        using namespace archived;
        if constexpr (std::is_same_v<T, bool>) {
            bytes_.push_back(value ? 1 : 0);
        } else if constexpr (number<T>) {
            put_bytes(&value, sizeof value);
        } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
            put(std::uint64_t{value.size()});
            for (const bool bit : value) put(bit);
        } else if constexpr (block<T>) {
            put(std::uint64_t{value.size()});
            put_bytes(value.data(), value.size() * sizeof(typename T::value_type));
        } else if constexpr (sequence<T> || keyed<T>) {
            put(std::uint64_t{value.size()});
            for (const auto &element : value) put(element);
        } else if constexpr (parts<T>) {
            if constexpr (requires { value.fill(value[0]); }) {
                for (const auto &element : value) put(element);
            } else {
                std::apply([this](const auto &...part) { (put(part), ...); }, value);
            }
        } else if constexpr (archived::optional<T>) {
            put(value.has_value());
            if (value) put(*value);
        } else if constexpr (owner<T>) {
            put(value != nullptr);
            if (value) put(*value);
        } else {
            T::carry(value, *this);
        }
    }

    std::vector<std::uint8_t> bytes_;
};

class ArchiveReader {
public:
    static constexpr bool reads = true;
    explicit ArchiveReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

    template <typename... T>
    void operator()(T &...values) {
        (get(values), ...);
    }
    /// False: something that was read is not there. It, and all that came after it, is empty or 0.
    bool is_good() const { return is_good_; }
    /// Everything was read, and it was there.
    bool is_done() const { return is_good_ && rest_.empty(); }
    /// What was read cannot be.
    void fail() {
        is_good_ = false;
        rest_ = {};
    }
    /// The next ones, as they are; empty if there are fewer.
    std::span<const std::uint8_t> bytes(std::uint64_t size) {
        if (size > rest_.size()) {
            fail();
            return {};
        }
        const std::span<const std::uint8_t> taken = rest_.first(size);
        rest_ = rest_.subspan(size);
        return taken;
    }

private:
    template <typename T>
    void get(T &value) {
        using namespace archived;
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0;
            get(byte);
            if (byte > 1) fail();
            value = byte == 1;
        } else if constexpr (number<T>) {
            value = T{};
            const std::span<const std::uint8_t> from = bytes(sizeof value);
            if (!from.empty()) std::memcpy(&value, from.data(), sizeof value);
        } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
            value.clear();
            for (std::uint64_t left = length(); left != 0 && is_good_; left--) {
                bool bit = false;
                get(bit);
                value.push_back(bit);
            }
        } else if constexpr (block<T>) {
            using Element = typename T::value_type;
            const std::uint64_t count = length();
            const std::span<const std::uint8_t> from =
                count > rest_.size() / sizeof(Element) ? bytes(UINT64_MAX) : bytes(count * sizeof(Element));
            value.resize(from.size() / sizeof(Element));
            if (!from.empty()) std::memcpy(value.data(), from.data(), from.size());
        } else if constexpr (sequence<T>) {
            value.clear();
            for (std::uint64_t left = length(); left != 0 && is_good_; left--) {
                typename T::value_type element{};
                get(element);
                value.push_back(std::move(element));
            }
        } else if constexpr (keyed<T>) {
            value.clear();
            for (std::uint64_t left = length(); left != 0 && is_good_; left--) {
                typename element<T>::type one{};
                get(one);
                if (!value.insert(std::move(one)).second) fail();
            }
        } else if constexpr (parts<T>) {
            if constexpr (requires { value.fill(value[0]); }) {
                for (auto &element : value) get(element);
            } else {
                std::apply([this](auto &...part) { (get(part), ...); }, value);
            }
        } else if constexpr (archived::optional<T>) {
            bool is_there = false;
            get(is_there);
            value.reset();
            if (is_there) get(value.emplace());
        } else if constexpr (owner<T>) {
            bool is_there = false;
            get(is_there);
            value.reset();
            if (is_there) {
                auto made = std::make_unique<typename T::element_type>();
                get(*made);
                value = std::move(made);
            }
        } else {
            T::carry(value, *this);
        }
    }
    /// Elements take a byte at least.
    std::uint64_t length() {
        std::uint64_t count = 0;
        get(count);
        if (count > rest_.size()) fail();
        return is_good_ ? count : 0;
    }

    std::span<const std::uint8_t> rest_;
    bool is_good_ = true;
};

}  // namespace mog
