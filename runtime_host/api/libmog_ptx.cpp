// libmog_ptx.cpp: the functions of mog.h for kernels in PTX.
#include <condition_variable>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "runtime_host/api/libmog_handles.hpp"
#include "runtime_host/ptx/engine.hpp"

using namespace mog;

struct mog_ptx_module {
    std::shared_ptr<ptx::Module> module;
};

namespace {

/// A launch with all that it needs.
struct Prepared {
    std::shared_ptr<ptx::Module> module;
    const ptx::KernelInfo *kernel = nullptr;
    ptx::LaunchShape shape;
    std::string parameters;

    Failure run() const {
        ptx::Fault fault = ptx::Fault::none;
        ptx::LaunchOptions options;
        options.fault = &fault;
        const Result<ptx::LaunchCounts> done_well = ptx::launch(*module, kernel->name, shape, parameters.data(), options);
        if (done_well) return done;
        return {fault == ptx::Fault::bad_shape ? MOG_ERROR_SETUP : MOG_ERROR_DEVICE, done_well.error().text()};
    }
};

Failure prepare(const mog_ptx_module *module, const char *name, const mog_ptx_shape *shape, void *const *arguments, Prepared &prepared) {
    if (!module) return null_argument("module");
    if (!name) return null_argument("kernel");
    if (!shape) return null_argument("shape");
    const ptx::KernelInfo *kernel = module->module->kernel(name);
    if (!kernel) return {MOG_ERROR_SYMBOL, fmt::format("the module has no kernel {}", name)};
    if (!arguments && !kernel->parameters.empty()) return null_argument("arguments");
    prepared = {module->module, kernel, {}, std::string(kernel->parameter_bytes, '\0')};
    prepared.shape.grid = {shape->grid[0], shape->grid[1], shape->grid[2]};
    prepared.shape.block = {shape->block[0], shape->block[1], shape->block[2]};
    prepared.shape.dynamic_shared_bytes = shape->shared_bytes;
    for (std::size_t i = 0; i < kernel->parameters.size(); i++) {
        if (!arguments[i]) return null_argument(fmt::format("argument {}", i));
        std::memcpy(prepared.parameters.data() + kernel->parameters[i].offset, arguments[i], kernel->parameters[i].size);
    }
    return done;
}

}  // namespace

/* Its thread ends with it, so that the library can be unloaded. */
struct mog_ptx_stream {
    mog_ptx_stream() : thread_([this] { work(); }) {}
    ~mog_ptx_stream() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            changed_.notify_all();
        }
        thread_.join();
    }
    void add(Prepared launch) {
        const std::lock_guard lock(mutex_);
        launches_.push_back(std::move(launch));
        changed_.notify_all();
    }
    Failure wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return launches_.empty() && !busy_; });
        return std::exchange(failure_, done);
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return closed_ || !launches_.empty(); });
            if (launches_.empty()) return;
            const Prepared launch = std::move(launches_.front());
            launches_.pop_front();
            if (failure_.code != MOG_OK) continue;
            busy_ = true;
            lock.unlock();
            Failure outcome = launch.run();
            lock.lock();
            busy_ = false;
            failure_ = std::move(outcome);
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Prepared> launches_;
    bool busy_ = false, closed_ = false;
    Failure failure_;
    std::thread thread_;  // last: it uses the others
};

mog_code mog_ptx_load(const char *text, size_t size, const char *name, mog_ptx_module **module, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!module) return null_argument("module");
        *module = nullptr;
        if (!text) return null_argument("text");
        Result<std::shared_ptr<ptx::Module>> loaded = ptx::Module::load({text, size}, name ? name : "PTX");
        if (!loaded) return {MOG_ERROR_PROGRAM, loaded.error().text()};
        *module = new mog_ptx_module{*loaded};
        return done;
    });
}

void mog_ptx_free(mog_ptx_module *module) { delete module; }

mog_code mog_ptx_variable(const mog_ptx_module *module, const char *name, void **address, size_t *size, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!module) return null_argument("module");
        if (!name) return null_argument("name");
        const std::optional<ptx::ModuleVariable> found = module->module->variable(name);
        if (!found) return {MOG_ERROR_SYMBOL, fmt::format("the module has no variable {}", name)};
        if (address) *address = found->address;
        if (size) *size = found->size;
        return done;
    });
}

mog_code mog_ptx_launch(const mog_ptx_module *module, const char *kernel, const mog_ptx_shape *shape, void *const *arguments,
                        mog_error *error) {
    return guarded(error, [&]() -> Failure {
        Prepared launch;
        if (Failure failure = prepare(module, kernel, shape, arguments, launch); failure.code != MOG_OK) return failure;
        return launch.run();
    });
}

mog_code mog_ptx_stream_new(mog_ptx_stream **stream, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!stream) return null_argument("stream");
        *stream = nullptr;
        *stream = new mog_ptx_stream;
        return done;
    });
}

mog_code mog_ptx_stream_launch(mog_ptx_stream *stream, const mog_ptx_module *module, const char *kernel, const mog_ptx_shape *shape,
                               void *const *arguments, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!stream) return null_argument("stream");
        Prepared launch;
        if (Failure failure = prepare(module, kernel, shape, arguments, launch); failure.code != MOG_OK) return failure;
        stream->add(std::move(launch));
        return done;
    });
}

mog_code mog_ptx_stream_wait(mog_ptx_stream *stream, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!stream) return null_argument("stream");
        return stream->wait();
    });
}

void mog_ptx_stream_free(mog_ptx_stream *stream) { delete stream; }
