// cuda_launches_test.cpp: which launch is asked to end early, whatever comes first: on a card, or on tests/cuda's stand-in for one.
#include "runtime_host/devices/cuda/cuda_launches.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "interp_templates/launch_abi.h"
#include "runtime_host/devices/cuda/cuda_api.hpp"
#include "runtime_host/devices/cuda/cuda_session.hpp"

namespace {

using namespace mog;

/// Launches of kernels that run nobody: all PEs stay as they are.
struct Idle {
    CudaSession session;
    WaitingAnswers answers;
    std::vector<CudaLaunches::Buffers> begun;
    std::vector<std::uint32_t> pes;
    double ran = 0;
    CudaLaunches launches;

    explicit Idle(std::uint32_t nproc)
        : pes(nproc),
          launches(
              session, answers, nproc,
              [this](const CudaLaunches::Buffers &buffers, std::uint32_t, std::uint32_t) -> Result<void> {
                  begun.push_back(buffers);
                  return {};
              },
              [this](double seconds) { ran += seconds; }) {
        const Result<const CudaApi *> api = cuda_api();
        REQUIRE(api);
        REQUIRE(session.open(**api, 0));
        answers.reset(nproc);
        std::iota(pes.begin(), pes.end(), 0u);
    }
    void start() { REQUIRE(launches.start(pes, 1000)); }
    /// Until the launches under way are over.
    std::size_t end() {
        ConcurrentLaunches::News news;
        while (launches.some_run()) REQUIRE(launches.take(news));
        return news.over.size();
    }
    bool ends_early(const CudaLaunches::Buffers &buffers) {
        std::array<std::uint32_t, MOG_N_WORDS> words{};
        for (bool done = false; !done;) {
            const Result<bool> asked = session.is_done(buffers.stream);
            REQUIRE(asked);
            done = *asked;
        }
        REQUIRE(session.read(buffers.nrequests, words.data(), sizeof words));
        REQUIRE(session.finish());
        CHECK(words[0] == 0);
        CHECK(words[MOG_N_PASSES_PER_LOOK] != 0);
        return words[MOG_N_ENDS] == words[MOG_N_LAUNCH];
    }
};

}  // namespace

TEST_SUITE_BEGIN("cuda");

TEST_CASE("cuda: a launch that is asked to end early ends early, and the next one in its place does not") {
    Idle idle(100);
    // Many times, for what comes first is nobody's choice.
    for (int i = 0; i < 200; i++) {
        idle.start();
        CHECK_FALSE(idle.ends_early(idle.begun.back()));
        REQUIRE(idle.launches.end_all());
        CHECK(idle.ends_early(idle.begun.back()));
        CHECK(idle.end() == 1);
        idle.start();
        REQUIRE(idle.launches.end_all());  // perhaps before it has begun
        CHECK(idle.ends_early(idle.begun.back()));
        // And it is asked again as it ends.
        REQUIRE(idle.launches.end_all());
        CHECK(idle.end() == 1);
    }
}

TEST_CASE("cuda: of several launches the smallest ends early") {
    Idle idle(100);
    idle.start();
    idle.pes.resize(10);
    idle.start();
    REQUIRE(idle.launches.end_smallest());
    CHECK_FALSE(idle.ends_early(idle.begun[0]));
    CHECK(idle.ends_early(idle.begun[1]));
    CHECK(idle.end() == 2);
}

TEST_SUITE_END();
