// files.hpp: MPI-IO: what PEs read from files and write to them in a round, done in the order of ranks with few large
// reads and writes of the host; and file pointers that ranks share.
//
// Files are those that PEs have open (runtime_host/linux/files.hpp): thousands that open the same one share a descriptor of
// the host, and paths, limits and permissions are those of open(). Here comes only what they do with them.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "runtime_host/mpi/base/host.hpp"
#include "runtime_host/mpi/base/staging.hpp"
#include "runtime_host/mpi/comm/communicators.hpp"
#include "runtime_host/mpi/pt2pt/messages.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"

namespace mog::mpi {

/// File pointers that all who opened a file share: one for each communicator, which is the file's own. With members in several processes
/// the leader of these has it, by the name that it has everywhere.
class SharedPointers {
public:
    using Name = std::pair<u32, GlobalContext>;  ///< a context here, or MOG_MPI_NO_CONTEXT and one of several processes
    // What it was before. It stays where files can have bytes: from 0 to `most`.
    static constexpr std::int64_t most = INT64_MAX - INT32_MAX;
    std::int64_t add(const Name &name, std::int64_t bytes) {
        std::int64_t &at = at_[name];
        return std::exchange(at, at + std::clamp<std::int64_t>(bytes, 0, most - at));
    }
    std::int64_t set(const Name &name, std::int64_t bytes) { return std::exchange(at_[name], std::clamp<std::int64_t>(bytes, 0, most)); }
    void forget(const Name &name) { at_.erase(name); }

    static void carry(auto &self, auto &archive) { archive(self.at_); }
    bool is_sound(const Communicators &communicators) const {
        return std::ranges::all_of(at_, [&](const auto &one) {
            const auto &[context, id] = one.first;
            const bool is_known = context == MOG_MPI_NO_CONTEXT ? communicators.find_global(id) != MOG_MPI_NO_CONTEXT
                                                                : context < communicators.count() && id == GlobalContext{};
            return is_known && one.second >= 0 && one.second <= most;
        });
    }

private:
    std::map<Name, std::int64_t> at_;
};

class Files {
public:
    /// `bridge`: to other processes; null: there are none.
    Files(Communicators &communicators, Delivery &delivery, const Host &host, Bridge *bridge)
        : communicators_(communicators), delivery_(delivery), host_(host), bridge_(bridge) {}

    /// MOG_MPI_file_read, MOG_MPI_file_write: done at the end of the round.
    void move(const MpiCall &call);
    /// MOG_MPI_file_pointer, MOG_MPI_file_size.
    void pointer(const MpiCall &call);
    void size(const MpiCall &call);
    Result<void> end_round();
    /// Frame::Pointer, Frame::PointerWas.
    void take(Frame kind, FrameReader frame);
    /// A communicator is no more. `id`: its name, if it had members elsewhere.
    /// Between rounds (support/archive.hpp): no access is under way.
    static void carry(auto &self, auto &archive) { archive(self.pointers_); }
    bool is_sound() const { return pointers_.is_sound(communicators_); }
    void forget(u32 context, const GlobalContext &id) { pointers_.forget({id == GlobalContext{} ? context : MOG_MPI_NO_CONTEXT, id}); }

private:
    static constexpr u64 bytes_of_call = 16 << 10;  ///< that are copied in the time of a call of the host
    struct Access {
        u32 pe, runs, run_count, address, bytes;
        bool writes;
        std::shared_ptr<OpenFile> file;
        u32 done = 0;        ///< bytes that were read or written
        int error = 0;       ///< a class of MPI
        bool ended = false;  ///< nothing more comes: the end of the file, or an error
        // What is large goes slice by slice.
        u32 at = 0;              ///< bytes that are in slices so far
        u32 run = 0, block = 0;  ///< what comes next: a run, a block of it, from a byte of that on
        u32 byte = 0;
        u32 begin = 0, staging = 0;  ///< of the slice being done: its first byte, and where that is staged
        u32 slice_bytes() const { return static_cast<u32>(std::min<u64>(bytes - at, most_staging)); }
        u32 slice_runs() const { return static_cast<u32>(std::min<u64>(run_count - run, most_staging / sizeof(mog_mpi_file_run))); }
        u64 room() const { return to_words(slice_bytes()) + sizeof(mog_mpi_file_run) * slice_runs(); }
        bool is_finished() const { return error != 0 || ended || at == bytes || run == run_count; }
    };
    /// What follows each other in a file, of one or several accesses.
    struct Piece {
        Access *access;
        std::int64_t offset;
        u32 staging, bytes;
    };
    std::int64_t move_pointer(const SharedPointers::Name &name, bool sets, std::int64_t number);
    Result<void> move_some(std::span<Access> accesses);
    void add_pieces(Access &access, std::span<const mog_mpi_file_run> runs, u32 most);
    void add_piece(const Piece &piece);
    void do_pieces();
    /// Pieces that are left out because the run is over; move_some() says so.
    bool is_over() { return delivery_.is_over_after(bytes_of_call); }
    void read_pieces(std::int64_t begin, u64 bytes);
    void write_pieces(std::int64_t begin, u64 bytes);

    Communicators &communicators_;
    Delivery &delivery_;
    const Host &host_;
    Bridge *bridge_;
    SharedPointers pointers_;
    std::vector<Access> accesses_;
    // Of those that are being done.
    std::vector<u8> staging_, block_;
    std::vector<Piece> pieces_;
};

}  // namespace mog::mpi
