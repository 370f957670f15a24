// check_coalescing.cpp: symbolic execution of straight code, then the windows.
#include "assembler/blocks/check_coalescing.hpp"

#include <algorithm>
#include <array>

#include "assembler/image/constants.hpp"
#include "assembler/image/read_only.hpp"
#include "assembler/image/spaces.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

/// A sum of something that was there before, by its number, and a constant. Number 0: nothing, so it is a constant.
struct Value {
    std::uint32_t base = 0, offset = 0;
};

struct FoundAccess {
    std::uint32_t at = 0, block = 0;
    Value address;
    std::uint32_t shift = 0;
    bool stores = false, any = false;  ///< any: of a part of a word, or of one at any alignment
};

/// What the addresses of the loads and stores are.
class AddressTracer {
public:
    AddressTracer(const Image &image, const std::vector<std::uint32_t> &starts) : image_(image) {
        for (Value &value : registers_) value = unknown();
        acc_ = unknown();
        frame_ = registers_[image.roles[static_cast<std::size_t>(Role::sp)]].base;
        for (std::uint32_t block = 0; block + 1 < starts.size(); ++block)
            for (std::uint32_t at = starts[block]; at < starts[block + 1]; ++at) {
                note_access(at, block);
                step(at);
            }
    }

    const std::vector<FoundAccess> &accesses() const { return accesses_; }
    /// The number of the stack pointer when the code was entered.
    std::uint32_t frame() const { return frame_; }

private:
    Value unknown() { return {++last_base_, 0}; }
    Value &operand(std::uint32_t at) { return registers_[image_.text[at] & 0xffu]; }

    Value sum(Value a, Value b) { return a.base != 0 && b.base != 0 ? unknown() : Value{a.base + b.base, a.offset + b.offset}; }

    void note_access(std::uint32_t at, std::uint32_t block) {
        const OpInfo &row = info(op_at(image_, at));
        const Access access = row.access;
        if (!access) return;
        const Value address = access.address == AddressIn::acc   ? acc_
                              : access.address == AddressIn::reg ? operand(at)
                                                                 : sum(acc_, operand(at));
        accesses_.push_back({at, block, address, access.shift, (row.writes & Mem) != 0, access.any});
    }

    void step(std::uint32_t at) {
        const OpInfo &row = info(op_at(image_, at));
        switch (row.op) {
            case Op::li_: acc_ = {0, constant_at(image_, at)}; return;
            case Op::lr_: acc_ = operand(at); return;
            case Op::sr_:
            case Op::srsp_: operand(at) = acc_; return;
            case Op::addi_: acc_.offset += constant_at(image_, at); return;
            case Op::add_: acc_ = sum(acc_, operand(at)); return;
            default: break;
        }
        if (row.writes & Acc) acc_ = unknown();
        if (row.writes & (Reg | Pair)) operand(at) = unknown();
        if (row.writes & Pair) registers_[(image_.text[at] & 0xffu) + 1] = unknown();
    }

    const Image &image_;
    std::array<Value, 257> registers_;
    Value acc_;
    std::uint32_t last_base_ = 0, frame_ = 0;
    std::vector<FoundAccess> accesses_;
};

/// A window that grows by one access after the other.
struct Growing {
    std::int64_t low = 0, high = 0;  ///< offsets from the base
    std::uint32_t shift = 0;
    std::uint32_t members = 0;

    static std::int64_t offset(const FoundAccess &access) { return static_cast<std::int32_t>(access.address.offset); }

    bool holds(const FoundAccess &access) const {
        return access.shift <= shift && offset(access) >= low && offset(access) + (1 << access.shift) <= high &&
               (offset(access) - low) % (1 << access.shift) == 0;
    }

    /// Left as it is by an access that does not go together with the others.
    void add(const FoundAccess &access) {
        const std::int64_t at = offset(access), bytes = std::int64_t{1} << access.shift;
        if (members == 0) {
            *this = {at, at + bytes, access.shift, 1};
            return;
        }
        // The larger alignment says where the other may be.
        if ((at - low) % std::min(bytes, std::int64_t{1} << shift) != 0) return;
        Growing larger = *this;
        larger.shift = std::max(shift, access.shift);
        const std::int64_t unit = std::int64_t{1} << larger.shift, aligned = access.shift > shift ? at : low;
        const auto above = [&](std::int64_t x) { return ((x - aligned) % unit + unit) % unit; };
        larger.low = std::min(low, at);
        larger.low -= above(larger.low);
        larger.high = std::max(high, at + bytes);
        larger.high += (unit - above(larger.high)) % unit;
        if (larger.high - larger.low > most_window_bytes) return;
        ++larger.members;
        *this = larger;
    }
};

}  // namespace

void coalesce_checks(const Image &image, const std::vector<std::uint32_t> &starts, CoalescedChecks &windows) {
    const AddressTracer tracer(image, starts);
    for (const FoundAccess &access : tracer.accesses())
        if (access.stores && access.address.base == tracer.frame()) windows.to_frame.insert(access.at);
    std::vector<FoundAccess> found = tracer.accesses();
    std::erase_if(found, &FoundAccess::any);
    const ReadOnlyData read_only = read_only_of(image);
    // What is only loaded may be where all PEs have it once, which is not DATA.
    const bool has_constants = !constants_of(image).empty();
    struct Open {
        Growing window;
        std::uint32_t number = 0;
    };
    std::map<std::uint32_t, Open> open;  // by base
    for (std::size_t i = 0; i < found.size(); ++i) {
        const FoundAccess &access = found[i];
        if (access.address.base == 0) {
            const std::uint32_t offset = access.address.offset - MOG_DATA_BASE, bytes = 1u << access.shift;
            const bool may = !access.stores || !read_only.has(access.address.offset);
            if (may && offset % bytes == 0 && std::uint64_t{offset} + bytes <= image.data.size())
                windows.accesses[access.at] = {CoalescedChecks::Access::data, offset, false};
            continue;
        }
        const auto known = open.find(access.address.base);
        if (known != open.end() && known->second.window.holds(access)) {
            windows.accesses[access.at] = {known->second.number,
                                           static_cast<std::uint32_t>(Growing::offset(access) - known->second.window.low), false};
            if (access.stores && access.address.base != tracer.frame()) windows.windows[known->second.number].stores = true;
            continue;
        }
        // What is sure to follow; of a frame everything, for all of it is there or nothing.
        Growing window;
        bool is_private = !has_constants || access.address.base == tracer.frame();
        for (std::size_t j = i; j < found.size(); ++j)
            if (found[j].address.base == access.address.base && (found[j].block == access.block || access.address.base == tracer.frame())) {
                window.add(found[j]);
                is_private |= found[j].stores;
            }
        if (window.members < 2 || window.shift < 2 || !is_private) continue;
        const auto number = static_cast<std::uint32_t>(windows.windows.size());
        const bool stores = access.stores && access.address.base != tracer.frame();
        windows.windows.push_back({static_cast<std::uint32_t>(window.high - window.low), window.shift, stores});
        windows.accesses[access.at] = {number, static_cast<std::uint32_t>(Growing::offset(access) - window.low), true};
        open[access.address.base] = {window, number};
    }
}

}  // namespace mog
