// device_host.cpp: loads the image's "host" product, a shared object, from memory, and calls its three kernels for each
// PE.
#include "runtime_host/device_host.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "assembler/block_plan.hpp"
#include "assembler/generate.hpp"
#include "assembler/superinstruction.hpp"
#include "runtime_host/arithmetic.hpp"
#include "runtime_host/host_memory.hpp"
#include "runtime_host/thread_pool.hpp"
#include "support/host_compiler.hpp"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

// The kernels of interpreter.c as dialect_host.h declares them: the last parameter is the work-item.
using InitKernel = void(const u32 *image, u32 image_words, const u32 *startup, u32 startup_words, u32 *data,
                        u32 data_words, u32 *state, u32 stride, u32 nproc, u32 entry, u32 count, u32 work_item);
using TransferKernel = void(const u32 *list, u8 *staging, u32 *data, u32 data_words, u32 *state, u32 stride, u32 to_pe,
                            u32 first, u32 count, u32 work_item);
using RunKernel = void(const u16 *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                       u32 stride, u32 *requests, u32 *nrequests, const u32 *active, u32 passes, u32 first,
                       u32 count, u32 work_item);
using RunBlocksKernel = void(const u16 *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                             u32 stride, u32 *requests, u32 *nrequests, const u32 *active, u32 passes, u32 first,
                             u32 count, const u32 *entry_of, u32 work_item);

// lanes.c: MOG_LANES PEs at once.
using RunLanesKernel = void(const u16 *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                            u32 stride, u32 *requests, u32 *nrequests, u32 warp, u32 running, u32 passes,
                            const u32 *entry_of, unsigned long *counts);

class HostDevice final : public Device {
public:
    HostDevice() : info_(host_device_info()) {}

    ~HostDevice() override {
        if (library_) dlclose(library_);
    }

    const DeviceInfo &info() const override { return info_; }

    std::uint64_t bytes_per_pe(const Image &image, u32 data_words) const override {
        return 4ull * (data_words + MOG_S_REGS + image.register_names.size() + MOG_Q_WORDS);
    }

    Result<void> load(const Image &image, const LoadConfig &config) override {
        if (config.engine == Engine::Sequence)
            return Error{
                "the host's interpreter is compiled by mogcc as a switch; --engine=sequence is for OpenCL devices"};
        // Its arithmetic was decided when mogcc compiled it.
        Result<Arithmetic> arithmetic = choose_arithmetic(image, wished_doubles(image), {}, info_.id);
        if (!arithmetic) return arithmetic.error();
        Result<Arithmetic> wished = choose_arithmetic(image, config.doubles, {}, info_.id);
        if (!wished) return wished.error();
        if (arithmetic->doubles != wished->doubles && needs_doubles(image))
            return Error{fmt::format("the program's interpreter for the device \"host\" was compiled with {}; compile "
                                     "the program with mogcc --double={}, or use another device",
                                     arithmetic->description, name_of(config.doubles))};
        arithmetic_ = arithmetic->description;
        auto begin = std::chrono::steady_clock::now();
        if (config.engine == Engine::Lanes && !runs_lanes())
            return Error{"--engine=lanes needs a processor with AVX-512; --engine=blocks runs everywhere"};
        // The lanes of a warp share a slice, so they cannot have fuel each of its own.
        lanes_ = config.engine == Engine::Lanes && !config.fuel;
        if (Result<void> opened = open_library(image); !opened) return opened;
        build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        image_ = &image;
        // With no entry in the table everything is interpreted.
        entries_ = entry_table(image, lanes_ ? "places" : "entries");
        if (entries_.empty() && config.engine == Engine::Blocks) return no_compiled_blocks();
        blocks_ = !entries_.empty() && config.engine != Engine::Switch;
        if (!blocks_) std::fill(entries_.begin(), entries_.end(), 0);
        // As interpreter.c has it: no superinstructions beside compiled blocks, nor where fuel is counted.
        const bool plain = config.fuel || !entries_.empty();
        text_ = plain ? image.text : fused_text(image, Shape::switch_);
        superinstructions_ = plain ? 0 : superinstructions_of(image, Shape::switch_).size();
        nproc_ = config.nproc;
        data_words_ = config.data_words;
        u32 rows = MOG_S_REGS + static_cast<u32>(image.register_names.size());
        stride_ = lanes_ ? (nproc_ + MOG_LANES - 1) / MOG_LANES * MOG_LANES : nproc_;
        Result<HostMemory> data = HostMemory::allocate(4ull * stride_ * data_words_, nproc_);
        if (!data) return data.error();
        data_ = *std::move(data);
        Result<HostMemory> state = HostMemory::allocate(4ull * stride_ * rows, nproc_);
        if (!state) return state.error();
        state_ = *std::move(state);

        std::vector<u32> initial((image.data.size() + 3) / 4);
        std::memcpy(initial.data(), image.data.data(), image.data.size());
        pool_.for_each(nproc_, [&](std::size_t pe) {
            init_(initial.data(), static_cast<u32>(initial.size()), config.startup.data(),
                  static_cast<u32>(config.startup.size()), data_.words(), data_words_, state_.words(), stride_, nproc_,
                  image.entry, nproc_, static_cast<u32>(pe));
        });
        return {};
    }

    Result<std::vector<Request>> run(std::span<const u32> active, u32 passes,
                                     std::span<const u32> own_passes) override {
        requests_.resize(active.size());
        u32 stopped = 0;
        u32 *records = requests_.empty() ? nullptr : requests_.front().data();
        if (lanes_) {
            run_warps(active, passes, records, &stopped);
            return in_order(stopped);
        }
        pool_.for_each(active.size(), [&](std::size_t i) {
            const u32 allowed = own_passes.empty() ? passes : own_passes[i];
            const auto count = static_cast<u32>(active.size()), item = static_cast<u32>(i);
            if (entries_.empty())
                run_(text_.data(), image_->cpool.data(), image_->code_map.data(), data_.words(), data_words_,
                     state_.words(), stride_, records, &stopped, active.data(), allowed, 0, count, item);
            else
                run_blocks_(text_.data(), image_->cpool.data(), image_->code_map.data(), data_.words(), data_words_,
                            state_.words(), stride_, records, &stopped, active.data(), allowed, 0, count, entries_.data(), item);
        });
        return in_order(stopped);
    }

    Result<void> gather(std::span<const Transfer> transfers, std::span<u8> staging) override {
        transfer(transfers, staging.data(), 0);
        return {};
    }

    Result<void> scatter(std::span<const Transfer> transfers, std::span<const u8> staging) override {
        transfer(transfers, const_cast<u8 *>(staging.data()), 1);  // to_pe = 1: the kernel only reads it
        return {};
    }

    Result<DeviceStats> stats() override {
        DeviceStats stats;
        if (lanes_)
            stats.engine = fmt::format("C++ interpreter, compiled blocks for {} PEs at once", MOG_LANES);
        else
            stats.engine = fmt::format("C++ interpreter, {}, {} superinstructions", blocks_ ? "compiled blocks" : "switch", superinstructions_);
        if (warp_instructions_ != 0)
            stats.lane_occupancy = static_cast<double>(lane_instructions_) / (MOG_LANES * static_cast<double>(warp_instructions_));
        stats.arithmetic = arithmetic_;
        stats.build_seconds = build_seconds_;
        stats.cached = true;
        for (u32 pe = 0; pe < nproc_; pe++)
            stats.executed += state_.words()[std::uint64_t{MOG_S_COUNT_LO} * stride_ + pe] |
                              std::uint64_t{state_.words()[std::uint64_t{MOG_S_COUNT_HI} * stride_ + pe]} << 32;
        stats.counted = stats.executed != 0;  // whether it counts was decided when the product was compiled
        return stats;
    }

private:
    std::vector<Request> in_order(u32 stopped) const {
        std::vector<Request> out(requests_.begin(), requests_.begin() + stopped);
        std::sort(out.begin(), out.end(), [](const Request &a, const Request &b) { return a[MOG_Q_PE] < b[MOG_Q_PE]; });
        return out;
    }

    /// Each warp with those of its lanes that are active.
    void run_warps(std::span<const u32> active, u32 passes, u32 *records, u32 *stopped) {
        warps_.clear();
        for (const u32 pe : active) {
            if (warps_.empty() || warps_.back().number != pe / MOG_LANES) warps_.push_back({pe / MOG_LANES, 0});
            warps_.back().running |= 1u << pe % MOG_LANES;
        }
        pool_.for_each(warps_.size(), [&](std::size_t i) {
            unsigned long counts[2] = {};
            run_lanes_(image_->text.data(), image_->cpool.data(), image_->code_map.data(), data_.words(), data_words_,
                       state_.words(), stride_, records, stopped, warps_[i].number, warps_[i].running, passes, entries_.data(),
                       counts);
            lane_instructions_.fetch_add(counts[0], std::memory_order_relaxed);
            warp_instructions_.fetch_add(counts[1], std::memory_order_relaxed);
        });
    }

    Result<void> open_library(const Image &image) {
        auto product = image.products.find(lanes_ ? "lanes" : "host");
        if (lanes_ && product == image.products.end())
            return Error{"--engine=lanes: the program has no code for lanes in it; compile it with mogcc --simd=avx512"};
        if (product == image.products.end())
            return Error{
                "this program has no compiled interpreter for the device \"host\"; use --device=reference or opencl"};
        int fd = memfd_create("mog-host", MFD_CLOEXEC);
        if (fd < 0)
            return Error{fmt::format("cannot load the program's interpreter: memfd_create: {}", std::strerror(errno))};
        const std::vector<u8> &bytes = product->second;
        for (std::size_t done = 0; done < bytes.size();) {
            ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
            if (n <= 0) {
                close(fd);
                return Error{fmt::format("cannot load the program's interpreter: {}", std::strerror(errno))};
            }
            done += static_cast<std::size_t>(n);
        }
        library_ = dlopen(fmt::format("/proc/self/fd/{}", fd).c_str(), RTLD_NOW | RTLD_LOCAL);
        close(fd);
        if (!library_) return Error{fmt::format("cannot load the program's interpreter: {}", dlerror())};
        init_ = reinterpret_cast<InitKernel *>(dlsym(library_, "mog_init"));
        transfer_ = reinterpret_cast<TransferKernel *>(dlsym(library_, "mog_transfer"));
        run_ = reinterpret_cast<RunKernel *>(dlsym(library_, "mog_run"));
        run_blocks_ = reinterpret_cast<RunBlocksKernel *>(dlsym(library_, "mog_run"));
        run_lanes_ = reinterpret_cast<RunLanesKernel *>(dlsym(library_, "mog_run_lanes"));
        if (!init_ || !transfer_ || !run_)
            return Error{"the program's interpreter for the device \"host\" lacks a kernel"};
        return {};
    }

    void transfer(std::span<const Transfer> transfers, u8 *staging, u32 to_pe) {
        list_.resize(transfers.size() * MOG_T_WORDS);
        for (std::size_t i = 0; i < transfers.size(); i++) {
            const Transfer &t = transfers[i];
            u32 *record = list_.data() + i * MOG_T_WORDS;
            record[MOG_T_PE] = t.pe | (t.is_state ? MOG_T_STATE : 0u);
            record[MOG_T_ADDRESS] = t.address;
            record[MOG_T_LENGTH] = t.length;
            record[MOG_T_STAGING] = t.staging;
        }
        u32 count = static_cast<u32>(transfers.size());
        for (u32 i = 0; i < count; i++)
            transfer_(list_.data(), staging, data_.words(), data_words_, state_.words(), stride_, to_pe, 0, count, i);
    }

    DeviceInfo info_;
    ThreadPool pool_;
    void *library_ = nullptr;
    InitKernel *init_ = nullptr;
    TransferKernel *transfer_ = nullptr;
    RunKernel *run_ = nullptr;  ///< of a program without compiled blocks
    RunBlocksKernel *run_blocks_ = nullptr;
    RunLanesKernel *run_lanes_ = nullptr;
    struct Warp {
        u32 number, running;  ///< PEs MOG_LANES * number and on; a bit for each
    };
    std::vector<Warp> warps_;
    std::atomic<std::uint64_t> lane_instructions_{0}, warp_instructions_{0};
    bool lanes_ = false;
    u32 stride_ = 0;
    std::vector<u32> entries_;  ///< to compiled blocks; empty if there are none
    const Image *image_ = nullptr;
    std::size_t superinstructions_ = 0;
    std::vector<u16> text_;  ///< with superinstructions, if it runs with them
    u32 nproc_ = 0, data_words_ = 0;
    HostMemory data_, state_;
    std::vector<Request> requests_;
    std::vector<u32> list_;
    std::string arithmetic_;
    bool blocks_ = false;
    double build_seconds_ = 0;
};

}  // namespace

DeviceInfo host_device_info() {
    DeviceInfo info;
    info.id = "host";
    info.driver = processor_name();
    info.memory_bytes = host_memory_bytes();
    info.fill_pes = usable_cores();
    info.description = fmt::format("the program's interpreter compiled for the CPU, {} core{}", info.fill_pes,
                                   info.fill_pes == 1 ? "" : "s");
    return info;
}

std::unique_ptr<Device> make_host_device() {
    return std::make_unique<HostDevice>();
}

}  // namespace mog
