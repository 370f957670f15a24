// causes_test.cpp: why each PE ended and where, as data.
#include "tests/embed/embed_test.hpp"

#include <cstring>
#include <fstream>

namespace {

/// The line of subject.c that has this text.
std::uint32_t line_of(const char *file, std::string_view text) {
    std::ifstream source(file);
    std::string line;
    for (std::uint32_t number = 1; std::getline(source, line); number++)
        if (line.find(text) != std::string::npos) return number;
    return 0;
}

void is_at(const mog_cause &cause, std::string_view text) {
    CHECK(std::string(cause.function) == "main");
    REQUIRE(std::string_view(cause.file).ends_with("tests/embed/subject.c"));
    CHECK(cause.line == line_of(cause.file, text));
    CHECK(cause.line > 0);
    CHECK(cause.code >= 0x400000);
}

void is_empty(const mog_cause &cause) {
    CHECK(std::strlen(cause.text) + std::strlen(cause.function) + std::strlen(cause.file) == 0);
    CHECK((cause.line | cause.code | cause.address) == 0);
}

}  // namespace

TEST_CASE("the cause of a fault: its address, and its line") {
    Subject s(3, {"fault"});
    s.to_end();
    const mog_cause cause = s.cause(1);
    CHECK(std::string(cause.text) == "null pointer: reads from address 0x4, which is not its memory");
    CHECK(cause.address == 4);
    is_at(cause, "*(volatile int *)4");
    is_empty(s.cause(0));
}

TEST_CASE("the cause of a fault in the library is the line that called it, and the instruction's address") {
    Subject s(2, {"fault"});
    s.arguments(0, {"length"});
    s.to_end();
    is_at(s.cause(0), "strlen((const char *)");
    CHECK(s.cause(0).address == 8);
    CHECK(s.cause(0).code != s.cause(1).code);
    is_at(s.cause(1), "*(volatile int *)4");
}

TEST_CASE("causes of other ends") {
    Subject s(2, {"abort"});
    s.arguments(1, {"sleep"});
    s.ok(mog_run_set(s.run, "timeout", "0.2", &s.error));
    s.load();
    is_empty(s.cause(0));
    s.to_end();
    CHECK(std::string(s.cause(0).text) == "calls abort()");
    is_at(s.cause(0), " abort();");
    CHECK(s.cause(0).address == 0);
    CHECK(std::string(s.cause(1).text).find("still running after 0.2 s") != std::string::npos);
    is_at(s.cause(1), "sleep(1000)");

    Subject ended(1, {"exit", "3"});
    ended.to_end();
    is_empty(ended.cause(0));
    Subject cancelled(1, {"loop"});
    mog_run_cancel(cancelled.run);
    cancelled.to_end();
    is_empty(cancelled.cause(0));
}

TEST_CASE("causes of PEs that are not there") {
    Subject s(2, {"rank"});
    mog_cause cause;
    s.fails(mog_run_pe_cause(s.run, 0, &cause, &s.error), MOG_ERROR_STATE, "not loaded");
    s.load();
    s.fails(mog_run_pe_cause(s.run, 2, &cause, &s.error), MOG_ERROR_PE, "there is no PE 2");
    s.fails(mog_run_pe_cause(s.run, 0, nullptr, &s.error), MOG_ERROR_ARGUMENT, "cause is NULL");
}
