// settings.hpp: what a user can say about MPI, as options set it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime_host/mpi/base/limits.hpp"

namespace mog::mpi {

struct Settings {
    Limits limits;
    bool check = false;  ///< sentences about what a program left behind say where that came from
    enum class Statistics : std::uint8_t { None, Text, Json } statistics = Statistics::None;
    bool for_report = false;                 ///< they are for --profile-report, too
    std::string matrix;                      ///< file for the picture of who sends to whom; empty: none
    std::string trace;                       ///< file for the trace; empty: none
    std::vector<std::uint32_t> trace_ranks;  ///< empty: all
    bool keeps_statistics() const { return statistics != Statistics::None || for_report || !matrix.empty(); }
};

}  // namespace mog::mpi
