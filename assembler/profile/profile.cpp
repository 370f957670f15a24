// profile.cpp: from counts to functions and blocks, and back.
#include "assembler/profile/profile.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "assembler/image/constants.hpp"
#include "interp_templates/launch_abi.h"
#include "support/files/hash.hpp"

namespace mog {
namespace {

/// The functions of an image as profiles know them. Names that come again (static functions of several files) are
/// numbered, in the order of TEXT.
class Functions {
public:
    explicit Functions(const Image &image) : image_(image), blocks_(code_blocks(image)) {
        std::unordered_map<std::string, int> seen;
        for (const auto &function : blocks_.functions) {
            std::string name = function.symbol == CodeBlocks::no_symbol ? "?" : image.symbols[function.symbol].name;
            for (char &c : name)
                if (static_cast<unsigned char>(c) <= ' ') c = '?';
            if (name.empty()) name = "?";
            if (const int again = seen[name]++; again != 0) name += fmt::format("#{}", again + 1);
            names_.push_back(std::move(name));
        }
    }

    const CodeBlocks &blocks() const { return blocks_; }
    const std::string &name(std::size_t function) const { return names_[function]; }

    std::uint64_t hash(std::size_t number) const {
        const auto &function = blocks_.functions[number];
        const std::uint32_t first = blocks_.start[function.first_block];
        const std::uint32_t end = blocks_.end(image_, function.first_block + function.blocks - 1);
        std::uint64_t state = fnv1a_start;
        for (std::uint32_t i = first; i < end; ++i) {
            const OpInfo &row = info(op_at(image_, i));
            state = fnv1a(row.name, state);
            state = fnv1a(operand(row, i, function), state);
            state = fnv1a("\n", state);
        }
        return state;
    }

private:
    /// Registers by name, for their numbers are another program's; addresses of data and code not at all.
    std::string operand(const OpInfo &row, std::uint32_t at, const CodeBlocks::Function &function) const {
        const unsigned byte = image_.text[at] & 0xff;
        switch (row.operand) {
            case OperandKind::Reg:
            case OperandKind::Pair: return byte < image_.register_names.size() ? image_.register_names[byte] : "";
            case OperandKind::Byte: return std::to_string(byte);
            case OperandKind::Const: {
                const std::uint32_t value = constant_at(image_, at);
                const std::uint32_t code_bytes = 4 * static_cast<std::uint32_t>(image_.code_map.size());
                const bool is_address = (value >= MOG_DATA_BASE && value <= image_.brk) ||
                                        (value >= image_.code_base && value - image_.code_base <= code_bytes);
                return is_address ? "address" : std::to_string(value);
            }
            case OperandKind::Label: {
                const std::uint32_t block = blocks_.block_of[constant_at(image_, at)];
                if (block >= function.first_block && block < function.first_block + function.blocks)
                    return std::to_string(block - function.first_block);
                return names_[blocks_.function[block]];
            }
            case OperandKind::None: break;
        }
        return {};
    }

    const Image &image_;
    CodeBlocks blocks_;
    std::vector<std::string> names_;
};

/// Counts by block of the image, and where jumps through registers went.
struct BlockCounts {
    std::vector<double> count, taken;
    std::vector<Execution::Jump> jumps;  // from and to are blocks
};

/// Where the jumps through registers went that no device told of: to blocks that were entered more often than what is
/// known explains. Returns come back behind calls of their function; cases of a switch lie in its own function.
void guess_jumps(const Image &image, const CodeBlocks &blocks, BlockCounts &counts) {
    const std::size_t size = blocks.start.size();
    std::vector<double> in(size), out(size);
    for (std::uint32_t b = 0; b < size; ++b) {
        const std::uint32_t last = blocks.end(image, b) - 1;
        const OpInfo &row = info(op_at(image, last));
        if (const auto to = named_block(image, blocks, last)) in[*to] += counts.taken[b];
        if (jumps_to_address(row.op)) out[b] = counts.count[b];
        if (!ends_block(row.op) && b + 1 < size) in[b + 1] += counts.count[b] - counts.taken[b];
    }
    for (const Execution::Jump &jump : counts.jumps) {
        out[jump.from] -= jump.count;
        in[jump.to] += jump.count;
    }
    std::vector<std::uint32_t> sources;
    for (std::uint32_t b = 0; b < size; ++b)
        if (out[b] > 0.5) sources.push_back(b);
    for (const std::uint32_t target : image.code_map) {
        if (target >= image.text.size()) continue;
        const std::uint32_t to = blocks.block_of[target];
        const double missing = counts.count[to] - in[to];
        if (missing < 0.5) continue;
        in[to] = counts.count[to];
        const std::uint32_t call = to > 0 ? blocks.end(image, to - 1) - 1 : 0;
        const bool behind_call = to > 0 && is_call(image, call);
        const auto called = behind_call ? named_block(image, blocks, call) : std::nullopt;
        const bool direct = called.has_value();
        const std::uint32_t callee = direct ? blocks.function[*called] : 0;
        // The likelier origins first; any that there is, if there is none.
        for (int strictness = 0; strictness < 2; ++strictness) {
            double sum = 0;
            const auto fits = [&](std::uint32_t from) {
                const bool returns = is_return(image, blocks.end(image, from) - 1);
                if (strictness != 0) return true;
                if (behind_call) return returns && (!direct || blocks.function[from] == callee);
                return !returns &&
                       (blocks.function[from] == blocks.function[to] || to == blocks.functions[blocks.function[to]].first_block);
            };
            for (const std::uint32_t from : sources) sum += fits(from) ? out[from] : 0;
            if (sum <= 0) continue;
            for (const std::uint32_t from : sources)
                if (fits(from)) counts.jumps.push_back({from, to, missing * out[from] / sum});
            break;
        }
    }
}

Execution execution_from(const Image &image, const CodeBlocks &blocks, BlockCounts &counts) {
    guess_jumps(image, blocks, counts);
    Execution execution;
    execution.count.resize(image.text.size());
    for (std::uint32_t b = 0; b < blocks.start.size(); ++b) {
        const std::uint32_t end = blocks.end(image, b);
        for (std::uint32_t i = blocks.start[b]; i < end; ++i) execution.count[i] = counts.count[b];
        if (info(op_at(image, end - 1)).operand == OperandKind::Label && counts.taken[b] > 0)
            execution.jumps.push_back({end - 1, constant_at(image, end - 1), counts.taken[b]});
    }
    for (const Execution::Jump &jump : counts.jumps)
        execution.jumps.push_back({blocks.end(image, jump.from) - 1, blocks.start[jump.to], jump.count});
    std::sort(execution.jumps.begin(), execution.jumps.end());
    return execution;
}

std::string some_names(const std::vector<std::string> &names) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

}  // namespace

Profile make_profile(const Image &image, const RunCounts &counts, std::string_view program, std::uint64_t pes) {
    const Functions functions(image);
    const CodeBlocks &blocks = functions.blocks();
    Profile profile;
    profile.program = program;
    profile.pes = pes;
    profile.runs = 1;
    std::vector<std::uint32_t> place(blocks.functions.size());  // of a function in the profile
    for (std::size_t f = 0; f < blocks.functions.size(); ++f) {
        const auto &function = blocks.functions[f];
        Profile::Function entry;
        for (std::uint32_t b = 0; b < function.blocks; ++b) {
            const std::uint32_t block = function.first_block + b;
            const std::uint64_t count = counts.executed[blocks.start[block]];
            if (count != 0) entry.counts.push_back({b, count, counts.taken[blocks.end(image, block) - 1]});
        }
        if (entry.counts.empty()) continue;
        entry.name = functions.name(f);
        entry.hash = functions.hash(f);
        entry.blocks = function.blocks;
        place[f] = static_cast<std::uint32_t>(profile.functions.size());
        profile.functions.push_back(std::move(entry));
    }
    for (const RunCounts::Jump &jump : counts.jumps) {
        const std::uint32_t from = blocks.block_of[jump.from], to = blocks.block_of[jump.to];
        const std::uint32_t f = blocks.function[from], g = blocks.function[to];
        profile.jumps.push_back(
            {place[f], from - blocks.functions[f].first_block, place[g], to - blocks.functions[g].first_block, jump.count});
    }
    return profile;
}

struct ProfileMerge::State {
    explicit State(const Image &of) : image(of), functions(of) {
        for (std::uint32_t f = 0; f < functions.blocks().functions.size(); ++f) by_name.emplace(functions.name(f), f);
        counts.count.resize(functions.blocks().start.size());
        counts.taken.resize(functions.blocks().start.size());
    }

    /// The function that a profile's entry is about, if its code is as it was.
    std::optional<std::uint32_t> function_of(const Profile::Function &entry) {
        const auto found = by_name.find(entry.name);
        if (found == by_name.end() || functions.blocks().functions[found->second].blocks != entry.blocks) return {};
        const auto [hash, is_new] = hashes.try_emplace(found->second, 0);
        if (is_new) hash->second = functions.hash(found->second);
        return hash->second == entry.hash ? std::optional{found->second} : std::nullopt;
    }

    const Image &image;
    const Functions functions;
    std::unordered_map<std::string_view, std::uint32_t> by_name;
    std::unordered_map<std::uint32_t, std::uint64_t> hashes;
    BlockCounts counts;
    std::unordered_map<std::uint64_t, double> jumps;  // from block to block (low half): so many runs have the same ones
};

ProfileMerge::ProfileMerge(const Image &image) : state_(std::make_unique<State>(image)) {}
ProfileMerge::~ProfileMerge() = default;

Result<void> ProfileMerge::add(const Profile &profile, std::vector<std::string> &notes) {
    const CodeBlocks &blocks = state_->functions.blocks();
    BlockCounts &counts = state_->counts;
    std::vector<std::optional<std::uint32_t>> function_of;
    std::vector<std::string> changed;
    double kept = 0, lost = 0;
    for (const Profile::Function &entry : profile.functions) {
        const auto function = state_->function_of(entry);
        function_of.push_back(function);
        if (!function) changed.push_back(entry.name);
        for (const Profile::Block &block : entry.counts) {
            (function ? kept : lost) += static_cast<double>(block.count);
            if (!function) continue;
            const std::uint32_t b = blocks.functions[*function].first_block + block.number;
            counts.count[b] += static_cast<double>(block.count);
            counts.taken[b] += static_cast<double>(block.taken);
        }
    }
    if (kept <= 0)
        return Error{fmt::format("the profile is of another program, {}: none of its {} functions is in this one as it was",
                                 profile.program, profile.functions.size()),
                     {}};
    if (!changed.empty())
        notes.push_back(
            fmt::format("{} of the profile's {} functions changed since or are gone: {}; their {:.1f} % of all "
                        "executed blocks are left out",
                        changed.size(), profile.functions.size(), some_names(changed), 100 * lost / (kept + lost)));
    for (const Profile::Jump &jump : profile.jumps) {
        const auto f = function_of[jump.from_function], g = function_of[jump.to_function];
        if (!f || !g) continue;
        const std::uint32_t from = blocks.functions[*f].first_block + jump.from_block;
        if (!jumps_to_address(op_at(state_->image, blocks.end(state_->image, from) - 1))) continue;
        const std::uint32_t to = blocks.functions[*g].first_block + jump.to_block;
        state_->jumps[std::uint64_t{from} << 32 | to] += static_cast<double>(jump.count);
    }
    return {};
}

Result<Execution> ProfileMerge::execution() && {
    BlockCounts &counts = state_->counts;
    for (const auto &[way, count] : state_->jumps)
        counts.jumps.push_back({static_cast<std::uint32_t>(way >> 32), static_cast<std::uint32_t>(way), count});
    std::sort(counts.jumps.begin(), counts.jumps.end());
    if (std::none_of(counts.count.begin(), counts.count.end(), [](double count) { return count > 0; }))
        return Error{"the profiles tell of nothing executed", {}};
    return execution_from(state_->image, state_->functions.blocks(), counts);
}

Result<Execution> execution_of(const Image &image, std::span<const Profile> profiles, std::vector<std::string> &notes) {
    ProfileMerge merge(image);
    for (const Profile &profile : profiles) MOG_TRY(merge.add(profile, notes));
    return std::move(merge).execution();
}

}  // namespace mog
