// watch.cpp
#include "runtime_host/watch/watch.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

namespace mog {

Watch::Watch() : wakes_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Watch::ask(unsigned who) {
    asked_.fetch_or(who);
    const std::uint64_t one = 1;
    if (wakes_ && write(wakes_.get(), &one, sizeof one) < 0) return;  // it is readable already
}

std::optional<std::string> Watch::ask_and_wait() {
    std::unique_lock lock(mutex_);
    const std::uint64_t before = answers_;
    if (is_closed_) return {};
    ask(by_reader);
    answered_.wait(lock, [&] { return is_closed_ || answers_ != before; });
    if (answers_ == before) return {};
    return text_;
}

unsigned Watch::take() {
    // Whoever asks from here on makes it readable again.
    std::uint64_t count = 0;
    if (wakes_ && read(wakes_.get(), &count, sizeof count) < 0) count = 0;
    return asked_.exchange(0);
}

void Watch::answer(std::string text) {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
    answers_++;
    answered_.notify_all();
}

void Watch::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    answered_.notify_all();
}

}  // namespace mog
