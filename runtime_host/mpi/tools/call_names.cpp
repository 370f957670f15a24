// call_names.cpp: names of calls, communicators and errors, from the tables of abi/.
#include "runtime_host/mpi/tools/call_names.hpp"

#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/combine.hpp"

namespace mog::mpi {

std::string name_of(const MpiCall &call) {
    const std::string_view function = function_of(call.operation());
    const std::size_t first = function.find('_') + 1;
    std::string kind(call.has(MOG_MPI_NONBLOCKING) ? "i" : "");
    if (call.has(MOG_MPI_SYNCHRONOUS)) kind += 's';
    if (call.has(MOG_MPI_MATCHED)) kind += 'm';
    if (kind.empty()) return std::string(function);
    std::string name = kind + std::string(function.substr(first));
    name[kind.size()] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[kind.size()])));
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return std::string(function.substr(0, first)) + name;
}

u64 bytes_of(const MpiCall &call) {
    switch (call.operation()) {
        case MOG_MPI_send:
        case MOG_MPI_bcast:
        case MOG_MPI_gather:
        case MOG_MPI_scatter:
        case MOG_MPI_allgather:
        case MOG_MPI_alltoall: return call.words[6];
        case MOG_MPI_reduce:
        case MOG_MPI_allreduce:
        case MOG_MPI_reduce_scatter_block:
        case MOG_MPI_scan:
        case MOG_MPI_exscan: return u64{call.words[6]} * size_of_type(call.type());
        default: return 0;
    }
}

std::string name_of_tag(std::int32_t tag) { return tag == MPI_ANY_TAG ? "any tag" : fmt::format("tag {}", tag); }

std::string name_of_communicator(u32 context, const Communicators &communicators) {
    const u32 own = context & ~MOG_MPI_INTERNAL;
    if (own == MOG_MPI_WORLD) return "MPI_COMM_WORLD";
    if (own == MOG_MPI_SELF) return "MPI_COMM_SELF";
    if (const Communicator &c = communicators[own]; c.is_inter)
        return fmt::format("an intercommunicator of {} and {} ranks (context {})", c.size, c.remote_size, own);
    return fmt::format("a communicator of {} ranks (context {})", communicators[own].size, own);
}

std::string_view text_of_error(u32 error_class) {
    switch (error_class) {
        case MPI_SUCCESS: return {};
#define X(error, text) \
    case error:        \
        return text;
#include "abi/mpi_errors.def"
#undef X
        default: return {};
    }
}

}  // namespace mog::mpi
