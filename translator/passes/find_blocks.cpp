// find_blocks: decodes the code that can be reached and cuts it into basic blocks.
//
// Reached is what can be come to from the entry point and from the code addresses that the program takes: by falling
// through, by branches, and after calls. Nothing else is decoded, so data between functions is never mistaken for code.
// A branch keeps its delay slot for now (Slot::Pending).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "translator/mips/computed_jumps.hpp"
#include "translator/passes/passes.hpp"

namespace mog {
namespace {

/// The function that has this address, for messages.
std::string function_at(const Segments &segments, std::uint32_t address) {
    for (auto s = segments.symbols.rbegin(); s != segments.symbols.rend(); ++s) {
        if (s->is_code && s->address <= address) return s->name;
    }
    return "?";
}

Error at(const Segments &segments, const MipsInstruction &instruction, std::string_view why) {
    return Error{fmt::format("{:#x} ({}): {}: {}", instruction.address, function_at(segments, instruction.address),
                             disassemble_mips(instruction), why)};
}

/// Addresses of instructions: a bit for each word of the code, and a set for the few elsewhere, where nothing can be run.
class AddressSet {
public:
    explicit AddressSet(const Segments &segments) : segments_(segments), in_code_(segments.code.size()) {}

    /// Whether it was not there yet.
    bool add(std::uint32_t address) {
        if (!segments_.has_code(address)) return outside_.insert(address).second;
        const std::size_t word = word_of(address);
        const bool is_new = !in_code_[word];
        in_code_[word] = true;
        return is_new;
    }
    bool has(std::uint32_t address) const { return segments_.has_code(address) ? in_code_[word_of(address)] : outside_.contains(address); }
    std::vector<std::uint32_t> ascending() const {
        std::vector<std::uint32_t> all(outside_.begin(), outside_.end());
        for (std::size_t word = 0; word < in_code_.size(); ++word)
            if (in_code_[word]) all.push_back(segments_.code_base + 4 * static_cast<std::uint32_t>(word));
        std::ranges::sort(all);
        return all;
    }

private:
    std::size_t word_of(std::uint32_t address) const { return (address - segments_.code_base) / 4; }

    const Segments &segments_;
    std::vector<bool> in_code_;
    std::set<std::uint32_t> outside_;
};

class Finder {
public:
    explicit Finder(ElfProgram &program) : leaders(program.segments), segments_(program.segments), seen_(program.segments) {}

    /// Decodes everything reachable from an address.
    Result<void> reach(std::uint32_t root) {
        pending_.push_back(root);
        while (!pending_.empty()) {
            const std::uint32_t leader = pending_.back();
            pending_.pop_back();
            leaders.add(leader);
            for (std::uint32_t address = leader; seen_.add(address); address += 4) {
                const MipsInstruction instruction = decode(address);
                if (!instruction.op->unsupported.empty()) return at(segments_, instruction, instruction.op->unsupported);
                if (instruction.op->name == "illegal") break;
                if (!instruction.op->branches) continue;
                const MipsInstruction slot = decode(address + 4);
                if (!slot.op->unsupported.empty()) return at(segments_, slot, slot.op->unsupported);
                if (slot.op->branches) return at(segments_, slot, "a jump in the delay slot of another has no defined meaning");
                // A call of an undefined weak function goes to address 0; it is never run, or else stops the PE there.
                if (instruction.op->lowering.back().field == Field::Target && segments_.has_code(instruction.target()))
                    pending_.push_back(instruction.target());
                // A call that is the last of all code comes back to nothing: the jump there stops the PE.
                if (instruction.op->links && segments_.has_code(address + 8)) returns.insert(address + 8);
                if (instruction.op->links || instruction.op->conditional) pending_.push_back(address + 8);
                break;
            }
        }
        return {};
    }

    MipsInstruction decode(std::uint32_t address) const {
        // Beyond the end: what a compiler leaves after a call that does not return.
        if (!segments_.has_code(address)) return {address, 0xffffffffu, &mips_op("illegal")};
        const std::uint32_t word = segments_.word(address);
        return {address, word, &decode_mips(word)};
    }

    AddressSet leaders;
    std::set<std::uint32_t> returns;

private:
    const Segments &segments_;
    std::vector<std::uint32_t> pending_;
    AddressSet seen_;
};

}  // namespace

Result<MipsProgram> find_blocks(ElfProgram elf) {
    Finder finder(elf);
    if (auto done = finder.reach(elf.entry); !done) return done.error();
    for (const std::uint32_t address : computed_targets(elf)) elf.code_pointers.try_emplace(address, Entry::Label);
    for (const auto &[address, kind] : elf.code_pointers) {
        if (auto done = finder.reach(address); !done) return done.error();
    }

    MipsProgram program;
    program.entry = elf.entry;
    program.entries = elf.code_pointers;
    for (const std::uint32_t address : finder.returns) program.entries.try_emplace(address, Entry::Return);
    for (const std::uint32_t leader : finder.leaders.ascending()) {
        MipsBlock block{.address = leader, .body = {}, .branch = {}, .slot = {}};
        std::uint32_t address = leader;
        do {
            const MipsInstruction instruction = finder.decode(address);
            address += 4;
            if (instruction.op->branches) {
                block.branch = instruction;
                block.slot = {finder.decode(address)};
                block.slot_when = MipsBlock::Slot::Pending;
                address += 4;
                break;
            }
            block.body.push_back(instruction);
            if (instruction.op->name == "illegal") break;
        } while (!finder.leaders.has(address));
        block.next = address;
        program.blocks.push_back(std::move(block));
    }
    program.segments = std::move(elf.segments);
    return program;
}

}  // namespace mog
