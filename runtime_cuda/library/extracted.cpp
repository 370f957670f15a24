// extracted.cpp: finds the PTX that belongs to a module by the names of its kernels.
#include "runtime_cuda/library/extracted.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/environment.hpp"

namespace mog::cuda {

namespace {

/// "9.0" of ".version 9.0", for comparisons of texts that have it; versions have one digit before the point.
std::string version_of(const std::string &text) {
    const std::size_t at = text.find(".version ");
    return at == std::string::npos ? "" : text.substr(at + 9, text.find_first_of("\r\n", at) - at - 9);
}

bool has_kernel(const std::string &text, const std::string &name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = text.find_first_not_of(" \t\n", at + name.size());
        if (at >= 7 && text.compare(at - 7, 7, ".entry ") == 0 && end != std::string::npos && (text[end] == '(' || text[end] == '{'))
            return true;
    }
    return false;
}

}  // namespace

std::optional<std::string> extracted_ptx(const std::vector<std::string> &kernels) {
    const std::string folder = environment_variable("MOGCUDA_PTX");
    if (folder.empty()) return {};
    std::optional<std::string> best;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".ptx") continue;
        std::ifstream file(entry.path());
        std::string text{std::istreambuf_iterator<char>(file), {}};
        const bool all = std::all_of(kernels.begin(), kernels.end(), [&text](const std::string &name) { return has_kernel(text, name); });
        if (all && (!best || version_of(text) > version_of(*best))) best = std::move(text);
    }
    return best;
}

}  // namespace mog::cuda
