// errors_test.cpp: whatever is wrong is an error with a code and a sentence, and leaves things as they were.
#include "interp_templates/launch_abi.h"
#include "tests/embed/embed_test.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

TEST_CASE("what is no program") {
    Subject s;
    mog_program *program = s.program;
    s.fails(mog_program_open("/nowhere/at/all", &program, &s.error), MOG_ERROR_FILE, "cannot open /nowhere/at/all: No such file");
    CHECK(program == nullptr);
    s.fails(mog_program_open("/", &program, &s.error), MOG_ERROR_FILE, "is a directory");
    s.fails(mog_program_open("/bin/sh", &program, &s.error), MOG_ERROR_PROGRAM, "ordinary executable");
    s.fails(mog_program_open("/dev/null", &program, &s.error), MOG_ERROR_PROGRAM, "is not a file that can hold a program");
    s.fails(mog_program_from_memory("MOGInonsense", 12, &program, &s.error), MOG_ERROR_PROGRAM, "");
    s.fails(mog_program_from_memory("", 0, &program, &s.error), MOG_ERROR_PROGRAM, "");
    CHECK(program == nullptr);

    std::ifstream file(program_under_test(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    mog_program *copy = nullptr;
    s.ok(mog_program_from_memory(bytes.data(), bytes.size(), &copy, &s.error));
    mog_program_free(copy);
    bytes[bytes.size() - 1000] ^= 1;
    s.fails(mog_program_from_memory(bytes.data(), bytes.size(), &program, &s.error), MOG_ERROR_PROGRAM, "damaged");
}

TEST_CASE("parts of a program that do not fit") {
    Subject s;
    // Of an executable: launcher, image, trailer (docs/image.md).
    std::ifstream file(program_under_test(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::uint64_t place[2], checksum;
    std::memcpy(place, bytes.data() + bytes.size() - 24, sizeof place);
    const char *image = bytes.data() + place[0];
    std::memcpy(&checksum, image + 24, sizeof checksum);

    mog_program *program = nullptr;
    const auto none = [] {};
    mog_native_code code{MOG_LAUNCH_VERSION, checksum, none, none, none, {}};
    mog_parts parts{image, place[1], nullptr, nullptr, nullptr};
    s.ok(mog_program_from_parts(&parts, &program, &s.error));
    // The device `host` has an interpreter for a program that brings none.
    mog_run *run = nullptr;
    s.ok(mog_run_new(program, &run, &s.error));
    s.ok(mog_run_set_device(run, "host", &s.error));
    s.ok(mog_run_load(run, &s.error));
    mog_run_free(run);
    mog_program_free(program);

    s.fails(mog_program_from_parts(nullptr, &program, &s.error), MOG_ERROR_ARGUMENT, "parts is NULL");
    s.fails(mog_program_from_parts(&parts, nullptr, &s.error), MOG_ERROR_ARGUMENT, "program is NULL");
    parts.code = &code;
    code.image++;
    s.fails(mog_program_from_parts(&parts, &program, &s.error), MOG_ERROR_PROGRAM, "not of the same run of mogcc");
    code.image--;
    code.version++;
    s.fails(mog_program_from_parts(&parts, &program, &s.error), MOG_ERROR_PROGRAM, "write it anew");
    code.version--;
    code.run = nullptr;
    s.fails(mog_program_from_parts(&parts, &program, &s.error), MOG_ERROR_ARGUMENT, "a kernel of parts->code is NULL");
    code.run = none;
    mog_lanes_code lanes{MOG_LAUNCH_VERSION, checksum, "avx3", none, none, none};
    code.lanes[1] = &lanes;
    s.fails(mog_program_from_parts(&parts, &program, &s.error), MOG_ERROR_ARGUMENT, "no instruction set");
    lanes.simd = "avx2";
    lanes.run = nullptr;
    s.fails(mog_program_from_parts(&parts, &program, &s.error), MOG_ERROR_ARGUMENT, "a kernel of parts->code->lanes is NULL");
    lanes.image++;
    s.fails(mog_program_from_parts(&parts, &program, &s.error), MOG_ERROR_PROGRAM, "not of the same run of mogcc");
    parts.image_bytes -= 8;
    s.fails(mog_program_from_parts(&parts, &program, &s.error), MOG_ERROR_PROGRAM, "damaged");
    parts.image = nullptr;
    s.fails(mog_program_from_parts(&parts, &program, &s.error), MOG_ERROR_ARGUMENT, "parts->image is NULL");
    CHECK(program == nullptr);
}

TEST_CASE("NULL where something has to be") {
    Subject s;
    mog_program *program = s.program;
    mog_run *run = s.run;
    s.fails(mog_program_open(nullptr, &program, &s.error), MOG_ERROR_ARGUMENT, "path is NULL");
    s.fails(mog_program_open(program_under_test(), nullptr, &s.error), MOG_ERROR_ARGUMENT, "program is NULL");
    s.fails(mog_run_new(nullptr, &run, &s.error), MOG_ERROR_ARGUMENT, "program is NULL");
    CHECK(program == nullptr);
    CHECK(run == nullptr);
    s.fails(mog_run_set_pes(run, 1, &s.error), MOG_ERROR_ARGUMENT, "run is NULL");
    s.fails(mog_run_to_end(run, nullptr, &s.error), MOG_ERROR_ARGUMENT, "run is NULL");
    s.fails(mog_list_devices(nullptr, nullptr, nullptr, &s.error), MOG_ERROR_ARGUMENT, "tell is NULL");
    s.fails(mog_memory_read(nullptr, nullptr, 0, &s.error), MOG_ERROR_ARGUMENT, "memory is NULL");
    CHECK(mog_run_to_end(run, nullptr, nullptr) == MOG_ERROR_ARGUMENT);
    CHECK(mog_run_free(nullptr) == MOG_OK);
    CHECK(mog_run_pes(nullptr) == 0);
    mog_run_cancel(nullptr);
    mog_program_free(nullptr);
    Subject t;
    s.fails(mog_run_set_arguments(t.run, 0, 2, nullptr, &s.error), MOG_ERROR_ARGUMENT, "words is NULL");
    const char *holes[] = {"a", nullptr};
    s.fails(mog_run_set_arguments(t.run, 0, 2, holes, &s.error), MOG_ERROR_ARGUMENT, "words[1] is NULL");
    s.fails(mog_run_set_input(t.run, 0, nullptr, 5, &s.error), MOG_ERROR_ARGUMENT, "bytes is NULL");
    s.fails(mog_run_register(t.run, "f", nullptr, nullptr, &s.error), MOG_ERROR_ARGUMENT, "function is NULL");
}

TEST_CASE("settings that are not, or have bad values") {
    Subject s;
    s.fails(mog_run_set_pes(s.run, 0, &s.error), MOG_ERROR_ARGUMENT, "0 is not a number of PEs from 1 to 16777216");
    s.fails(mog_run_set_pes(s.run, (1u << 24) + 1, &s.error), MOG_ERROR_ARGUMENT, "is not a number of PEs");
    s.fails(mog_run_set(s.run, "np", "0", &s.error), MOG_ERROR_ARGUMENT, "\"0\" is not a number of PEs");
    s.fails(mog_run_set(s.run, "colour", "red", &s.error), MOG_ERROR_ARGUMENT, "there is no setting \"colour\"");
    s.fails(mog_run_set(s.run, "mem", "lots", &s.error), MOG_ERROR_ARGUMENT, "mem: \"lots\" is not a size");
    s.fails(mog_run_set(s.run, "stats", "json", &s.error), MOG_ERROR_ARGUMENT, "mog_run_stats()");
    s.fails(mog_run_set_device(s.run, "abacus", &s.error), MOG_ERROR_ARGUMENT, "\"abacus\" is not a device");
    s.fails(mog_run_set_output(s.run, 17, &s.error), MOG_ERROR_ARGUMENT, "17 is not a mog_output");
    s.fails(mog_run_register(
                s.run, "", [](void *, mog_call *, std::size_t, mog_memory *) {}, nullptr, &s.error),
            MOG_ERROR_ARGUMENT, "1 to 127 bytes");
    CHECK(s.to_end() == 0);  // none of it has changed anything
}

TEST_CASE("devices that are not there") {
    Subject s(1, {"exit", "4"});
    s.ok(mog_run_set_device(s.run, "opencl:99", &s.error));
    const mog_code code = mog_run_load(s.run, &s.error);
    CHECK(code == MOG_ERROR_DEVICE);
    CHECK(std::strlen(s.error.text) > 10);
    s.ok(mog_run_set_device(s.run, device_under_test(), &s.error));  // it can be set up differently
    CHECK(s.to_end() == 4);
}

TEST_CASE("settings that do not fit the program") {
    Subject s;
    s.ok(mog_run_set(s.run, "mem", "1K", &s.error));
    s.fails(mog_run_load(s.run, &s.error), MOG_ERROR_SETUP, "is too little");
    s.ok(mog_run_set(s.run, "mem", "64K", &s.error));
    const std::string big(20'000, 'x');
    s.arguments(0, {"start", big.c_str()});
    s.fails(mog_run_load(s.run, &s.error), MOG_ERROR_SETUP, "PE 0: the program's arguments take");
    s.arguments(0, {"exit", "1"});
    CHECK(s.to_end() == 1);
}

TEST_CASE("PEs that are not there") {
    Subject s(3, {"rank"});
    const char *words[] = {"subject"};
    s.fails(mog_run_set_arguments(s.run, 3, 1, words, &s.error), MOG_ERROR_PE, "there is no PE 3: they are 0 to 2");
    s.fails(mog_run_set_environment(s.run, 3, 0, nullptr, &s.error), MOG_ERROR_PE, "there is no PE 3");
    s.fails(mog_run_set_input(s.run, 7, "", 0, &s.error), MOG_ERROR_PE, "there is no PE 7");
    s.arguments(2, {"rank"});
    s.ok(mog_run_set_pes(s.run, 2, &s.error));
    s.fails(mog_run_load(s.run, &s.error), MOG_ERROR_PE, "are set for PE 2, but there are only PEs 0 to 1");
    s.ok(mog_run_set_pes(s.run, 3, &s.error));
    s.load();
    mog_pe_end end;
    s.fails(mog_run_pe_end(s.run, 3, &end, &s.error), MOG_ERROR_PE, "there is no PE 3");
    const char *bytes;
    std::size_t size;
    s.fails(mog_run_output(s.run, UINT32_MAX, 1, &bytes, &size, &s.error), MOG_ERROR_PE, "there is no PE 4294967295");
    s.fails(mog_run_output(s.run, 0, 3, &bytes, &size, &s.error), MOG_ERROR_ARGUMENT, "3 is not a stream");
}

TEST_CASE("addresses that are not memory, symbols that are not variables") {
    Subject s(2);
    mog_symbol symbol;
    s.fails(mog_program_symbol(s.program, "nothing_of_that_name", &symbol, &s.error), MOG_ERROR_SYMBOL, "no variable nothing_of_that_name");
    s.fails(mog_program_symbol(s.program, "main", &symbol, &s.error), MOG_ERROR_SYMBOL, "no variable main");
    s.load();
    std::uint32_t begin = 0, size = 0;
    s.ok(mog_run_memory(s.run, &begin, &size, &s.error));
    char bytes[16] = {};
    s.fails(mog_run_read(s.run, 0, 0, bytes, 4, &s.error), MOG_ERROR_ADDRESS, "4 bytes at 0x0 are not all in the memory of PE 0");
    s.fails(mog_run_read(s.run, 0, begin + size - 2, bytes, 4, &s.error), MOG_ERROR_ADDRESS, "are not all");
    s.fails(mog_run_write(s.run, 1, UINT32_MAX - 1, bytes, 16, &s.error), MOG_ERROR_ADDRESS, "are not all");
    s.fails(mog_run_read(s.run, 2, begin, bytes, 4, &s.error), MOG_ERROR_PE, "there is no PE 2");
    s.fails(mog_run_read(s.run, 0, begin, bytes, std::size_t{1} << 33, &s.error), MOG_ERROR_ADDRESS, "more than a PE has addresses");
    s.fails(mog_run_read(s.run, 0, begin, nullptr, 4, &s.error), MOG_ERROR_ARGUMENT, "has no bytes");
    s.fails(mog_run_write_pieces(s.run, nullptr, 3, &s.error), MOG_ERROR_ARGUMENT, "pieces is NULL");
    s.ok(mog_run_read(s.run, 0, 0, nullptr, 0, &s.error));  // nothing of nowhere
    CHECK(s.to_end() == 0);
}

TEST_CASE("calls at the wrong time") {
    Subject s(1, {"exit", "0"});
    std::uint32_t word = 0;
    mog_pe_end end;
    s.fails(mog_run_read(s.run, 0, 0x10000000, &word, 4, &s.error), MOG_ERROR_STATE, "not loaded");
    s.fails(mog_run_pe_end(s.run, 0, &end, &s.error), MOG_ERROR_STATE, "not loaded");
    s.load();
    s.fails(mog_run_load(s.run, &s.error), MOG_ERROR_STATE, "loaded already");
    s.fails(mog_run_set_pes(s.run, 2, &s.error), MOG_ERROR_STATE, "has to be said before");
    const char *json;
    s.fails(mog_run_stats(s.run, &json, &s.error), MOG_ERROR_STATE, "has not ended");
    mog_run_state state;
    s.fails(mog_run_for(s.run, -1, 0, &state, &s.error), MOG_ERROR_ARGUMENT, "-1 is not a number of seconds");
    s.fails(mog_run_for(s.run, NAN, 0, &state, &s.error), MOG_ERROR_ARGUMENT, "nan is not a number of seconds");
    s.ok(mog_run_for(s.run, HUGE_VAL, 0, &state, &s.error));
    CHECK(state == MOG_RUN_ENDED);
    s.fails(mog_run_to_end(s.run, nullptr, &s.error), MOG_ERROR_STATE, "has ended");
    s.ok(mog_run_read(s.run, 0, 0x10000000, &word, 4, &s.error));  // its memory is still there
    CHECK(word == 1);
}

TEST_CASE("calls from callbacks") {
    Subject s(1, {"exit", "6"});
    static mog_code codes[3];
    s.ok(mog_run_on_progress(
        s.run,
        [](void *user, const mog_progress *) {
            auto *const run = static_cast<mog_run *>(user);
            mog_error error;
            std::uint32_t word;
            codes[0] = mog_run_read(run, 0, 0x10000000, &word, 4, &error);
            codes[1] = mog_run_to_end(run, nullptr, &error);
            codes[2] = mog_run_free(run);
        },
        s.run, &s.error));
    CHECK(s.to_end() == 6);
    for (const mog_code code : codes) CHECK(code == MOG_ERROR_STATE);
}

TEST_CASE("a text too long for an error is cut") {
    Subject s;
    const std::string long_name(5000, 'n');
    const mog_code code = mog_run_set(s.run, long_name.c_str(), "", &s.error);
    s.fails(code, MOG_ERROR_ARGUMENT, "there is no setting");
    CHECK(std::strlen(s.error.text) == sizeof s.error.text - 1);
    CHECK(std::string_view(s.error.text).substr(sizeof s.error.text - 4) == "...");
}

TEST_CASE("codes have names") {
    CHECK(std::string(mog_code_name(MOG_ERROR_SYMBOL)) == "MOG_ERROR_SYMBOL");
    CHECK(std::string(mog_code_name(99)) == "unknown code");
    CHECK(mog_version() ==
          std::to_string(MOG_VERSION_MAJOR) + "." + std::to_string(MOG_VERSION_MINOR) + "." + std::to_string(MOG_VERSION_PATCH));
}
