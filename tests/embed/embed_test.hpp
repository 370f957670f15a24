// embed_test.hpp: what tests of libmog share: the program they run, and the device they run it on, as the environment says.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "mog.h"

inline const char *device_under_test() {
    const char *device = std::getenv("MOG_TEST_DEVICE");
    return device ? device : "reference";
}

inline const char *program_under_test() {
    const char *path = std::getenv("MOG_TEST_PROGRAM");
    REQUIRE_MESSAGE(path, "MOG_TEST_PROGRAM names the program, tests/embed/subject.c compiled by mogcc");
    return path;
}

/// A run of the program, by the C interface.
struct Subject {
    explicit Subject(std::uint32_t pes = 1, std::vector<const char *> words = {}) {
        ok(mog_program_open(program_under_test(), &program, &error));
        ok(mog_run_new(program, &run, &error));
        ok(mog_run_set_device(run, device_under_test(), &error));
        ok(mog_run_set_pes(run, pes, &error));
        ok(mog_run_set(run, "mem", "256K", &error));
        // PoCL as a GPU: memory interleaved, and kernels for its transfers.
        if (const char *warp = std::getenv("MOG_TEST_WARP")) ok(mog_run_set(run, "warp", warp, &error));
        if (!words.empty()) arguments(MOG_ALL_PES, std::move(words));
    }
    Subject(const Subject &) = delete;
    ~Subject() {
        mog_run_free(run);
        mog_program_free(program);
    }

    void ok(mog_code code) { REQUIRE_MESSAGE(code == MOG_OK, error.text); }
    void arguments(std::uint32_t pe, std::vector<const char *> words) {
        words.insert(words.begin(), "subject");
        ok(mog_run_set_arguments(run, pe, words.size(), words.data(), &error));
    }
    void load() { ok(mog_run_load(run, &error)); }
    int to_end() {
        int status = -1;
        ok(mog_run_to_end(run, &status, &error));
        return status;
    }
    std::string output(std::uint32_t pe, int stream = 1) {
        const char *bytes = nullptr;
        std::size_t size = 0;
        ok(mog_run_output(run, pe, stream, &bytes, &size, &error));
        return {bytes, size};
    }
    mog_pe_end end(std::uint32_t pe) {
        mog_pe_end end;
        ok(mog_run_pe_end(run, pe, &end, &error));
        return end;
    }
    mog_cause cause(std::uint32_t pe) {
        mog_cause cause;
        ok(mog_run_pe_cause(run, pe, &cause, &error));
        return cause;
    }
    std::uint32_t address(const char *name) {
        mog_symbol symbol;
        ok(mog_program_symbol(program, name, &symbol, &error));
        return symbol.address;
    }
    /// An error of this code, whose text has these words.
    void fails(mog_code code, mog_code expected, std::string_view words) {
        CHECK(std::string(mog_code_name(code)) == mog_code_name(expected));
        CHECK(error.code == code);
        CHECK_MESSAGE(std::string_view(error.text).find(words) != std::string_view::npos, error.text);
    }

    mog_error error{};
    mog_program *program = nullptr;
    mog_run *run = nullptr;
};
