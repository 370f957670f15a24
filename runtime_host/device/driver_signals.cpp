// driver_signals.cpp: whose a handler is follows from the library that its code is in.
#include "runtime_host/device/driver_signals.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace mog {

namespace {

/// Where libraries begin that have nothing to do with the driver.
struct Libraries {
    std::mutex mutex;
    std::vector<ElfW(Addr)> bases;
    bool noted = false;
};

Libraries &libraries_before() {
    static Libraries libraries;
    return libraries;
}

bool is_of_driver(const struct sigaction &action) {
    const void *code =
        action.sa_flags & SA_SIGINFO ? reinterpret_cast<void *>(action.sa_sigaction) : reinterpret_cast<void *>(action.sa_handler);
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return false;
    Dl_info info;
    struct link_map *library = nullptr;
    if (!dladdr1(code, &info, reinterpret_cast<void **>(&library), RTLD_DL_LINKMAP) || !library) return false;
    Libraries &before = libraries_before();
    const std::lock_guard lock(before.mutex);
    return before.noted && std::ranges::find(before.bases, library->l_addr) == before.bases.end();
}

bool is_kept(int signal) { return signal != SIGKILL && signal != SIGSTOP && signal != SIGFPE; }

}  // namespace

void note_libraries_before_driver() {
    Libraries &before = libraries_before();
    const std::lock_guard lock(before.mutex);
    if (before.noted) return;
    const auto note = [](struct dl_phdr_info *info, std::size_t, void *bases) {
        static_cast<std::vector<ElfW(Addr)> *>(bases)->push_back(info->dlpi_addr);
        return 0;
    };
    dl_iterate_phdr(note, &before.bases);
    before.noted = true;
}

DriverSignals::DriverSignals() {
    for (int signal = 1; signal < count; signal++)
        if (is_kept(signal)) sigaction(signal, nullptr, &before_[static_cast<std::size_t>(signal)]);
}

DriverSignals::~DriverSignals() {
    for (int signal = 1; signal < count; signal++) {
        struct sigaction now {};
        if (!is_kept(signal) || sigaction(signal, nullptr, &now) != 0 || !is_of_driver(now)) continue;
        // Another thread may have come in between, and have found the driver's.
        const struct sigaction &before = before_[static_cast<std::size_t>(signal)];
        if (!is_of_driver(before)) sigaction(signal, &before, nullptr);
    }
}

}  // namespace mog
