// files_test.cpp: open files and their offsets.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime_host/files.hpp"

using namespace mog;

namespace {

std::size_t open_descriptors() {
    std::size_t n = 0;
    for ([[maybe_unused]] auto &entry : std::filesystem::directory_iterator("/proc/self/fd")) n++;
    return n;
}

std::span<const std::uint8_t> as_bytes(const char *text) {
    return {reinterpret_cast<const std::uint8_t *>(text), std::strlen(text)};
}

}  // namespace

TEST_CASE("one descriptor of the host serves any number of PEs") {
    char name[] = "/tmp/mog-files-XXXXXX";
    close(mkstemp(name));
    Output output({1, false, false, [](int, std::string_view) { return 0; }});
    FileSystem files(output, FileSystem::Stdin::None, 0);
    std::shared_ptr<OpenFile> writer;
    REQUIRE(files.open(name, O_WRONLY, 0, &writer) == 0);
    CHECK(writer->write(0, as_bytes("hello")) == 5);
    std::size_t before = open_descriptors();
    {
        std::vector<std::shared_ptr<OpenFile>> readers(5000);
        for (auto &reader : readers) REQUIRE(files.open(name, O_RDONLY, 0, &reader) == 0);
        CHECK(open_descriptors() == before + 1);
        std::uint8_t byte[2];
        CHECK(readers[0]->read(byte) == 2);
        CHECK(readers[0]->read(byte) == 2);
        CHECK(byte[0] == 'l');
        CHECK(readers[4999]->read(byte) == 2);
        CHECK(byte[0] == 'h');
        CHECK(readers[0]->seek(-1, SEEK_END) == 4);
        CHECK(readers[0]->read(byte) == 1);
        CHECK(readers[0]->seek(-9, SEEK_CUR) == -EINVAL);
        CHECK(readers[0]->write(0, as_bytes("x")) == -EBADF);
    }
    CHECK(open_descriptors() == before);
    unlink(name);
}

TEST_CASE("appending goes to the end, wherever others wrote") {
    char name[] = "/tmp/mog-files-XXXXXX";
    close(mkstemp(name));
    Output output({1, false, false, [](int, std::string_view) { return 0; }});
    FileSystem files(output, FileSystem::Stdin::None, 0);
    std::shared_ptr<OpenFile> a, b;
    REQUIRE(files.open(name, O_WRONLY | O_APPEND, 0, &a) == 0);
    REQUIRE(files.open(name, O_WRONLY | O_APPEND, 0, &b) == 0);
    CHECK(a->write(0, as_bytes("one ")) == 4);
    CHECK(b->write(1, as_bytes("two ")) == 4);
    CHECK(a->write(0, as_bytes("three")) == 5);
    CHECK(a->seek(0, SEEK_CUR) == 13);
    CHECK(std::filesystem::file_size(name) == 13);
    unlink(name);
}

TEST_CASE("what cannot be opened says why") {
    Output output({1, false, false, [](int, std::string_view) { return 0; }});
    FileSystem files(output, FileSystem::Stdin::None, 0);
    std::shared_ptr<OpenFile> file;
    CHECK(files.open("/nonexistent/file", O_RDONLY, 0, &file) == ENOENT);
    CHECK(files.open("/tmp", O_WRONLY, 0, &file) == EISDIR);
    std::uint8_t byte[1];
    CHECK(files.standard_input(0)->read(byte) == 0);
    CHECK(files.standard_output(1)->read(byte) == -EBADF);
}
