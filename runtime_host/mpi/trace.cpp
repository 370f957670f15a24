// trace.cpp
#include "runtime_host/mpi/trace.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "runtime_host/mpi/call_names.hpp"

namespace mog::mpi {

namespace {

/// Viewers want microseconds.
double micros(double seconds) {
    return seconds * 1e6;
}

/// What a call was given, where it says something to people: "to":3,"tag":7.
std::string arguments_of(const MpiCall &call) {
    constexpr std::string_view told[] = {"peer", "tag", "bytes", "root", "count", "need", "color", "key"};
    const auto describe = [&](std::initializer_list<std::string_view> names) {
        std::string text;
        std::size_t word = 0;
        for (const std::string_view name : names) {
            word++;
            if (std::ranges::find(told, name) == std::end(told)) continue;
            text +=
                fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, static_cast<std::int32_t>(call.words[word]));
        }
        return text;
    };
    switch (call.operation()) {
#define MOG_DESCRIBE(name, number, a, b, c, d, e, f, g) \
    case number:                                        \
        return describe({a, b, c, d, e, f, g});
        MOG_MPI_OPERATIONS(MOG_DESCRIBE)
#undef MOG_DESCRIBE
        default:
            return {};
    }
}

}  // namespace

Result<std::unique_ptr<Observer>> Trace::to_file(const std::string &path, u32 nproc, std::vector<u32> ranks,
                                                 std::function<void(std::string_view)> say) {
    std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "w"));
    if (!file) return Error{fmt::format("--mpi-trace: cannot write {}: {}", path, std::strerror(errno))};
    return std::unique_ptr<Observer>(new Trace(path, std::move(file), nproc, ranks, std::move(say)));
}

Trace::Trace(std::string path, std::unique_ptr<std::FILE, Close> file, u32 nproc, const std::vector<u32> &ranks,
             std::function<void(std::string_view)> say)
    : path_(std::move(path)), file_(std::move(file)), say_(std::move(say)), ranks_(nproc) {
    std::fputs(
        "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{"
        "\"name\":\"MPI ranks\"}}",
        file_.get());
    for (u32 pe = 0; pe < nproc; pe++) {
        ranks_[pe].is_traced = ranks.empty() || std::ranges::binary_search(ranks, pe);
        if (!ranks_[pe].is_traced) continue;
        // Viewers sort threads by name otherwise: 10 before 9.
        fmt::print(
            file_.get(),
            ",\n{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":{0},\"args\":{{\"name\":\"rank {0}\"}}}}",
            pe);
        fmt::print(
            file_.get(),
            ",\n{{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":0,\"tid\":{0},\"args\":{{\"sort_index\":{0}}}}}",
            pe);
    }
}

void Trace::write(std::string_view event) {
    if (events_++ < most_events) fmt::print(file_.get(), ",\n{}", event);
}

void Trace::called(const MpiCall &call, double seconds) {
    Rank &rank = ranks_[call.pe];
    if (!rank.is_traced || events_ >= most_events) return;
    rank.since = seconds;
    rank.name = name_of(call);
    rank.arguments = arguments_of(call);
}

void Trace::resumed(u32 pe, double seconds) {
    close_call(pe, seconds, "");
}

void Trace::close_call(u32 pe, double seconds, std::string_view more) {
    Rank &rank = ranks_[pe];
    if (rank.since < 0) return;
    const double begin = micros(rank.since), length = std::max(micros(seconds) - begin, 0.01);
    write(
        fmt::format(R"({{"name":"{}","cat":"mpi","ph":"X","pid":0,"tid":{},"ts":{:.3f},"dur":{:.3f},"args":{{{}{}}}}})",
                    rank.name, pe, begin, length, rank.arguments, more));
    // An arrow ends in the call that gave the message to the program, not between calls.
    for (const u64 message : rank.arrived)
        write(fmt::format(R"({{"name":"message","cat":"mpi","ph":"f","bp":"e","id":{},"pid":0,"tid":{},"ts":{:.3f}}})",
                          message, pe, begin + length * 0.999));
    rank.arrived.clear();
    rank.since = -1;
}

void Trace::sent(u32 operation, const Operation &message) {
    const Rank &rank = ranks_[message.pe];
    if (rank.since < 0 || !ranks_[message.to].is_traced) return;
    on_their_way_[operation] = ++messages_;
    write(fmt::format(R"({{"name":"message","cat":"mpi","ph":"s","id":{},"pid":0,"tid":{},"ts":{:.3f}}})", messages_,
                      message.pe, micros(rank.since)));
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
    std::fputs("\n]}\n", file_.get());
    if (std::ferror(file_.get()) != 0 || std::fflush(file_.get()) != 0)
        say_(fmt::format("--mpi-trace: cannot write {}: {}", path_, std::strerror(errno)));
    else if (events_ > most_events)
        say_(fmt::format(
            "--mpi-trace: {} has the first {} events; --mpi-trace-ranks=0-15 would take those of some ranks only",
            path_, most_events));
}

}  // namespace mog::mpi
