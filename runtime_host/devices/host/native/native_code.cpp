// native_code.cpp: tables, counts, and the way in and out.
#include "runtime_host/devices/host/native/native_code.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "assembler/image/facts.hpp"
#include "assembler/image/read_only.hpp"
#include "assembler/image/spaces.hpp"
#include "runtime_host/devices/host/native/address_faults.hpp"
#include "runtime_host/devices/host/native/function_compiler.hpp"
#include "runtime_host/devices/host/native/jump_table.hpp"
#include "runtime_host/devices/host/native/native_registers.hpp"
#include "runtime_host/devices/host/native/native_units.hpp"
#include "support/compilers/simd.hpp"

/// What asmjit has in place of stderr (runtime_host/CMakeLists.txt), for assertions that fail.
extern "C" FILE *mog_asmjit_stderr;
FILE *mog_asmjit_stderr = stderr;

namespace mog {

namespace x86 = asmjit::x86;

namespace {

/// A function is compiled when control came to it so often for each of its MOG instructions, by calls, returns and ways round in it, in
/// all PEs together: when about as much time has gone by in interpreting as compiling will take, 0.6 us for an instruction. That is
/// twice what would have been best, at most; of 2 and 6 neither was better.
constexpr std::uint32_t comings_for_an_instruction = 1;

/// Notes that something could not be written, as where there is no memory: then none of it is used.
class Errors final : public asmjit::ErrorHandler {
public:
    void handleError(asmjit::Error, const char *, asmjit::BaseEmitter *) override { any = true; }
    bool any = false;
};

/// What is next of the turns when control comes back, if there are any; and how many rounds of loops were done several at once.
struct Left {
    ParkedPe *const *next;
    std::uint64_t vector_rounds;
};
using Enter = Left(MogBlocks *blocks, std::uint32_t *registers, std::uint32_t *mem, const void *to, ParkedPe *const *turns);

}  // namespace

class NativeCode::State {
public:
    State(const Image &image, const NativeMemory &memory, std::span<const std::uint32_t> taken, std::span<const std::uint8_t> compiled,
          bool floats, bool at_once, std::vector<bool> breaks)
        : image_(image),
          units_(image, taken, compiled, at_once, memory.by_processor ? RegisterHomes::most_integers : native::homes_beside_memory,
                 std::move(breaks)),
          at_once_(at_once),
          came_(units_.count() + 1),
          is_compiled_(units_.count() + 1),
          is_tried_(units_.count() + 1),
          by_text_(image.text.size() + 1),
          behind_yield_(memory.turns ? image.text.size() + 1 : 0),
          by_word_(image.code_base, image.code_map.size(), memory.by_processor) {
        links_.data_bytes = memory.data_bytes;
        links_.window = memory.window;
        links_.window_bytes = memory.window_bytes;
        links_.constants = memory.constants;
        links_.constants_bytes = memory.constants_bytes;
        links_.read_only = read_only_of(image);
        links_.floats = floats;
        links_.by_processor = memory.by_processor;
        links_.by_text = by_text_.data();
        links_.by_word = by_word_.words().data();
        links_.by_address = by_word_.for_addresses();
        write_ways();
        links_.exit = exit_;
        if (memory.turns) links_.next_turn = next_turn_;
        std::ranges::fill(by_text_, exit_);
        std::ranges::fill(by_word_.all(), exit_without_code_);
        std::ranges::fill(by_word_.words(), exit_by_word_);
    }

    static void run(void *code, MogBlocks *blocks, std::uint32_t *registers, std::uint32_t *mem) {
        auto &self = *static_cast<State *>(code);
        const void *to = self.place(blocks->pc);
        if (to == self.exit_) {
            self.come(blocks->pc);
            to = self.place(blocks->pc);
        }
        if (to == self.exit_) {
            blocks->cold = 1;
            return;
        }
        // As compilers align arrays; where pairs of registers are not aligned, no code may go on that faults for it.
        if (self.links_.by_processor && reinterpret_cast<std::uintptr_t>(registers) % 8 != 0) {
            blocks->cold = 1;
            return;
        }
        self.enter(blocks, registers, mem, to, nullptr);
    }

    std::size_t run_turns(ParkedPe *const *turns, std::uint32_t *mem) {
        return static_cast<std::size_t>(enter(&turns[0]->blocks, turns[0]->registers(), mem, turns[0]->behind, turns + 1) - turns);
    }
    const void *behind_yield(std::uint32_t at) {
        return at < behind_yield_.size() ? std::atomic_ref(behind_yield_[at]).load(std::memory_order_acquire) : nullptr;
    }

    const NativeUnits &units() const { return units_; }
    bool is_compiled(std::uint32_t unit) const { return is_compiled_[unit].load(std::memory_order_relaxed); }
    DeviceStats::Native stats() {
        const std::lock_guard lock(mutex_);
        stats_.vector_rounds = vector_rounds_.load(std::memory_order_relaxed);
        return stats_;
    }

private:
    ParkedPe *const *enter(MogBlocks *blocks, std::uint32_t *registers, std::uint32_t *mem, const void *to, ParkedPe *const *turns) {
        std::optional<FaultsLeadOut> faults;
        if (links_.by_processor) faults.emplace(sites_);
        const Left left = enter_(blocks, registers, mem, to, turns);
        if (left.vector_rounds != 0) vector_rounds_.fetch_add(left.vector_rounds, std::memory_order_relaxed);
        return left.next;
    }

    const void *place(std::uint32_t at) {
        return at < by_text_.size() ? std::atomic_ref(by_text_[at]).load(std::memory_order_acquire) : exit_;
    }

    void come(std::uint32_t at) {
        if (at >= image_.text.size()) return;
        const std::uint32_t unit = units_.unit_at(at);
        if (unit == NativeUnits::none || !units_.entered()[at]) return;
        const std::uint32_t wanted = comings_for_an_instruction * units_.plan().groups[unit - 1].instructions;
        if (came_[unit].fetch_add(1, std::memory_order_relaxed) + 1 < wanted && !at_once_) return;
        // Others interpret in the meantime.
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (lock && !is_tried_[unit] && enter_) compile(unit);
    }

    /// The ways in and out, once for all code.
    void write_ways() {
        asmjit::CodeHolder holder;
        if (holder.init(runtime_.environment()) != asmjit::kErrorOk) return;
        Errors errors;
        holder.setErrorHandler(&errors);
        x86::Assembler to(&holder);
        const asmjit::Label enter = to.newLabel(), exit = to.newLabel(), cold = to.newLabel(), by_word = to.newLabel(),
                            without_code = to.newLabel(), done = to.newLabel(), next_turn = to.newLabel(), no_turn = to.newLabel(),
                            back = to.newLabel();
        const auto at = [](const x86::Gp &base, std::size_t offset, std::uint32_t size) {
            return x86::Mem(base, static_cast<std::int32_t>(offset), size);
        };
        const auto field = [&](std::size_t offset, std::uint32_t size) { return at(x86::rdi, offset, size); };
        const x86::Gp saved[] = {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
        to.bind(enter);
        for (const x86::Gp &reg : saved) to.push(reg);
        to.push(0);
        to.push(x86::r8);
        to.push(x86::rdi);
        // Its instructions take memory of the host only where that is aligned.
        const auto flags = [&] { return x86::dword_ptr(x86::rsp); };
        if (links_.by_processor) {
            to.pushfq();
            to.or_(flags(), alignment_flag);
            to.popfq();
            to.sub(x86::rdx, static_cast<std::int32_t>(MOG_DATA_BASE));
            to.wrgsbase(x86::rdx);
        } else {
            to.mov(native::memory, x86::rdx);
        }
        to.mov(native::registers, x86::rsi);
        to.mov(native::acc, field(offsetof(MogBlocks, acc), 4));
        to.mov(native::passes, field(offsetof(MogBlocks, passes), 4));
        to.sub(native::passes, native::spare);
        to.vmovsd(native::d, field(offsetof(MogBlocks, dacc), 8));
        const auto kept = [&](unsigned home) {
            return x86::dword_ptr(native::registers, static_cast<std::int32_t>(4 * units_.kept()[home]));
        };
        const auto load_kept = [&] {
            for (unsigned home = 0; home < units_.kept().size(); ++home) to.mov(native::integer_homes[home], kept(home));
        };
        const auto store_kept = [&] {
            for (unsigned home = 0; home < units_.kept().size(); ++home) to.mov(kept(home), native::integer_homes[home]);
        };
        load_kept();
        to.jmp(x86::rcx);
        // The PE's turn is over: the next one's.
        to.bind(next_turn);
        store_kept();
        to.mov(x86::rcx, native::of_turn);
        to.mov(at(x86::rcx, offsetof(ParkedPe, behind), 8), x86::rdx);
        to.mov(at(x86::rcx, offsetof(MogBlocks, acc), 4), native::acc);
        to.add(native::passes, native::spare);
        to.mov(at(x86::rcx, offsetof(MogBlocks, passes), 4), native::passes);
        to.vmovsd(at(x86::rcx, offsetof(MogBlocks, dacc), 8), native::d);
        to.mov(x86::rcx, native::next_of_turns);
        to.mov(x86::rdi, x86::qword_ptr(x86::rcx));
        to.test(x86::rdi, x86::rdi);
        to.je(no_turn);
        to.mov(x86::rdx, x86::qword_ptr(x86::rcx, 8));  // the one behind it, or null, which is as good
        for (std::int32_t line = 0; line < 3; ++line) to.prefetcht0(x86::ptr(x86::rdx, 64 * line));
        to.add(x86::rcx, 8);
        to.mov(native::next_of_turns, x86::rcx);
        to.mov(native::of_turn, x86::rdi);
        to.lea(native::registers, x86::ptr(x86::rdi, sizeof(ParkedPe)));
        to.mov(x86::rcx, field(offsetof(ParkedPe, behind), 8));
        to.mov(native::acc, field(offsetof(MogBlocks, acc), 4));
        to.mov(native::passes, field(offsetof(MogBlocks, passes), 4));
        to.sub(native::passes, native::spare);
        to.vmovsd(native::d, field(offsetof(MogBlocks, dacc), 8));
        load_kept();
        to.jmp(x86::rcx);
        // To the address in ACC, for which there is no code yet, from the jump at TEXT index jump_from.
        to.bind(by_word);
        to.lea(native::scratch, x86::ptr(native::acc.r64(), static_cast<std::int32_t>(0u - image_.code_base)));
        to.shr(native::scratch, 2);
        to.mov(native::scratch2.r64(), reinterpret_cast<std::uintptr_t>(image_.code_map.data()));
        to.mov(native::scratch, x86::dword_ptr(native::scratch2.r64(), native::scratch.r64(), 2));
        to.cmp(native::scratch, MOG_NO_CODE);
        to.jne(exit);
        to.bind(without_code);
        to.mov(native::scratch, native::jump_from);
        to.add(native::passes, 1);
        to.bind(cold);
        to.mov(native::scratch2, 1);
        to.jmp(done);
        to.bind(exit);
        to.xor_(native::scratch2, native::scratch2);
        to.bind(done);
        const auto let_align = [&] {
            if (!links_.by_processor) return;
            to.pushfq();
            to.and_(flags(), ~alignment_flag);
            to.popfq();
        };
        let_align();
        store_kept();
        to.pop(x86::rdi);
        to.mov(field(offsetof(MogBlocks, pc), 4), native::scratch);
        to.mov(field(offsetof(MogBlocks, cold), 4), native::scratch2);
        to.mov(field(offsetof(MogBlocks, acc), 4), native::acc);
        to.add(native::passes, native::spare);
        to.mov(field(offsetof(MogBlocks, passes), 4), native::passes);
        to.vmovsd(field(offsetof(MogBlocks, dacc), 8), native::d);
        to.bind(back);
        to.pop(x86::rax);
        to.pop(x86::rdx);
        for (auto reg = std::rbegin(saved); reg != std::rend(saved); ++reg) to.pop(*reg);
        to.ret();
        to.bind(no_turn);
        let_align();
        to.pop(x86::rdi);
        to.jmp(back);
        void *base = nullptr;
        if (errors.any || runtime_.add(&base, &holder) != asmjit::kErrorOk) return;
        const auto place = [&](const asmjit::Label &label) { return static_cast<const char *>(base) + holder.labelOffset(label); };
        enter_ = reinterpret_cast<Enter *>(static_cast<char *>(base) + holder.labelOffset(enter));
        exit_ = place(exit);
        exit_by_word_ = place(by_word);
        exit_without_code_ = place(without_code);
        links_.exit_cold = place(cold);
        next_turn_ = place(next_turn);
    }

    void compile(std::uint32_t unit) {
        const auto begin = std::chrono::steady_clock::now();
        is_tried_[unit] = true;
        asmjit::CodeHolder holder;
        if (holder.init(runtime_.environment()) != asmjit::kErrorOk) return;
        Errors errors;
        holder.setErrorHandler(&errors);
        FunctionCompiler compiler(units_, unit, links_, holder);
        void *base = nullptr;
        compiler.compile();
        if (errors.any || runtime_.add(&base, &holder) != asmjit::kErrorOk) return;
        std::vector<FaultSites::Site> sites;
        const auto offset = [&](const asmjit::Label &label) { return static_cast<std::uint32_t>(holder.labelOffset(label)); };
        for (const FunctionCompiler::Site &site : compiler.sites())
            sites.push_back({offset(site.begin), offset(site.end), offset(site.stop)});
        if (!sites.empty()) sites_.add(base, holder.codeSize(), std::move(sites));
        for (const auto &[at, label] : compiler.entries()) {
            const void *place = static_cast<const char *>(base) + holder.labelOffset(label);
            for (const CodeBlocks::Address &address : addresses_of(units_.plan().code, units_.plan().code.block_of[at]))
                std::atomic_ref(by_word_.words()[(address.address - image_.code_base) / 4]).store(place, std::memory_order_release);
            std::atomic_ref(by_text_[at]).store(place, std::memory_order_release);
        }
        for (const auto &[behind, label] : compiler.turns())
            std::atomic_ref(behind_yield_[behind])
                .store(static_cast<const char *>(base) + holder.labelOffset(label), std::memory_order_release);
        is_compiled_[unit] = true;
        stats_.functions++;
        stats_.instructions += units_.plan().groups[unit - 1].instructions;
        stats_.bytes += holder.codeSize();
        stats_.vector_loops += compiler.vector_loops();
        stats_.accesses += compiler.accesses();
        stats_.asking += compiler.asking();
        for (const Op what : compiler.left()) stats_.left.emplace(info(what).name);
        stats_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    const Image &image_;
    const NativeUnits units_;
    const bool at_once_;
    NativeLinks links_;
    FaultSites sites_;
    asmjit::JitRuntime runtime_;
    Enter *enter_ = nullptr;
    const void *exit_ = nullptr, *exit_by_word_ = nullptr, *exit_without_code_ = nullptr, *next_turn_ = nullptr;
    std::vector<std::atomic<std::uint32_t>> came_;  ///< by unit: how often control did
    std::vector<std::atomic<bool>> is_compiled_;
    std::vector<bool> is_tried_;         ///< once, whatever comes of it; under the mutex
    std::vector<const void *> by_text_;  ///< see NativeLinks
    std::vector<const void *> behind_yield_;
    const JumpTable by_word_;
    std::atomic<std::uint64_t> vector_rounds_ = 0;
    std::mutex mutex_;
    DeviceStats::Native stats_;
};

bool NativeCode::is_possible(const Image &image) { return compiles_while_running() && !has_own_spaces(image); }

std::string NativeCode::why_asking(const Image &image) {
    const char *named = std::getenv("MOG_NATIVE");
    if (named && std::string_view(named) == "checked") return "MOG_NATIVE=checked";
    // They are accessed as a whole, and with the flag AC that wants them aligned where they are in memory.
    for (std::size_t at = 0; at < image.text.size(); ++at)
        if (info(op_at(image, at)).operand == OperandKind::Pair && image.text[at] % 2 != 0)
            return "the program has a pair of registers with an odd number; a program that this version of mogcc compiles has none";
    return processor_checks_addresses() ? "" : "the processor, or what stands for it, does not";
}

NativeCode::NativeCode(const Image &image, const NativeMemory &memory, bool all, bool floats, std::vector<bool> breaks)
    : state_(std::make_unique<State>(image, memory, all ? std::vector<std::uint32_t>() : entry_table(image),
                                     all ? std::span<const std::uint8_t>() : image.products.bytes(ProductKind::compiled), floats, all,
                                     std::move(breaks))) {}

NativeCode::~NativeCode() = default;

void NativeCode::add_entries(std::vector<std::uint32_t> &entries) const {
    const std::vector<bool> &entered = state_->units().entered();
    for (std::size_t at = 0; at < entries.size() && at < entered.size(); ++at)
        if (entries[at] == 0 && entered[at]) entries[at] = native_entry;
}

const void *NativeCode::behind_yield(std::uint32_t at) const { return state_->behind_yield(at); }

std::size_t NativeCode::run_turns(ParkedPe *const *turns, std::uint32_t *mem) { return state_->run_turns(turns, mem); }

NativeHook NativeCode::hook() { return {&State::run, state_.get()}; }

std::vector<bool> NativeCode::compiled() const {
    const NativeUnits &units = state_->units();
    const std::size_t size = units.plan().code.block_of.size();
    std::vector<bool> found(size + 1);
    for (std::uint32_t at = 0; at < size; ++at) found[at] = state_->is_compiled(units.unit_at(at));
    return found;
}

DeviceStats::Native NativeCode::stats() const { return state_->stats(); }

}  // namespace mog
