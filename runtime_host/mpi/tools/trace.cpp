// trace.cpp
#include "runtime_host/mpi/tools/trace.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "runtime_host/mpi/tools/call_names.hpp"

namespace mog::mpi {

namespace {

/// Viewers want microseconds.
double micros(double seconds) { return seconds * 1e6; }

/// What a call was given, where it says something to people: "to":3,"tag":7.
std::string arguments_of(const MpiCall &call) {
    constexpr std::string_view told[] = {"peer", "tag", "bytes", "root", "count", "need", "color", "key"};
    const auto describe = [&](std::initializer_list<std::string_view> names) {
        std::string text;
        std::size_t word = 0;
        for (const std::string_view name : names) {
            word++;
            if (std::ranges::find(told, name) == std::end(told)) continue;
            text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, static_cast<std::int32_t>(call.words[word]));
        }
        return text;
    };
    switch (call.operation()) {
#define MOG_DESCRIBE(name, number, function, a, b, c, d, e, f, g) \
    case number: return describe({a, b, c, d, e, f, g});
        MOG_MPI_OPERATIONS(MOG_DESCRIBE)
#undef MOG_DESCRIBE
        default: return {};
    }
}

}  // namespace

Result<std::unique_ptr<Observer>> Trace::to_file(const std::string &path, int fd, const World &world, std::vector<u32> ranks,
                                                 std::function<void(std::string_view)> say) {
    const int own = world.process == 0 ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    std::unique_ptr<std::FILE, Close> file(own >= 0 ? fdopen(own, "w") : nullptr);
    if (world.process == 0 && !file) return Error{fmt::format("--mpi-trace: cannot write {}: {}", path, std::strerror(errno))};
    return std::unique_ptr<Observer>(new Trace(path, std::move(file), world, std::move(ranks), std::move(say)));
}

Trace::Trace(std::string path, std::unique_ptr<std::FILE, Close> file, const World &world, std::vector<u32> ranks,
             std::function<void(std::string_view)> say)
    : path_(std::move(path)),
      file_(std::move(file)),
      say_(std::move(say)),
      world_(world),
      traced_(std::move(ranks)),
      ranks_(world.nproc),
      most_(std::max<u64>(most_events / world.processes, 1)) {
    if (file_) put("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    const std::string name = world.processes == 1
                                 ? "MPI ranks"
                                 : fmt::format("process {}: MPI ranks {}-{}", world.process, world.first(), world.rank_of(world.nproc - 1));
    put(fmt::format("{}\n{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"name\":\"{}\"}}}}", file_ ? "" : ",",
                    world.process, name));
    for (u32 pe = 0; pe < world.nproc; pe++) {
        ranks_[pe].is_traced = is_traced(world.rank_of(pe));
        if (ranks_[pe].is_traced) name_rank(world.rank_of(pe));
    }
}

/// Viewers sort threads by name otherwise: 10 before 9.
void Trace::name_rank(u32 rank) {
    constexpr std::string_view facts[] = {"\"thread_name\",\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"args\":{{\"name\":\"rank {1}\"}}",
                                          "\"thread_sort_index\",\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"args\":{{\"sort_index\":{1}}}"};
    for (const std::string_view fact : facts) put(",\n{\"name\":" + fmt::format(fmt::runtime(fact), world_.process, rank) + "}");
}

bool Trace::is_traced(u32 rank) const { return traced_.empty() || std::ranges::binary_search(traced_, rank); }

std::string Trace::name_of(const MessageId &id) const {
    return id.first == here ? fmt::format("{}", (u64{world_.process} << 32) + id.second) : fmt::format("\"{}.{}\"", id.first, id.second);
}

void Trace::put(std::string_view text) {
    if (file_) std::fwrite(text.data(), 1, text.size(), file_.get());
    else text_ += text;
}

void Trace::write(std::string_view event) {
    has_left_out_ = events_ >= most_;
    if (events_ >= most_) return;
    events_++;
    put(fmt::format(",\n{}", event));
}

void Trace::called(const MpiCall &call, double seconds) {
    Rank &rank = ranks_[call.pe];
    if (!rank.is_traced || has_left_out_) return;
    rank.since = seconds;
    rank.name = mpi::name_of(call);
    rank.arguments = arguments_of(call);
}

void Trace::resumed(u32 pe, double seconds) { close_call(pe, seconds, ""); }

void Trace::close_call(u32 pe, double seconds, std::string_view more) {
    Rank &rank = ranks_[pe];
    if (rank.since < 0) return;
    const double begin = micros(rank.since), length = std::max(micros(seconds) - begin, 0.01);
    write(fmt::format(R"({{"name":"{}","cat":"mpi","ph":"X","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},"args":{{{}{}}}}})", rank.name,
                      world_.process, world_.rank_of(pe), begin, length, rank.arguments, more));
    // An arrow ends in the call that gave the message to the program, not between calls: a nanosecond before its end.
    const double arrival = begin + length - std::min(length / 2, 0.001);
    for (const MessageId &message : rank.arrived)
        write(fmt::format(R"({{"name":"message","cat":"mpi","ph":"f","bp":"e","id":{},"pid":{},"tid":{},"ts":{:.3f}}})", name_of(message),
                          world_.process, world_.rank_of(pe), arrival));
    rank.arrived.clear();
    rank.since = -1;
}

void Trace::sent(u32 operation, const Operation &message) {
    const Rank &rank = ranks_[message.pe];
    const bool is_remote = message.has(Operation::remote);
    if (rank.since < 0 || !is_traced(is_remote ? message.to : world_.rank_of(message.to))) return;
    const MessageId id = is_remote ? MessageId{world_.process, message.payload} : MessageId{here, ++messages_};
    if (!is_remote) on_their_way_[operation] = id;
    write(fmt::format(R"({{"name":"message","cat":"mpi","ph":"s","id":{},"pid":{},"tid":{},"ts":{:.3f}}})", name_of(id), world_.process,
                      world_.rank_of(message.pe), micros(rank.since)));
}

void Trace::arrived(u32 operation, u32 process, u32 serial, const Operation &message) {
    if (is_traced(message.pe)) on_their_way_[operation] = {process, serial};
}

void Trace::met(u32 operation, const Operation &, const Operation &receive) {
    const auto found = on_their_way_.find(operation);
    if (found == on_their_way_.end()) return;
    ranks_[receive.pe].arrived.push_back(found->second);
    on_their_way_.erase(found);
}

void Trace::ended(double seconds) {
    for (u32 pe = 0; pe < ranks_.size(); pe++)
        close_call(pe, seconds, ranks_[pe].arguments.empty() ? R"("returned":"never")" : R"(,"returned":"never")");
}

std::vector<u8> Trace::report() const {
    std::vector<u8> out;
    append(out, u32{has_left_out_});
    out.insert(out.end(), text_.begin(), text_.end());
    return out;
}

void Trace::take_report(FrameReader report) {
    if (report.take<u32>() != 0) has_left_out_ = true;
    put({reinterpret_cast<const char *>(report.rest().data()), report.rest().size()});
}

void Trace::completed() {
    put("\n]}\n");
    if (std::ferror(file_.get()) != 0 || std::fflush(file_.get()) != 0)
        say_(fmt::format("--mpi-trace: cannot write {}: {}", path_, std::strerror(errno)));
    else if (has_left_out_)
        say_(fmt::format("--mpi-trace: {} has the first {} events{}; --mpi-trace-ranks=0-15 would take those of some ranks only", path_,
                         most_, world_.processes == 1 ? "" : " of each process"));
}

}  // namespace mog::mpi
