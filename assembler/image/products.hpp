// products.hpp: what an image holds beside the program, by what it is: a row of products.def.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mog {

enum class ProductKind : std::uint8_t {
#define PRODUCT(identifier, name, storage, what) identifier,
#define FAMILY(identifier, prefix, storage, what) identifier,
#include "assembler/image/products.def"
#undef PRODUCT
#undef FAMILY
};

/// One product: its kind and, of a family, which one of it.
struct Product {
    ProductKind kind;
    std::string member = {};

    // NOLINTNEXTLINE(google-explicit-constructor): a kind alone is a product, unless it is a family.
    Product(ProductKind of, std::string_view which = {}) : kind(of), member(which) {}
    auto operator<=>(const Product &) const = default;
};

/// What it is called in files: "opencl", "cuda.sm_90".
std::string name_of(const Product &product);
/// The product of that name; none if this version knows no such product.
std::optional<Product> product_named(std::string_view name);
/// Whether files have it in few bytes.
bool is_packed(ProductKind kind);

/// The products of an image: bytes, which are text where products.def says so.
class Products {
public:
    using Bytes = std::vector<std::uint8_t>;

    bool has(const Product &product) const { return all_.contains(product); }
    /// Null if there is none.
    const Bytes *find(const Product &product) const;
    /// Empty if there is none.
    std::span<const std::uint8_t> bytes(const Product &product) const;
    std::string_view text(const Product &product) const;

    void set(const Product &product, Bytes bytes) { all_[product] = std::move(bytes); }
    void set_text(const Product &product, std::string_view text) { all_[product].assign(text.begin(), text.end()); }
    void erase(const Product &product) { all_.erase(product); }

    const std::map<Product, Bytes> &all() const { return all_; }
    bool operator==(const Products &) const = default;

private:
    std::map<Product, Bytes> all_;
};

}  // namespace mog
