// fake_device.hpp: a device that does what a script says. It has memory and state but no interpreter: each launch takes
// the next step of the script, so every path of the service loop, failures included, can be walked through.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/service/service_loop.hpp"

namespace mog::test {

/// A PE that makes a Linux system call with these arguments.
Request system_call(std::uint32_t pe, std::uint32_t number, std::vector<std::uint32_t> arguments = {});
/// A PE that a fault stopped.
Request fault(std::uint32_t pe, std::uint32_t stop, std::uint32_t info);

class FakeDevice final : public Device {
public:
    using Step = std::function<Result<std::vector<Request>>(std::span<const std::uint32_t> active)>;

    /// `nproc` processes, of up to `threads` PEs each.
    FakeDevice(std::uint32_t nproc, std::uint32_t data_bytes, std::uint32_t threads = 1);

    /// What the next launches give, in order. After the last step every PE that is still active exits with status 0.
    std::deque<Step> script;
    std::size_t most_staged = 0;  ///< bytes of the host that were handed to it at once
    bool gather_fails = false, scatter_fails = false;
    /// What a step of the script may ask, if the loop allows it: whether a call is served and its PE runs on.
    struct AtOnce {
        ServeAtOnce serve;
        explicit operator bool() const { return static_cast<bool>(serve); }
        bool operator()(const Request &call) const {
            std::vector<std::uint32_t> woken;
            return goes_on(serve(call, woken)) && woken.empty();
        }
    } at_once;
    std::vector<std::vector<std::uint32_t>> launched;                        ///< the active PEs of each launch
    std::vector<std::vector<std::uint32_t>> passes;                          ///< and the passes of each, with fuel
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> state;  ///< (pe, row) -> word

    void step(std::vector<Request> requests) {
        script.push_back([requests](std::span<const std::uint32_t>) { return requests; });
    }
    void put(std::uint32_t pe, std::uint32_t address, std::string_view bytes);
    std::string get(std::uint32_t pe, std::uint32_t address, std::size_t length) const;

    const DeviceInfo &info() const override { return info_; }
    std::uint64_t bytes_per_pe(const Image &, std::uint32_t data_words) const override { return 4ull * data_words; }
    Result<void> load(const Image &, const LoadConfig &) override { return {}; }
    void serve_at_once(ServeAtOnce serve) override { at_once.serve = std::move(serve); }
    Result<std::vector<Request>> run(std::span<const std::uint32_t> active, std::uint32_t passes,
                                     std::span<const std::uint32_t> own_passes) override;
    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override;
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override;
    Result<DeviceStats> stats() override { return DeviceStats{}; }

private:
    std::uint8_t *place(const Transfer &t);

    DeviceInfo info_;
    std::uint32_t pes_;
    std::vector<std::vector<std::uint8_t>> memory_;
};

/// An image with registers for all roles, the function "main" at 0x400000 with a source line, and "library" behind it
/// without one.
Image small_image();

/// What a run printed and said.
struct Transcript {
    std::string out, err;
    std::vector<std::string> said;
};
RunConfig config_for(std::uint32_t nproc, std::uint32_t data_bytes, Transcript &transcript);

}  // namespace mog::test
