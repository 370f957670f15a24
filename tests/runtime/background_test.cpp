// background_test.cpp: work beside this process, and what is left of it.
#include "support/compilers/background.hpp"

#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "support/files/files.hpp"

using namespace mog;

namespace {

std::optional<bool> wait_for_end(const BackgroundWork &work) {
    for (int i = 0; i < 1000; i++) {
        if (const auto ended = work.ended()) return ended;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
}

}  // namespace

TEST_CASE("a script makes files in its folder, of which none is left") {
    std::filesystem::path folder;
    {
        auto work = BackgroundWork::make();
        REQUIRE(work);
        folder = work->folder();
        REQUIRE(write_text_file(folder / "input", "some\n"));
        REQUIRE(work->start("cat input input >output"));
        CHECK(wait_for_end(*work) == true);
        CHECK(*read_text_file(folder / "output") == "some\nsome\n");
    }
    CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("a command that fails is the end of a script") {
    auto work = BackgroundWork::make();
    REQUIRE(work);
    REQUIRE(work->start("false\ntouch output"));
    CHECK(wait_for_end(*work) == false);
    CHECK_FALSE(std::filesystem::exists(work->folder() / "output"));
}

TEST_CASE("what still works when nobody wants it any more is ended") {
    pid_t child = 0;
    std::filesystem::path folder;
    {
        auto work = BackgroundWork::make();
        REQUIRE(work);
        folder = work->folder();
        REQUIRE(work->start("sh -c 'echo $$ >pid.part; mv pid.part pid; sleep 600'"));
        for (int i = 0; i < 1000 && !std::filesystem::exists(folder / "pid"); i++)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::ifstream(folder / "pid") >> child;
        CHECK_FALSE(work->ended());
    }
    REQUIRE(child > 1);
    for (int i = 0; i < 1000 && kill(child, 0) == 0; i++) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(kill(child, 0) != 0);
    CHECK_FALSE(std::filesystem::exists(folder));
}
