// kernel_tiers.cpp: samples, the decision, the thread that builds, what is kept for the next run.
#include "runtime_host/devices/tiers/kernel_tiers.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "assembler/emit/kernel_parts.hpp"
#include "runtime_host/device/kernel_cache.hpp"
#include "support/archive.hpp"
#include "support/environment.hpp"
#include "support/files/hash.hpp"

namespace mog {

namespace {

/// Of one run. Each has in it what those before it had.
constexpr std::size_t most_kernels = 5;
/// Between two questions whether building pays.
constexpr double seconds_to_ask = 0.05;
/// What is lost in less time is not worth a file.
constexpr double least_to_keep = 0.02;

/// For tests, MOG_TEST_TIERS: "now": building pays at once, and launches wait for it; "once": so, and there is no third kernel; "fail": so,
/// and it fails; "long": it pays, and takes very long.
bool is_test(std::string_view what) { return environment_variable("MOG_TEST_TIERS") == what; }
bool is_in_haste() {
    static const bool haste = is_test("now") || is_test("once") || is_test("fail") || is_test("long");
    return haste;
}
/// A build that a test can rely on not to be done.
constexpr std::chrono::seconds long_build{60};

/// `mogcc --unchecked` made it.
bool is_unchecked(const Image &image) {
    const auto decided = image.products.bytes(ProductKind::tiers);
    return !decided.empty() && decided.front() == 1;
}

/// All but its sources.
TierSource tier_of(const BlockPlan &plan, const CodeChoice &choice) {
    TierSource tier{{}, {}, entry_table(plan), {}, choice.functions, choice.instructions};
    for (const std::uint32_t block : plan.code.block_of) tier.compiled.push_back(plan.group_of[block] != 0);
    tier.compiled.push_back(false);  // for code that runs off the end, as `entries` has it
    return tier;
}

std::string kept_as(std::string_view what, const std::string &key) { return kernel_cache_key({what, key}); }

template <typename... T>
bool load(const std::string &key, T &...values) {
    const auto bytes = kernel_cache_load(key);
    if (!bytes) return false;
    ArchiveReader reader(*bytes);
    reader(values...);
    return reader.is_done();
}

template <typename... T>
void store(const std::string &key, const T &...values) {
    ArchiveWriter writer;
    writer(values...);
    kernel_cache_store(key, writer.bytes(), "");
}

}  // namespace

bool KernelTiers::is_wanted(const Image &image, const LoadConfig &config) {
    return config.engine == Engine::Auto && !config.profile && !config.deterministic && image.products.has(ProductKind::tiers) &&
           image.products.has(ProductKind::slots) && environment_variable("MOG_TIERS") != "none";
}

KernelTiers::KernelTiers(const Image &image, const Driver &driver, std::string_view names, Build build)
    : image_(image),
      driver_(driver),
      names_(names),
      key_(kernel_cache_key({image.products.text(driver.product), hex16(program_hash(image)), names})),
      build_(std::move(build)) {}

KernelTiers::~KernelTiers() { end(); }

const TierSource *KernelTiers::begin(bool again) {
    stats_ = {};
    launches_ = asked_ = 0;
    if (!again) {
        TierSource found;
        const std::size_t places = image_.text.size() + 1;
        // In tests it begins anew, with whatever kernels a driver has kept.
        if (!is_in_haste() && load(kept_as("kernel", key_), found) && found.entries.size() == places && found.compiled.size() == places)
            now_ = std::move(found);
        else forget();
        if (!load(kept_as("samples", key_), samples_)) samples_ = {};
    }
    stats_.remembered = now_ && !now_->source.empty() && !is_first_;
    if (now_ && !now_->source.empty()) return &*now_;
    if (!in_parts()) return nullptr;
    // What mogcc has compiled, in parts of which many may be there.
    Result<TierSource> first = first_in_parts();
    if (!first) return nullptr;
    now_ = *std::move(first);
    is_first_ = true;
    return &*now_;
}

Result<TierSource> KernelTiers::first_in_parts() {
    TierSource kept;
    if (load(kept_as("first", key_), kept) && kept.entries.size() == image_.text.size() + 1) return kept;
    const SampledChoice apart(image_, driver_.costs, LibraryGroups::apart);
    const CodeChoice choice = apart.keep(now_ ? now_->compiled : std::vector<bool>());
    const BlockPlan plan = apart.plan({}, choice.blocks);
    Result<KernelParts> parts = kernel_of_parts(image_, plan, *driver_.links);
    if (!parts) return parts.error();
    TierSource made = tier_of(plan, choice);
    made.of_any_program = true;
    made.source = std::move(parts->own);
    made.parts = std::move(parts->shared);
    store(kept_as("first", key_), made);
    return made;
}

bool KernelTiers::in_parts() const { return driver_.links && !is_unchecked(image_) && can_have_parts(image_); }

void KernelTiers::begin_without() {
    driver_.links.reset();
    forget();
    stats_.remembered = false;
}

/// Nothing is known but what mogcc has compiled.
void KernelTiers::forget() {
    now_.reset();
    is_first_ = false;
    std::vector<std::uint32_t> entries = driver_.begins_compiled ? kernel_entry_table(image_) : std::vector<std::uint32_t>();
    if (entries.empty()) return;
    now_ = TierSource{{}, {}, std::move(entries), kernel_compiled_places(image_)};
    now_->compiled.resize(image_.text.size() + 1);
    const CodeBlocks code = code_blocks(image_);
    std::optional<std::uint32_t> last;
    for (std::uint32_t at = 0; at < image_.text.size(); ++at) {
        if (!now_->compiled[at]) continue;
        ++now_->instructions;
        const std::uint32_t function = code.function[code.block_of[at]];
        now_->functions += last != function;
        last = function;
    }
}

void KernelTiers::has_begun(double build_seconds, TierParts parts) {
    stats_.kernels = {{0, build_seconds, now_ ? now_->functions : 0, now_ ? now_->instructions : 0, parts}};
}

std::span<const std::uint32_t> KernelTiers::entries() const { return now_ ? now_->entries : std::span<const std::uint32_t>(); }

void KernelTiers::seen(std::span<const std::uint32_t> at, double instructions) {
    const double each = instructions / static_cast<double>(std::max<std::size_t>(1, at.size()));
    DeviceStats::Tier &tier = stats_.kernels.back();
    for (const std::uint32_t place : at) {
        const bool is_compiled = now_ && place < now_->compiled.size() && now_->compiled[place];
        samples_.add(place, each, is_compiled);
        tier.executed += each;
        if (is_compiled) continue;
        tier.interpreted += each;
        stats_.interpreted[place] += each;
    }
}

void KernelTiers::ran(double seconds) {
    samples_.seconds += seconds;
    launches_ += seconds;
    const bool asks = is_in_haste() || launches_ - asked_ >= seconds_to_ask;
    if (!asks || (samples_.interpreted.empty() && !is_first_) || is_building_ || !stats_.failure.empty() ||
        stats_.kernels.size() >= (is_test("once") ? 2 : most_kernels))
        return;
    asked_ = launches_;
    if (!choice_) choice_.emplace(image_, driver_.costs, library_groups());
    const std::vector<bool> compiled = now_ ? now_->compiled : std::vector<bool>();
    CodeChoice choice;
    if (is_in_haste()) {
        SampledCode after_hours = samples_;
        after_hours.seconds = 3600;
        choice = choice_->choose(after_hours, compiled);
    } else {
        choice = choice_->choose(samples_, compiled);
    }
    // A run that has gone on in parts for as long as its own kernel costs has that built, whether it lacks something or not.
    if (choice.pays() || (is_first_ && launches_ >= choice.cost)) start(std::move(choice));
}

void KernelTiers::start(CodeChoice choice) {
    is_building_ = true;
    is_overdue_ = choice.is_overdue() && !is_in_haste();
    is_ready_ = false;
    thread_ = std::thread([this, choice = std::move(choice), samples = samples_] {
        const auto begin = std::chrono::steady_clock::now();
        outcome_ = make(choice, samples);
        outcome_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        is_ready_.store(true, std::memory_order_release);
    });
}

KernelTiers::Outcome KernelTiers::make(const CodeChoice &choice, const SampledCode &samples) const {
    Outcome outcome;
    Result<TierSource> source = write(choice, samples);
    if (!source) {
        outcome.built = source.error();
        return outcome;
    }
    outcome.source = *std::move(source);
    if (is_test("long")) std::this_thread::sleep_for(long_build);
    outcome.built = is_test("fail") ? Error{"MOG_TEST_TIERS=fail"} : build_(outcome.source);
    if (outcome.built) store(kept_as("kernel", key_), outcome.source);
    return outcome;
}

Result<TierSource> KernelTiers::write(const CodeChoice &choice, const SampledCode &samples) const {
    const BlockPlan plan = choice_->plan(samples, choice.blocks);
    Order order;
    for (const std::uint8_t code : image_.products.bytes(ProductKind::slots)) order.slots.push_back(static_cast<Op>(code));
    TierSource made = tier_of(plan, choice);
    if (in_parts()) {
        Result<KernelParts> parts = kernel_with_libraries(image_, order, plan, library_groups(), *driver_.links);
        if (!parts) return parts.error();
        made.source = std::move(parts->own);
        made.parts = std::move(parts->shared);
        return made;
    }
    Result<std::string> source =
        generate(image_, driver_.dialect, order, {.blocks = &plan, .by_warps = driver_.by_warps, .unchecked = is_unchecked(image_)});
    if (!source) return source.error();
    made.source = *std::move(source);
    return made;
}

void KernelTiers::wait() {
    if (thread_.joinable()) thread_.join();
}

Result<std::unique_ptr<BuiltTier>> KernelTiers::take() {
    const bool waits = is_in_haste() && !is_test("long");
    if (!is_building_ || !(waits || is_ready_.load(std::memory_order_acquire))) return std::unique_ptr<BuiltTier>();
    wait();
    is_building_ = false;
    if (!outcome_.built) {
        stats_.failure = outcome_.built.error().message;
        return outcome_.built.error();
    }
    now_ = std::move(outcome_.source);
    is_first_ = false;
    samples_.begin_anew();
    stats_.kernels.push_back({launches_, outcome_.seconds, now_->functions, now_->instructions, (*outcome_.built)->parts});
    return *std::move(outcome_.built);
}

bool KernelTiers::is_building() {
    if (!is_building_ || is_overdue_ || is_ready_.load(std::memory_order_acquire)) return false;
    store(kept_as("samples", key_), samples_);
    return true;
}

void KernelTiers::end() {
    wait();
    if (samples_.seconds < least_to_keep && !is_building_) return;
    SampledCode kept = samples_;
    // What is made of them is not to be made again, and what failed is tried again after as long as before.
    if (is_building_ || !stats_.failure.empty()) kept.begin_anew();
    store(kept_as("samples", key_), kept);
}

}  // namespace mog
