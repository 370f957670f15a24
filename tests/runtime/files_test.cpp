// files_test.cpp: open files and their offsets.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime_host/linux/files.hpp"

using namespace mog;

namespace {

std::size_t open_descriptors() {
    std::size_t n = 0;
    for ([[maybe_unused]] auto &entry : std::filesystem::directory_iterator("/proc/self/fd")) n++;
    return n;
}

std::span<const std::uint8_t> as_bytes(const char *text) { return {reinterpret_cast<const std::uint8_t *>(text), std::strlen(text)}; }

}  // namespace

TEST_CASE("one descriptor of the host serves any number of PEs") {
    char name[] = "/tmp/mog-files-XXXXXX";
    close(mkstemp(name));
    Output output({false, [](int, std::string_view) { return 0; }}, 1);
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
    Output output({false, [](int, std::string_view) { return 0; }}, 1);
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
    Output output({false, [](int, std::string_view) { return 0; }}, 1);
    FileSystem files(output, FileSystem::Stdin::None, 0);
    std::shared_ptr<OpenFile> file;
    CHECK(files.open("/nonexistent/file", O_RDONLY, 0, &file) == ENOENT);
    CHECK(files.open("/tmp", O_WRONLY, 0, &file) == EISDIR);
    std::uint8_t byte[1];
    CHECK(files.standard_input(0)->read(byte) == 0);
    CHECK(files.standard_output(1)->read(byte) == -EBADF);
}

TEST_CASE("what is kept of files that PEs have open has bounds") {
    char name[] = "/tmp/mog-files-XXXXXX";
    const std::filesystem::path folder = mkdtemp(name);
    Output output({false, [](int, std::string_view) { return 0; }}, 1);
    FileSystem files(output, FileSystem::Stdin::None, 0);
    SUBCASE("files that were closed are forgotten") {
        std::shared_ptr<OpenFile> last;
        for (int i = 0; i < 5000; i++) {
            // The last one lives until there is the next, so that its number is not used again.
            std::shared_ptr<OpenFile> file;
            REQUIRE(files.open(folder / std::to_string(i), O_CREAT | O_WRONLY, 0600, &file) == 0);
            if (i > 2) std::filesystem::remove(folder / std::to_string(i - 3));
            last = file;
        }
        CHECK(files.remembered() <= 2048);
    }
    SUBCASE("open files of all PEs together") {
        files.set_most_open(100);
        std::vector<std::shared_ptr<OpenFile>> open(100);
        for (auto &file : open) REQUIRE(files.open(folder / "x", O_CREAT | O_WRONLY, 0600, &file) == 0);
        std::shared_ptr<OpenFile> more;
        CHECK(files.open(folder / "x", O_WRONLY, 0, &more) == ENFILE);
        std::array<std::shared_ptr<OpenFile>, 2> ends;
        CHECK(files.make_pipe(0, &ends) == ENFILE);
        open.pop_back();
        CHECK(files.make_pipe(0, &ends) == ENFILE);
        CHECK(files.open(folder / "x", O_WRONLY, 0, &more) == 0);
        open.resize(97);
        CHECK(files.make_pipe(0, &ends) == 0);
    }
    SUBCASE("record locks of all PEs on all files") {
        FileLocks locks(10);
        std::array<std::shared_ptr<OpenFile>, 2> two;
        for (std::size_t i = 0; i < 2; i++) REQUIRE(files.open(folder / std::to_string(i), O_CREAT | O_RDWR, 0600, &two[i]) == 0);
        std::int64_t blocker;
        const auto set = [&](RecordLock::Kind kind, std::uint32_t rank, std::int64_t byte) {
            return locks.set(*two[rank % 2], {kind, byte, byte + 1, rank}, &blocker);
        };
        for (std::uint32_t i = 0; i < 10; i++) REQUIRE(set(RecordLock::Kind::Write, i % 4, 2 * i) == 0);
        CHECK(set(RecordLock::Kind::Write, 0, 100) == ENOLCK);
        CHECK(set(RecordLock::Kind::Read, 5, 100) == ENOLCK);
        // What is given back is there for others; and what somebody else has, is said as before.
        CHECK(set(RecordLock::Kind::None, 0, 0) == 0);
        CHECK(set(RecordLock::Kind::Write, 5, 100) == 0);
        CHECK(set(RecordLock::Kind::Write, 5, 102) == ENOLCK);
        CHECK(set(RecordLock::Kind::Write, 5, 2) == EAGAIN);
        locks.ended(1);
        for (std::int64_t byte : {102, 104, 106}) CHECK(set(RecordLock::Kind::Write, 5, byte) == 0);
        CHECK(set(RecordLock::Kind::Write, 5, 108) == ENOLCK);
    }
    SUBCASE("what pipes of very many hold") {
        std::vector<std::array<std::shared_ptr<OpenFile>, 2>> pipes(1026);
        for (auto &ends : pipes) REQUIRE(files.make_pipe(0, &ends) == 0);
        CHECK(fcntl(pipes[0][1]->host_fd(), F_GETPIPE_SZ) >= 4096);
        CHECK(fcntl(pipes[1025][1]->host_fd(), F_GETPIPE_SZ) == 4096);
        pipes.clear();
        std::array<std::shared_ptr<OpenFile>, 2> again;
        REQUIRE(files.make_pipe(0, &again) == 0);
        CHECK(again[0]->write(0, as_bytes("x")) != 1);
        CHECK(again[1]->write(0, as_bytes("x")) == 1);
    }
    std::filesystem::remove_all(folder);
}
