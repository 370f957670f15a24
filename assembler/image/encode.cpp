// encode.cpp: a MOG program as an image.
#include "assembler/image/encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "assembler/image/constants.hpp"
#include "assembler/image/image_check.hpp"
#include "assembler/image/read_only.hpp"
#include "assembler/image/spaces.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

/// An instruction that uses a constant, and the constant.
struct ConstantUse {
    std::uint32_t index;  ///< TEXT
    std::uint32_t value;
    std::uint32_t number = 0;  ///< of the value: the same for the same ones
};

/// "in block `loop` (0x400120, main)": where an instruction is, for messages.
std::string place_of(const MogProgram &program, const Block &block, const Instruction &instruction) {
    std::string place = fmt::format("in block `{}`", block.label);
    if (instruction.address == 0) return place;
    const Symbol *function = nullptr;
    for (const Symbol &symbol : program.symbols)
        if (symbol.is_code && symbol.address <= instruction.address) function = &symbol;
    return place + fmt::format(" (address {:#x}{}{})", instruction.address, function ? ", function " : "", function ? function->name : "");
}

// ---- the constant pool
// ------------------------------------------------------------------------------------------------

/// The other way round: which salt leads to a slot. A salt adds to the hash of constant_slot() what depends on it alone.
class Salts {
public:
    Salts() {
        const std::uint32_t without = constant_slot(0, 0, 0);
        for (std::uint32_t salt = 0; salt < 256; ++salt) {
            adds_by_salt_[salt] = constant_slot(0, static_cast<std::uint16_t>(salt), 0) - without;
            adds_[salt] = {adds_by_salt_[salt], salt};
        }
        std::ranges::sort(adds_);
        std::size_t at = 0;
        for (std::uint32_t top = 0; top < 256; ++top) {
            while (at < adds_.size() && adds_[at].first >> 24 < top) ++at;
            first_[top] = static_cast<std::uint16_t>(at);
        }
    }
    static constexpr std::uint32_t none = 256;

    /// The least salt with which a slot is as it should be; none: with no one.
    template <typename IsGood>
    std::uint32_t first(std::uint32_t hash, std::uint32_t shift, IsGood is_good) const {
        for (std::uint32_t salt = 0; salt < none; ++salt)
            if (is_good((hash + adds_by_salt_[salt]) >> shift)) return salt;
        return none;
    }
    /// The least salt below `most` with which the instruction, a word without salt, finds its constant in that slot; `most` if there is
    /// none.
    std::uint32_t find(std::uint32_t hash, std::uint32_t slot, std::uint32_t shift, std::uint32_t most) const {
        // What has to be added leads from the first hash of the slot on to the last, perhaps round the end of the numbers.
        const std::uint32_t first = (slot << shift) - hash, length = (1u << shift) - 1;
        std::size_t at = first_[first >> 24];
        while (at < adds_.size() && adds_[at].first < first) ++at;
        for (std::size_t seen = 0; seen < adds_.size(); ++seen, ++at) {
            if (at == adds_.size()) at = 0;
            if (adds_[at].first - first > length) break;
            most = std::min(most, adds_[at].second);
        }
        return most;
    }

private:
    std::array<std::uint32_t, 256> adds_by_salt_;                    ///< to the hash
    std::array<std::pair<std::uint32_t, std::uint32_t>, 256> adds_;  ///< and the salt, ascending
    std::array<std::uint16_t, 256> first_{};                         ///< of those with that highest byte, or more
};

/// Fills pool and operand bytes ("salts") for a pool of 2^bits constants; false if a constant finds no place. `numbers`: of values.
bool fill_pool(const std::vector<ConstantUse> &uses, std::size_t numbers, std::uint32_t bits, Image &image) {
    static const Salts salts;
    // Beyond so many it is found sooner by trying the salts.
    constexpr std::size_t most_places = 64;
    const std::uint32_t shift = 32 - bits;
    image.cpool_shift = shift;
    image.cpool.assign(std::size_t{1} << bits, 0);
    std::vector<std::uint8_t> taken(image.cpool.size());
    std::vector<std::vector<std::uint32_t>> slots(numbers);  // that a value has
    for (const ConstantUse &use : uses) {
        const auto opcode = static_cast<std::uint16_t>(image.text[use.index] & 0xff00u);
        const std::uint32_t hash = constant_slot(use.index, opcode, 0);
        // The first place that has the value already, or else the first that is empty.
        std::vector<std::uint32_t> &places = slots[use.number];
        std::uint32_t salt = Salts::none;
        if (places.size() <= most_places) {
            for (const std::uint32_t place : places) salt = salts.find(hash, place, shift, salt);
        } else {
            salt = salts.first(hash, shift, [&](std::uint32_t slot) { return image.cpool[slot] == use.value && taken[slot] != 0; });
        }
        if (salt == Salts::none) salt = salts.first(hash, shift, [&](std::uint32_t slot) { return taken[slot] == 0; });
        if (salt == Salts::none) return false;
        const auto word = static_cast<std::uint16_t>(opcode | salt);
        const std::uint32_t slot = constant_slot(use.index, word, shift);
        image.text[use.index] = word;
        image.cpool[slot] = use.value;
        if (taken[slot] == 0) places.push_back(slot);
        taken[slot] = 1;
    }
    return true;
}

/// The smallest pool that works, from the number of different constants on.
bool make_pool(std::vector<ConstantUse> &uses, Image &image) {
    std::unordered_map<std::uint32_t, std::uint32_t> different;
    for (ConstantUse &use : uses) use.number = different.try_emplace(use.value, static_cast<std::uint32_t>(different.size())).first->second;
    std::uint32_t bits = 1;
    while ((std::size_t{1} << bits) < different.size()) ++bits;
    for (; bits <= 28; ++bits)
        if (fill_pool(uses, different.size(), bits, image)) return true;
    return false;
}

// ---- parts of the image
// -----------------------------------------------------------------------------------------------

Result<void> number_registers(const MogProgram &program, Image &image) {
    image.register_names = program.register_names;
    image.roles = program.roles;
    for (std::size_t i = 0; i < role_count; ++i) {
        std::uint8_t &number = image.roles[i];
        const char *name = role_name(static_cast<Role>(i));
        if (number == no_register && image.register_names.size() < 256) {
            number = static_cast<std::uint8_t>(image.register_names.size());
            image.register_names.emplace_back(name);
        } else if (number >= image.register_names.size()) {
            return Error{fmt::format("register {} for ${} does not exist: the program has {}", number, name, program.register_names.size()),
                         {}};
        }
    }
    if (image.register_names.size() > 256)
        return Error{fmt::format("the program has {} registers; the machine has 256", image.register_names.size()), {}};
    return {};
}

Result<void> map_code(const MogProgram &program, const std::vector<std::uint32_t> &starts, Image &image) {
    image.code_base = program.code_base;
    // One word at least: devices have no empty buffers.
    image.code_map.assign(std::max<std::size_t>(1, (std::size_t{program.code_bytes} + 3) / 4), MOG_NO_CODE);
    image.entries.assign(image.code_map.size(), Entry::Label);
    for (std::size_t i = 0; i < program.blocks.size(); ++i) {
        const Block &block = program.blocks[i];
        if (!block.code_address) continue;
        const std::uint32_t offset = *block.code_address - program.code_base;
        if (offset % 4 != 0 || offset / 4 >= image.code_map.size())
            return Error{fmt::format("block `{}` has code address {:#x}, which is not a word of the code at {:#x} to {:#x}", block.label,
                                     *block.code_address, program.code_base, std::uint64_t{program.code_base} + program.code_bytes),
                         {}};
        std::uint32_t &entry = image.code_map[offset / 4];
        if (entry != MOG_NO_CODE)
            return Error{fmt::format("block `{}` has code address {:#x}, as an earlier block has", block.label, *block.code_address), {}};
        entry = starts[i];
        image.entries[offset / 4] = block.entry;
    }
    return {};
}

/// DATA in whole words, with a control block whose BRK is set: a program written by hand need not know of it.
void lay_out_data(const MogProgram &program, Image &image) {
    image.data = program.data;
    const std::size_t least = 4 * MOG_CB_WORDS;
    image.data.resize((std::max(image.data.size(), least) + 3) / 4 * 4);
    const auto data_end = static_cast<std::uint32_t>(MOG_DATA_BASE + (image.data.size() + 7) / 8 * 8);
    image.brk = program.brk != 0 ? program.brk : data_end;
    std::uint8_t *brk = &image.data[4 * MOG_CB_BRK];
    if (std::all_of(brk, brk + 4, [](std::uint8_t byte) { return byte == 0; }))
        for (int i = 0; i < 4; ++i) brk[i] = static_cast<std::uint8_t>(image.brk >> (8 * i));
}

/// The encoded word of an instruction (salt 0 for one with a constant) and, for those, the constant. Error: a sentence.
Result<std::uint16_t> encode_word(const Instruction &instruction, const Image &image,
                                  const std::unordered_map<BlockId, std::uint32_t> &targets, std::vector<ConstantUse> &uses) {
    const OpInfo *row = find_op(static_cast<std::uint8_t>(instruction.op));
    if (!row) return Error{fmt::format("no instruction has opcode {:#x}", static_cast<unsigned>(instruction.op)), {}};
    const std::uint32_t operand = instruction.operand;
    const auto index = static_cast<std::uint32_t>(image.text.size());
    const auto word = static_cast<std::uint16_t>(static_cast<unsigned>(instruction.op) << 8);
    switch (row->operand) {
        case OperandKind::None:
            if (operand != 0) return Error{fmt::format("`{}` takes no operand, but has {}", row->name, operand), {}};
            return word;
        case OperandKind::Reg:
        case OperandKind::Pair: {
            const std::uint32_t last = operand + (row->operand == OperandKind::Pair ? 1 : 0);
            if (last < operand || last >= image.register_names.size())
                return Error{fmt::format("`{}` uses register {}; the program has {}", row->name, last, image.register_names.size()), {}};
            return static_cast<std::uint16_t>(word | operand);
        }
        case OperandKind::Byte:
            if (operand > 255) return Error{fmt::format("`{}` takes a number up to 255, not {}", row->name, operand), {}};
            return static_cast<std::uint16_t>(word | operand);
        case OperandKind::Const: uses.push_back({index, operand}); return word;
        case OperandKind::Label: {
            const auto target = targets.find(operand);
            if (target == targets.end()) return Error{fmt::format("`{}` leads to block {}, which does not exist", row->name, operand), {}};
            uses.push_back({index, target->second});
            return word;
        }
    }
    return Error{"unknown kind of operand", {}};
}

}  // namespace

Result<Image> encode(const MogProgram &program) {
    Image image;
    if (auto numbered = number_registers(program, image); !numbered) return numbered.error();

    // Instructions have one size, so every block's place is known before a constant is.
    std::vector<std::uint32_t> starts;
    std::unordered_map<BlockId, std::uint32_t> targets;
    std::unordered_set<std::string_view> names;
    std::size_t size = 0;
    for (const Block &block : program.blocks) {
        starts.push_back(static_cast<std::uint32_t>(size));
        if (!targets.emplace(block.id, static_cast<std::uint32_t>(size)).second)
            return Error{fmt::format("two blocks have the number {}; the second is `{}`", block.id, block.label), {}};
        if (!names.insert(block.label).second) return Error{fmt::format("two blocks are called `{}`", block.label), {}};
        size += block.code.size();
        image.labels.push_back(block.label);
    }
    image.label_at = starts;
    if (size == 0) return Error{"the program has no code", {}};
    if (size >= MOG_NO_CODE) return Error{fmt::format("the program has {} instructions, which is too many", size), {}};
    if (program.blocks.back().code.empty() || !ends_block(program.blocks.back().code.back().op))
        return Error{
            fmt::format("block `{}` is the last one and goes on to nowhere; end it with ja, j, brk or ill", program.blocks.back().label),
            {}};
    const auto entry = targets.find(program.entry);
    if (entry == targets.end()) return Error{fmt::format("the entry, block {}, does not exist", program.entry), {}};
    image.entry = entry->second;

    std::vector<ConstantUse> uses;
    image.text.reserve(size);
    for (const Block &block : program.blocks) {
        for (const Instruction &instruction : block.code) {
            auto word = encode_word(instruction, image, targets, uses);
            if (!word) return Error{word.error().message + ", " + place_of(program, block, instruction), {}};
            if ((info(instruction.op).writes & Pc) && &instruction != &block.code.back())
                return Error{fmt::format("`{}` jumps, but is not the last instruction, {}", info(instruction.op).name,
                                         place_of(program, block, instruction)),
                             {}};
            image.text.push_back(*word);
            image.source_address.push_back(instruction.address);
            image.retires.push_back(instruction.retires);
            image.jumps.push_back(instruction.jump);
        }
    }
    if (!make_pool(uses, image)) return Error{fmt::format("no constant pool holds {} constants", uses.size()), {}};
    if (auto mapped = map_code(program, starts, image); !mapped) return mapped.error();
    lay_out_data(program, image);
    set_read_only(image, program.read_only);
    set_constants(image, program.constants);
    if (program.window_bytes) add_window(image, *program.window_bytes);
    image.symbols = program.symbols;
    image.files = program.files;
    image.lines = program.lines;
    image.frames = program.frames;
    if (auto checked = check_image(image); !checked) return checked.error();
    return image;
}

}  // namespace mog
