// forms.hpp: the rows of ptx.def as data, and which of them an opcode is of.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/result.hpp"
#include "translator/ptx/types.hpp"

namespace mog::ptx {

/// Rows of ptx.def but those of MOG_PTX_COMPARE and MOG_PTX_ATOMIC, which are not opcodes.
enum class Form : std::uint16_t {
#define MOG_PTX_LANES(id, ...) id,
#define MOG_PTX_FLOATS(id, ...) id,
#define MOG_PTX_SINGLE(id, ...) id,
#define MOG_PTX_DOES(id, ...) does_##id,
#define MOG_PTX_UNABLE(root, why) unable_##root,
#include "translator/ptx/ptx.def"
};

/// What instructions do that concern more than each lane's own registers.
enum class Action : std::uint8_t {
    lanes,   ///< none of that
    unable,  ///< what cannot be executed
    carry,
    compare,
    set,
    lop3,
    move,
    convert,
    convert_pair,
    from_generic,
    to_generic,
    is_space,
    map_address,
    load,
    store,
    atomic,
    copy_async,
    texture,
    texture_query,
    surface_load,
    surface_store,
    fence,
    nothing,
    branch,
    branch_table,
    call,
    ret,
    exit,
    trap,
    yield,
    warp_barrier,
    barrier,
    barrier_arrive,
    barrier_vote,
    barrier_count,
    cluster_barrier,
    shuffle,
    ballot,
    vote,
    match_any,
    match_all,
    redux,
    activemask,
    elect,
};

/// What an operand has to be.
struct OperandSpec {
    bool is_written = false;
    bool is_pair = false;     ///< written, and with |p a predicate beside it, or a predicate alone with its counterpart
    bool is_address = false;  ///< [register + offset]
    bool is_place = false;    ///< [texture, {coordinates}]
    bool is_any = false;
    bool may_lack = false;
    bool is_wide = false;    ///< a register may be wider than the type
    Type type = Type::none;  ///< none: of_first or of_second
    bool of_first = false, of_second = false;
    bool is_twice = false;  ///< of twice as many bits as that
};

struct FormInfo {
    std::string_view id;
    std::string_view root;     ///< first word of the opcode
    std::string_view pattern;  ///< as ptx.def has it
    Action action;
    std::vector<Type> types;
    std::vector<OperandSpec> operands;
    std::string_view why;  ///< of Action::unable
};
const FormInfo &info(Form form);
std::size_t form_count();

/// An opcode as it stands in a text, understood.
struct Opcode {
    std::string text;
    Form form{};
    Type type = Type::none;    ///< T of the row, or the only one
    Type second = Type::none;  ///< S
    Word compare = Word::none, combine = Word::none, atomic = Word::none, round = Word::none, mode = Word::none;
    Space space = Space::generic;
    std::uint8_t vector = 1;
    bool is_volatile = false;
    std::bitset<160> words;

    bool has(Word word) const { return words[static_cast<std::size_t>(word)]; }
    Action action() const { return info(form).action; }
    std::string_view root() const { return info(form).root; }
};

/// The opcodes of a module, each once.
class Opcodes {
public:
    /// The number of an opcode such as "add.s32". Error: there is none like it.
    Result<std::uint32_t> find(std::string_view text);
    const Opcode &operator[](std::uint32_t number) const { return *known_[number]; }
    std::size_t size() const { return known_.size(); }

private:
    std::vector<std::unique_ptr<Opcode>> known_;
    std::unordered_map<std::string_view, std::uint32_t> by_text_;
};

/// An opcode by itself.
Result<Opcode> understand(std::string_view text);

}  // namespace mog::ptx
