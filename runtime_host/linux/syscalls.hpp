// syscalls.hpp: what a system call's handler sees, and the table of handlers.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/linux.hpp"
#include "runtime_host/device/addresses.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/linux/files.hpp"
#include "runtime_host/linux/native_calls.hpp"
#include "runtime_host/linux/output.hpp"
#include "runtime_host/linux/threads.hpp"

namespace mog {

/// What a descriptor of a PE stands for.
struct Descriptor {
    std::shared_ptr<OpenFile> file;
    bool close_on_exec = false;  ///< without effect where there is no exec; fcntl() tells it
};

/// Each PE has a table of them, up to the highest in use.
inline constexpr std::size_t bytes_of_descriptor = 24;
static_assert(sizeof(Descriptor) <= bytes_of_descriptor);

/// A PE as its system calls see it.
struct Process {
    std::uint32_t rank = 0;
    bool has_descriptors = false;  ///< false: the standard three, not yet made
    std::vector<Descriptor> descriptors;
    std::shared_ptr<HostFile> folder;  ///< where relative paths begin; none: where mogrun was started
    std::optional<mode_t> umask;       ///< if it is not that of mogrun
    bool ignores_sigpipe = false;
    std::chrono::steady_clock::time_point wake{};  ///< a sleep in progress ends then; zero if there is none
};

/// What all PEs of a run share.
struct Services {
    Output &output;
    FileSystem &files;
    Addresses addresses;                                                          ///< where PEs have memory
    std::chrono::steady_clock::time_point start;                                  ///< of the program
    const NativeFunctions *natives = nullptr;                                     ///< what PEs may call by name; none: nothing
    std::function<void(std::uint32_t rank, std::uint32_t bytes)> lacks_memory{};  ///< told of heaps that cannot grow by so many bytes
    bool sets_umask = true;  ///< creating files may set the process's umask for a moment to the PE's
    std::uint32_t host_pid = static_cast<std::uint32_t>(getpid());
    std::function<void(std::uint32_t rank)> lacks_threads{};  ///< told of processes that cannot start another one
    Threads *threads = nullptr;                               ///< null: processes have one each
};

/// Bytes on their way into DATA, for one scatter. Results of calls go another way: Device::answer.
class Replies {
public:
    void clear();
    /// Room for `length` bytes that will go to `address`, already checked to be in DATA. Valid until the next call.
    std::span<std::uint8_t> add(std::uint32_t pe, std::uint32_t address, std::uint32_t length);
    /// The last room added holds only `length` bytes.
    void shorten(std::uint32_t length);

    std::span<const Transfer> transfers() const { return transfers_; }
    std::span<const std::uint8_t> staging() const { return staging_; }

private:
    std::vector<Transfer> transfers_;
    std::vector<std::uint8_t> staging_;
};

enum class Outcome : std::uint8_t {
    Resume,      ///< the PE goes on with the result
    Exit,        ///< it ends with `exit_status`
    Signal,      ///< it is ended by signal `signal`
    Native,      ///< a native function gives the result, of the calls of all PEs together
    Mpi,         ///< the MPI engine gives the result, with the calls of all PEs
    Block,       ///< the call is tried again when one of `waits` or `wake` is ready
    Park,        ///< the PE waits until somebody else's call wakes it, or its time is over (Threads)
    Yield,       ///< it goes on once others had their turn
    ThreadExit,  ///< it ends, and its process goes on
};

/// A thread that a call has started, in a copy of the registers of the one that called.
struct StartedThread {
    std::uint32_t pe = 0, stack_pointer = 0;
    std::optional<std::uint32_t> thread_pointer{};  ///< none: the caller's
};

/// One call in progress.
struct Call {
    Services &services;
    Process *process;                             ///< never null
    std::uint32_t pe;                             ///< that of the thread which calls
    std::chrono::steady_clock::time_point *wake;  ///< a sleep of this thread's in progress ends then; zero if there is none. Never null
    Replies &replies;
    std::span<const std::uint32_t, 8> args;
    std::uint32_t stack_pointer = 0;
    std::array<std::span<const std::uint8_t>, 2> input{};  ///< what the letters promised, in order; a path without its NUL

    Outcome outcome = Outcome::Resume;
    std::uint32_t exit_status = 0, signal = 0;
    std::vector<struct pollfd> waits{};  ///< Block: the descriptors of the host that it waits for, if any
    std::vector<std::uint32_t> woken{};  ///< threads that it wakes, whose own calls give 0
    std::optional<StartedThread> started{};
    std::optional<std::uint32_t> sets_thread_pointer{};  ///< the caller's own becomes this
    bool is_unsupported = false;                         ///< it fails, and the user is told once

    std::string path(std::size_t n) const { return {reinterpret_cast<const char *>(input[n].data()), input[n].size()}; }
    /// True if the PE has `length` bytes of memory at `address`.
    bool has_memory(std::uint32_t address, std::uint64_t length) const;
    /// The same of memory that it may write.
    bool can_write(std::uint32_t address, std::uint64_t length) const;
    /// Puts bytes into DATA. False if they do not fit: the call then fails with EFAULT.
    bool reply(std::uint32_t address, std::span<const std::uint8_t> bytes);
};

/// A result that is not negative, or minus an error number of the guest.
using Handler = std::int32_t (*)(Call &);

/// The letters of syscalls.def whose arguments are fetched before the handler is asked.
inline constexpr std::string_view fetched_letters = "rsijtTaqklzy";

/// How soon a call wants to be served: see syscalls.def.
enum class Urgency : std::uint8_t { now, soon, later, threads };

struct SyscallRow {
    std::uint32_t number;
    std::string_view name;
    std::string_view arguments, trace;
    Handler handler;
    Urgency urgency;
    std::string_view remark;
    bool is_plain;  ///< it reads and fills nothing in DATA, so that a PE's record is all that its handler needs
    bool fetches;   ///< it has arguments of fetched_letters
};

/// The handler's result for an errno of the host.
std::int32_t failure(int host_errno);

namespace detail {
/// From the lowest number that there is, guest::call_syscall, to the highest.
inline constexpr std::uint32_t call_numbers = guest::call_mog_native_call - guest::call_syscall + 1;
extern const std::array<const SyscallRow *, call_numbers> row_of_number;
}  // namespace detail

/// All rows, ascending by number.
std::span<const SyscallRow> syscall_rows();
/// The row of a call; nullptr if PEs cannot make it.
inline const SyscallRow *find_syscall(std::uint32_t number) {
    const std::uint32_t offset = number - guest::call_syscall;
    return offset < detail::call_numbers ? detail::row_of_number[offset] : nullptr;
}
/// docs/system-calls.md.
std::string syscalls_manual();

/// The handler's result for what a function of the host returned: -1 with errno, or a result.
std::int32_t or_errno(int result);
/// The handler's result for one of OpenFile's.
std::int32_t result_of(HostResult value);

/// How many descriptors a PE may have: numbers from there on are EMFILE.
std::uint32_t descriptor_limit(const Call &call);

/// The open file of a descriptor; nullptr if it is closed.
OpenFile *file_of(Call &call, std::uint32_t fd);
/// The lowest free descriptor from `from` on gets the file: the handler's result.
std::int32_t install(Call &call, Descriptor descriptor, std::uint32_t from = 0);
/// Process number of a PE: PEs of this run and of others on this machine differ.
std::int32_t pid_of(std::uint32_t host_pid, std::uint32_t rank);
inline std::int32_t pid_of(const Services &services, std::uint32_t rank) { return pid_of(services.host_pid, rank); }
/// The handler's result for a signal that ends the PE, or does not.
std::int32_t end_by_signal(Call &call, std::uint32_t signal);
/// The call is tried again after some milliseconds: what it waits for has no descriptor to wait at.
std::int32_t try_later(Call &call, int milliseconds);
/// Blocks the call until a file is ready.
std::int32_t wait_for(Call &call, const OpenFile &file, short events);

/// The PE's descriptors, with the standard three made if need be.
std::vector<Descriptor> &descriptors_of(Call &call);

#define MOG_SYSCALL(name, arguments, trace, handler, urgency, remark) std::int32_t handler(Call &);
#include "runtime_host/linux/syscalls.def"

}  // namespace mog
