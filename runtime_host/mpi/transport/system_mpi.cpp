// system_mpi.cpp: messages between processes by the system's MPI: point to point only. Its collectives are of no use here, for
// communicators of PEs come to theirs in an order that differs from process to process.
//
// MPI's functions are the same everywhere, its constants and types are not: there are those of Open MPI, and those of MPICH, which MVAPICH
// and Intel's MPI have too. Of either this file knows what it takes to call a dozen functions of a library that is loaded.
#include "runtime_host/mpi/transport/system_mpi.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "support/environment.hpp"

namespace mog::mpi {

namespace {

/// Open MPI: handles are addresses of variables of its library.
struct OpenMpi {
    using Handle = void *;
    struct Status {
        int source, tag, error, cancelled;
        std::size_t count;
    };
    static constexpr int any_source = -1;
    static Handle world(void *library) { return dlsym(library, "ompi_mpi_comm_world"); }
    static Handle byte(void *library) { return dlsym(library, "ompi_mpi_byte"); }
    static Handle errors_return(void *library) { return dlsym(library, "ompi_mpi_errors_return"); }
    static Status *no_status() { return nullptr; }
};

/// MPICH: handles are numbers.
struct Mpich {
    using Handle = int;
    struct Status {
        int count_low, count_high, source, tag, error;
    };
    static constexpr int any_source = -2;
    static Handle world(void *) { return 0x44000000; }
    static Handle byte(void *) { return 0x4c00010d; }
    static Handle errors_return(void *) { return 0x54000001; }
    static Status *no_status() { return reinterpret_cast<Status *>(1); }
};

bool is_open_mpi(void *library) { return dlsym(library, "ompi_mpi_comm_world") != nullptr; }

constexpr int tag = 1;

/// The transport of a library with this binary interface. There is one, for its functions take no place.
template <typename Abi>
class SystemMpi {
public:
    /// Empty: a library that has all; else the function that it lacks.
    static std::string_view bind(void *library) {
        std::string_view missing;
        const auto get = [&](auto &function, const char *name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            if (!function && missing.empty()) missing = name;
        };
        get(init, "MPI_Init");
        get(finalize, "MPI_Finalize");
        get(end_all, "MPI_Abort");
        get(duplicate, "MPI_Comm_dup");
        get(set_errors, "MPI_Comm_set_errhandler");
        get(get_rank, "MPI_Comm_rank");
        get(get_size, "MPI_Comm_size");
        get(start_send, "MPI_Isend");
        get(probe, "MPI_Improbe");
        get(start_receive, "MPI_Imrecv");
        get(test, "MPI_Test");
        get(get_count, "MPI_Get_count");
        get(error_string, "MPI_Error_string");
        get(library_version, "MPI_Get_library_version");
        if (!missing.empty()) return missing;
        set_yields = reinterpret_cast<bool (*)(bool)>(dlsym(library, "opal_progress_set_yield_when_idle"));
        all_world = Abi::world(library);
        bytes_type = Abi::byte(library);
        errors_return = Abi::errors_return(library);
        // May be called before MPI_Init. Its first words are enough: those before a comma or the end of a line.
        std::vector<char> text(1 << 14);
        int length = 0;
        version = library_version(text.data(), &length) == 0 ? text.data() : "MPI";
        version.resize(std::min(version.find_first_of(",\n"), version.size()));
        return {};
    }

    static const mog_transport *transport() {
        static const mog_transport own{version.c_str(), open, send, receive, queued, error, abort, close};
        return &own;
    }

private:
    using Handle = typename Abi::Handle;
    using Status = typename Abi::Status;

    struct Outgoing {
        Handle request;
        void *bytes;
        std::size_t length;
        Outgoing *next;
    };
    // Messages that began to come. They are handed over in the order in which they did.
    struct Incoming {
        Handle request;
        unsigned process;
        void *bytes;
        std::size_t length;
    };

    static bool has_failed(int code) {
        if (code == 0) return false;
        std::vector<char> text(1 << 12);
        int length = 0;
        error_text = error_string(code, text.data(), &length) == 0 ? text.data() : "unknown error of MPI";
        return true;
    }

    static int out_of_memory() {
        error_text = "out of memory";
        return -1;
    }

    static int open(unsigned *process, unsigned *processes) {
        int rank = 0, size = 0;
        // The program has no arguments for MPI. Errors of this one call are MPI's to tell.
        if (has_failed(init(nullptr, nullptr)) || has_failed(duplicate(all_world, &world)) ||
            has_failed(set_errors(world, errors_return)) || has_failed(get_rank(world, &rank)) || has_failed(get_size(world, &size)))
            return -1;
        *process = static_cast<unsigned>(rank);
        *processes = static_cast<unsigned>(size);
        // Open MPI, told that there are more processes than processors, yields whenever it is asked for what has come and nothing has. Of
        // that, who asks knows when to rest, and how: on a busy machine a yield takes some hundredths of a second.
        if (set_yields) yields_in_calls = set_yields(false);
        return 0;
    }

    /// Forgets what has gone.
    static int progress_sends() {
        for (Outgoing **link = &sends; *link;) {
            Outgoing *o = *link;
            int done = 0;
            if (has_failed(test(&o->request, &done, Abi::no_status()))) return -1;
            if (!done) {
                link = &o->next;
                continue;
            }
            *link = o->next;
            queued_bytes -= o->length;
            std::free(o->bytes);
            delete o;
        }
        return 0;
    }

    static int send(unsigned process, void *bytes, std::size_t length) {
        if (length > INT_MAX) {
            std::free(bytes);
            return out_of_memory();
        }
        sends = new Outgoing{{}, bytes, length, sends};
        queued_bytes += length;
        const int code = start_send(bytes, static_cast<int>(length), bytes_type, static_cast<int>(process), tag, world, &sends->request);
        return has_failed(code) ? -1 : 0;
    }

    /// Begins to receive what has been announced. Long messages need their sender's help, which may be busy: nobody waits for it.
    static int start_receives() {
        while (receive_count < most_receives) {
            int flag = 0, length = 0;
            Handle message{};
            Status status{};
            if (has_failed(probe(Abi::any_source, tag, world, &flag, &message, &status))) return -1;
            if (!flag) break;
            if (has_failed(get_count(&status, bytes_type, &length))) return -1;
            Incoming &in = receives[(first_receive + receive_count) % most_receives];
            in = {{},
                  static_cast<unsigned>(status.source),
                  std::malloc(length ? static_cast<std::size_t>(length) : 1),
                  static_cast<std::size_t>(length)};
            if (!in.bytes) return out_of_memory();
            receive_count++;
            if (has_failed(start_receive(in.bytes, length, bytes_type, &message, &in.request))) return -1;
        }
        return 0;
    }

    static int receive(unsigned *process, void **bytes, std::size_t *length) {
        int done = 0;
        if (progress_sends() < 0 || start_receives() < 0) return -1;
        if (receive_count == 0) return 0;
        Incoming &in = receives[first_receive];
        if (has_failed(test(&in.request, &done, Abi::no_status()))) return -1;
        if (!done) return 0;
        *process = in.process;
        *bytes = in.bytes;
        *length = in.length;
        first_receive = (first_receive + 1) % most_receives;
        receive_count--;
        return 1;
    }

    static std::size_t queued() { return queued_bytes; }
    static const char *error() { return error_text.c_str(); }
    static void abort(int status) { end_all(all_world, status); }
    static void close() {
        if (set_yields) set_yields(yields_in_calls);
        while (sends && progress_sends() == 0) continue;
        finalize();
    }

    static inline int (*init)(int *, char ***);
    static inline int (*finalize)();
    static inline int (*end_all)(Handle, int);
    static inline int (*duplicate)(Handle, Handle *);
    static inline int (*set_errors)(Handle, Handle);
    static inline int (*get_rank)(Handle, int *);
    static inline int (*get_size)(Handle, int *);
    static inline int (*start_send)(const void *, int, Handle, int, int, Handle, Handle *);
    static inline int (*probe)(int, int, Handle, int *, Handle *, Status *);
    static inline int (*start_receive)(void *, int, Handle, Handle *, Handle *);
    static inline int (*test)(Handle *, int *, Status *);
    static inline int (*get_count)(const Status *, Handle, int *);
    static inline int (*error_string)(int, char *, int *);
    static inline int (*library_version)(char *, int *);
    static inline bool (*set_yields)(bool);  ///< Open MPI's, if it has it
    static inline bool yields_in_calls;

    static constexpr unsigned most_receives = 16;
    static inline Handle all_world, bytes_type, errors_return, world;
    static inline Outgoing *sends;
    static inline std::size_t queued_bytes;
    static inline Incoming receives[most_receives];
    static inline unsigned first_receive, receive_count;
    static inline std::string error_text, version;
};

/// The library of this name, if it is there; with what MPI's own plug-ins want, to find its functions among those of all.
void *load(const std::string &name) { return dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL); }

template <typename Abi>
Result<const mog_transport *> bind(void *library, std::string_view name) {
    if (const std::string_view missing = SystemMpi<Abi>::bind(library); !missing.empty())
        return Error{fmt::format("{} has no {}", name, missing)};
    return SystemMpi<Abi>::transport();
}

Result<const mog_transport *> bind_any(void *library, std::string_view name) {
    return is_open_mpi(library) ? bind<OpenMpi>(library, name) : bind<Mpich>(library, name);
}

}  // namespace

Result<const mog_transport *> load_system_mpi(bool wants_open_mpi) {
    if (const std::string named = environment_variable("MOG_MPI_LIBRARY"); !named.empty()) {
        void *const library = load(named);
        if (!library) return Error{fmt::format("MOG_MPI_LIBRARY={} cannot be loaded: {}", named, dlerror())};
        return bind_any(library, named);
    }
    // By the numbers that makers give their binary interfaces; libmpi.so.12 is MPICH's and an old Open MPI's.
    std::vector<std::string> names{"libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi.so", "libmpich.so"};
    if (!wants_open_mpi) std::swap(names[0], names[1]);
    std::string other;
    for (const std::string &name : names) {
        // To look at one, its own functions alone are enough.
        void *const library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (!library) continue;
        const bool fits = is_open_mpi(library) == wants_open_mpi;
        dlclose(library);
        if (!fits && other.empty()) other = name;
        if (!fits) continue;
        if (void *const found = load(name)) return bind_any(found, name);
    }
    if (!other.empty())
        if (void *const found = load(other)) return bind_any(found, other);
    return Error{
        fmt::format("there is no library of MPI: neither {}; install the MPI whose mpirun it is (on Debian: libopenmpi3 or libmpich12), or "
                    "name its library in MOG_MPI_LIBRARY",
                    fmt::join(names, " nor "))};
}

}  // namespace mog::mpi
