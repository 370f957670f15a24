// shared_object.hpp: code that was compiled while a program runs, or came with it, loaded from memory.
#pragma once

#include <cstdint>
#include <span>

#include "support/result.hpp"

namespace mog {

/// Loaded as long as this is there. Its file has no name, so that nothing is left behind.
class SharedObject {
public:
    SharedObject() = default;
    SharedObject(SharedObject &&other) noexcept;
    SharedObject &operator=(SharedObject &&other) noexcept;
    ~SharedObject();

    /// Error: what the system, or the loader, says.
    static Result<SharedObject> load(std::span<const std::uint8_t> bytes);

    /// The address of what has this name; nullptr: nothing has.
    void *symbol(const char *name) const;
    /// A descriptor of the file.
    int file() const { return file_; }
    /// What is to be subtracted from an address in it for the one in the file.
    std::uint64_t base() const;

private:
    void *library_ = nullptr;
    int file_ = -1;
};

}  // namespace mog
