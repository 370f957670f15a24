// natives_test.cpp: native functions get the calls of all PEs of a round together, and the PEs get what they answer.
#include "tests/embed/embed_test.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "mog.hpp"

namespace {

struct Seen {
    std::vector<std::size_t> rounds;  ///< how many PEs called in each
    std::vector<mog_call> words;
    mog_code code = MOG_OK;
};

/// sum(numbers, count, mean): returns the sum and writes the mean.
void sum(void *user, mog_call *calls, std::size_t count, mog_memory *memory) {
    auto *const seen = static_cast<Seen *>(user);
    seen->rounds.push_back(count);
    std::vector<std::vector<std::int32_t>> numbers(count);
    std::vector<double> means(count);
    std::vector<mog_piece> in, out;
    for (std::size_t i = 0; i < count; i++) {
        numbers[i].resize(calls[i].arguments[1]);
        in.push_back({calls[i].pe, calls[i].arguments[0], 4 * calls[i].arguments[1], numbers[i].data()});
        out.push_back({calls[i].pe, calls[i].arguments[2], 8, &means[i]});
    }
    mog_error error;
    seen->code = mog_memory_read(memory, in.data(), count, &error);
    for (std::size_t i = 0; i < count; i++) {
        for (const std::int32_t number : numbers[i]) calls[i].result += number;
        means[i] = static_cast<double>(calls[i].result) / static_cast<double>(numbers[i].size());
        if (seen->code) calls[i].error = EFAULT;
    }
    if (!seen->code) seen->code = mog_memory_write(memory, out.data(), count, &error);
}

}  // namespace

TEST_CASE("native functions serve all PEs that call, by name, with their memory") {
    constexpr std::uint32_t pes = 12;
    Subject s(pes, {"native"});
    Seen seen;
    s.ok(mog_run_register(s.run, "sum", sum, &seen, &s.error));
    s.ok(mog_run_register(
        s.run, "fails",
        [](void *, mog_call *calls, std::size_t count, mog_memory *) {
            for (std::size_t i = 0; i < count; i++) calls[i].error = calls[i].arguments[0] == 0xfffffffdu ? EDOM : EINVAL;
        },
        nullptr, &s.error));
    s.ok(mog_run_register(
        s.run, "words",
        [](void *user, mog_call *calls, std::size_t count, mog_memory *) {
            for (std::size_t i = 0; i < count; i++) {
                static_cast<Seen *>(user)->words.push_back(calls[i]);
                calls[i].result = -5;  // no error, whatever it looks like
            }
        },
        &seen, &s.error));
    CHECK(s.to_end() == 0);
    for (std::uint32_t pe = 0; pe < pes; pe++) {
        const int n = static_cast<int>(pe) + 1, total = 10 * static_cast<int>(pe) * n + n * (n - 1) / 2;
        char expected[200];
        std::snprintf(expected, sizeof expected, "sum %d mean %g fails -1 1 words -5 none -5 0 unknown -1 1 bad -1 1\n", total,
                      static_cast<double>(total) / n);
        CHECK(s.output(pe) == expected);
    }
    CHECK(seen.code == MOG_OK);
    std::size_t calls = 0;
    for (const std::size_t count : seen.rounds) calls += count;
    CHECK(calls == pes);
    CHECK(seen.rounds.size() < pes);  // PEs that do the same come together
    REQUIRE(seen.words.size() == 2 * pes);
    // Each PE's first call has arguments, and its second one none; PEs of another device may be further on.
    CHECK(seen.words[0].pe == 0);
    std::vector<unsigned> calls_of(pes);
    for (const mog_call &call : seen.words) {
        REQUIRE(call.pe < pes);
        if (calls_of[call.pe]++ == 0) {
            CHECK(call.arguments[1] == 2);
            CHECK(call.arguments[2] == 'c');
            CHECK(call.arguments[4] == 0xfffffffbu);
            CHECK(call.arguments[5] == 6);
        } else {
            for (const std::uint32_t word : call.arguments) CHECK(word == 0);
        }
    }
    CHECK(calls_of == std::vector<unsigned>(pes, 2));
}

TEST_CASE("two functions in one round get their own callers, ascending") {
    Subject s(6, {"two"});
    std::vector<std::pair<char, std::uint32_t>> seen;
    for (const char *name : {"even", "odd"})
        s.ok(mog_run_register(
            s.run, name,
            name[0] == 'e' ? static_cast<mog_native_function *>([](void *user, mog_call *calls, std::size_t count, mog_memory *) {
                for (std::size_t i = 0; i < count; i++)
                    static_cast<std::vector<std::pair<char, std::uint32_t>> *>(user)->push_back({'e', calls[i].pe});
            })
                           : [](void *user, mog_call *calls, std::size_t count, mog_memory *) {
                                 for (std::size_t i = 0; i < count; i++) {
                                     static_cast<std::vector<std::pair<char, std::uint32_t>> *>(user)->push_back({'o', calls[i].pe});
                                     calls[i].result = 40 + static_cast<int>(calls[i].arguments[0]);
                                 }
                             },
            &seen, &s.error));
    CHECK(s.to_end() == 41);
    CHECK(s.end(5).status == 45);
    std::vector<std::uint32_t> even, odd;
    for (const auto &[which, pe] : seen) (which == 'e' ? even : odd).push_back(pe);
    CHECK(even == std::vector<std::uint32_t>{0, 2, 4});
    CHECK(odd == std::vector<std::uint32_t>{1, 3, 5});
}

TEST_CASE("pointers that are no memory of the PE's are an error of the transfer, and nothing worse") {
    Subject s(2, {"wild"});
    Seen seen;
    s.ok(mog_run_register(s.run, "sum", sum, &seen, &s.error));
    CHECK(s.to_end() == 0);
    CHECK(seen.code == MOG_ERROR_ADDRESS);
}

TEST_CASE("without a registered function the PE gets ENOSYS") {
    Subject s(2, {"native"});
    CHECK(s.to_end() == 0);
    CHECK(s.output(1) == "sum -1 mean 0 fails -1 0 words -1 none -1 88 unknown -1 1 bad -1 1\n");
}

TEST_CASE("native calls in strace") {
    Subject s(1, {"two"});
    s.ok(mog_run_register(
        s.run, "even", [](void *, mog_call *calls, std::size_t, mog_memory *) { calls[0].result = 3; }, nullptr, &s.error));
    s.ok(mog_run_set(s.run, "strace", "", &s.error));
    std::string said;
    s.ok(mog_run_on_log(
        s.run, [](void *user, const char *text) { *static_cast<std::string *>(user) += std::string(text) + "|"; }, &said, &s.error));
    CHECK(s.to_end() == 3);
    CHECK(said.find("[0] mog_native(\"even\") = 0|") != std::string::npos);
    CHECK(said.find("[0] mog_native_call(0, 0, 0, 0, 0, 0, 0) = 3|") != std::string::npos);
}

TEST_CASE("C++: native functions are functions, and what they throw ends the run") {
    mog::Program program(program_under_test());
    mog::Run run(program);
    run.set_device(device_under_test()).set_pes(2).set_arguments({"subject", "two"});
    run.register_native("even", [](mog::Calls &calls) {
        for (mog_call &call : calls) call.result = 9;
    });
    run.register_native("odd", [](mog::Calls &calls) {
        std::int32_t word;
        calls.read({{calls[0].pe, 0, 4, &word}});
    });
    CHECK_THROWS_AS(run.to_end(), mog::Error);
}
