// toolchain.cpp: looks for programs and folders.
#include "mogcc/toolchain.hpp"

#include <fmt/format.h>

#include "support/compilers/host_compiler.hpp"
#include "support/environment.hpp"

namespace mog {

namespace fs = std::filesystem;

namespace {

// <build>/bin/mogcc has <build>/sysroot; <prefix>/bin/mogcc has <prefix>/lib/mog/sysroot, lib as MOG_INSTALLED_LIB names it.
fs::path find_sysroot(const fs::path &prefix) {
    fs::path built = prefix / "sysroot";
    fs::path installed = prefix / MOG_INSTALLED_LIB / "mog" / "sysroot";
    std::error_code ignored;
    return fs::exists(built / "lib", ignored) ? built : installed;
}

}  // namespace

std::string cross_prefix() { return environment_variable("MOG_CROSS", "mipsel-linux-gnu-"); }

Result<Toolchain> find_toolchain() {
    std::error_code error;
    fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) return Error{fmt::format("cannot find out where mogcc is: /proc/self/exe: {}", error.message())};
    fs::path bin = self.parent_path();

    Toolchain found;
    found.self = self;
    found.cross = cross_prefix();
    found.host_compiler = host_compiler();
    found.sysroot = environment_variable("MOG_SYSROOT", find_sysroot(bin.parent_path()));
    found.launcher = environment_variable("MOG_LAUNCHER", bin / "mogrun");

    if (!program_exists(found.gcc()))
        return Error{
            fmt::format("{} is not here; on Debian: apt-get install gcc-mipsel-linux-gnu (or name another in MOG_CROSS)", found.gcc())};
    if (!fs::exists(found.lib("mog.ld"), error))
        return Error{fmt::format("{} holds no C library for PEs; make it with scripts/build-sysroot, or name it in MOG_SYSROOT",
                                 found.sysroot.string())};
    return found;
}

}  // namespace mog
