// host_code.cpp: a shared object is loaded from memory.
#include "runtime_host/devices/host/host_code.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace mog {

HostCode::~HostCode() {
    if (library_) dlclose(library_);
    if (file_ >= 0) close(file_);
}

Result<void> HostCode::open(std::span<const std::uint8_t> bytes) {
    // Open as long as the library: dlopen would take another of the same name for this one.
    file_ = memfd_create("mog-host", MFD_CLOEXEC);
    const auto failed = [](std::string_view what) { return Error{fmt::format("cannot load the program's interpreter: {}", what)}; };
    if (file_ < 0) return failed(fmt::format("memfd_create: {}", std::strerror(errno)));
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = write(file_, bytes.data() + done, bytes.size() - done);
        if (n <= 0) return failed(std::strerror(errno));
        done += static_cast<std::size_t>(n);
    }
    library_ = dlopen(fmt::format("/proc/self/fd/{}", file_).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) return failed(dlerror());
    init = reinterpret_cast<Init *>(dlsym(library_, "mog_init"));
    transfer = reinterpret_cast<Transfer *>(dlsym(library_, "mog_transfer"));
    run = reinterpret_cast<Run *>(dlsym(library_, "mog_run"));
    run_blocks = reinterpret_cast<RunBlocks *>(dlsym(library_, "mog_run"));
    run_lanes = reinterpret_cast<RunLanes *>(dlsym(library_, "mog_run_lanes"));
    run_spaces = reinterpret_cast<RunSpaces *>(dlsym(library_, "mog_run"));
    run_blocks_spaces = reinterpret_cast<RunBlocksSpaces *>(dlsym(library_, "mog_run"));
    run_lanes_spaces = reinterpret_cast<RunLanesSpaces *>(dlsym(library_, "mog_run_lanes"));
    native = reinterpret_cast<NativeHook *>(dlsym(library_, "mog_native"));
    if (!init || !transfer || !run) return Error{"the program's interpreter for the device \"host\" lacks a kernel"};
    return {};
}

void HostCode::use(const LinkedKernels &kernels) {
    init = reinterpret_cast<Init *>(kernels.init);
    transfer = reinterpret_cast<Transfer *>(kernels.transfer);
    run = reinterpret_cast<Run *>(kernels.run);
    run_blocks = reinterpret_cast<RunBlocks *>(kernels.run);
    run_lanes = reinterpret_cast<RunLanes *>(kernels.run);
    run_spaces = reinterpret_cast<RunSpaces *>(kernels.run);
    run_blocks_spaces = reinterpret_cast<RunBlocksSpaces *>(kernels.run);
    run_lanes_spaces = reinterpret_cast<RunLanesSpaces *>(kernels.run);
}

}  // namespace mog
