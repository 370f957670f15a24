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

#include "runtime_host/mpi/observer.hpp"
#include "support/result.hpp"

namespace mog::mpi {

class Trace : public Observer {
public:
    /// Beyond it viewers become slow: some 150 MB of text.
    static constexpr u64 most_events = 1'000'000;

    /// Writes to a file, of these ranks (ascending; none: all of them). `say` gets a sentence when the trace does not
    /// hold all.
    static Result<std::unique_ptr<Observer>> to_file(const std::string &path, u32 nproc, std::vector<u32> ranks,
                                                     std::function<void(std::string_view)> say);

    void called(const MpiCall &call, double seconds) override;
    void resumed(u32 pe, double seconds) override;
    void sent(u32 operation, const Operation &message) override;
    void met(u32 operation, const Operation &message, const Operation &receive) override;
    void cancelled(u32 operation) override { on_their_way_.erase(operation); }
    void ended(double seconds) override;

private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    struct Rank {
        bool is_traced = false;
        double since = -1;  ///< seconds; of the call that it is in; negative: none
        std::string name, arguments;
        std::vector<u64> arrived;  ///< messages, by their numbers, since it went on last
    };
    Trace(std::string path, std::unique_ptr<std::FILE, Close> file, u32 nproc, const std::vector<u32> &ranks,
          std::function<void(std::string_view)> say);
    void write(std::string_view event);
    void close_call(u32 pe, double seconds, std::string_view more);

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
    std::function<void(std::string_view)> say_;
    std::vector<Rank> ranks_;
    std::unordered_map<u32, u64> on_their_way_;  ///< numbers of messages, by operation
    u64 messages_ = 0, events_ = 0;
};

}  // namespace mog::mpi
