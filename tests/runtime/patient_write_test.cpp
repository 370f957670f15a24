// patient_write_test.cpp: streams that nobody reads, without a change to what others see of them.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "support/deadline.hpp"
#include "support/patient_write.hpp"

using namespace mog;

TEST_CASE("a stream that nobody reads is left when the writer has waited enough") {
    std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    SUBCASE("pipe") { REQUIRE(pipe(ends) == 0); }
    SUBCASE("socket") { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); }
    std::string text;
    for (int i = 0; text.size() < 4u << 20; i++) text += std::to_string(i) + "\n";
    PatientWriter writer(ends[1]);
    int asked = 0;
    // The first time it is read a little, as by a slow reader.
    std::string got;
    const auto wait = [&](int) {
        if (++asked == 1) {
            got.resize(100'000);
            const ssize_t n = read(ends[0], got.data(), got.size());
            got.resize(static_cast<std::size_t>(n));
            return 0;
        }
        return asked < 4 ? 0 : ETIMEDOUT;
    };
    CHECK(writer.write(text, wait) == ETIMEDOUT);
    CHECK(asked == 4);
    CHECK((fcntl(ends[1], F_GETFL) & O_NONBLOCK) == 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    for (char part[4096]; ssize_t n = read(ends[0], part, sizeof part);) {
        if (n < 0) break;
        got.append(part, static_cast<std::size_t>(n));
    }
    CHECK(got.size() > 30'000);
    CHECK(got == text.substr(0, got.size()));
    close(ends[0]);
    CHECK(writer.write("x", wait) == EPIPE);
    close(ends[1]);
}

TEST_CASE("a deadline is over by its time, or when the end was asked for") {
    Deadline deadline;
    CHECK_FALSE(deadline.is_set());
    CHECK_FALSE(deadline.is_over());
    CHECK(deadline.milliseconds_for_output() == -1);
    SUBCASE("time") {
        deadline.set_end(Deadline::Clock::now() - std::chrono::milliseconds(300));
        CHECK(deadline.is_over());
        CHECK(deadline.milliseconds_for_output() > 500);
        CHECK(deadline.milliseconds_for_output() <= 700);
    }
    SUBCASE("asked for") {
        Cancel cancel;
        deadline.set_cancel(&cancel);
        CHECK(deadline.is_set());
        CHECK_FALSE(deadline.is_over());
        cancel.ask();
        CHECK(deadline.is_over());
        struct pollfd wait {
            deadline.cancel_fd(), POLLIN, 0
        };
        CHECK(poll(&wait, 1, 0) == 1);
    }
}
