// trace.hpp: --mpi-trace: what each rank calls, when, and which message goes where, in the form of Chrome's tracing
// ("Trace Event Format"), which Perfetto and chrome://tracing show. Each rank is a thread; what lies between its calls
// is the program's own.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime_host/mpi/pt2pt/observer.hpp"
#include "support/result.hpp"

namespace mog::mpi {

class Trace : public Observer {
public:
    /// Beyond it viewers become slow: some 150 MB of text.
    static constexpr u64 most_events = 1'000'000;

    /// Writes to a file that is open (`fd`, of which a copy is made; `path` names it in messages), of these ranks of the world (ascending;
    /// none: all of them). Of several processes process 0 does, and the others tell it at the end what they have. `say` gets a sentence
    /// when the trace does not hold all.
    static Result<std::unique_ptr<Observer>> to_file(const std::string &path, int fd, const World &world, std::vector<u32> ranks,
                                                     std::function<void(std::string_view)> say);

    void called(const MpiCall &call, double seconds) override;
    void resumed(u32 pe, double seconds) override;
    void sent(u32 operation, const Operation &message) override;
    void arrived(u32 operation, u32 process, u32 serial, const Operation &message) override;
    void met(u32 operation, const Operation &message, const Operation &receive) override;
    void cancelled(u32 operation) override { on_their_way_.erase(operation); }
    void ended(double seconds) override;
    std::vector<u8> report() const override;
    void take_report(FrameReader report) override;
    void completed() override;

private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    /// Process of the sender, or `here` if the receiver is in it, too, and a number.
    using MessageId = std::pair<u32, u64>;
    static constexpr u32 here = UINT32_MAX;
    struct Rank {
        bool is_traced = false;
        double since = -1;  ///< seconds; of the call that it is in; negative: none
        std::string name, arguments;
        std::vector<MessageId> arrived;  ///< since it went on last
    };
    Trace(std::string path, std::unique_ptr<std::FILE, Close> file, const World &world, std::vector<u32> ranks,
          std::function<void(std::string_view)> say);
    bool is_traced(u32 rank) const;
    /// As viewers name it.
    std::string name_of(const MessageId &id) const;
    void put(std::string_view text);
    void name_rank(u32 rank);
    void write(std::string_view event);
    void close_call(u32 pe, double seconds, std::string_view more);

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
    std::function<void(std::string_view)> say_;
    World world_;
    std::vector<u32> traced_;                          ///< ranks of the world; empty: all
    std::string text_;                                 ///< what a process has that does not write the file
    std::vector<Rank> ranks_;                          ///< by PE
    std::unordered_map<u32, MessageId> on_their_way_;  ///< by operation
    u64 messages_ = 0, events_ = 0, most_;
    bool has_left_out_ = false;
};

}  // namespace mog::mpi
