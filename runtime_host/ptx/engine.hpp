// engine.hpp: PTX modules and launches of their kernels on this machine's cores: what the CUDA runtime and tools are built upon.
//
// Global memory is the host's: a global or generic pointer of a kernel is a pointer of this process. Addresses of shared and local
// memory are offsets; made generic they are pointers too, which hold while the thread that made them runs. All functions may be called from
// several threads at once.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/ptx/compiled/compiled_kernel.hpp"
#include "support/result.hpp"

namespace mog::ptx {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    bool operator==(const Dim3 &) const = default;
};

struct KernelInfo {
    std::string name;  ///< as PTX has it, mangled
    struct Parameter {
        std::uint32_t offset, size, alignment;  ///< bytes in the block of parameters
    };
    std::vector<Parameter> parameters;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t static_shared_bytes = 0;  ///< of a block of threads
    std::uint32_t local_bytes = 0;          ///< of a thread, without what functions that it calls have
    std::uint32_t registers = 0;            ///< of a thread, in words of 32 bits: as many as the text declares and uses
    std::uint32_t max_threads = 1024;       ///< of a block; less if the text says .maxntid or .reqntid
    std::optional<Dim3> required_block;     ///< .reqntid
};

/// A variable of a module.
struct ModuleVariable {
    void *address = nullptr;  ///< in this process
    std::uint64_t size = 0;   ///< bytes
    bool is_constant = false;
};

/// Where memory that kernels may use begins and ends, for LaunchOptions::check. Whoever allocates for kernels keeps one; variables of
/// modules need not be in it.
class Allocations {
public:
    void add(const void *begin, std::uint64_t bytes);
    void remove(const void *begin);
    /// Whether all of [address, address + bytes) is in one allocation.
    bool holds(std::uint64_t address, std::uint64_t bytes) const;
    /// A sentence about what is near an address: "16 bytes behind an allocation of 4096 bytes".
    std::string describe(std::uint64_t address) const;
    /// Changes whenever something is removed or added, so that others may keep what they found.
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
    /// The allocation that holds an address: begin and bytes.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> find(std::uint64_t address) const;

private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::uint64_t> ranges_;  // begin, bytes
    std::atomic<std::uint64_t> version_{0};
};

struct LoadOptions {
    /// What cannot be executed is an error only when a thread comes to it.
    bool late_errors = true;
    /// Where a variable shall live; nullptr, or no function: in memory of the module's own. Initial values are written there in any case.
    std::function<void *(std::string_view variable, std::uint64_t bytes, std::uint64_t alignment)> place;
    /// Functions get so many registers, and spill code, by an allocator: "affine,8" (translator/ptx/registers/give_registers.hpp). Empty:
    /// as many as they like. Launches are refused whose blocks the allocator took for others; where warps have words, lanes meet at
    /// post-dominators, whatever LaunchOptions::meeting says, for those are right nowhere else.
    std::string registers;
};

class Module {
public:
    /// Reads PTX text, checks it, and allocates and fills its variables. `name` is for messages, such as the file's.
    static Result<std::shared_ptr<Module>> load(std::string_view text, std::string_view name, const LoadOptions &options = {});
    ~Module();
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;

    /// nullptr: there is none of this name.
    const KernelInfo *kernel(std::string_view name) const;
    std::vector<std::string> kernel_names() const;
    /// Variables of .global and .const.
    std::optional<ModuleVariable> variable(std::string_view name) const;
    std::vector<std::string> variable_names() const;

    struct Inside;
    Inside &inside() const { return *inside_; }

private:
    Module();
    std::unique_ptr<Inside> inside_;
};

struct LaunchShape {
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
};

/// Where lanes of a warp that parted meet again.
enum class Meeting : std::uint8_t {
    never,           ///< they go on apart until they end
    barriers,        ///< at barriers
    postdominators,  ///< where all ways from the branch have met
    lowest,          ///< wherever they come to the same place: those at the lowest place of the text go first
};

/// What the threads of one launch did.
struct LaunchCounts {
    std::uint64_t blocks = 0, threads = 0;
    std::uint64_t compiled_blocks = 0;      ///< of these, by compiled code
    std::string why_interpreted;            ///< if compiled code was asked for, and there is none
    std::uint64_t warp_instructions = 0;    ///< executed by a warp or a part of it, counted once for all its lanes
    std::uint64_t thread_instructions = 0;  ///< each lane counted
    std::uint64_t branches = 0, parting_branches = 0;
    std::uint64_t global_accesses = 0;             ///< by warps, of global memory
    std::uint64_t global_sectors = 0;              ///< of 32 bytes, that these touched
    std::uint64_t shared_accesses = 0;             ///< by warps, of shared memory
    std::uint64_t shared_bytes = 0;                ///< that these moved: what several lanes want is moved once
    std::uint64_t local_accesses = 0;              ///< by warps, of local memory
    std::uint64_t local_bytes = 0;                 ///< that these moved, of all lanes
    std::uint64_t bank_conflicts = 0;              ///< further rounds that these would take over 32 banks of 4 bytes
    std::uint64_t barriers = 0;                    ///< that a warp or a part of it came to
    std::array<std::uint64_t, 33> by_lanes{};      ///< warp instructions by how many lanes execute them
    std::map<std::string, std::uint64_t> by_kind;  ///< warp instructions by the first word of their opcode

    void add(const LaunchCounts &other);
};

/// Something that LaunchOptions::check found.
struct Finding {
    std::string kind;  ///< "out of bounds", "misaligned", "uninitialised", "race", "divergent barrier"
    std::string text;  ///< a sentence with kernel, block, thread and place
};

/// What kind of fault ended a launch.
enum class Fault : std::uint8_t {
    none,
    bad_shape,
    unsupported,
    trap,
    assertion,
    illegal_address,
    misaligned,
    illegal_instruction,
    deadlock,
    stopped,
    checks
};

struct LaunchOptions {
    Fault *fault = nullptr;  ///< if the launch fails: what kind of fault that was
    /// Where printf's text goes; it is called by one thread at a time. Empty: standard output.
    std::function<void(std::string_view)> print;
    unsigned threads = 0;  ///< of this process; 0: one for each core it may use
    Meeting meeting = Meeting::lowest;
    Engine engine = Engine::automatic;         ///< kernels that are counted or checked, or whose lanes meet elsewhere, are interpreted
    bool count = false;                        ///< fill all of LaunchCounts; otherwise blocks and threads alone
    bool check = false;                        ///< look at each access; findings go to `found`, and the launch fails if there is any
    const Allocations *allocations = nullptr;  ///< for `check`; nullptr: addresses of global memory are not looked at
    std::function<void(const Finding &)> found;
    std::uint64_t most_findings = 100;
    bool cooperative = false;  ///< blocks may wait for each other: all of them are begun before one of them waits for long
    /// Set by others to end the launch as soon as can be.
    const std::atomic<bool> *stop = nullptr;
};

/// Runs a kernel to its end. `parameters`: a block of KernelInfo::parameter_bytes. Errors: a shape that cannot be, a fault or a trap of a
/// thread (with its place), a deadlock of barriers.
Result<LaunchCounts> launch(Module &module, std::string_view kernel, const LaunchShape &shape, const void *parameters,
                            const LaunchOptions &options = {});

}  // namespace mog::ptx
