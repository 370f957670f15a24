// call_names.hpp: what people call the calls that come to the engine.
#pragma once

#include <string>
#include <string_view>

#include "runtime_host/mpi/pt2pt/messages.hpp"

namespace mog::mpi {

/// The function of MPI behind a call: "MPI_Isend". One that is made of several operations is called by these:
/// MPI_Sendrecv comes as MPI_Irecv, MPI_Send and MPI_Wait.
std::string name_of(const MpiCall &call);

/// Payload of a send, bytes of a member's block in collectives; 0 where one number does not say it, as for
/// MPI_Alltoallv.
u64 bytes_of(const MpiCall &call);

/// "tag 7", "any tag"
std::string name_of_tag(std::int32_t tag);
/// "MPI_COMM_WORLD", "a communicator of 4 ranks (context 5)"
std::string name_of_communicator(u32 context, const Communicators &communicators);
/// "Invalid rank"; nothing for MPI_SUCCESS, and where there is no such class.
std::string_view text_of_error(u32 error_class);

}  // namespace mog::mpi
