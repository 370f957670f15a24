// call_names.cpp
#include "runtime_host/mpi/tools/call_names.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "runtime_host/mpi/coll/combine.hpp"
#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

namespace {

std::string_view name_of_operation(u32 operation) {
    switch (operation) {
#define MOG_NAME(name, number, ...) \
    case number:                    \
        return #name;
        MOG_MPI_OPERATIONS(MOG_NAME)
#undef MOG_NAME
        default:
            return "unknown";
    }
}

/// Operations whose functions have other names.
constexpr struct {
    std::string_view operation, function;
} renamed[] = {
    {"initialize", "init"},  {"yield", "test"},         {"receive", "recv"},
    {"split", "comm_split"}, {"create", "comm_create"}, {"free", "comm_free"},
    {"combine", "reduce_local"},
    {"file_pointer", "file_seek_shared"},
    {"file_size", "file_get_size"},
    {"win_access", "win_flush"},
    {"join", "intercomm_create"},
    {"merge", "intercomm_merge"},
};

}  // namespace

std::string name_of(const MpiCall &call) {
    std::string_view own = name_of_operation(call.operation());
    if (const auto *found = std::ranges::find(renamed, own, [](const auto &r) { return r.operation; });
        found != std::end(renamed))
        own = found->function;
    std::string name(call.has(MOG_MPI_NONBLOCKING) ? "i" : "");
    if (call.has(MOG_MPI_SYNCHRONOUS)) name += 's';
    if (call.has(MOG_MPI_MATCHED)) name += 'm';
    name += own;
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return "MPI_" + name;
}

u64 bytes_of(const MpiCall &call) {
    switch (call.operation()) {
        case MOG_MPI_send:
        case MOG_MPI_bcast:
        case MOG_MPI_gather:
        case MOG_MPI_scatter:
        case MOG_MPI_allgather:
        case MOG_MPI_alltoall:
            return call.words[6];
        case MOG_MPI_reduce:
        case MOG_MPI_allreduce:
        case MOG_MPI_reduce_scatter_block:
        case MOG_MPI_scan:
        case MOG_MPI_exscan:
            return u64{call.words[6]} * size_of_type(call.type());
        default:
            return 0;
    }
}

std::string name_of_tag(std::int32_t tag) {
    return tag == MPI_ANY_TAG ? "any tag" : fmt::format("tag {}", tag);
}

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
        case MPI_SUCCESS:
            return {};
#define X(error, text)  \
    case error:         \
        return text;
#include "runtime_pe/mpi/mog_mpi_errors.def"
#undef X
        default:
            return {};
    }
}

}  // namespace mog::mpi
