// say.cpp: messages through C's standard error, whose order with what others write there stays.
#include "support/say.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>

#include "support/patient_write.hpp"

namespace mog {

namespace {

std::mutex mutex;
std::optional<std::chrono::steady_clock::time_point> last;

int wait_for_reader(int fd) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*last - std::chrono::steady_clock::now()).count();
    struct pollfd wait {
        fd, POLLOUT, 0
    };
    const int found = poll(&wait, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX)));
    return found == 0 ? ETIMEDOUT : found < 0 && errno != EINTR ? errno : 0;
}

}  // namespace

void say_text(std::string_view text) {
    const std::lock_guard lock(mutex);
    static PatientWriter standard_error(STDERR_FILENO);
    // Not fmt::print, which throws where this only returns less.
    if (last) (void)standard_error.write(text, wait_for_reader);
    else (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

void say_until(std::chrono::steady_clock::time_point end) {
    const std::lock_guard lock(mutex);
    last = end;
}

}  // namespace mog
