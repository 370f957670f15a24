// shared_object.cpp: a file in memory, which the loader takes by its descriptor.
#include "support/compilers/shared_object.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace mog {

SharedObject::SharedObject(SharedObject &&other) noexcept
    : library_(std::exchange(other.library_, nullptr)), file_(std::exchange(other.file_, -1)) {}

SharedObject &SharedObject::operator=(SharedObject &&other) noexcept {
    std::swap(library_, other.library_);
    std::swap(file_, other.file_);
    return *this;
}

SharedObject::~SharedObject() {
    if (library_) dlclose(library_);
    if (file_ >= 0) close(file_);
}

Result<SharedObject> SharedObject::load(std::span<const std::uint8_t> bytes) {
    SharedObject object;
    // Open as long as the library: dlopen would take another of the same name for this one.
    object.file_ = memfd_create("mog-code", MFD_CLOEXEC);
    if (object.file_ < 0) return Error{fmt::format("memfd_create: {}", std::strerror(errno))};
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = write(object.file_, bytes.data() + done, bytes.size() - done);
        if (n <= 0) return Error{std::strerror(errno)};
        done += static_cast<std::size_t>(n);
    }
    object.library_ = dlopen(fmt::format("/proc/self/fd/{}", object.file_).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!object.library_) return Error{dlerror()};
    return object;
}

void *SharedObject::symbol(const char *name) const { return dlsym(library_, name); }

std::uint64_t SharedObject::base() const {
    const link_map *map = nullptr;
    return dlinfo(library_, RTLD_DI_LINKMAP, &map) == 0 ? map->l_addr : 0;
}

}  // namespace mog
