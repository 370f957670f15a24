// cache.cpp: files KEY.bin (a checksum, then the bytes) and KEY.log.
#include "support/files/cache.hpp"

#include <cstring>

#include "support/environment.hpp"
#include "support/files/files.hpp"
#include "support/files/hash.hpp"
#include "support/files/result_file.hpp"

namespace mog {

namespace fs = std::filesystem;

fs::path cache_folder() {
    if (fs::path folder = environment_variable("MOG_CACHE_DIR"); !folder.empty()) return folder;
    if (fs::path folder = environment_variable("XDG_CACHE_HOME"); !folder.empty()) return folder / "mog";
    if (fs::path home = environment_variable("HOME"); !home.empty()) return home / ".cache" / "mog";
    return {};
}

std::string kernel_cache_key(std::initializer_list<std::string_view> parts) {
    // Two hashes with different starts: 128 bits, so that chance meetings need not be thought about.
    std::uint64_t a = fnv1a_start, b = ~fnv1a_start;
    for (std::string_view part : parts) {
        std::string length = std::to_string(part.size()) + ":";
        a = fnv1a(part, fnv1a(length, a));
        b = fnv1a(part, fnv1a(length, b));
    }
    return hex16(a) + hex16(b);
}

std::optional<std::vector<std::uint8_t>> kernel_cache_load(const std::string &key) {
    fs::path folder = cache_folder();
    std::error_code failed;
    if (folder.empty() || !fs::exists(folder / (key + ".bin"), failed)) return {};
    Result<std::vector<std::uint8_t>> bytes = read_regular_file(folder / (key + ".bin"));
    std::uint64_t checksum;
    if (!bytes || bytes->size() < sizeof checksum) return {};
    std::memcpy(&checksum, bytes->data(), sizeof checksum);
    bytes->erase(bytes->begin(), bytes->begin() + sizeof checksum);
    if (checksum != fnv1a(*bytes)) return {};
    return *std::move(bytes);
}

void kernel_cache_store(const std::string &key, std::span<const std::uint8_t> bytes, std::string_view log) {
    fs::path folder = cache_folder();
    std::error_code failed;
    if (folder.empty() || (fs::create_directories(folder, failed), failed)) return;
    std::uint64_t checksum = fnv1a(bytes);
    std::vector<std::uint8_t> file(sizeof checksum + bytes.size());
    std::memcpy(file.data(), &checksum, sizeof checksum);
    std::memcpy(file.data() + sizeof checksum, bytes.data(), bytes.size());
    // Not being able to keep it is no failure of the run.
    const auto keep = [&](const std::string &name, std::string_view content) {
        if (Result<ResultFile> to = ResultFile::open(folder / name)) (void)to->write(content);
    };
    keep(key + ".log", log);
    keep(key + ".bin", {reinterpret_cast<const char *>(file.data()), file.size()});
}

}  // namespace mog
