// host_lanes.cpp: the compiler is called by a shell in the background; what it made is kept in the kernel cache.
#include "runtime_host/devices/host/host_lanes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runtime_host/device/kernel_cache.hpp"
#include "support/files/files.hpp"

namespace mog {

namespace {

/// For this processor, natively, as all lanes compute.
HostLibrary lanes_library() { return host_libraries(std::nullopt, best_simd()).front(); }

}  // namespace

HostLanes::HostLanes(const Image &image) : image_(image), library_(lanes_library()) {
    // Whoever compiled it: where there is no compiler, or another one, it is found all the same.
    HostBuild build;
    build.show = [&](const Command &command) { commands_ += quote(command) + '\n'; };
    show_host_build({library_}, build);
    key_ = kernel_cache_key({image.products.text(ProductKind::cpp), image.products.text(ProductKind::lanes_cpp), commands_});
}

bool HostLanes::can_be_made(const Image &image) {
    return !image.has_lanes_code() && !image.linked && image.products.has(ProductKind::lanes_cpp) && image.products.has(ProductKind::cpp) &&
           image.products.has(ProductKind::places) && best_simd() != Simd::none;
}

void HostLanes::store(const std::vector<std::uint8_t> &library) const { kernel_cache_store(key_, library, commands_); }

std::optional<std::vector<std::uint8_t>> HostLanes::find() const { return kernel_cache_load(key_); }

Result<std::vector<std::uint8_t>> HostLanes::make() const {
    const Result<Command> compiler = usable_host_compiler();
    if (!compiler) return compiler.error();
    auto built = build_host_libraries({library_}, {*compiler, ""},
                                      {image_.products.bytes(ProductKind::cpp), image_.products.bytes(ProductKind::lanes_cpp)});
    if (!built) return built.error();
    store(built->front());
    return std::move(built->front());
}

Result<void> HostLanes::begin() {
    begun_ = std::chrono::steady_clock::now();
    const Result<Command> compiler = usable_host_compiler();
    if (!compiler) return compiler.error();
    Result<BackgroundWork> work = BackgroundWork::make();
    if (!work) return work.error();
    MOG_TRY(write_file(work->folder() / host_source_name(HostSource::interpreter), image_.products.bytes(ProductKind::cpp)));
    MOG_TRY(write_file(work->folder() / host_source_name(HostSource::lanes), image_.products.bytes(ProductKind::lanes_cpp)));
    const HostCommands commands = host_commands(library_, {*compiler, ""});
    std::string script, waits;
    for (std::size_t i = 0; i < commands.compilations.size(); ++i) {
        script += fmt::format("{} & p{}=$!\n", quote(commands.compilations[i]), i);
        waits += fmt::format("wait $p{}\n", i);
    }
    MOG_TRY(work->start(script + waits + quote(commands.link)));
    work_.emplace(*std::move(work));
    return {};
}

Result<std::optional<std::vector<std::uint8_t>>> HostLanes::poll() {
    std::optional<std::vector<std::uint8_t>> library;
    const std::optional<bool> succeeded = work_ ? work_->ended() : std::nullopt;
    if (!succeeded) return library;
    Result<std::vector<std::uint8_t>> bytes =
        *succeeded ? read_file(work_->folder() / host_commands(library_, {}).result) : Error{"the C++ compiler failed"};
    work_.reset();
    if (!bytes) return bytes.error();
    store(*bytes);
    library = *std::move(bytes);
    return library;
}

LanesDecision::LanesDecision(std::optional<EngineVerdict> known, double cost, unsigned cores, UnfinishedLanes unfinished)
    : cost_(cost),
      cores_(cores),
      unfinished_(unfinished),
      known_(known.value_or(EngineVerdict{})),
      next_look_(would_finish() ? 0 : first_look * cost) {}

void LanesDecision::look(double together) {
    looks_++;
    together_ += (together - together_) / looks_;
    next_look_ = spent_ + next_looks * cost_;
    if (known_.times > 1 && known_.engine == HostEngine::blocks && (known_.times >= EngineChoice::sure || spent_ < long_run * cost_))
        return;
    // That lanes were faster says more than where PEs are.
    if (would_finish() || (known_.times > 1 && known_.engine == HostEngine::lanes)) is_due_ = true;
    else if (spent_ > unfinished_.seconds && looks_ >= enough_looks)
        is_due_ = together_ >= all_together || (together_ >= close_together && spent_ >= fair_run * cost_) || spent_ >= long_run * cost_;
}

std::string LanesDecision::reason() const {
    if (known_.times >= EngineChoice::sure && known_.engine == HostEngine::blocks) return "blocks were faster in an earlier run";
    if (unfinished_.runs != 0 && spent_ <= unfinished_.seconds)
        return "as short a run as the last, which ended before code for lanes was compiled";
    if (looks_ < enough_looks || spent_ < fair_run * cost_) return "too short a run to compile for lanes";
    return fmt::format("{:.0f} % of the PEs of a warp were in one place, too few to compile for lanes yet", 100 * together_);
}

}  // namespace mog
