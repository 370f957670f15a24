// use_image.cpp: what happens to images that were accepted.
#include "assembler/assemble.hpp"
#include "assembler/image/encode.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/reference/reference_device.hpp"
#include "runtime_host/faults/faults.hpp"
#include "runtime_host/run/startup.hpp"
#include "support/files/hash.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace mog::fuzz {
namespace {

constexpr std::uint32_t pes = 2;
constexpr std::uint32_t passes = 2000;

void run(const Image &image) {
    static const std::unique_ptr<Device> device = make_reference_device();
    DeviceInfo small = device->info();
    small.memory_bytes = 64 << 20;
    const auto bytes = choose_memory(image, small, pes, 0);
    if (!bytes) return;
    const std::string name = "program";
    auto startup = make_startup({&name, 1}, {}, *bytes);
    if (!startup) return;
    LoadConfig config;
    config.nproc = pes;
    config.data_words = *bytes / 4;
    config.startup = *std::move(startup);
    config.count = true;
    if (!device->load(image, config)) return;

    FaultLog faults(image, pes, Limits{"more memory", 0, 0, false, true}, [](std::string_view) {});
    std::vector<std::uint32_t> active{0, 1};
    for (const std::uint32_t slice : {1u, 7u, passes}) {
        auto stopped = device->run(active, slice);
        require(bool(stopped), "the reference machine fails");
        for (const Request &request : *stopped) {
            std::erase(active, request[MOG_Q_PE]);
            if (request[MOG_Q_STOP] < MOG_STOP_FIRST_FAULT) continue;
            StoppedPe pe(*device, image, *bytes,
                         {request[MOG_Q_PE], request[MOG_Q_PC], request[MOG_Q_SP], request[MOG_Q_RA], request[MOG_Q_SP], image.brk});
            faults.record({Ending::By::Fault, request[MOG_Q_STOP], request[MOG_Q_INFO], 0}, pe);
        }
        if (active.empty()) break;
    }
    faults.tell_all();
    require(bool(device->stats()), "the reference machine has no statistics");
}

}  // namespace

void use_image(const Image &image) {
    const auto bytes = write_image(image);
    const auto back = read_image(bytes);
    require(bool(back), "an image that was accepted is refused when it is written and read again");
    require(*back == image, "an image changes when it is written and read again");
    // Generating sources takes longer than all the rest, and depends on little of the image.
    if (fnv1a(bytes) % 16 == 0) {
        Image whole = image;
        AssembleOptions options;
        options.order.seconds = 0;
        require(bool(add_interpreters(whole, options)), "an image that was accepted has no interpreter");
    } else {
        (void)static_execution(image);
    }
    run(image);
}

}  // namespace mog::fuzz
