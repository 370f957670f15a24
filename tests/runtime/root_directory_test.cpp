// root_directory_test.cpp: a root that others try to open while a path is on its way.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "runtime_host/linux/host_paths.hpp"
#include "runtime_host/linux/root_directory.hpp"

using namespace mog;
namespace fs = std::filesystem;

namespace {

/// root/inside/file and outside/file, in a folder of their own.
struct Tree {
    Tree() {
        char name[] = "/tmp/mog-root-XXXXXX";
        base = mkdtemp(name);
        fs::create_directories(base / "root/inside/deep");
        fs::create_directories(base / "outside");
        std::ofstream(base / "root/inside/file") << "in";
        std::ofstream(base / "root/inside/deep/file") << "in";
        std::ofstream(base / "outside/file") << "out";
    }
    Tree(const Tree &) = delete;
    ~Tree() { fs::remove_all(base); }

    RootDirectory root(RootDirectory::Way way) const { return {OwnedFd(open((base / "root").c_str(), O_PATH | O_DIRECTORY)), way}; }
    fs::path base;
};

/// 'i' or 'o': which file it is. 0: neither.
char content(int fd) {
    char byte = 0;
    if (read(fd, &byte, 1) != 1) byte = 0;
    return byte;
}

/// Runs `other` beside `self` until that returns.
template <typename Other, typename Self>
void beside(Other other, Self self) {
    std::atomic<bool> stop = false;
    std::thread thread([&] {
        while (!stop) other();
    });
    self();
    stop = true;
    thread.join();
}

constexpr RootDirectory::Way ways[] = {RootDirectory::Way::Kernel, RootDirectory::Way::Walk};

}  // namespace

TEST_CASE("a directory that is exchanged for a link meanwhile leads nowhere else") {
    for (RootDirectory::Way way : ways) {
        Tree tree;
        RootDirectory root = tree.root(way);
        fs::path a = tree.base / "root/inside", b = tree.base / "root/link";
        fs::create_symlink(tree.base / "outside", b);
        int inside = 0, outside = 0;
        auto exchange = [&] { syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE); };
        beside(exchange, [&] {
            for (int i = 0; i < 20000; i++) {
                OwnedFd fd(root.open(i & 1 ? "inside/file" : "/link/../inside/deep/../file", O_RDONLY, 0));
                if (!fd) continue;
                (content(fd.get()) == 'i' ? inside : outside)++;
            }
        });
        CHECK(outside == 0);
        CHECK(inside > 0);
    }
}

TEST_CASE("\"..\" does not climb out of a directory that is moved meanwhile") {
    for (RootDirectory::Way way : ways) {
        Tree tree;
        RootDirectory root = tree.root(way);
        // While it is passed, deep moves up: its parent is then the root, and "../.." would lead above it.
        fs::path low = tree.base / "root/inside/deep", high = tree.base / "root/deep";
        int inside = 0, outside = 0;
        auto move = [&] {
            rename(low.c_str(), high.c_str());
            rename(high.c_str(), low.c_str());
        };
        beside(move, [&] {
            for (int i = 0; i < 20000; i++) {
                OwnedFd fd(root.open(i & 1 ? "inside/deep/../../outside/file" : "inside/deep/../file", O_RDONLY, 0));
                if (!fd) continue;
                (content(fd.get()) == 'i' ? inside : outside)++;
            }
        });
        CHECK(outside == 0);
        CHECK(inside > 0);
    }
}

TEST_CASE("a file that is exchanged for a link is found in the root or not at all") {
    Tree tree;
    Result<std::shared_ptr<const HostPaths>> paths = HostPaths::make({(tree.base / "root").string(), false, false, 16});
    REQUIRE(paths);
    chmod((tree.base / "outside/file").c_str(), 0600);
    fs::path a = tree.base / "root/inside/file", b = tree.base / "root/inside/link";
    fs::create_symlink(tree.base / "outside/file", b);
    auto exchange = [&] { syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE); };
    int changed = 0;
    beside(exchange, [&] {
        for (int i = 0; i < 5000; i++) {
            Place place;
            if ((*paths)->find((*paths)->start(), "inside/file", true, &place) != 0) continue;
            changed += fchmodat(place.folder, place.path.c_str(), 0644, 0) == 0;
        }
    });
    CHECK(changed > 0);
    CHECK((fs::status(tree.base / "outside/file").permissions() & fs::perms::others_read) == fs::perms::none);
}

TEST_CASE("both ways open, make and refuse the same") {
    Tree trees[2];
    for (const Tree &tree : trees) {
        fs::create_symlink("inside/file", tree.base / "root/good");
        fs::create_symlink("new/", tree.base / "root/slash");
        fs::create_symlink("made", tree.base / "root/dangling");
    }
    RootDirectory a = trees[0].root(ways[0]), b = trees[1].root(ways[1]);
    constexpr int flags[] = {O_RDONLY,
                             O_RDONLY | O_NOFOLLOW,
                             O_RDONLY | O_DIRECTORY,
                             O_PATH,
                             O_PATH | O_NOFOLLOW,
                             O_RDWR,
                             O_RDWR | O_CREAT | O_EXCL,
                             O_RDWR | O_CREAT,
                             O_RDWR | O_CREAT | O_NOFOLLOW};
    for (const char *path : {"",
                             ".",
                             "/",
                             "..",
                             "//",
                             "inside",
                             "inside/",
                             "inside/.",
                             "inside/..",
                             "inside/file",
                             "inside/file/",
                             "inside/file/x",
                             "inside//deep/./file",
                             "good",
                             "good/",
                             "good/..",
                             "slash",
                             "slash/",
                             "dangling/",
                             "dangling",
                             "none/x",
                             "new"})
        for (int how : flags) {
            int x = a.open(path, how, 0600), y = b.open(path, how, 0600);
            INFO(path, " ", how);
            CHECK(std::min(x, 0) == std::min(y, 0));
            if (x >= 0) close(x);
            if (y >= 0) close(y);
        }
}
