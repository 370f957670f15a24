// threads_test.cpp: several programs at once, cancelling from elsewhere, one run in two hands.
#include "tests/embed/embed_test.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

TEST_CASE("programs run in several threads at once") {
    constexpr int threads = 4, rounds = 4;
    std::vector<std::string> wrong(threads);
    std::vector<std::thread> running;
    mog_error error;
    mog_program *shared = nullptr;
    REQUIRE(mog_program_open(program_under_test(), &shared, &error) == MOG_OK);
    for (int t = 0; t < threads; t++)
        running.emplace_back([&, t] {
            mog_error own;
            for (int round = 0; round < rounds && wrong[t].empty(); round++) {
                // Two threads share a program, two have their own.
                mog_program *program = shared;
                mog_run *run = nullptr;
                const char *words[] = {"subject", "square"};
                mog_symbol parameter, result;
                const int value = 100 * t + round;
                double got[3] = {};
                int status = -1;
                if ((t >= 2 && mog_program_open(program_under_test(), &program, &own)) || mog_run_new(program, &run, &own) ||
                    mog_run_set_device(run, device_under_test(), &own) || mog_run_set_pes(run, 3, &own) ||
                    mog_run_set_arguments(run, MOG_ALL_PES, 2, words, &own) || mog_run_load(run, &own) ||
                    mog_program_symbol(program, "parameter", &parameter, &own) || mog_program_symbol(program, "result", &result, &own) ||
                    mog_run_write(run, MOG_ALL_PES, parameter.address, &value, 4, &own) || mog_run_to_end(run, &status, &own) ||
                    mog_run_read(run, 2, result.address, &got[2], 8, &own))
                    wrong[t] = own.text;
                else if (status != 0 || got[2] != value * value + 0.5) wrong[t] = "wrong result";
                mog_run_free(run);
                if (t >= 2) mog_program_free(program);
            }
        });
    for (std::thread &thread : running) thread.join();
    for (const std::string &text : wrong) CHECK(text == "");
    mog_program_free(shared);
}

TEST_CASE("another thread cancels a run that computes, and one that sleeps") {
    for (const char *what : {"loop", "sleep"}) {
        Subject s(3, {what});
        s.load();
        std::thread canceller([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            mog_run_cancel(s.run);
        });
        const auto begin = Clock::now();
        CHECK(s.to_end() == 143);
        CHECK(std::chrono::duration<double>(Clock::now() - begin).count() < 5);
        canceller.join();
        CHECK(s.end(2).by == MOG_ENDED_BY_CANCEL);
    }
}

TEST_CASE("a run in the hands of another thread is not to be touched") {
    Subject s(1, {"loop"});
    s.load();
    std::atomic<bool> runs = false;
    s.ok(MOG_OK);
    std::thread runner([&] {
        mog_error error;
        runs = true;
        mog_run_to_end(s.run, nullptr, &error);
    });
    while (!runs) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::uint32_t word = 0;
    s.fails(mog_run_read(s.run, 0, 0x10000000, &word, 4, &s.error), MOG_ERROR_STATE, "another call is at work");
    CHECK(mog_run_free(s.run) == MOG_ERROR_STATE);
    CHECK(mog_run_pes(s.run) == 1);
    mog_run_cancel(s.run);
    runner.join();
    CHECK(s.end(0).by == MOG_ENDED_BY_CANCEL);
}
