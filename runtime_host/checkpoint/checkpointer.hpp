// checkpointer.hpp: runs a program and writes checkpoints of it now and then, and when SIGTERM asks for one.
//
// Where PEs are in this process's own memory, a forked process writes a checkpoint while the run goes on: it has memory as it was at the
// fork. Where they are elsewhere, pages that have changed are fetched first, and a thread writes them.
//
// Processes of one world come to a mark together (mpi/marks.hpp), and each writes a file of its own, in the same way. What was written
// counts when all have written it; until then nobody touches what counted before (world_checkpoints.cpp).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime_host/checkpoint/checkpoint_file.hpp"
#include "runtime_host/checkpoint/file_journal.hpp"
#include "runtime_host/checkpoint/memory_pages.hpp"
#include "runtime_host/checkpoint/settings.hpp"
#include "runtime_host/mpi/marks.hpp"
#include "runtime_host/service/service_loop.hpp"
#include "support/cancel.hpp"

namespace mog {

class Checkpointer {
public:
    /// `place`: of this process's file. `program`: its file. `reader`: of the run that goes on, null if it begins; the checkpoint it came
    /// from stays until another one is whole. It outlives this.
    Checkpointer(const CheckpointOptions &options, std::filesystem::path place, std::filesystem::path program,
                 const CheckpointReader *reader, std::function<void(std::string_view)> say);
    ~Checkpointer();
    Checkpointer(const Checkpointer &) = delete;
    Checkpointer &operator=(const Checkpointer &) = delete;

    /// The status of a process that has written a checkpoint because of SIGTERM: that of sysexits.h for "try again".
    static constexpr int stopped_status = 75;

    /// Output that is counted on its way.
    OutputConfig counting(OutputConfig output);
    /// For RunConfig::pause.
    Cancel *pause() { return &stop_; }

    /// Runs to the end. False: SIGTERM came, and a checkpoint has what is left. Error: the run cannot have checkpoints, or the device
    /// failed.
    Result<bool> run(ServiceLoop &loop, Device &device, const Image &image, const RunConfig &config);

private:
    using Clock = std::chrono::steady_clock;
    class Writer;
    class Fork;
    class Thread;

    Result<bool> run_alone();
    Result<void> write(bool is_last);
    Result<void> begin(bool is_last, std::vector<std::uint8_t> settings, std::vector<std::uint8_t> state);
    void wait_for_writer();
    Result<void> settle_writer();
    void tell(const Error &error);
    bool is_ended_by_limit() const;
    void end();
    void remove_files();

    // Of several processes.
    Result<bool> run_in_world();
    Result<bool> come_to_mark(mpi::Marks &marks);
    Result<std::optional<mpi::Marks::Verdict>> hear(mpi::Marks &marks, mpi::Marks::About about);
    void settle_mark(bool counts);
    Result<bool> end_world(mpi::Marks &marks);

    const CheckpointOptions options_;
    const std::filesystem::path program_, place_;
    const CheckpointReader *reader_;
    std::function<void(std::string_view)> say_;
    Cancel stop_;

    // Of the run.
    ServiceLoop *loop_ = nullptr;
    const RunConfig *config_ = nullptr;
    std::optional<MemoryOfRun> memory_;

    std::optional<KnownPages> known_;
    std::unique_ptr<FileJournal> journal_;
    std::uint32_t last_ = 0;  ///< the number of the last checkpoint that was begun
    PartOfWorld part_;
    bool is_alone_ = true;
    Printed printed_;
    std::unique_ptr<CheckpointFile> file_, next_;  ///< the one that has the name; the one that will have it
    bool is_whole_ = false;                        ///< known_ is what file_ has
    std::uint64_t first_bytes_ = 0;                ///< of the file, after its first checkpoint
    std::unique_ptr<Writer> writer_;               ///< a checkpoint that is on its way
    std::string told_;                             ///< the last failure
};

}  // namespace mog
