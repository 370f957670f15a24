// image_test.cpp: image files and executables: what is written is read, and damage is an error.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "assembler/assemble.hpp"
#include "assembler/image/encode.hpp"
#include "interp_templates/launch_abi.h"
#include "support/files/compressed.hpp"
#include "support/files/files.hpp"
#include "support/files/hash.hpp"
#include "tests/assembler/random_program.hpp"

using namespace mog;
namespace fs = std::filesystem;

namespace {

/// A folder that goes away with the test.
struct TemporaryFolder {
    TemporaryFolder() : path(fs::temp_directory_path() / ("mog-image-test-" + std::to_string(::getpid()))) { fs::create_directories(path); }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    fs::path path;
};

Image some_image(std::uint64_t seed) {
    Random random(seed);
    auto image = encode(test::random_program(random, 12));
    REQUIRE(bool(image));
    image->products.set(ProductKind::order, {1, 2, 3});
    image->products.set(ProductKind::lanes, {});
    image->products.set({ProductKind::cuda_code, "sm_90"}, {4});
    return *image;
}

}  // namespace

TEST_CASE("images are read as they were written") {
    for (std::uint64_t seed = 1; seed < 50; ++seed) {
        const Image image = some_image(seed);
        for (const ImageForm form : {ImageForm::small, ImageForm::plain}) {
            const auto bytes = write_image(image, form);
            CHECK(bytes == write_image(image, form));
            const auto back = read_image(bytes);
            REQUIRE_MESSAGE(bool(back), (back ? "" : back.error().text()));
            CHECK(*back == image);
        }
    }
}

TEST_CASE("a small image has less of all but the program's data and machine code, a plain one has arrays") {
    Image image = some_image(1);
    const std::size_t bytes_of_data = image.data.size() + 5000;
    image.data.resize(bytes_of_data, 'x');
    image.products.set(ProductKind::host, std::vector<std::uint8_t>(5000, 'y'));
    image.products.set(ProductKind::opencl, std::vector<std::uint8_t>(5000, 'z'));
    image.code_map.resize(40000, MOG_NO_CODE);
    image.entries.resize(40000, Entry::Label);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        image.symbols.push_back({"symbol_" + std::to_string(i), 0x20000000u + i, i, i % 2 != 0});
        image.lines.push_back({0x20000000u + i, 0, i});
        image.frames.push_back({0x20000000u + i, FrameRule::Base::Sp, 32, -static_cast<std::int32_t>(i), 0});
    }
    image.files.emplace_back("a.c");
    const auto small = write_image(image), plain = write_image(image, ImageForm::plain);
    CHECK(small.size() < bytes_of_data + 5000 + 12000);
    CHECK(plain.size() > small.size() + 4 * 39000 + 5000);
    for (const auto &file : {small, plain}) {
        const auto back = read_image(file);
        REQUIRE_MESSAGE(bool(back), (back ? "" : back.error().text()));
        CHECK(*back == image);
        for (const char letter : {'x', 'y'}) {
            const std::string run(5000, letter);
            CHECK(std::search(file.begin(), file.end(), run.begin(), run.end()) != file.end());
        }
    }
    const SectionPlace map = find_section(plain, "codemap");
    REQUIRE(map.size == 4 * image.code_map.size());
    CHECK(std::memcmp(plain.data() + map.offset, image.code_map.data(), map.size) == 0);
    // What no instruction uses of the pool, a pool and a map with too much room for what is in them, labels of any kind.
    image.cpool_shift = 16;
    image.cpool.assign(65536, 0);
    image.cpool[65535] = 7;
    image.label_at.assign(3, 0);
    image.labels = {"L_0", "", "L_00400000"};
    image.code_map.resize(3000000, MOG_NO_CODE);
    image.entries.resize(3000000, Entry::Label);
    const auto odd = read_image(write_image(image));
    CHECK_FALSE(bool(odd));
    CHECK(odd.error().message.starts_with("the image is inconsistent"));
}

TEST_CASE("what is packed is unpacked to its size and to no other") {
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < 100000; ++i) bytes.push_back(static_cast<std::uint8_t>(i * i >> 8));
    const auto packed = pack(bytes);
    REQUIRE(packed.has_value());
    CHECK(packed->size() < bytes.size());
    CHECK(unpack(*packed, bytes.size()) == bytes);
    CHECK_FALSE(unpack(*packed, bytes.size() - 1).has_value());
    CHECK_FALSE(unpack(*packed, bytes.size() + 1).has_value());
    CHECK_FALSE(unpack(std::span(*packed).first(packed->size() - 1), bytes.size()).has_value());
    // What would be many times as large as what is stored is not believed, and not written.
    CHECK_FALSE(unpack(*packed, std::uint64_t{1} << 40).has_value());
    CHECK_FALSE(pack(std::vector<std::uint8_t>(10 << 20)).has_value());
    CHECK_FALSE(pack(std::vector<std::uint8_t>(3, 1)).has_value());
}

TEST_CASE("a product that is not in products.def is refused by its name") {
    auto bytes = write_image(some_image(1));
    const std::string_view name = "cuda.sm_90";
    const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
    REQUIRE(at != bytes.end());
    *at = 'C';
    const std::span<const std::uint8_t> file(bytes);
    const std::uint64_t sum = fnv1a(file.subspan(32), fnv1a(file.first(24)));
    for (std::size_t i = 0; i < 8; ++i) bytes[24 + i] = static_cast<std::uint8_t>(sum >> 8 * i);
    const auto image = read_image(bytes);
    REQUIRE_FALSE(bool(image));
    CHECK(image.error().message.find("\"Cuda.sm_90\"") != std::string::npos);
    const Image whole = some_image(1);
    for (const auto &[product, content] : whole.products.all()) CHECK(product_named(name_of(product)) == product);
    CHECK(product_named("cuda.definitions") == Product(ProductKind::cuda_definitions));
}

TEST_CASE("an image cut short anywhere is an error") {
    const auto bytes = write_image(some_image(1));
    for (std::size_t size = 0; size < bytes.size(); ++size) REQUIRE_FALSE(bool(read_image(std::span(bytes).first(size))));
    auto longer = bytes;
    longer.push_back(0);
    CHECK_FALSE(bool(read_image(longer)));
}

TEST_CASE("an image with any bit turned over is an error") {
    auto bytes = write_image(some_image(2));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] ^= static_cast<std::uint8_t>(1u << i % 8);
        const auto image = read_image(bytes);
        REQUIRE_FALSE(bool(image));
        CHECK_FALSE(image.error().message.empty());
        bytes[i] ^= static_cast<std::uint8_t>(1u << i % 8);
    }
}

TEST_CASE("an image whose checksum fits its damage is still checked") {
    // Inconsistent images, written with a proper checksum.
    const Image good = some_image(3);
    const auto refused = [&](auto &&change) {
        Image bad = good;
        change(bad);
        return !read_image(write_image(bad));
    };
    CHECK_FALSE(refused([](Image &) {}));
    CHECK(refused([](Image &i) { i.text.clear(); }));
    CHECK(refused([](Image &i) { i.text[0] = 0xee00; }));
    CHECK(refused([](Image &i) { i.text.back() = 0x0c00; }));
    CHECK(refused([](Image &i) { i.cpool.pop_back(); }));
    CHECK(refused([](Image &i) { i.cpool_shift = 0; }));
    CHECK(refused([](Image &i) { i.cpool_shift = 40; }));
    CHECK(refused([](Image &i) { i.entry = 1u << 20; }));
    CHECK(refused([](Image &i) { i.roles[2] = 200; }));
    CHECK(refused([](Image &i) { i.register_names.resize(1); }));
    CHECK(refused([](Image &i) { i.register_names.resize(300); }));
    CHECK(refused([](Image &i) { i.data.push_back(0); }));
    CHECK(refused([](Image &i) { i.data.resize(16); }));
    CHECK(refused([](Image &i) { i.code_base += 2; }));
    CHECK(refused([](Image &i) { i.code_base = 0xfffffffcu; }));
    CHECK(refused([](Image &i) { i.brk = 16; }));
    CHECK(refused([](Image &i) { i.source_address.pop_back(); }));
    CHECK(refused([](Image &i) { i.retires.pop_back(); }));
    CHECK(refused([](Image &i) { i.labels.pop_back(); }));
    CHECK(refused([](Image &i) { i.label_at.back() = 1u << 20; }));
    CHECK(refused([](Image &i) { i.code_map.push_back(1u << 20); }));
    CHECK(refused([](Image &i) { i.lines.push_back({0, 99, 1}); }));
    // Kinds of jumps and entries are two bits each, of which one pattern means nothing.
    CHECK(refused([](Image &i) {
        const auto jump = std::ranges::find_if(i.text, [](std::uint16_t word) { return word >> 8 == static_cast<unsigned>(Op::ja_); });
        i.jumps[static_cast<std::size_t>(jump - i.text.begin())] = JumpKind::returns;
    }));
    CHECK(refused([](Image &i) { i.jumps.back() = JumpKind::call; }));
    CHECK(refused([](Image &i) { std::ranges::fill(i.entries, static_cast<Entry>(3)); }));
    CHECK(refused([](Image &i) { i.frames.push_back({0, static_cast<FrameRule::Base>(3), 0, 0, 0}); }));
}

TEST_CASE("executables carry an image behind the launcher") {
    const TemporaryFolder folder;
    const auto launcher = folder.path / "launcher", program = folder.path / "program", copy = folder.path / "copy";
    REQUIRE(bool(write_text_file(launcher, "#!/bin/sh\nexit 0\n")));
    const Image image = some_image(4);
    REQUIRE(bool(write_executable(program, launcher, image)));
    CHECK(has_image(program));
    CHECK_FALSE(has_image(launcher));
    CHECK_FALSE(has_image(folder.path / "absent"));
    CHECK((fs::status(program).permissions() & fs::perms::owner_exec) != fs::perms::none);
    const auto back = load_image(program);
    REQUIRE_MESSAGE(bool(back), (back ? "" : back.error().text()));
    CHECK(*back == image);

    // A program as launcher of another: its own image goes.
    const Image other = some_image(5);
    REQUIRE(bool(write_executable(copy, program, other)));
    const auto second = load_image(copy);
    REQUIRE(bool(second));
    CHECK(*second == other);
    CHECK(fs::file_size(copy) < fs::file_size(program) + write_image(other).size());

    // Cut short, the trailer is gone.
    fs::resize_file(program, fs::file_size(program) - 1);
    CHECK_FALSE(has_image(program));
    CHECK_FALSE(bool(load_image(program)));
    CHECK_FALSE(bool(load_image(folder.path / "absent")));
    CHECK_FALSE(bool(load_image(folder.path)));
    CHECK_FALSE(bool(load_image("/proc/self/exe")));
}

TEST_CASE("an address is told as function, file and line") {
    Image image;
    image.symbols = {
        {"start", 0x400000, 16, true}, {"table", 0x400010, 16, false}, {"main", 0x400020, 32, true}, {"end", 0x400060, 0, true}};
    image.files = {"a.c", "b.c"};
    image.lines = {{0x400000, 0, 3}, {0x400008, 0, 4}, {0x400020, 1, 7}, {0x400030, 0, 0}};
    const auto text = [&](std::uint32_t address) {
        const SourcePlace place = find_source(image, address);
        return place.function + " " + place.file + ":" + std::to_string(place.line);
    };
    CHECK(text(0x400000) == "start a.c:3");
    CHECK(text(0x40000c) == "start a.c:4");
    CHECK(text(0x400024) == "main b.c:7");
    CHECK(text(0x400034) == "main :0");
    CHECK(text(0x400050) == " :0");
    CHECK(text(0x400064) == "end :0");
    CHECK(text(0x3ffffc) == " :0");
}
