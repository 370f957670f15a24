// jump_table.cpp
#include "runtime_host/devices/host/native/jump_table.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace mog {

namespace {

constexpr std::uint64_t bytes_for_address = sizeof(void *) / 4, range_bytes = bytes_for_address << 32;

}  // namespace

JumpTable::JumpTable(std::uint32_t base, std::size_t words, bool whole) {
    if (whole && words != 0) {
        void *const range = mmap(nullptr, range_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        const std::uint64_t first = bytes_for_address * base, last = first + sizeof(void *) * words;
        const std::uint64_t begin = first / page * page, end = (last + page - 1) / page * page;
        if (range != MAP_FAILED) {
            char *const at = static_cast<char *>(range);
            if (end <= range_bytes && mprotect(at + begin, end - begin, PROT_READ | PROT_WRITE) == 0) {
                range_ = range;
                all_ = {reinterpret_cast<const void **>(at + begin), (end - begin) / sizeof(void *)};
                words_ = all_.subspan((first - begin) / sizeof(void *), words);
                return;
            }
            munmap(range, range_bytes);
        }
    }
    own_.resize(words);
    words_ = all_ = own_;
}

JumpTable::~JumpTable() {
    if (range_) munmap(range_, range_bytes);
}

}  // namespace mog
