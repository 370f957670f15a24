// host_pes.cpp: calls the kernels of the image's products "host", for each PE, and "lanes", for each warp.
#include "runtime_host/host_pes.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <fmt/format.h>

#include "assembler/block_plan.hpp"
#include "assembler/superinstruction.hpp"
#include "runtime_host/host_sequence.hpp"
#include "runtime_host/start_state.hpp"

namespace mog {

Result<void> HostPes::load(const Image &image, const LoadConfig &config, HostEngine engine, bool both, std::span<const u32> others) {
    image_ = &image;
    const bool in_lanes = engine == HostEngine::lanes;
    // The other code is loaded when it is needed, which may be never.
    sequence_ = config.engine == Engine::Sequence;
    fuel_ = config.fuel;
    if (sequence_) {
        const Result<HostSequence> code = host_sequence(image, {config.count, config.fuel});
        if (!code) return code.error();
        cached_ = code->cached;
        if (Result<void> opened = code_.open(code->library); !opened) return opened;
    } else if (Result<void> opened = open(engine); !opened) {
        return opened;
    }
    // With no entry in the table everything is interpreted.
    if (!sequence_) entries_ = entry_table(image, "entries");
    if (in_lanes || both) places_ = entry_table(image, "places");
    if (entries_.empty() && config.engine == Engine::Blocks) return no_compiled_blocks();
    blocks_ = !entries_.empty() && config.engine != Engine::Switch;
    if (!blocks_) std::fill(entries_.begin(), entries_.end(), 0);
    text_ = text_to_load(image, sequence_ ? Shape::sequence : Shape::switch_, config.fuel || !entries_.empty());
    nproc_ = config.nproc;
    data_words_ = config.data_words;
    const u32 rows = MOG_S_REGS + static_cast<u32>(image.register_names.size()), warps = (nproc_ + MOG_LANES - 1) / MOG_LANES;
    laid_for_lanes_.assign(warps, in_lanes);
    for (const u32 warp : others) laid_for_lanes_[warp] = !in_lanes;
    if (!others.empty())
        if (Result<void> opened = open(in_lanes ? HostEngine::blocks : HostEngine::lanes); !opened) return opened;
    stride_ = in_lanes || both ? warps * MOG_LANES : nproc_;
    Result<HostMemory> data = HostMemory::allocate(4ull * stride_ * data_words_, nproc_);
    if (!data) return data.error();
    data_ = *std::move(data);
    Result<HostMemory> state = HostMemory::allocate(4ull * stride_ * rows, nproc_);
    if (!state) return state.error();
    state_ = *std::move(state);

    std::vector<u32> initial;
    if (std::ranges::find(laid_for_lanes_, true) != laid_for_lanes_.end()) {
        initial.resize((image.data.size() + 3) / 4);
        std::memcpy(initial.data(), image.data.data(), image.data.size());
    }
    const StartData start(image, nproc_, data_words_);
    kept_once_.assign(warps, start.words_kept_once());
    pool_.for_each(nproc_, [&](std::size_t i) {
        const auto pe = static_cast<u32>(i);
        if (!laid_for_lanes_[pe / MOG_LANES])
            write_start_state(image, config, start, pe, data_.words() + i * data_words_, state_.words() + i, stride_);
        else
            lanes_code_.init(initial.data(), static_cast<u32>(initial.size()), config.startup.data(), static_cast<u32>(config.startup.size()),
                             data_.words(), data_words_, state_.words(), stride_, nproc_, image.entry, nproc_, pe);
    });
    return {};
}

Result<void> HostPes::open(HostEngine engine) {
    if (engine == HostEngine::lanes) return lanes_code_.open(image_->products.at("lanes"));
    if (!image_->linked) return code_.open(image_->products.at("host"));
    code_.use(*image_->linked);
    return {};
}

std::vector<HostPes::Warp> HostPes::warps_of(std::span<const u32> pes) {
    std::vector<Warp> warps;
    for (const u32 pe : pes) {
        if (warps.empty() || warps.back().number != pe / MOG_LANES) warps.push_back({pe / MOG_LANES, 0});
        warps.back().running |= 1u << pe % MOG_LANES;
    }
    return warps;
}

void HostPes::begin_round(std::size_t pes) {
    requests_.resize(pes);
    stopped_ = 0;
}

HostPes::Ran HostPes::run_single(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes) {
    const u32 before = stopped_, count = static_cast<u32>(pes.size());
    u32 *records = requests_.empty() ? nullptr : requests_.front().data();
    const u32 *list = pes.data();
    if (sequence_ && fuel_) {  // in whose passes there may be several instructions: each PE's are told beside it
        passes_beside_.clear();
        for (u32 i = 0; i < count; i++) passes_beside_.insert(passes_beside_.end(), {pes[i], own_passes[i]});
        list = passes_beside_.data();
    }
    Ran ran;
    ran.seconds = pool_.for_each(count, [&](std::size_t i) {
        const u32 allowed = own_passes.empty() ? passes : own_passes[i], item = static_cast<u32>(i);
        if (entries_.empty())
            code_.run(text_.words.data(), image_->cpool.data(), image_->code_map.data(), data_.words(), data_words_, state_.words(), stride_,
                      records, &stopped_, list, allowed, 0, count, item);
        else
            code_.run_blocks(text_.words.data(), image_->cpool.data(), image_->code_map.data(), data_.words(), data_words_, state_.words(),
                             stride_, records, &stopped_, list, allowed, 0, count, entries_.data(), item);
    });
    ran.instructions = static_cast<double>(passes) * count;
    for (u32 i = before; i < stopped_; i++) ran.instructions -= requests_[i][MOG_Q_LEFT];
    return ran;
}

HostPes::Ran HostPes::run_lanes(std::span<const Warp> warps, u32 passes) {
    std::atomic<std::uint64_t> by_lanes = 0, by_warps = 0;
    u32 *records = requests_.empty() ? nullptr : requests_.front().data();
    Ran ran;
    ran.seconds = pool_.for_each(warps.size(), [&](std::size_t i) {
        std::uint64_t counts[2] = {};
        lanes_code_.run_lanes(image_->text.data(), image_->cpool.data(), image_->code_map.data(), data_.words(), data_words_,
                              state_.words(), stride_, records, &stopped_, warps[i].number, warps[i].running, passes, places_.data(),
                              counts);
        by_lanes.fetch_add(counts[0], std::memory_order_relaxed);
        by_warps.fetch_add(counts[1], std::memory_order_relaxed);
    });
    lane_instructions_ += by_lanes;
    warp_instructions_ += by_warps;
    ran.instructions = static_cast<double>(by_lanes);
    return ran;
}

Result<double> HostPes::lay(std::span<const Warp> warps, HostEngine engine) {
    const bool for_lanes = engine == HostEngine::lanes;
    HostCode &code = for_lanes ? lanes_code_ : code_;
    if (!code.is_open())
        if (Result<void> opened = open(engine); !opened) return opened.error();
    std::vector<u32> numbers;
    for (const Warp &warp : warps)
        if (laid_for_lanes_[warp.number] != for_lanes) numbers.push_back(warp.number);
    const WarpLayout layout = for_lanes ? WarpLayout::side_by_side : WarpLayout::one_after_other;
    const double seconds = pool_.for_each(numbers.size(), [&](std::size_t i) {
        lay_warp(memory_of(numbers[i]), data_words_, MOG_LANES, layout, pages_, for_lanes ? kept_once_[numbers[i]] : 0);
    });
    for (const u32 number : numbers) {
        laid_for_lanes_[number] = for_lanes;
        kept_once_[number] = 0;
    }
    return numbers.empty() ? 0 : seconds;
}

double HostPes::laying_seconds(const Warp &warp) const {
    return mog::laying_seconds(memory_of(warp.number), data_words_, MOG_LANES, pages_);
}

void HostPes::transfer(std::span<const Transfer> transfers, std::uint8_t *staging, bool to_pe) {
    list_.resize(transfers.size() * MOG_T_WORDS);
    for (std::size_t i = 0; i < transfers.size(); i++) {
        const Transfer &t = transfers[i];
        u32 *record = list_.data() + i * MOG_T_WORDS;
        record[MOG_T_PE] = t.pe | (t.is_state ? MOG_T_STATE : 0u);
        record[MOG_T_ADDRESS] = t.address;
        record[MOG_T_LENGTH] = t.length;
        record[MOG_T_STAGING] = t.staging;
    }
    const u32 count = static_cast<u32>(transfers.size());
    for (u32 i = 0; i < count; i++)
        code_of(transfers[i].pe).transfer(list_.data(), staging, data_.words(), data_words_, state_.words(), stride_, to_pe, 0, count, i);
}

void HostPes::answer(std::span<const Answer> answers, AnswerRows rows) {
    u32 *v0 = state_.words() + std::size_t{rows.v0} * stride_, *a3 = state_.words() + std::size_t{rows.a3} * stride_;
    for (const Answer &a : answers) {
        v0[a.pe] = a.value;
        a3[a.pe] = a.failed;
    }
}

std::string HostPes::code_for_one() const {
    return fmt::format("{}, {} superinstructions", blocks_ ? "compiled blocks" : sequence_ ? "sequence" : "switch", text_.superinstructions);
}

double HostPes::occupancy() const {
    return warp_instructions_ ? static_cast<double>(lane_instructions_) / (MOG_LANES * static_cast<double>(warp_instructions_)) : 0;
}

std::uint64_t HostPes::counted() const {
    std::uint64_t sum = 0;
    for (u32 pe = 0; pe < nproc_; pe++)
        sum += state_.words()[std::uint64_t{MOG_S_COUNT_LO} * stride_ + pe] |
               std::uint64_t{state_.words()[std::uint64_t{MOG_S_COUNT_HI} * stride_ + pe]} << 32;
    return sum;
}

}  // namespace mog
