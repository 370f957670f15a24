// random_test.cpp: superinstructions and compiled blocks are the instructions that they are made of. Random programs that
// branch, loop, jump into the middle of everything and sometimes go wrong run on one device with them and on the reference
// machine without; all of each PE has to be the same afterwards: registers, memory, where and why it stopped, how much it
// executed.
//
//     isa_random DEVICE [switch|own|sequence|blocks|native|avx512|avx2|portable|generic|restless]        exit status 77: there is no such
//     device here
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "assembler/assemble.hpp"
#include "assembler/image/encode.hpp"
#include "assembler/text/parse.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/host/native/address_faults.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "support/compilers/host_compiler.hpp"
#include "support/random.hpp"
#include "tests/isa/host_products.hpp"

namespace mog::test {
namespace {

constexpr int skipped = 77;
constexpr std::uint32_t pes = 64, registers = 14, launches = 4000;
/// Laid by sectors, memory that is no whole number of them.
MemoryLayout layout = MemoryLayout::Words;
std::uint32_t data_words = 1024;

/// In all programs together.
std::uint64_t vector_loops = 0, vector_rounds = 0;
bool compiled_lanes = false;  ///< code for lanes is compiled while it runs

/// Instructions that need no care.
std::vector<const OpInfo *> plain_rows() {
    std::vector<const OpInfo *> rows;
    for (const OpInfo &row : isa)
        if (!(row.reads & (Mem | Fcsr)) && !(row.writes & (Mem | Pc | Stop | Fcsr))) rows.push_back(&row);
    return rows;
}

/// `wild`: with accesses anywhere, near the ends of DATA above all, and with pairs at even numbers only, so that native code can leave it
/// to the processor to check addresses.
/// `rounds`: with loops of which native code does several rounds at once.
enum class Kind : std::uint8_t { usual, wild, rounds };

std::string instruction(const OpInfo &row, Random &random, Kind kind) {
    // $sp, $ra and so on are like any others here, but for the last one, which counts the jumps back.
    switch (row.operand) {
        case OperandKind::Reg: return fmt::format(" {} $x{}\n", row.name, random.below(registers - 1));
        case OperandKind::Pair:
            return fmt::format(" {} $x{}\n", row.name,
                               kind == Kind::wild ? 2 * random.below(registers / 2 - 1) : random.below(registers - 2));
        case OperandKind::Byte: return fmt::format(" {} {}\n", row.name, random.below(256));
        case OperandKind::Const:
            return fmt::format(" {} {:#x}\n", row.name, random.below(2) ? random.below(64) : static_cast<std::uint32_t>(random.next()));
        default: return fmt::format(" {}\n", row.name);
    }
}

std::string wild_access(Random &random) {
    static const char *const of_acc[] = {"lb",  "lbu", "lh",  "lhu", "lw",  "lwu", "lwd", "lwl",
                                         "lwr", "stb", "sth", "stw", "stu", "stl", "str", "std"};
    static const char *const of_bytes[] = {"lb", "lbu", "lwu", "lwl", "lwr", "stb", "stu", "stl", "str"};
    static const char *const others[] = {"lwx", "sb", "sh", "sw"};
    const auto reg = [&] { return random.below(registers - 1); };
    const auto operand = [&](std::string_view name) {
        if (name == "std") return fmt::format(" $x{}", 2 * random.below(registers / 2 - 1));
        return name.starts_with("st") || name == "lwl" || name == "lwr" ? fmt::format(" $x{}", reg()) : "";
    };
    const auto one_of = [&](auto &names) { return std::string(names[random.below(std::size(names))]); };
    const auto from = [&] { return fmt::format(" lr $x{}\n", reg()); };
    std::string name = one_of(of_acc);
    const auto kind = random.below(160);
    if (kind == 0)  // near an end, at any byte
        return from() + fmt::format(" andi 0x1f\n addi {:#x}\n {}{}\n", random.below(2) ? 0x0ffffff0 : 0x10000ff0, name, operand(name));
    if (kind == 1)  // anywhere, with a constant that may lead round the end of the address space
        return from() +
               fmt::format(" addi {}\n {}{}\n", static_cast<std::int32_t>(random.below(1u << 22)) - (1 << 21), name, operand(name));
    if (kind == 2) return from() + fmt::format(" andi 0x7ff\n addi 0x10000100\n {}{}\n", name, operand(name));
    if (kind == 3) return fmt::format(" li {:#x}\n {}{}\n", 0x10000100 + random.below(64), name, operand(name));
    if (kind < 20) {
        name = one_of(of_bytes);
        return from() + fmt::format(" andi 0x7ff\n addi 0x10000100\n {}{}\n", name, operand(name));
    }
    if (kind < 40) {  // the same at the upper end, and at a known address
        name = one_of(of_bytes);
        return random.below(2) ? from() + fmt::format(" andi 0xf\n addi 0x10000fed\n {}{}\n", name, operand(name))
                               : fmt::format(" li {:#x}\n {}{}\n", 0x10000100 + random.below(64), name, operand(name));
    }
    if (kind < 60) {  // at the sum of two values, or at a register's
        const auto x = reg();
        return from() +
               fmt::format(" andi 0x7fc\n addi 0x10000100\n sr $x{0}\n li {2}\n {1} $x{0}\n", x, one_of(others), 4 * random.below(8));
    }
    return from() + fmt::format(" andi 0x7f8\n addi 0x10000100\n {}{}\n", name, operand(name));
}

/// What a program begins with, before its code.
std::string head() {
    std::string text = ".register";
    for (std::uint32_t i = 0; i < registers; ++i) text += fmt::format(" x{}", i);
    return text +
           "\n.role sp $x0\n.role ra $x1\n.role v0 $x2\n.role a0 $x4\n.role a1 $x5\n.role a2 $x6\n.role a3 $x7\n.code 0x00400000, 64\n";
}

std::string random_text(Random &random, std::size_t blocks, Kind kind) {
    static const auto rows = plain_rows();
    static const char *const loads[] = {"lb", "lbu", "lh", "lhu", "lw", "lwu", "lwd"};
    static const char *const stores[] = {"stb", "sth", "stw", "stu", "stl", "str"};
    std::string text = head() + "start: li 40\n sr $x13\n";
    for (std::size_t b = 0; b < blocks; ++b) {
        text += fmt::format("b{}:\n", b);
        for (std::size_t n = 2 + random.below(8); n > 0; --n) {
            const auto x = random.below(registers - 1);
            if (kind == Kind::wild && random.below(4) == 0) {
                text += wild_access(random);
                continue;
            }
            switch (random.below(12)) {
                case 0:  // an access within DATA
                    text += fmt::format(" andi 0x7f8\n addi 0x10000100\n {}\n", loads[random.below(std::size(loads))]);
                    break;
                case 1: text += fmt::format(" andi 0x7f8\n addi 0x10000100\n {} $x{}\n", stores[random.below(std::size(stores))], x); break;
                case 2:
                    text += fmt::format(" lr $x{}\n add $x{}\n sr $x{}\n", x, random.below(registers - 1), random.below(registers - 1));
                    break;
                case 3:
                    text += random.below(2) ? fmt::format(" lr $x{}\n andi 0x3ff\n tz {}\n", x, random.below(9))
                            : random.below(9) == 0  // misaligned now and then
                                ? fmt::format(" lr $x{}\n andi 0x3f\n sltui 1\n addi 0x10000100\n lw\n", x)
                                : fmt::format(" lr $x{}\n", x);
                    break;
                default: text += instruction(*rows[random.below(rows.size())], random, kind);
            }
        }
        const auto forward = b + 1 + random.below(std::min<std::size_t>(4, blocks - b));
        const std::string to = forward < blocks ? fmt::format("b{}", forward) : "end";
        switch (random.below(6)) {
            case 0: text += fmt::format(" lr $x13\n jf n{0}\n addi -1\n sr $x13\n ja b{1}\nn{0}:\n", b, random.below(b + 1)); break;
            case 1: text += fmt::format(" ja {}\n", to); break;
            case 2:
            case 3: text += fmt::format(" andi 1\n {} {}\n", random.below(2) ? "jf" : "jt", to); break;
            default: break;
        }
    }
    return text + (kind == Kind::wild ? "end: srd $x10\n brk 3\n" : "end: brk 3\n");
}

struct Outcome {
    std::vector<std::uint32_t> words;  ///< state and memory of each PE
    std::vector<Request> requests;     ///< by PE
};

std::span<std::uint8_t> bytes(std::vector<std::uint32_t> &words) {
    return {reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size()};
}

/// Loads and runs to the end; every PE begins with other values.
Result<Outcome> run(Device &device, const Image &image, Engine engine, std::uint64_t seed, std::uint32_t passes, bool restless = false) {
    LoadConfig config;
    config.nproc = pes;
    config.data_words = data_words;
    config.startup.assign(2, 0);
    config.engine = engine;
    config.restless = restless;
    config.layout = layout;
    if (layout == MemoryLayout::Sectors && device.info().id.starts_with("opencl")) config.warp = 32;
    // mogcc decided for the rest of the host's engines that nothing is counted.
    config.count = device.info().id != "host" || engine == Engine::Sequence;
    if (auto loaded = device.load(image, config); !loaded) return loaded.error();
    Random random(seed);
    std::vector<Transfer> all, registers_only;
    std::vector<std::uint32_t> start;
    std::uint32_t at = 0;
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
        for (std::uint32_t row = 0; row < registers; ++row) {
            registers_only.push_back({pe, MOG_S_REGS + row, 4, 4 * static_cast<std::uint32_t>(start.size()), true});
            start.push_back(random.below(3) ? static_cast<std::uint32_t>(random.next()) : 0x10000100 + 4 * random.below(500));
        }
        for (std::uint32_t row = 0; row < MOG_S_REGS + registers; ++row, at += 4) all.push_back({pe, row, 4, at, true});
        all.push_back({pe, MOG_DATA_BASE, 4 * data_words, at, false});
        at += 4 * data_words;
    }
    if (auto done = device.scatter(registers_only, bytes(start)); !done) return done.error();
    Outcome result;
    result.requests.resize(pes);
    std::vector<std::uint32_t> active(pes);
    std::iota(active.begin(), active.end(), 0u);
    for (std::uint32_t launch = 0; !active.empty(); ++launch) {
        if (launch == launches) return Error{fmt::format("PE {} does not stop", active[0]), {}};
        auto requests = device.run(active, passes);
        if (!requests) return requests.error();
        for (Request &request : *requests) {
            std::erase(active, request[MOG_Q_PE]);
            request[MOG_Q_LEFT] = 0;  // passes, of which superinstructions need fewer
            result.requests[request[MOG_Q_PE]] = request;
        }
    }
    result.words.resize(at / 4);
    if (auto done = device.gather(all, bytes(result.words)); !done) return done.error();
    if (!config.count)
        for (std::uint32_t pe = 0; pe < pes; ++pe)
            for (const std::uint32_t row : {MOG_S_COUNT_LO, MOG_S_COUNT_HI}) result.words[pe * at / 4 / pes + row] = 0;
    return result;
}

int fail(const std::string &message) {
    fmt::print(stderr, "{}\n", message);
    return 1;
}

/// Registers that are met by themselves more often than as pairs, and change while D is what they were; and pairs that overlap.
std::string pairs_that_change() {
    std::string text = head() + "start: li 20\n sr $x13\nloop:\n";
    for (int i = 0; i < 30; ++i)
        for (const int r : {4, 5, 6, 7}) text += fmt::format(" lr $x{}\n addi {}\n sr $x{}\n", r, 12345 * i + r, r == 7 ? 4 : r + 1);
    for (const int r : {4, 6})
        for (const int half : {r, r + 1}) {
            text += fmt::format(" lrd $x{}\n lr $x12\n addi {}\n sr $x{}\n srd $x8\n", r, half, half);
            text += fmt::format(" lr $x8\n add $x9\n sr $x10\n lrd $x{}\n lr $x12\n sr $x{}\n negd\n srd $x8\n", r, half);
            text += " lr $x8\n xor $x9\n add $x10\n sr $x10\n";
        }
    for (int i = 0; i < 40; ++i) text += " lrd $x8\n srd $x8\n";
    for (const int to : {7, 9})
        text += fmt::format(" lrd $x8\n srd $x{}\n lr $x{}\n add $x{}\n sr $x11\n lrd $x4\n srd $x8\n", to, to, to + 1);
    return text + " lr $x13\n addi -1\n sr $x13\n jt loop\n brk 3\n";
}

/// A loop in which registers hold floats, that are changed as integers on the way.
std::string floats_as_integers() {
    std::string text = head() +
                       "start: li 40\n sr $x13\nloop: lr $x3\n mulf $x4\n sr $x3\n lr $x3\n addf $x4\n sr $x3\n"
                       " lr $x3\n addi 0x00800000\n sr $x3\n lr $x3\n addf $x4\n sr $x5\n lr $x5\n sr $x6\n lr $x6\n mulf $x3\n sr $x8\n"
                       " li 0x3fc00000\n sr $x9\n lr $x9\n divf $x8\n sr $x9\n";
    // Fused, for who wants superinstructions of it.
    for (int i = 0; i < 30; ++i) text += fmt::format(" lr $x{}\n add $x10\n sr $x10\n", 8 + i % 2);
    return text + " lr $x13\n addi -1\n sr $x13\n jt loop\n brk 3\n";
}

/// Pairs that have homes, x4 to x9, with halves that are read, changed, compared and computed with as integers and as floats.
std::string pairs_by_halves() {
    std::string text = head() + "start: li 40\n sr $x13\nloop:\n";
    const auto half = [](int k) { return 4 + k % 6; };
    // As pairs more often than by halves.
    for (int i = 0; i < 200; ++i) text += fmt::format(" lrd $x{}\n srd $x{}\n", 4 + 2 * (i % 3), 4 + 2 * ((i + i / 3) % 3));
    int k = 0;
    for (const char *name :
         {"add", "sub", "and", "or", "xor", "nor", "mul", "mulh", "mulhu", "sll", "srl", "sra", "rotr", "slt", "sltu", "divu", "rem"}) {
        // In a register, in a half, and by a constant, into a register, another half and the same one.
        text +=
            fmt::format(" lr $x3\n srli 2\n {0} $x{1}\n sr $x10\n lr $x{1}\n srai 2\n {0} $x12\n sr $x{2}\n", name, half(k), half(k + 5));
        text += fmt::format(" li {}\n {} $x{}\n sr $x{}\n", 0x01234567 * k % 0x10000000, name, half(k + 1), half(k + 4));
        k++;
    }
    for (k = 0; k < 6; ++k) {
        const int r = half(k), next = half(k + 1), other = half(k + 2), pair = r & ~1;
        text += fmt::format(" lr $x{0}\n addi 0x3f800000\n sr $x{0}\n addi 77\n sr $x{1}\n lr $x{1}\n sr $x{0}\n", r, next);
        text += fmt::format(" lr $x{0}\n jf next{0}\n addi 1\n sr $x11\nnext{0}: lr $x11\n mulf $x{0}\n sr $x{0}\n lr $x{0}\n", r);
        text += fmt::format(" addf $x12\n sr $x{0}\n lr $x{0}\n sltf $x{1}\n sr $x11\n", r, other);
        text += fmt::format(" lr $x{0}\n i2d\n srd $x{1}\n lr $x{0}\n f2d\n srd $x{1}\n sr $x10\n lr $x{0}\n i2d\n srd $x{1}\n", r, pair);
        text += fmt::format(" lrd $x{0}\n addd $x{0}\n srd $x{1}\n lr $x{2}\n srd $x{0}\n sr $x10\n li {3}\n sr $x{2}\n", pair, other & ~1,
                            r, 5 * k);
        // Accesses at addresses in halves, of halves.
        text += fmt::format(
            " lr $x{0}\n andi 0xffc\n addi 0x10000000\n sr $x{0}\n lw\n sr $x{1}\n lr $x{0}\n stw $x{2}\n lr $x{1}\n sw $x{0}\n", r, next,
            other);
        for (const char *part : {"lwl", "lwr", "stl", "str"})
            text += fmt::format(" lr $x3\n andi 0xfff\n addi 0x10000000\n {} $x{}\n sr $x{}\n", part, r, part[0] == 'l' ? next : 10);
    }
    return text + " lr $x13\n addi -1\n sr $x13\n jt loop\n brk 3\n";
}

/// Loops over arrays that lie anywhere to each other, with elements and operations of all kinds. DATA is filled first, with numbers that
/// are anything, or small ones as floats and doubles.
class RandomLoops {
public:
    explicit RandomLoops(Random &random) : random_(random) {}

    std::string text() {
        std::string text = head() + "start:";
        text += fill("words", 0x10000200, 890, 4, "");
        text += fill("floats", 0x10000500, 190, 4, " srai 20\n i2f\n");
        text += fill("doubles", 0x10000800, 90, 8, " srai 12\n i2d\n srd $x10\n");
        for (int number = 0; number < 6; ++number) text += loop(number);
        return text + " brk 3\n";
    }

private:
    static std::string fill(std::string_view name, std::uint32_t at, int count, int size, std::string_view made) {
        const bool wide = size == 8;
        return fmt::format(
            " li {1:#x}\n sr $x0\n li {2}\n sr $x13\n{0}: lr $x12\n add $x12\n add $x12\n addi 0x1234567\n rotri 5\n sr $x12\n{3} {4}\n"
            " lr $x0\n addi {5}\n sr $x0\n lr $x13\n addi -1\n sr $x13\n jt {0}\n",
            name, at, count, made, wide ? "lr $x0\n std $x10" : "sw $x0", size);
    }

    std::string one_of(std::initializer_list<const char *> words) {
        return words.begin()[random_.below(static_cast<std::uint32_t>(words.size()))];
    }

    /// A pointer to somewhere in DATA that differs between PEs, perhaps near another one's place, perhaps not aligned.
    std::string pointer(int reg, int shift) {
        const auto place = 0x10000200 + (random_.below(3) ? 0x300 * random_.below(4) : 0x600) + 8 * random_.below(8);
        const auto mask = random_.below(40) == 0 ? 7u : random_.below(2) ? 0u : 0x18u >> (shift == 3 ? 0 : 3 - shift);
        return fmt::format(" lr $x12\n andi {:#x}\n addi {:#x}\n sr $x{}\n", shift == 3 ? mask & ~7u : mask, place, reg);
    }

    /// What is done if ACC is 0, or if not.
    std::string skip(int number, const std::string &what) {
        const std::string over = fmt::format("over{}_{}", number, skips_++);
        return fmt::format(" {} {}\n{}{}:\n", random_.below(2) ? "jt" : "jf", over, what, over);
    }

    /// Registers: 0 to 2 pointers, 3 to 5 words, 6 what adds up, 7 stays, 8 and 10 pairs or, without doubles, 10 and 11 nothing
    /// together, 12 anything, 13 counts.
    std::string loop(int number) {
        const bool wide = random_.below(3) == 0;
        const int shift = wide ? 3 : static_cast<int>(random_.below(3));
        const std::string load = std::array<std::string, 4>{one_of({"lb", "lbu"}), one_of({"lh", "lhu"}), "lw",
                                                            "lwd"}[static_cast<std::size_t>(shift)],
                          store = std::array{"stb", "sth", "stw", "std"}[static_cast<std::size_t>(shift)];
        const bool floats = shift == 2 && random_.below(2);
        std::string text;
        for (const int reg : {0, 1, 2}) text += pointer(reg, shift);
        const int rounds =
            random_.below(8) == 0 ? static_cast<int>(random_.below(30)) : 33 + static_cast<int>(random_.below(wide ? 60 : 150));
        const int stride = random_.below(4) == 0 ? static_cast<int>(random_.below(4)) - 1 : 1;
        const int stored = random_.below(4) == 0 ? static_cast<int>(random_.below(5)) - 2 : 1;
        text += fmt::format(" li 0\n sr $x6\n li {}\n sr $x13\n", rounds);
        if (!wide) text += " li 8\n sr $x10\n li 0xfffffff8\n sr $x11\n";
        // What stays is a number as those in memory.
        if (wide) text += " lr $x12\n srai 14\n i2d\n srd $x8\n";
        else text += floats ? " lr $x12\n srai 22\n i2f\n sr $x7\n" : " lr $x12\n sr $x7\n";
        text += fmt::format("loop{}:\n", number);
        const auto loaded = [&](int pointer, int to) {
            const std::string where =
                fmt::format(" lr $x{}\n{} addi {}\n", pointer, !wide && random_.below(4) == 0 ? " add $x10\n add $x11\n" : "",
                            (static_cast<int>(random_.below(5)) - 2) << shift);
            return where + (wide ? fmt::format(" lwd\n srd $x{}\n", to) : fmt::format(" {}\n sr $x{}\n", load, to));
        };
        if (wide) {
            text += loaded(0, 10);
            for (auto n = 1 + random_.below(4); n > 0; --n) {
                text += " lrd $x10\n";
                switch (random_.below(8)) {
                    case 0: text += fmt::format(" {}\n", one_of({"negd", "absd", "sqrtd"})); break;
                    case 1: text += " d2f\n addf $x7\n f2d\n"; break;
                    case 2: text += fmt::format(" lr $x{}\n i2d\n addd $x10\n", random_.below(2) ? 13 : 7); break;
                    default: text += fmt::format(" {} $x{}\n", one_of({"addd", "subd", "muld", "divd"}), random_.below(3) ? 8 : 10);
                }
                text += " srd $x10\n";
                if (random_.below(4) == 0)
                    text += fmt::format(" lrd $x10\n {} $x8\n", one_of({"seqd", "sltd", "sled", "sund", "sltds"})) +
                            skip(number, " lrd $x8\n srd $x10\n");
                else if (random_.below(6) == 0) text += " lr $x13\n andi 3\n" + skip(number, " lrd $x10\n negd\n srd $x10\n");
            }
            text += fmt::format(" lr $x2\n std $x{}\n", random_.below(8) ? 10 : 8);
        } else {
            text += loaded(0, 3) + loaded(1, 4);
            const auto any = [&] { return random_.below(5) ? 3 + random_.below(2) : 7; };
            for (auto n = 1 + random_.below(5); n > 0; --n) {
                text += fmt::format(" lr $x{}\n", any());
                switch (random_.below(floats ? 6u : 4u)) {
                    case 0: text += fmt::format(" {}\n", floats ? one_of({"negf", "absf"}) : one_of({"neg", "seb", "seh"})); break;
                    case 1:
                        if (floats) text += " sqrtf\n";
                        else text += fmt::format(" {} {}\n", one_of({"slli", "srli", "srai"}), random_.below(40));
                        break;
                    case 2:
                        if (floats) text += fmt::format(" lr $x13\n i2f\n mulf $x{}\n", any());
                        else
                            text += fmt::format(" {} {:#x}\n", one_of({"addi", "andi", "ori", "xori", "slti", "sltui"}),
                                                random_.below(2) ? random_.below(100) : static_cast<std::uint32_t>(random_.next()));
                        break;
                    default:
                        text += fmt::format(
                            " {} $x{}\n",
                            floats ? one_of({"addf", "subf", "mulf", "divf"})
                                   : one_of({"add", "sub", "and", "or", "xor", "nor", "mul", "slt", "sltu", "sll", "srl", "sra"}),
                            any());
                }
                text += fmt::format(" sr $x{}\n", 3 + random_.below(2));
                if (random_.below(4) == 0) {
                    text += fmt::format(" lr $x{}\n {} $x{}\n", any(),
                                        floats ? one_of({"seqf", "sltf", "slef", "sunf", "slefs"}) : one_of({"slt", "sltu", "xor", "and"}),
                                        any());
                    text += skip(number, fmt::format(" lr $x{}\n{} sr $x{}\n", any(),
                                                     random_.below(2) ? floats ? " negf\n" : " addi 5\n" : "", 3 + random_.below(2)));
                }
            }
            if (!floats && random_.below(3) == 0) text += " lr $x6\n add $x3\n sr $x6\n";
            else if (!floats && random_.below(3) == 0) text += " lr $x4\n slt $x3\n" + skip(number, " lr $x6\n add $x4\n sr $x6\n");
            if (random_.below(5)) text += fmt::format(" lr $x2\n {} $x{}\n", store, random_.below(6) ? 3 : 7);
        }
        for (const int reg : {0, 1, 2})
            text += fmt::format(" lr $x{0}\n addi {1}\n sr $x{0}\n", reg, (reg == 1 ? stride : reg == 2 ? stored : 1) * (1 << shift));
        text += fmt::format(" lr $x13\n addi -1\n sr $x13\n {}jt loop{}\n", random_.below(3) ? "" : "lr $x13\n ", number);
        // Which NaN is left where nobody reads it is not said (nan_results.hpp).
        text += " li 0\n";
        for (const int reg : {3, 4, 10, 11}) text += fmt::format(" sr $x{}\n", reg);
        return text;
    }

    Random &random_;
    int skips_ = 0;
};

/// `own`: by MOG's own interpreter, not one that is compiled for the program.
int compare(const std::string &device_id, Engine engine, std::uint64_t seed, const std::optional<LaneSet> &lanes, bool restless, bool own,
            Kind kind = Kind::usual, const std::string &text = {}) {
    Random random(seed);
    const std::string loops = kind == Kind::rounds ? RandomLoops(random).text() : "";
    const auto program = parse(!loops.empty() ? loops : text.empty() ? random_text(random, 40, kind) : text, "random.mog");
    if (!program) return fail(program.error().text());
    AssembleOptions options;
    options.order.seconds = 0.01;
    const bool compiles = engine == Engine::Blocks || engine == Engine::Native || lanes;
    options.blocks.build_seconds = 0;
    options.blocks.all = compiles;
    if (lanes) options.blocks.lanes = lanes->simd;
    options.blocks.all_in_lanes = true;
    options.fusion.count = engine == Engine::Sequence ? 24 : 60;
    options.fusion.parts = engine == Engine::Sequence ? 100 : 240;
    auto fused = assemble(*program, options);
    const auto plain = encode(*program);
    if (!fused || !plain) return fail(fused ? plain.error().text() : fused.error().text());
    if (!compiles && fused->superinstructions.size() < 10)
        return fail(fmt::format("only {} superinstructions", fused->superinstructions.size()));
    if (device_id == "host" && !own && engine != Engine::Native && !compiled_lanes)
        if (auto compiled = compile_host(*fused, "", lanes, engine == Engine::Lanes ? HostParts::lanes_alone : HostParts::all); !compiled)
            return fail(compiled.error().text());
    auto device = open_device(device_id, *fused), reference = open_device("reference", *plain);
    if (!device || !reference) return fail(device ? reference.error().text() : device.error().text());
    const auto expected = run(**reference, *plain, Engine::Auto, seed, 1000);
    if (!expected && engine == Engine::Native) {  // of many programs, some go round and round
        fmt::print("seed {}: {} on the reference machine\n", seed, expected.error().text());
        return 0;
    }
    // Slices that end everywhere; of compiled blocks long ones, since short ones are interpreted.
    const std::uint32_t passes = kind == Kind::rounds         ? static_cast<std::uint32_t>(700 + 100 * (seed % 50))
                                 : !compiles || seed % 2 == 0 ? 7
                                                              : 500;
    auto got = run(**device, *fused, engine, seed, passes, restless);
    if (!got && engine == Engine::Native && device_id == "opencl") return fmt::print("skipped: {}\n", got.error().text()), skipped;
    if (!expected || !got) return fail(expected ? got.error().text() : expected.error().text());
    if (engine == Engine::Native) {
        const auto stats = (*device)->stats();
        if (!stats || !stats->native || stats->native->functions == 0) return fail("nothing was compiled while it ran");
        vector_loops += stats->native->vector_loops;
        vector_rounds += stats->native->vector_rounds;
    }
    if (layout == MemoryLayout::Sectors)
        if (const auto stats = (*device)->stats(); !stats || stats->engine.find("memory by sectors") == std::string::npos)
            return fail("memory is not laid by sectors");
    if (kind == Kind::wild && device_id == "host")
        if (const auto stats = (*device)->stats(); processor_checks_addresses() && !std::getenv("MOG_NATIVE"))
            if (!stats || (stats->native ? !stats->native->why_asking.empty() : engine == Engine::Native))
                return fail("it is not the processor that checks addresses" +
                            (stats && stats->native ? ": " + stats->native->why_asking : ""));
    std::vector<std::uint32_t> wanted = expected->words;
    const std::size_t per_pe = wanted.size() / pes;
    int wrong = 0, faults = 0;
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
        faults += expected->requests[pe][MOG_Q_STOP] != MOG_STOP_BREAK;
        if (device_id == "host" && engine != Engine::Sequence)
            wanted[pe * per_pe + MOG_S_COUNT_LO] = wanted[pe * per_pe + MOG_S_COUNT_HI] = 0;
        // Where a PE may meet a fault anywhere, or nothing reads it any more, D is what it was only as long as it may still be read.
        if (kind != Kind::usual || compiled_lanes)
            for (const std::uint32_t row : {MOG_S_DLO, MOG_S_DHI}) wanted[pe * per_pe + row] = got->words[pe * per_pe + row];
        Request request = expected->requests[pe];
        // Where a loop stops in its midst, which NaN is in what nobody reads any more is not said (nan_results.hpp).
        const bool any_nan = kind == Kind::rounds && request[MOG_Q_STOP] != MOG_STOP_BREAK;
        const auto is_same = [&](std::uint32_t one, std::uint32_t other) {
            const auto is_nan = [](std::uint32_t word) { return (word & 0x7fffffff) > 0x7f800000; };
            return one == other || (any_nan && is_nan(one) && is_nan(other));
        };
        if (!std::ranges::equal(got->requests[pe], request, is_same))
            ++wrong, fmt::print(stderr, "seed {}, PE {}: another record, at TEXT {} instead of {}\n", seed, pe, got->requests[pe][MOG_Q_PC],
                                request[MOG_Q_PC]);
        for (std::size_t i = pe * per_pe; i < (pe + 1) * per_pe; ++i)
            if (!is_same(got->words[i], wanted[i])) {
                ++wrong;
                fmt::print(stderr, "seed {}, PE {}: word {} is {:#x}, should be {:#x}\n", seed, pe, i - pe * per_pe, got->words[i],
                           wanted[i]);
                break;
            }
    }
    fmt::print("{}, seed {}, slices of {}: {} superinstructions, {} of {} PEs met a fault, {} differences\n", device_id, seed, passes,
               fused->superinstructions.size(), faults, pes, wrong);
    return wrong ? 1 : 0;
}

void lay_by_sectors() {
    layout = MemoryLayout::Sectors;
    data_words += 2;
}

int run_all(const std::string &device_id, std::string_view engine_name) {
    if (device_id.starts_with("opencl")) {
        bool present = false;
        for (const DeviceInfo &info : list_devices(nullptr, nullptr)) present |= info.id.starts_with("opencl");
        if (!present) return fmt::print("skipped: no OpenCL device here\n"), skipped;
    }
    const bool restless = engine_name.starts_with("restless");
    compiled_lanes = engine_name.ends_with("lanes");
    const std::optional<LaneSet> lanes = compiled_lanes ? LaneSet{Simd::avx512, {}}
                                         : restless     ? LaneSet{std::max(best_simd(), Simd::portable), {}}
                                                        : lane_set(engine_name);
    if (lanes && !runs_here(*lanes)) return skipped;
    const bool own = engine_name == "own";
    const Engine engine = engine_name == "switch" || own ? Engine::Switch
                          : engine_name == "sequence"    ? Engine::Sequence
                          : engine_name == "blocks"      ? Engine::Blocks
                          : engine_name == "native"      ? Engine::Native
                          : lanes && !restless           ? Engine::Lanes
                                                         : Engine::Auto;
    // PoCL takes a while to begin, for each of them.
    const std::uint64_t programs = device_id != "host" ? 1 : engine == Engine::Native || compiled_lanes ? 20 : 3;
    const std::uint64_t wild = device_id == "host" ? 40 : 10;
    int status = 0;
    if (engine == Engine::Native)
        for (const std::string &text : {floats_as_integers(), pairs_by_halves()})
            status |= compare(device_id, engine, 1, lanes, restless, own, Kind::usual, text);
    if (engine == Engine::Native)
        for (std::uint64_t seed = 1; seed <= wild; ++seed) status |= compare(device_id, engine, seed, lanes, restless, own, Kind::wild);
    if (engine == Engine::Native) {
        for (std::uint64_t seed = 1; seed <= wild; ++seed) status |= compare(device_id, engine, seed, lanes, restless, own, Kind::rounds);
        fmt::print("{} loops of {} had vectors, for {} rounds\n", vector_loops, 6 * wild, vector_rounds);
        if (status == 0 && __builtin_cpu_supports("avx2") && (vector_loops < 2 * wild || vector_rounds < 200 * wild))
            return fail("too few vectors");
    }
    if (compiled_lanes)
        for (const std::string &text : {floats_as_integers(), pairs_by_halves(), pairs_that_change()})
            status |= compare(device_id, engine, 1, lanes, restless, own, Kind::usual, text);
    if (compiled_lanes)
        for (const Kind kind : {Kind::wild, Kind::rounds})
            for (std::uint64_t seed = 1; seed <= wild; ++seed) status |= compare(device_id, engine, seed, lanes, restless, own, kind);
    // PEs go to lanes and back, out of their windows and into them.
    if (restless) status |= compare(device_id, engine, 2, lanes, restless, own, Kind::wild);
    for (std::uint64_t seed = 1; seed <= programs; ++seed) status |= compare(device_id, engine, seed, lanes, restless, own);
    return status;
}

}  // namespace
}  // namespace mog::test

int main(int argc, char **argv) {
    if (argc < 2 || argc > 4 || (argc == 4 && argv[3] != std::string_view("sectors"))) {
        fmt::print(stderr,
                   "usage: isa_random DEVICE [switch|own|sequence|blocks|native|avx512|avx2|portable|generic|restless] [sectors]\n");
        return 2;
    }
    if (argc == 4) mog::test::lay_by_sectors();
    return mog::test::run_all(argv[1], argc >= 3 ? argv[2] : "");
}
