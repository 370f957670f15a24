// files.hpp: MPI-IO: what PEs read from files and write to them in a round, done in the order of ranks with few large
// reads and writes of the host; and file pointers that ranks share.
//
// Files are those that PEs have open (runtime_host/files.hpp): thousands that open the same one share a descriptor of
// the host, and paths, limits and permissions are those of open(). Here comes only what they do with them.
#pragma once

#include <map>
#include <vector>

#include "runtime_host/mpi/communicators.hpp"
#include "runtime_host/mpi/host.hpp"
#include "runtime_host/mpi/messages.hpp"

namespace mog::mpi {

/// File pointers that all who opened a file share: one for each communicator, which is the file's own.
class SharedPointers {
public:
    /// What it was before.
    std::int64_t add(u32 context, std::int64_t bytes) { return exchange(context, at_[context] + bytes); }
    std::int64_t set(u32 context, std::int64_t bytes) { return exchange(context, bytes); }
    void forget(u32 context) { at_.erase(context); }

private:
    std::int64_t exchange(u32 context, std::int64_t bytes) {
        const std::int64_t before = at_[context];
        at_[context] = bytes;
        return before;
    }
    std::map<u32, std::int64_t> at_;
};

class Files {
public:
    Files(Communicators &communicators, Delivery &delivery, const Host &host)
        : communicators_(communicators), delivery_(delivery), host_(host) {}

    /// MOG_MPI_file_read, MOG_MPI_file_write: done at the end of the round.
    void move(const MpiCall &call);
    /// MOG_MPI_file_pointer, MOG_MPI_file_size.
    void pointer(const MpiCall &call);
    void size(const MpiCall &call);
    Result<void> end_round();
    void forget(u32 context) { pointers_.forget(context); }

private:
    struct Access {
        u32 pe, runs, run_count, address, bytes;
        bool writes;
        std::shared_ptr<OpenFile> file;
        u32 staging = 0;     ///< where its bytes are
        u32 done = 0;        ///< that were read or written
        int error = 0;       ///< a class of MPI
        bool ended = false;  ///< nothing more comes: the end of the file, or an error
    };
    /// What follows each other in a file, of one or several accesses.
    struct Piece {
        Access *access;
        std::int64_t offset;
        u32 staging, bytes;
    };
    Result<void> move_some(std::span<Access> accesses);
    void add_pieces(Access &access, std::span<const mog_mpi_file_run> runs);
    void add_piece(const Piece &piece);
    void do_pieces();
    void read_pieces(std::int64_t begin, u64 bytes);
    void write_pieces(std::int64_t begin, u64 bytes);

    Communicators &communicators_;
    Delivery &delivery_;
    const Host &host_;
    SharedPointers pointers_;
    bool told_shared_ = false;
    std::vector<Access> accesses_;
    // Of those that are being done.
    std::vector<u8> staging_, block_;
    std::vector<Piece> pieces_;
};

}  // namespace mog::mpi
