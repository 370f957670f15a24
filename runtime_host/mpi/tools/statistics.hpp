// statistics.hpp: --mpi-stats and --mpi-matrix: messages, bytes and waiting, by call, by rank, and between ranks. Of several processes each
// knows what its PEs do; process 0 gets all of it at the end.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime_host/mpi/pt2pt/observer.hpp"

namespace mog::mpi {

/// Who sent how much to whom. Many ranks share a row or a column: rank r of n is in row r * size / n.
struct Matrix {
    static constexpr u32 most_cells = 256;
    u32 ranks = 0, size = 0;           ///< rows, and columns
    std::vector<u64> messages, bytes;  ///< row by row, of the senders

    explicit Matrix(u32 nproc);
    std::size_t cell(u32 from, u32 to) const { return std::size_t{u32(u64{from} * size / ranks)} * size + u64{to} * size / ranks; }
};

class Statistics : public Observer {
public:
    /// Of one function.
    struct Counts {
        u64 calls = 0, bytes = 0;
        double waiting = 0, longest = 0;  ///< seconds
        u64 longest_rank = 0;
    };
    struct Function : Counts {
        std::string name;
    };

    explicit Statistics(const World &world) : world_(world), ranks_(world.size()), matrix_(world.size()) {}

    void called(const MpiCall &call, double seconds) override;
    void resumed(u32 pe, double seconds) override;
    void sent(u32 operation, const Operation &message) override;
    void met(u32 operation, const Operation &message, const Operation &receive) override;
    void cancelled(u32) override {}
    void ended(double seconds) override;
    std::vector<u8> report() const override;
    void take_report(FrameReader report) override;

    std::string as_text() const;
    std::string as_json() const;
    const Matrix &matrix() const { return matrix_; }
    /// Those that were called, the one in which most time went by first.
    std::vector<const Function *> by_waiting() const;

private:
    struct RankCounts {
        u64 sent = 0, bytes_sent = 0, received = 0, bytes_received = 0;
        double waiting = 0;  ///< seconds
    };
    struct Rank : RankCounts {
        double since = 0;  ///< of the call that it is in,
        Function *in = nullptr;
    };
    /// Something that is known of each rank, for a table.
    struct Column {
        std::string_view name, key;
        bool is_time;
        double (*of)(const Rank &rank);
    };
    static std::span<const Column> columns();

    std::map<u32, Function> functions_;  ///< by operation and flags
    World world_;
    std::vector<Rank> ranks_;  ///< of the world
    Matrix matrix_;
    double seconds_ = 0;
};

}  // namespace mog::mpi
