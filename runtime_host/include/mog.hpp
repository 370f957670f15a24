// mog.hpp: mog.h for C++17: handles that free themselves, errors as exceptions, callbacks as functions. A header alone.
//
//     mog::Program program("./nqueens");
//     mog::Run run(program);
//     run.set_pes(4096).set_arguments({"nqueens", "12"});
//     int status = run.to_end();
//     std::cout << run.output(7);
//
// What each piece does, its units and its errors, is said in mog.h at the function of the same name. A function that fails throws
// mog::Error, whose code() is that of mog.h. What a callback throws ends the run as mog_run_cancel() does, and comes out of to_end() or
// run_for().
#ifndef MOG_HOST_MOG_HPP
#define MOG_HOST_MOG_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "mog.h"

namespace mog {
inline namespace api {

class Error : public std::runtime_error {
public:
    explicit Error(const mog_error &error) : std::runtime_error(error.text), code_(error.code) {}
    mog_code code() const noexcept { return code_; }

private:
    mog_code code_;
};

namespace detail {

/// Calls a function of mog.h whose last parameter is the error.
template <typename Function, typename... Arguments>
void call(Function *function, Arguments... arguments) {
    mog_error error;
    if (function(arguments..., &error) != MOG_OK) throw Error(error);
}

}  // namespace detail

struct Device {
    std::string id, description;
    bool is_gpu = false;
    std::uint32_t fill_pes = 0;
    std::uint64_t memory_bytes = 0;
};

class Program {
public:
    explicit Program(const std::string &path) { detail::call(mog_program_open, path.c_str(), &handle_); }
    /// `Program(MOG_LINKED(name))`: one that is linked in.
    Program(const void *bytes, std::size_t size) { detail::call(mog_program_from_memory, bytes, size, &handle_); }
    /// `Program(name_parts)`: one that was built as sources.
    explicit Program(const mog_parts &parts) { detail::call(mog_program_from_parts, &parts, &handle_); }
    Program(Program &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Program &operator=(Program &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Program() { mog_program_free(handle_); }

    mog_symbol symbol(const std::string &name) const {
        mog_symbol symbol;
        detail::call(mog_program_symbol, handle_, name.c_str(), &symbol);
        return symbol;
    }
    mog_program *handle() const { return handle_; }

private:
    mog_program *handle_ = nullptr;
};

/// The devices of this machine, best first; with a program, those that can run it.
inline std::vector<Device> list_devices(const Program *program = nullptr) {
    std::vector<Device> devices;
    const auto add = [](void *user, const mog_device *d) {
        static_cast<std::vector<Device> *>(user)->push_back({d->id, d->description, d->is_gpu != 0, d->fill_pes, d->memory_bytes});
    };
    detail::call(mog_list_devices, program ? program->handle() : nullptr, +add, &devices);
    return devices;
}

/// The calls that PEs make of a native function in one round.
class Calls {
public:
    Calls(mog_call *first, std::size_t count, mog_memory *memory) : first_(first), count_(count), memory_(memory) {}
    mog_call *begin() const { return first_; }
    mog_call *end() const { return first_ + count_; }
    std::size_t size() const { return count_; }
    mog_call &operator[](std::size_t i) const { return first_[i]; }

    void read(const std::vector<mog_piece> &pieces) const { detail::call(mog_memory_read, memory_, pieces.data(), pieces.size()); }
    void write(const std::vector<mog_piece> &pieces) const { detail::call(mog_memory_write, memory_, pieces.data(), pieces.size()); }

private:
    mog_call *first_;
    std::size_t count_;
    mog_memory *memory_;
};

class Run {
public:
    using Native = std::function<void(Calls &calls)>;

    explicit Run(const Program &program) : callbacks_(std::make_unique<Callbacks>()) {
        detail::call(mog_run_new, program.handle(), &callbacks_->run);
    }
    Run(Run &&) noexcept = default;
    Run &operator=(Run &&) noexcept = default;

    // ---- before it is loaded

    Run &set_pes(std::uint32_t pes) { return with(mog_run_set_pes, pes); }
    Run &set_device(const std::string &device) { return with(mog_run_set_device, device.c_str()); }
    Run &set(const std::string &name, const std::string &value = "") { return with(mog_run_set, name.c_str(), value.c_str()); }
    Run &set_output(mog_output output) { return with(mog_run_set_output, output); }
    Run &set_arguments(const std::vector<std::string> &words, std::uint32_t pe = MOG_ALL_PES) {
        return with(mog_run_set_arguments, pe, words.size(), pointers(words).data());
    }
    Run &set_environment(const std::vector<std::string> &strings, std::uint32_t pe = MOG_ALL_PES) {
        return with(mog_run_set_environment, pe, strings.size(), pointers(strings).data());
    }
    Run &set_input(std::string_view bytes, std::uint32_t pe = MOG_ALL_PES) {
        return with(mog_run_set_input, pe, static_cast<const void *>(bytes.data()), bytes.size());
    }

    /// Returns 0, or an errno with which the PE's write fails. An empty function: nobody, as NULL in mog.h.
    Run &on_output(std::function<int(std::uint32_t pe, int stream, std::string_view bytes)> function) {
        const auto passes = +[](void *user, std::uint32_t pe, int stream, const void *bytes, std::size_t size) {
            return guarded(user, &Callbacks::output, [&](const auto &f) { return f(pe, stream, {static_cast<const char *>(bytes), size}); });
        };
        return keep(&Callbacks::output, std::move(function), mog_run_on_output, passes);
    }
    Run &on_log(std::function<void(std::string_view text)> function) {
        const auto passes = +[](void *user, const char *text) { guarded(user, &Callbacks::log, [&](const auto &f) { f(text); }); };
        return keep(&Callbacks::log, std::move(function), mog_run_on_log, passes);
    }
    Run &on_progress(std::function<void(const mog_progress &progress)> function) {
        const auto passes = +[](void *user, const mog_progress *progress) {
            guarded(user, &Callbacks::progress, [&](const auto &f) { f(*progress); });
        };
        return keep(&Callbacks::progress, std::move(function), mog_run_on_progress, passes);
    }
    Run &register_native(const std::string &name, Native function) {
        const auto passes = +[](void *user, mog_call *calls, std::size_t count, mog_memory *memory) {
            Calls list(calls, count, memory);
            guarded(user, &Callbacks::natives, [&](const auto &f) { f(list); });
        };
        return keep(&Callbacks::natives, std::move(function), mog_run_register, passes, name.c_str());
    }

    // ---- running

    Run &load() { return with(mog_run_load); }
    int to_end() {
        int status = 0;
        run([&](mog_error *error) { return mog_run_to_end(handle(), &status, error); });
        return status;
    }
    /// True: it has ended. False: there is more to run. 0 stands for no limit.
    bool run_for(std::chrono::duration<double> time, std::uint64_t slices = 0) {
        mog_run_state state = MOG_RUN_SETUP;
        run([&](mog_error *error) { return mog_run_for(handle(), time.count(), slices, &state, error); });
        return state != MOG_RUN_READY;
    }
    void cancel() noexcept { mog_run_cancel(handle()); }
    std::uint32_t pes() const noexcept { return mog_run_pes(handle()); }
    mog_progress progress() const {
        mog_progress progress;
        detail::call(mog_run_get_progress, handle(), &progress);
        return progress;
    }
    mog_run_state state() const {
        mog_run_state state;
        detail::call(mog_run_get_state, handle(), &state);
        return state;
    }

    // ---- what came of it

    mog_pe_end end_of(std::uint32_t pe) const {
        mog_pe_end end;
        detail::call(mog_run_pe_end, handle(), pe, &end);
        return end;
    }
    /// Its strings are valid until the run is gone.
    mog_cause cause_of(std::uint32_t pe) const {
        mog_cause cause;
        detail::call(mog_run_pe_cause, handle(), pe, &cause);
        return cause;
    }
    /// Valid until the run goes on or is gone.
    std::string_view output(std::uint32_t pe, int stream = 1) const {
        const char *bytes = nullptr;
        std::size_t size = 0;
        detail::call(mog_run_output, handle(), pe, stream, &bytes, &size);
        return {bytes, size};
    }
    /// The memory that all PEs share; read() and write() reach it by any PE. Its size is 0 if the program has none.
    struct Window {
        std::uint32_t address = 0, size = 0;
    };
    Window window() const {
        Window window;
        detail::call(mog_run_window, handle(), &window.address, &window.size);
        return window;
    }
    void read(std::uint32_t pe, std::uint32_t address, void *bytes, std::size_t size) const {
        detail::call(mog_run_read, handle(), pe, address, bytes, size);
    }
    void write(std::uint32_t pe, std::uint32_t address, const void *bytes, std::size_t size) {
        detail::call(mog_run_write, handle(), pe, address, bytes, size);
    }
    void read(const std::vector<mog_piece> &pieces) const { detail::call(mog_run_read_pieces, handle(), pieces.data(), pieces.size()); }
    void write(const std::vector<mog_piece> &pieces) { detail::call(mog_run_write_pieces, handle(), pieces.data(), pieces.size()); }

    /// The value at the same address in every PE, by PE. T has the layout that the PEs' compiler gives it: 32-bit pointers and longs.
    template <typename T>
    std::vector<T> read_all(std::uint32_t address) const {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>, "a bool of PEs is a char here");
        std::vector<T> values(pes());
        read(pieces_of(values, address));
        return values;
    }
    /// values[i] goes to PE i.
    template <typename T>
    void write_all(std::uint32_t address, std::vector<T> values) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>, "a bool of PEs is a char here");
        write(pieces_of(values, address));
    }

    std::string stats() const { return text_of(mog_run_stats); }
    std::string mpi_stats() const { return text_of(mog_run_mpi_stats); }
    /// NULL after the Run was moved from.
    mog_run *handle() const noexcept { return callbacks_ ? callbacks_->run : nullptr; }

private:
    struct Callbacks;
    template <typename Function>
    struct Callback {
        Callbacks *all;
        Function function;
    };
    template <typename Function>
    using Kept = std::list<Callback<Function>>;
    /// What the library points to: it stays where it is when the Run is moved.
    struct Callbacks {
        mog_run *run = nullptr;
        Kept<std::function<int(std::uint32_t, int, std::string_view)>> output;
        Kept<std::function<void(std::string_view)>> log;
        Kept<std::function<void(const mog_progress &)>> progress;
        Kept<Native> natives;
        std::exception_ptr thrown;

        Callbacks() = default;
        Callbacks(const Callbacks &) = delete;
        ~Callbacks() { mog_run_free(run); }
    };

    /// Calls one of them, of the list that is named. No exception passes through the library.
    template <typename Function, typename Body>
    static auto guarded(void *user, Kept<Function> Callbacks::*, Body body) noexcept -> decltype(body(std::declval<const Function &>())) {
        const auto &callback = *static_cast<Callback<Function> *>(user);
        try {
            return body(callback.function);
        } catch (...) {
            if (!callback.all->thrown) callback.all->thrown = std::current_exception();
            mog_run_cancel(callback.all->run);
            return decltype(body(callback.function))();
        }
    }

    /// Gives the library `passes`, which calls `function`. That is kept as long as the run: a later one may be refused, or come from it.
    template <typename Function, typename Register, typename Passes, typename... Arguments>
    Run &keep(Kept<Function> Callbacks::*list, Function function, Register *register_with, Passes *passes, Arguments... arguments) {
        if (!callbacks_ || !function) return with(register_with, arguments..., static_cast<Passes *>(nullptr), static_cast<void *>(nullptr));
        Kept<Function> &kept = callbacks_.get()->*list;
        kept.push_back({callbacks_.get(), std::move(function)});
        try {
            return with(register_with, arguments..., passes, static_cast<void *>(&kept.back()));
        } catch (...) {
            kept.pop_back();
            throw;
        }
    }

    template <typename Function, typename... Arguments>
    Run &with(Function *function, Arguments... arguments) {
        detail::call(function, handle(), arguments...);
        return *this;
    }

    template <typename Body>
    void run(Body body) {
        mog_error error;
        const mog_code code = body(&error);
        if (callbacks_)
            if (std::exception_ptr thrown = std::exchange(callbacks_->thrown, nullptr)) std::rethrow_exception(thrown);
        if (code != MOG_OK) throw Error(error);
    }

    std::string text_of(mog_code (*function)(mog_run *, const char **, mog_error *)) const {
        const char *text = nullptr;
        detail::call(function, handle(), &text);
        return text;
    }

    static std::vector<const char *> pointers(const std::vector<std::string> &strings) {
        std::vector<const char *> list;
        for (const std::string &s : strings) list.push_back(s.c_str());
        return list;
    }

    template <typename T>
    static std::vector<mog_piece> pieces_of(std::vector<T> &values, std::uint32_t address) {
        std::vector<mog_piece> pieces;
        for (std::uint32_t pe = 0; pe < values.size(); pe++) pieces.push_back({pe, address, sizeof(T), &values[pe]});
        return pieces;
    }

    std::unique_ptr<Callbacks> callbacks_;
};

/// Kernels in PTX, on this machine's cores: mog_ptx_load() and its like.
class PtxModule {
public:
    explicit PtxModule(std::string_view text, const char *name = nullptr) {
        mog_ptx_module *module = nullptr;
        detail::call(mog_ptx_load, text.data(), text.size(), name, &module);
        handle_.reset(module);
    }
    mog_ptx_module *handle() const noexcept { return handle_.get(); }

    /// Of a variable; its size has to be that of the type.
    template <typename T>
    T &variable(const std::string &name) const {
        void *address = nullptr;
        std::size_t size = 0;
        detail::call(mog_ptx_variable, handle(), name.c_str(), &address, &size);
        if (size != sizeof(T)) throw std::invalid_argument(name + " has another size");
        return *static_cast<T *>(address);
    }

    /// Runs a kernel to its end. Arguments have to have the types that it takes.
    template <typename... Arguments>
    void launch(const std::string &kernel, const mog_ptx_shape &shape, Arguments... arguments) const {
        void *pointers[] = {static_cast<void *>(&arguments)..., nullptr};
        detail::call(mog_ptx_launch, handle(), kernel.c_str(), &shape, static_cast<void *const *>(pointers));
    }

private:
    struct Free {
        void operator()(mog_ptx_module *module) const noexcept { mog_ptx_free(module); }
    };
    std::unique_ptr<mog_ptx_module, Free> handle_;
};

/// Launches one after the other, beside the program. Freeing it waits.
class PtxStream {
public:
    PtxStream() {
        mog_ptx_stream *stream = nullptr;
        detail::call(mog_ptx_stream_new, &stream);
        handle_.reset(stream);
    }
    template <typename... Arguments>
    PtxStream &launch(const PtxModule &module, const std::string &kernel, const mog_ptx_shape &shape, Arguments... arguments) {
        void *pointers[] = {static_cast<void *>(&arguments)..., nullptr};
        detail::call(mog_ptx_stream_launch, handle_.get(), static_cast<const mog_ptx_module *>(module.handle()), kernel.c_str(), &shape,
                     static_cast<void *const *>(pointers));
        return *this;
    }
    void wait() { detail::call(mog_ptx_stream_wait, handle_.get()); }

private:
    struct Free {
        void operator()(mog_ptx_stream *stream) const noexcept { mog_ptx_stream_free(stream); }
    };
    std::unique_ptr<mog_ptx_stream, Free> handle_;
};

}  // namespace api
}  // namespace mog

#endif
