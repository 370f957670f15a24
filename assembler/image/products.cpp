// products.cpp: the names of products.def.
#include "assembler/image/products.hpp"

namespace mog {
namespace {

enum class Storage : std::uint8_t { packed, as_is };

struct Row {
    ProductKind kind;
    std::string_view name;
    Storage storage;
    bool is_family;
};

constexpr Row rows[] = {
#define PRODUCT(identifier, name, storage, what) {ProductKind::identifier, name, Storage::storage, false},
#define FAMILY(identifier, prefix, storage, what) {ProductKind::identifier, prefix, Storage::storage, true},
#include "assembler/image/products.def"
#undef PRODUCT
#undef FAMILY
};

}  // namespace

std::string name_of(const Product &product) { return std::string(rows[static_cast<std::size_t>(product.kind)].name) + product.member; }

std::optional<Product> product_named(std::string_view name) {
    for (const Row &row : rows)
        if (!row.is_family && name == row.name) return Product(row.kind);
    for (const Row &row : rows)
        if (row.is_family && name.starts_with(row.name)) return Product(row.kind, name.substr(row.name.size()));
    return {};
}

bool is_packed(ProductKind kind) { return rows[static_cast<std::size_t>(kind)].storage == Storage::packed; }

const Products::Bytes *Products::find(const Product &product) const {
    const auto found = all_.find(product);
    return found == all_.end() ? nullptr : &found->second;
}

std::span<const std::uint8_t> Products::bytes(const Product &product) const {
    const Bytes *found = find(product);
    return found ? std::span<const std::uint8_t>(*found) : std::span<const std::uint8_t>();
}

std::string_view Products::text(const Product &product) const {
    const std::span<const std::uint8_t> found = bytes(product);
    return {reinterpret_cast<const char *>(found.data()), found.size()};
}

}  // namespace mog
