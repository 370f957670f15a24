// mpi_test.cpp: what a host sees of a program that calls MPI: results, ends and their causes, statistics, files.
#include "tests/embed/embed_test.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

std::string text_of(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A file that goes with the test.
struct Scratch {
    explicit Scratch(const char *name)
        : path(std::filesystem::temp_directory_path() / (std::string("mog_embed_") + std::to_string(getpid()) + name)) {}
    Scratch(const Scratch &) = delete;
    ~Scratch() { std::filesystem::remove(path); }
    std::filesystem::path path;
};

}  // namespace

TEST_CASE("MPI: ranks work together, and statistics tell of each") {
    const Scratch matrix("matrix.svg"), trace("trace.json");
    Subject s(4, {"mpi-sum"});
    s.ok(mog_run_set(s.run, "mpi-stats", "", &s.error));
    s.ok(mog_run_set(s.run, "mpi-matrix", matrix.path.c_str(), &s.error));
    s.ok(mog_run_set(s.run, "mpi-trace", trace.path.c_str(), &s.error));
    s.load();
    const char *json = nullptr;
    s.fails(mog_run_mpi_stats(s.run, &json, &s.error), MOG_ERROR_STATE, "has not ended");
    CHECK(s.to_end() == 6);
    CHECK(s.end(3).status == 6);
    s.ok(mog_run_mpi_stats(s.run, &json, &s.error));
    const std::string text = json;
    CHECK(text.find("\"ranks\": 4") != std::string::npos);
    CHECK(text.find("MPI_Allreduce") != std::string::npos);
    CHECK(text.find("\"by_rank\"") != std::string::npos);
    CHECK(text_of(matrix.path).starts_with("<svg"));
    CHECK(text_of(trace.path).find("MPI_Allreduce") != std::string::npos);
}

TEST_CASE("MPI: statistics that there are not") {
    Subject s(2, {"mpi-sum"});
    const char *json = nullptr;
    s.to_end();
    s.fails(mog_run_mpi_stats(s.run, &json, &s.error), MOG_ERROR_STATE, "without the setting \"mpi-stats\"");
    s.fails(mog_run_mpi_stats(s.run, nullptr, &s.error), MOG_ERROR_ARGUMENT, "json is NULL");
    Subject alone(1, {"rank"});
    alone.ok(mog_run_set(alone.run, "mpi-stats", "json", &alone.error));
    alone.to_end();
    alone.fails(mog_run_mpi_stats(alone.run, &json, &alone.error), MOG_ERROR_STATE, "no PE has called a function of MPI");
}

TEST_CASE("MPI: files that cannot be written are errors before the run") {
    for (const char *setting : {"mpi-trace", "mpi-matrix"}) {
        Subject s(2, {"mpi-sum"});
        s.ok(mog_run_set(s.run, setting, "/nowhere/file", &s.error));
        s.fails(mog_run_load(s.run, &s.error), MOG_ERROR_SETUP, "cannot write /nowhere/file");
        s.ok(mog_run_set(s.run, setting, "", &s.error));
        CHECK(s.to_end() == 1);
    }
}

TEST_CASE("MPI: who aborted, and who ended with it") {
    Subject s(3, {"mpi-abort"});
    CHECK(s.to_end() == 42);
    CHECK(s.end(1).by == MOG_ENDED_BY_ABORT);
    CHECK(std::string(s.cause(1).text) == "MPI_Abort with code 42");
    CHECK(std::string(s.cause(1).function) == "call_mpi");
    CHECK(s.cause(1).line > 0);
    CHECK(s.end(0).by == MOG_ENDED_BY_OTHER);
    CHECK(std::string(s.cause(0).text).empty());
}

TEST_CASE("MPI: what each rank of a deadlock waits for") {
    Subject s(2, {"mpi-wait"});
    CHECK(s.to_end() == 1);
    CHECK(s.end(1).by == MOG_ENDED_BY_DEADLOCK);
    CHECK(std::string(s.cause(1).text) == "deadlock: waits for a message from rank 0, tag 7, MPI_COMM_WORLD");
    CHECK(std::string(s.cause(0).text).find("MPI_Finalize") != std::string::npos);
}
