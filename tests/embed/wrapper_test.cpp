// wrapper_test.cpp: the same through mog.hpp: values, exceptions, exceptions of callbacks.
#include "mog.hpp"

#include "tests/embed/embed_test.hpp"

#include <stdexcept>

namespace {

mog::Run square_on(const mog::Program &program, std::uint32_t pes) {
    mog::Run run(program);
    run.set_device(device_under_test()).set_pes(pes).set("mem", "256K").set_arguments({"subject", "square"});
    return run;
}

}  // namespace

TEST_CASE("C++: a parameter for each PE, a result of each") {
    mog::Program program(program_under_test());
    mog::Run run = square_on(program, 4);
    run.load();
    run.write_all<std::int32_t>(program.symbol("parameter").address, {1, 2, 3, 4});
    CHECK(run.to_end() == 0);
    CHECK(run.read_all<double>(program.symbol("result").address) == std::vector<double>{1.5, 4.5, 9.5, 16.5});
    CHECK(run.state() == MOG_RUN_ENDED);
    CHECK(run.end_of(3).by == MOG_ENDED_BY_EXIT);
    CHECK(run.stats().find("\"device\"") != std::string::npos);
}

TEST_CASE("C++: arguments, environment, input and output") {
    mog::Program program(program_under_test());
    mog::Run run(program);
    run.set_device(device_under_test()).set_pes(2).set_arguments({"subject", "start"}).set_environment({"WHO=me"}, 1);
    run.set_arguments({"subject", "cat"}, 0).set_input("input", 0);
    mog::Run moved = std::move(run);
    CHECK(moved.to_end() == 0);
    CHECK(moved.output(0) == "input");
    CHECK(moved.output(1) == "1 of 2: WHO=me\n");
}

TEST_CASE("C++: errors are exceptions with their code") {
    mog_code code = MOG_OK;
    try {
        mog::Program program("/nowhere");
    } catch (const mog::Error &error) {
        code = error.code();
        CHECK(std::string(error.what()).find("/nowhere") != std::string::npos);
    }
    CHECK(code == MOG_ERROR_FILE);
    mog::Program program(program_under_test());
    CHECK_THROWS_AS(mog::Run(program).set_pes(0), mog::Error);
}

TEST_CASE("C++: what a callback throws comes out of the run, which it ends") {
    mog::Program program(program_under_test());
    mog::Run run(program);
    run.set_device(device_under_test()).set_arguments({"subject", "loop"});
    run.on_progress([](const mog_progress &) { throw std::runtime_error("enough"); });
    CHECK_THROWS_WITH(run.to_end(), "enough");
    CHECK(run.state() == MOG_RUN_CANCELLED);
}

TEST_CASE("C++: slices") {
    mog::Program program(program_under_test());
    mog::Run run(program);
    run.set_device(device_under_test()).set_arguments({"subject", "loop"});
    CHECK_FALSE(run.run_for(std::chrono::milliseconds(10)));
    run.cancel();
    CHECK(run.run_for(std::chrono::seconds(0)));
}

TEST_CASE("C++: devices are listed") {
    mog::Program program(program_under_test());
    bool found = false;
    for (const mog::Device &device : mog::list_devices(&program)) found |= device.id == "reference" && !device.description.empty();
    CHECK(found);
}

TEST_CASE("C++: an empty function is none, and one that comes too late changes nothing") {
    mog::Program program(program_under_test());
    mog::Run run = square_on(program, 2);
    run.set_arguments({"subject", "start"}).on_output([](std::uint32_t, int, std::string_view) { return 0; }).on_output(nullptr);
    run.on_progress(nullptr).on_log(nullptr);
    CHECK_THROWS_WITH(run.register_native("nothing", nullptr), "function is NULL");
    int told = 0;
    // What is called tries to put another in its own place.
    run.on_progress([&](const mog_progress &) {
        CHECK_THROWS_AS(run.on_progress([](const mog_progress &) { FAIL("was refused"); }), mog::Error);
        told++;
    });
    CHECK(run.to_end() == 0);
    CHECK(run.output(1) == "1 of 2: WHO=nobody\n");
    CHECK(told > 0);
}

TEST_CASE("C++: a run that was moved from is none") {
    mog::Program program(program_under_test());
    mog::Run run = square_on(program, 1);
    const mog::Run moved = std::move(run);
    CHECK(moved.state() == MOG_RUN_SETUP);
    run.cancel();
    CHECK(run.pes() == 0);
    CHECK_THROWS_WITH(run.load(), "run is NULL");
    CHECK_THROWS_WITH(run.to_end(), "run is NULL");
    CHECK_THROWS_WITH(run.on_log([](std::string_view) {}), "run is NULL");
}
