// result_file_test.cpp: files that a run writes for its user, in folders where others are at work; and the cache, which anybody may have
// filled.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "runtime_host/device/kernel_cache.hpp"
#include "support/files/result_file.hpp"

using namespace mog;
namespace fs = std::filesystem;

namespace {

struct Folder {
    Folder() {
        char name[] = "/tmp/mog-result-XXXXXX";
        path = mkdtemp(name);
        fs::create_directory(path / "sub");
        std::ofstream(path / "outside") << "mine";
    }
    Folder(const Folder &) = delete;
    ~Folder() { fs::remove_all(path); }
    std::string text(const std::string &name) const {
        std::ifstream in(path / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path path;
};

}  // namespace

TEST_CASE("result files: whatever comes into their places while PEs run") {
    const Folder f;
    const fs::path place = f.path / "sub/result";
    Result<ResultFile> file = ResultFile::open(place);
    REQUIRE(file);
    SUBCASE("a link out") { fs::create_symlink(f.path / "outside", place); }
    SUBCASE("a pipe") { REQUIRE(mkfifo(place.c_str(), 0600) == 0); }
    SUBCASE("a hard link") { fs::create_hard_link(f.path / "outside", place); }
    SUBCASE("another folder") {
        fs::rename(f.path / "sub", f.path / "moved");
        fs::create_directory(f.path / "elsewhere");
        fs::create_directory_symlink(f.path / "elsewhere", f.path / "sub");
        CHECK(file->write("new"));
        CHECK(fs::is_empty(f.path / "elsewhere"));
        fs::remove(f.path / "sub");
        fs::rename(f.path / "moved", f.path / "sub");
    }
    CHECK(file->write("new"));
    CHECK(f.text("outside") == "mine");
    CHECK(f.text("sub/result") == "new");
    CHECK(fs::symlink_status(place).type() == fs::file_type::regular);
    CHECK(std::distance(fs::directory_iterator(f.path / "sub"), {}) == 1);
}

TEST_CASE("result files: what stands there before is told, and not waited for") {
    const Folder f;
    REQUIRE(mkfifo((f.path / "pipe").c_str(), 0600) == 0);
    CHECK(ResultFile::open(f.path / "pipe").error().message.ends_with("pipe: it is a named pipe, not a file"));
    CHECK(ResultFile::open(f.path / "sub").error().message.ends_with("sub: Is a directory"));
    CHECK(ResultFile::open(f.path / "none/x").error().message.ends_with("x: No such file or directory"));
    CHECK(ResultFile::open(f.path / "outside"));
    CHECK(ResultFile::open("/dev/null")->write("x"));
}

TEST_CASE("kernel cache: only regular files are read, and others replaced") {
    const Folder f;
    const char *set = std::getenv("MOG_CACHE_DIR");
    const std::string before = set ? set : "";
    setenv("MOG_CACHE_DIR", f.path.c_str(), 1);
    const std::uint8_t bytes[] = {1, 2, 3};
    SUBCASE("a pipe") { REQUIRE(mkfifo((f.path / "key.bin").c_str(), 0600) == 0); }
    SUBCASE("a link to a device") { fs::create_symlink("/dev/zero", f.path / "key.bin"); }
    SUBCASE("a link out") { fs::create_symlink(f.path / "outside", f.path / "key.log"); }
    CHECK_FALSE(kernel_cache_load("key"));
    kernel_cache_store("key", bytes, "log");
    const bool is_pipe = fs::is_fifo(f.path / "key.bin");
    CHECK(f.text("outside") == "mine");
    if (!is_pipe) CHECK(kernel_cache_load("key") == std::vector<std::uint8_t>{1, 2, 3});
    set ? setenv("MOG_CACHE_DIR", before.c_str(), 1) : unsetenv("MOG_CACHE_DIR");
}
