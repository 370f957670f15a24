// files.cpp
#include "runtime_host/mpi/io/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "abi/mpi_constants.h"

namespace mog::mpi {

namespace {

constexpr std::size_t most_pieces = 1u << 16;  // for one of these
constexpr u64 most_block = 4u << 20;           // of one read or write of the host

int class_of(HostResult failure) {
    switch (-failure) {
        case ENOSPC: return MPI_ERR_NO_SPACE;
        case EDQUOT: return MPI_ERR_QUOTA;
        case EROFS: return MPI_ERR_READ_ONLY;
        case EACCES:
        case EPERM:
        case EBADF: return MPI_ERR_ACCESS;
        default: return MPI_ERR_IO;
    }
}

std::int64_t wide(u32 low, u32 high) { return static_cast<std::int64_t>(u64{high} << 32 | low); }

}  // namespace

void Files::move(const MpiCall &call) {
    const u32 *w = call.words;
    const u32 runs = w[3], count = w[4], address = w[5], bytes = w[6];
    const bool writes = call.operation() == MOG_MPI_file_write;
    std::shared_ptr<OpenFile> file = host_.file(call.pe, w[1]);
    int error = MPI_SUCCESS;
    if (!file) error = MPI_ERR_FILE;
    else if ((file->flags & O_ACCMODE) == (writes ? O_RDONLY : O_WRONLY)) error = MPI_ERR_ACCESS;
    else if (bytes > INT32_MAX || !delivery_.has_buffer(address, bytes, !writes)) error = MPI_ERR_BUFFER;
    else if (runs % 4 != 0 || !delivery_.has_memory(runs, u64{sizeof(mog_mpi_file_run)} * count)) error = MPI_ERR_ARG;
    if (error != MPI_SUCCESS) return delivery_.resume(call.pe, failed(error));
    if (bytes == 0 || count == 0) return delivery_.resume(call.pe, 0);
    accesses_.push_back({call.pe, runs, count, address, bytes, writes, std::move(file)});
}

void Files::pointer(const MpiCall &call) {
    const u32 *w = call.words;
    const Communicator *c = communicators_.find(w[1], w[2], call.pe);
    if (!c || c->is_self) return delivery_.resume(call.pe, failed(MPI_ERR_COMM));
    if (w[6] % 4 != 0 || !delivery_.has_room(w[6], sizeof(std::int64_t))) return delivery_.resume(call.pe, failed(MPI_ERR_ARG));
    const std::int64_t number = wide(w[4], w[5]);
    if (w[3] != 0 && (number < 0 || number > SharedPointers::most)) return delivery_.resume(call.pe, failed(MPI_ERR_ARG));
    if (c->span && c->span->leader != bridge_->process()) {
        const PointerRequest request{c->span->id, communicators_.world().rank_of(call.pe), w[6], w[3], 0, number};
        return bridge_->send(c->span->leader, Frame::Pointer, head_bytes(request));
    }
    const SharedPointers::Name name =
        c->span ? SharedPointers::Name{MOG_MPI_NO_CONTEXT, c->span->id} : SharedPointers::Name{w[1] & ~MOG_MPI_INTERNAL, {}};
    const std::int64_t before = move_pointer(name, w[3] != 0, number);
    delivery_.put(call.pe, w[6], head_bytes(before));
    delivery_.resume(call.pe, 0);
}

/// Accesses only go forward, and by what memory holds. What it was before.
std::int64_t Files::move_pointer(const SharedPointers::Name &name, bool sets, std::int64_t number) {
    return sets ? pointers_.set(name, number) : pointers_.add(name, std::clamp<std::int64_t>(number, 0, INT32_MAX));
}

void Files::take(Frame kind, FrameReader frame) {
    const World &world = communicators_.world();
    if (kind == Frame::Pointer) {
        const auto request = frame.take<PointerRequest>();
        const std::int64_t before = move_pointer({MOG_MPI_NO_CONTEXT, request.context}, request.sets != 0, request.number);
        return bridge_->send(world.process_of(request.rank), Frame::PointerWas,
                             head_bytes(PointerAnswer{request.rank, request.address, before}));
    }
    const auto answer = frame.take<PointerAnswer>();
    if (!world.is_here(answer.rank) || !delivery_.has_memory(answer.address, sizeof answer.before)) return;
    delivery_.put(world.pe_of(answer.rank), answer.address, head_bytes(answer.before));
    delivery_.resume(world.pe_of(answer.rank), 0);
}

void Files::size(const MpiCall &call) {
    const u32 *w = call.words;
    const std::shared_ptr<OpenFile> file = host_.file(call.pe, w[1]);
    const std::int64_t wanted = wide(w[4], w[5]);
    struct stat status {};
    if (!file) return delivery_.resume(call.pe, failed(MPI_ERR_FILE));
    if (wanted < 0 || w[6] % 4 != 0 || !delivery_.has_room(w[6], sizeof(std::int64_t)))
        return delivery_.resume(call.pe, failed(MPI_ERR_ARG));
    HostResult done = file->status(&status);
    if (done == 0 && (w[3] == 1 || (w[3] == 2 && status.st_size < wanted))) {
        done = (file->flags & O_ACCMODE) == O_RDONLY ? -EBADF : file->truncate(wanted);
        status.st_size = wanted;
    }
    if (done < 0) return delivery_.resume(call.pe, failed(class_of(done)));
    const std::int64_t size = status.st_size;
    delivery_.put(call.pe, w[6], {reinterpret_cast<const u8 *>(&size), sizeof size});
    delivery_.resume(call.pe, 0);
}

Result<void> Files::end_round() {
    for (std::size_t begin = 0, end = 0; begin < accesses_.size(); begin = end) {
        for (u64 bytes = 0; end < accesses_.size() && (end == begin || bytes + accesses_[end].room() <= most_staging); end++)
            bytes += accesses_[end].room();
        do MOG_TRY(move_some(std::span<Access>(accesses_).subspan(begin, end - begin)));
        while (end == begin + 1 && !accesses_[begin].is_finished());
        for (const Access &a : std::span<Access>(accesses_).subspan(begin, end - begin))
            delivery_.resume(a.pe, a.error != MPI_SUCCESS ? failed(a.error) : a.done);
    }
    accesses_.clear();
    return {};
}

/// The next slices of some accesses: of several all that they have.
Result<void> Files::move_some(std::span<Access> accesses) {
    std::vector<Transfer> lists, data;
    u64 list_bytes = 0, data_bytes = 0;
    for (Access &a : accesses) {
        const auto length = static_cast<u32>(sizeof(mog_mpi_file_run) * a.slice_runs());
        lists.push_back({a.pe, a.runs + static_cast<u32>(sizeof(mog_mpi_file_run) * a.run), length, static_cast<u32>(list_bytes), false});
        list_bytes += length;
        a.begin = a.at;
        a.staging = static_cast<u32>(data_bytes);
        data_bytes += to_words(a.slice_bytes());
        if (a.writes) data.push_back({a.pe, a.address + a.at, a.slice_bytes(), a.staging, false});
    }
    std::vector<mog_mpi_file_run> runs(list_bytes / sizeof(mog_mpi_file_run));
    staging_.resize(data_bytes);
    MOG_TRY(delivery_.fetch(lists, {reinterpret_cast<u8 *>(runs.data()), list_bytes}));
    if (!data.empty()) MOG_TRY(delivery_.fetch(data, staging_));
    std::size_t first = 0;
    for (Access &a : accesses) {
        const u32 count = a.slice_runs();
        add_pieces(a, std::span<const mog_mpi_file_run>(runs).subspan(first, count), a.slice_bytes());
        first += count;
    }
    do_pieces();
    if (delivery_.was_over()) return Error{};
    std::vector<Transfer> came;
    for (const Access &a : accesses)
        if (!a.writes && a.done > a.begin) came.push_back({a.pe, a.address + a.begin, a.done - a.begin, a.staging, false});
    return came.empty() ? Result<void>() : delivery_.put_many(came, staging_);
}

/// Blocks of an access from where it stands, until the runs, or `most` bytes, are used up.
void Files::add_pieces(Access &access, std::span<const mog_mpi_file_run> runs, u32 most) {
    const u32 end = access.at + most;
    for (const mog_mpi_file_run &run : runs) {
        if (delivery_.is_over_after(sizeof run)) return;
        const std::int64_t stride = wide(run.stride_low, run.stride_high);
        std::int64_t offset = wide(run.offset_low, run.offset_high), before;
        if (access.block != 0 &&
            (__builtin_mul_overflow(stride, std::int64_t{access.block}, &before) || __builtin_add_overflow(offset, before, &offset)))
            offset = -1;
        while (run.bytes != 0 && access.block < run.count && access.at < end) {
            const u32 bytes = std::min(run.bytes - access.byte, end - access.at);
            if (offset < 0 || offset > SharedPointers::most) {
                access.error = MPI_ERR_ARG;
                return;
            }
            if (delivery_.was_over()) return;
            add_piece({&access, offset + access.byte, access.staging + (access.at - access.begin), bytes});
            access.at += bytes;
            access.byte += bytes;
            if (access.byte != run.bytes) return;  // the slice ends within a block
            access.byte = 0;
            access.block++;
            if (__builtin_add_overflow(offset, stride, &offset)) offset = -1;
        }
        if (run.bytes != 0 && access.block < run.count) return;
        access.block = 0;
        access.run++;
    }
}

/// Pieces that go on where others end, or lie among them, are done together.
void Files::add_piece(const Piece &piece) {
    if (!pieces_.empty()) {
        const Piece &first = pieces_.front(), &last = pieces_.back();
        const bool is_same = first.access->writes == piece.access->writes && first.access->file->host_fd() == piece.access->file->host_fd();
        const std::int64_t end = last.offset + last.bytes;
        const bool goes_on = piece.offset == end || (!piece.access->writes && piece.offset >= first.offset && piece.offset <= end);
        if (!is_same || !goes_on || static_cast<u64>(piece.offset - first.offset) + piece.bytes > most_block ||
            pieces_.size() >= most_pieces)
            do_pieces();
    }
    pieces_.push_back(piece);
}

void Files::do_pieces() {
    if (is_over()) pieces_.clear();
    if (pieces_.empty()) return;
    std::int64_t end = 0;
    for (const Piece &piece : pieces_) end = std::max(end, piece.offset + piece.bytes);
    const std::int64_t begin = pieces_.front().offset;
    if (pieces_.front().access->writes) write_pieces(begin, static_cast<u64>(end - begin));
    else read_pieces(begin, static_cast<u64>(end - begin));
    pieces_.clear();
}

void Files::read_pieces(std::int64_t begin, u64 bytes) {
    OpenFile &file = *pieces_.front().access->file;
    u64 got = 0;
    int error = MPI_SUCCESS;
    // A piece alone is read where it is staged.
    const bool is_alone = pieces_.size() == 1;
    if (!is_alone) block_.resize(bytes);
    const std::span<u8> to = is_alone ? std::span<u8>(staging_).subspan(pieces_.front().staging, bytes) : std::span<u8>(block_);
    while (got < bytes) {
        const HostResult n = file.read_at(to.subspan(got), begin + static_cast<std::int64_t>(got));
        if (n < 0) error = class_of(n);
        if (n <= 0) break;
        got += static_cast<u64>(n);
    }
    for (const Piece &piece : pieces_) {
        Access &a = *piece.access;
        const auto at = static_cast<u64>(piece.offset - begin);
        const u32 there = at >= got ? 0 : static_cast<u32>(std::min<u64>(piece.bytes, got - at));
        if (a.ended) continue;
        if (there != 0 && !is_alone) std::memcpy(staging_.data() + piece.staging, block_.data() + at, there);
        a.done += there;
        a.ended = there < piece.bytes;
        if (a.ended) a.error = error;
    }
}

void Files::write_pieces(std::int64_t begin, u64 bytes) {
    OpenFile &file = *pieces_.front().access->file;
    const u8 *from = staging_.data() + pieces_.front().staging;
    if (pieces_.size() > 1) {
        block_.clear();
        for (const Piece &piece : pieces_)
            block_.insert(block_.end(), staging_.begin() + piece.staging, staging_.begin() + piece.staging + piece.bytes);
        from = block_.data();
    }
    u64 put = 0;
    int error = MPI_SUCCESS;
    while (put < bytes && error == MPI_SUCCESS) {
        const HostResult n = file.write_at({from + put, bytes - put}, begin + static_cast<std::int64_t>(put));
        if (n <= 0) error = n < 0 ? class_of(n) : MPI_ERR_IO;
        else put += static_cast<u64>(n);
    }
    for (const Piece &piece : pieces_) {
        const auto end = static_cast<u64>(piece.offset - begin) + piece.bytes;
        if (end <= put) piece.access->done += piece.bytes;
        else piece.access->error = error;
    }
}

}  // namespace mog::mpi
