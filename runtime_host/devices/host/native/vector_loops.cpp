// vector_loops.cpp: one round, followed by its values.
#include "runtime_host/devices/host/native/vector_loops.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <optional>

#include "assembler/image/constants.hpp"

namespace mog {
namespace {

using Node = VectorLoop::Node;
constexpr std::uint32_t no_register = CountedLoop::none;

/// More would not have room: a stream has a register for its address; what is asked about two of them takes time.
constexpr std::size_t most_streams = 7, most_apart = 6;

/// What a register, ACC or D has in a round.
struct RoundValue {
    enum class Is : std::uint8_t { unknown, sum, node } is = Is::unknown;
    std::uint32_t reg = no_register, constant = 0;  ///< of a sum: what the register has when the round begins, if there is one, and more
    std::uint32_t node = VectorLoop::none;
    static RoundValue sum(std::uint32_t reg, std::uint32_t constant) { return {Is::sum, reg, constant, VectorLoop::none}; }
    bool operator==(const RoundValue &) const = default;
    static RoundValue of(std::uint32_t node) { return {Is::node, no_register, 0, node}; }
};

class VectorRound {
public:
    VectorRound(const GroupPlan &group, const CountedLoop &counted) : group_(group), image_(group.image), counted_(counted) {
        loop_.block = counted.blocks.front();
        loop_.last = counted.blocks.back();
        loop_.goes = counted.goes;
        loop_.low = counted.low;
        loop_.high = counted.high;
        loop_.come_nearer = counted.step.constant;
    }

    std::optional<VectorLoop> find() {
        if (!takes_streams()) return std::nullopt;
        for (std::uint32_t r = 0; r < 256; ++r) registers_[r] = RoundValue::sum(r, 0);
        for (const std::uint32_t b : counted_.blocks)
            if (!(counted_.skipped.contains(b) ? skip(b) : block(b))) return std::nullopt;
        if (!find_steps()) return std::nullopt;
        for (const VectorLoop::Store &store : loop_.stores) want(store.node);
        for (const VectorLoop::Total &total : loop_.totals) want(total.node);
        for (const VectorLoop::Skipped &skipped : loop_.skipped) want(skipped.node);
        if ((loop_.stores.empty() && loop_.totals.empty()) || !find_kinds() || !find_apart()) return std::nullopt;
        return std::move(loop_);
    }

private:
    bool takes_streams() {
        if (counted_.streams.size() > most_streams || counted_.step.in != no_register) return false;
        for (const CountedLoop::Stream &stream : counted_.streams) {
            if (stream.step.in != no_register || stream.address.more != 0) return false;
            loop_.streams.push_back({stream.address, stream.shift, stream.step.constant, stream.stores});
            if (stream.stores && stream.step.constant == 0) return false;
        }
        return true;
    }

    std::uint32_t operand(std::uint32_t at) const { return image_.text[at] & 0xffu; }

    std::uint32_t add_node(Node node) {
        loop_.nodes.push_back(node);
        return static_cast<std::uint32_t>(loop_.nodes.size() - 1);
    }
    std::uint32_t constant(std::uint32_t number) {
        const auto [known, is_new] = constants_.try_emplace(number, 0);
        if (is_new) known->second = add_node({.number = number});
        return known->second;
    }
    /// As a value that each round has its own of.
    std::optional<std::uint32_t> node_of(const RoundValue &value) {
        if (value.is == RoundValue::Is::unknown) return std::nullopt;
        if (value.is == RoundValue::Is::node) return value.node;
        if (value.reg == no_register) return constant(value.constant);
        const auto [known, is_new] = begins_.try_emplace({value.reg, value.constant, false}, 0);
        if (is_new) known->second = add_node({.kind = Node::Kind::stays, .number = value.reg, .more = value.constant});
        return known->second;
    }
    std::optional<std::uint32_t> pair_node(std::uint32_t r) {
        if (pairs_[r] != VectorLoop::none) return pairs_[r];
        if (written_[r] || written_[r + 1]) return std::nullopt;
        read_first_[r] = read_first_[r + 1] = true;
        const auto [known, is_new] = begins_.try_emplace({r, 0, true}, 0);
        if (is_new) known->second = add_node({.kind = Node::Kind::stays, .is_wide = true, .number = r});
        return known->second;
    }
    RoundValue read(std::uint32_t r) {
        if (!written_[r]) {
            read_first_[r] = true;
            ++reads_of_begin_[r];
        }
        return registers_[r];
    }
    void write(std::uint32_t r, RoundValue value) {
        registers_[r] = value;
        written_[r] = true;
        pairs_[r] = VectorLoop::none;
        if (r > 0) pairs_[r - 1] = VectorLoop::none;
    }
    void write_pair(std::uint32_t r, std::uint32_t node) {
        write(r, {});
        write(r + 1, {});
        pairs_[r] = node;
    }

    bool block(std::uint32_t b) {
        const std::uint32_t begin = group_.begin(b), end = group_.end(b);
        loop_.size += end - begin;
        loop_.longest += end - begin;
        // A branch leads back, or past the next one, which skip() knows.
        for (std::uint32_t at = begin; at < end - is_branch(op_at(image_, end - 1)); ++at)
            if (!step(at)) return false;
        return true;
    }

    /// A block that the branch before it leads past, or not: what it changes is either what was there or what it makes of it.
    bool skip(std::uint32_t b) {
        const auto condition = node_of(acc_);
        if (!condition || is_wide(*condition) || loop_.nodes[*condition].is_computed) return false;
        const bool if_zero = op_at(image_, group_.begin(b) - 1) == Op::jt_;
        const std::uint32_t is_done = add_node({.kind = Node::Kind::unless_zero, .a = *condition, .number = if_zero ? 0u : 1u});
        const auto registers = registers_;
        const auto pairs = pairs_;
        const std::uint32_t size = loop_.size;
        if (!block(b)) return false;
        loop_.skipped.push_back({is_done, loop_.size - size});
        loop_.size = size;
        const auto either = [&](std::optional<std::uint32_t> now, std::optional<std::uint32_t> before) -> RoundValue {
            if (!now || !before) return {};
            Node node{.kind = Node::Kind::either, .is_wide = is_wide(*now), .a = is_done, .b = *now, .c = *before};
            node.is_computed = loop_.nodes[*now].is_computed || loop_.nodes[*before].is_computed;
            return RoundValue::of(add_node(node));
        };
        for (std::uint32_t r = 0; r < 256; ++r) {
            if (pairs_[r] != pairs[r] && pairs_[r] != VectorLoop::none && pairs[r] != VectorLoop::none) {
                pairs_[r] = either(pairs_[r], pairs[r]).node;
            } else if (pairs_[r] != pairs[r]) {
                pairs_[r] = VectorLoop::none;
            }
            if (registers_[r] == registers[r]) continue;
            // What a round begins with may be there still.
            if (registers[r] == RoundValue::sum(r, 0)) read_first_[r] = true, ++reads_of_begin_[r];
            registers_[r] = either(node_of(registers_[r]), node_of(registers[r]));
        }
        acc_ = {};
        d_.reset();
        return true;
    }

    bool is_wide(std::uint32_t node) const { return loop_.nodes[node].is_wide; }

    /// False: there can be no vectors.
    bool step(std::uint32_t at) {
        const OpInfo &row = info(op_at(image_, at));
        const bool stores = row.access && (row.writes & Mem) != 0;
        const bool by_bits = !stores && !group_.nans->before(at).empty();
        if (row.access) return !by_bits && access(at, row);
        if ((row.reads | row.writes) & (Mem | Fcsr)) return false;
        if (by_bits) return compute(at, row, true);
        const std::uint32_t r = operand(at);
        switch (row.op) {
            case Op::li_: acc_ = RoundValue::sum(no_register, constant_at(image_, at)); return true;
            case Op::lr_: acc_ = read(r); return true;
            case Op::sr_: write(r, acc_); return true;
            case Op::lrd_: d_ = pair_node(r); return true;
            case Op::srd_: write_pair(r, d_.value_or(VectorLoop::none)); return true;
            case Op::addi_:
                if (acc_.is != RoundValue::Is::sum) break;
                acc_.constant += constant_at(image_, at);
                return true;
            case Op::add_: {
                const RoundValue other = read(r);
                if (acc_.is != RoundValue::Is::sum || other.is != RoundValue::Is::sum) break;
                if (acc_.reg != no_register && other.reg != no_register) break;
                acc_ = RoundValue::sum(acc_.reg == no_register ? other.reg : acc_.reg, acc_.constant + other.constant);
                return true;
            }
            default: break;
        }
        return compute(at, row, false);
    }

    /// An instruction that computes ACC or D; what is not known here becomes nothing. `by_bits`: it looks at the bits of what may be
    /// another NaN than the default one; false, unless what it makes of a NaN is one.
    bool compute(std::uint32_t at, const OpInfo &row, bool by_bits) {
        const std::uint32_t r = operand(at);
        Node node{.kind = Node::Kind::instruction, .what = row.op, .is_wide = (row.writes & D) != 0};
        std::optional<std::uint32_t> a, b;
        bool has_b = false, is_known = true, is_of_sign = false;
        switch (row.op) {
            case Op::add_:
            case Op::sub_:
            case Op::and_:
            case Op::or_:
            case Op::xor_:
            case Op::nor_:
            case Op::sll_:
            case Op::srl_:
            case Op::sra_:
            case Op::mul_:
            case Op::slt_:
            case Op::sltu_:
            case Op::addf_:
            case Op::subf_:
            case Op::mulf_:
            case Op::divf_:
            case Op::seqf_:
            case Op::sltf_:
            case Op::slef_:
            case Op::sunf_:
            case Op::seqfs_:
            case Op::sltfs_:
            case Op::slefs_:
            case Op::sunfs_:
                has_b = true;
                a = node_of(acc_);
                b = node_of(row.op == Op::add_ ? registers_[r] : read(r));  // which step() has read
                break;
            case Op::addi_:
            case Op::andi_:
            case Op::ori_:
            case Op::xori_:
            case Op::slti_:
            case Op::sltui_:
                has_b = true;
                a = node_of(acc_);
                b = constant(constant_at(image_, at));
                break;
            case Op::slli_:
            case Op::srli_:
            case Op::srai_:
                node.number = r & 31u;
                a = node_of(acc_);
                break;
            case Op::neg_:
            case Op::seb_:
            case Op::seh_: a = node_of(acc_); break;
            case Op::negf_:
            case Op::absf_: is_of_sign = true; [[fallthrough]];
            case Op::sqrtf_:
            case Op::i2f_:
            case Op::f2d_:
            case Op::i2d_: a = node_of(acc_); break;
            case Op::addd_:
            case Op::subd_:
            case Op::muld_:
            case Op::divd_:
            case Op::seqd_:
            case Op::sltd_:
            case Op::sled_:
            case Op::sund_:
            case Op::seqds_:
            case Op::sltds_:
            case Op::sleds_:
            case Op::sunds_:
                has_b = true;
                a = d_, b = pair_node(r);
                break;
            case Op::sqrtd_:
            case Op::d2f_: a = d_; break;
            case Op::negd_:
            case Op::absd_:
                is_of_sign = true;
                a = d_;
                break;
            default:
                is_known = false;
                if ((row.reads & Reg) != 0) read(r);
                if ((row.reads & Pair) != 0) pair_node(r);
                break;
        }
        if ((row.writes & Reg) != 0) write(r, {});
        if ((row.writes & Pair) != 0) write(r, {}), write(r + 1, {});
        const bool takes_floats = (row.reads & Floats) != 0 || is_of_sign;
        const bool is_whole = is_known && a && (!has_b || b);
        const auto computed = [&](std::optional<std::uint32_t> n) { return n && loop_.nodes[*n].is_computed; };
        // Bits of a NaN are those of the default one.
        const bool fits = is_whole && (takes_floats || (!computed(a) && !(has_b && computed(b))));
        RoundValue value;
        if (fits) {
            node.a = *a;
            if (has_b) node.b = *b;
            // Of what is loaded the sign changes, whatever it is. A comparison of two is a number.
            const bool compares = has_b && (row.writes & Nan) == 0;
            node.is_computed = (row.writes & Fpu) != 0 ? takes_floats && !compares : computed(a) || by_bits;
            value = RoundValue::of(add_node(node));
        }
        if ((row.writes & D) != 0) d_ = fits ? std::optional(value.node) : std::nullopt;
        if ((row.writes & Acc) != 0) acc_ = value;
        return !by_bits || is_of_sign;
    }

    bool access(std::uint32_t at, const OpInfo &row) {
        const auto stream = counted_.accesses.find(at);
        if (stream == counted_.accesses.end()) return false;
        const std::uint32_t r = operand(at);
        if (row.access.address == AddressIn::sum) read(r);
        const bool stores = (row.writes & Mem) != 0;
        if (!stores) {
            Node node{.kind = Node::Kind::load, .what = row.op, .is_wide = row.op == Op::lwd_, .number = stream->second};
            switch (row.op) {
                case Op::lb_:
                case Op::lbu_:
                case Op::lh_:
                case Op::lhu_:
                case Op::lw_:
                case Op::lwx_: acc_ = RoundValue::of(add_node(node)); break;
                case Op::lwd_: d_ = add_node(node); break;
                default: return false;
            }
            loads_.emplace_back(stream->second, loop_.stores.size());
            return true;
        }
        std::optional<std::uint32_t> value;
        switch (row.op) {
            case Op::sb_:
            case Op::sh_:
            case Op::sw_:
                read(r);  // the address
                value = node_of(acc_);
                break;
            case Op::stb_:
            case Op::sth_:
            case Op::stw_: value = node_of(read(r)); break;
            case Op::std_: value = pair_node(r); break;
            default: return false;
        }
        if (!value || (loop_.nodes[*value].is_computed && row.access.shift < 2)) return false;
        const Node &stored = loop_.nodes[*value];
        const bool may_be_nan = stored.is_computed || (stored.kind != Node::Kind::constant && !group_.nans->before(at).empty());
        loop_.stores.push_back({stream->second, *value, may_be_nan});
        return true;
    }

    /// Registers that go on, or add up.
    bool find_steps() {
        for (std::uint32_t r = 0; r < 256; ++r) {
            if (!written_[r]) continue;
            const RoundValue &end = registers_[r];
            if (end.is == RoundValue::Is::sum && end.reg == r) {
                loop_.steps.emplace_back(r, static_cast<std::int32_t>(end.constant));
                step_of_[r] = static_cast<std::int32_t>(end.constant);
                continue;
            }
            if (!read_first_[r]) continue;
            if (end.is != RoundValue::Is::node || !add_total(r, end.node)) return false;
        }
        return true;
    }

    /// Something is added to a register, or sometimes is, that nothing else reads.
    bool add_total(std::uint32_t r, std::uint32_t end) {
        const auto is_begin = [&](std::uint32_t node) {
            const Node &one = loop_.nodes[node];
            return one.kind == Node::Kind::stays && !one.is_wide && one.number == r && one.more == 0;
        };
        const Node last = loop_.nodes[end];
        const bool sometimes = last.kind == Node::Kind::either;
        if (sometimes && !is_begin(last.c)) return false;
        // Once where it is added to, and once where it stays.
        if (reads_of_begin_[r] != (sometimes ? 2u : 1u)) return false;
        const Node sum = loop_.nodes[sometimes ? last.b : end];
        if (sum.kind != Node::Kind::instruction || sum.what != Op::add_ || is_begin(sum.a) == is_begin(sum.b)) return false;
        std::uint32_t added = is_begin(sum.a) ? sum.b : sum.a;
        if (sometimes) added = add_node({.kind = Node::Kind::either, .a = last.a, .b = added, .c = constant(0)});
        loop_.totals.push_back({r, added});
        return true;
    }

    void want(std::uint32_t number) {
        Node &node = loop_.nodes[number];
        if (node.is_wanted) return;
        node.is_wanted = true;
        if (node.a != VectorLoop::none) want(node.a);
        if (node.b != VectorLoop::none) want(node.b);
        if (node.c != VectorLoop::none) want(node.c);
    }

    /// Of registers that a round begins with: whether they stay. And how many rounds are done at once.
    bool find_kinds() {
        for (Node &node : loop_.nodes) {
            if (!node.is_wanted) continue;
            if (node.is_wide) loop_.lanes = 4;
            if (node.kind != Node::Kind::stays) continue;
            if (node.is_wide) {
                if (written_[node.number] || written_[node.number + 1]) return false;
            } else if (written_[node.number]) {
                if (!step_of_[node.number]) return false;
                node.kind = Node::Kind::goes_on;
                node.step = *step_of_[node.number];
            }
        }
        return true;
    }

    /// Whether a round behind another one, of those that are done at once, gets to what the other one stores; or the same one to what it
    /// has stored, if that is `late`. Both streams go on alike.
    bool meet(const VectorLoop::Stream &stores, const VectorLoop::Stream &other, bool late) const {
        const auto between = static_cast<std::int32_t>(stores.address.constant - other.address.constant);
        for (std::int32_t behind = late ? 0 : 1; behind < static_cast<std::int32_t>(loop_.lanes); ++behind) {
            const std::int64_t away = std::int64_t{between} - std::int64_t{behind} * stores.step;
            if (away < 1 << other.shift && -away < 1 << stores.shift) return true;
        }
        return false;
    }

    /// All loads of some rounds are done before all of their stores, and these one after the other.
    bool find_apart() {
        const auto first_store = [&](std::uint32_t stream) {
            return std::ranges::find(loop_.stores, stream, &VectorLoop::Store::stream) - loop_.stores.begin();
        };
        for (std::uint32_t s = 0; s < loop_.streams.size(); ++s) {
            const VectorLoop::Stream &stores = loop_.streams[s];
            if (!stores.stores) continue;
            for (std::uint32_t o = 0; o < loop_.streams.size(); ++o) {
                const VectorLoop::Stream &other = loop_.streams[o];
                bool is_loaded = false, is_late = false;  // behind one of these stores
                for (const auto &[stream, before] : loads_) {
                    if (stream != o) continue;
                    is_loaded = true;
                    is_late |= first_store(s) < static_cast<std::ptrdiff_t>(before);
                }
                const bool is_alike = stores.address.registers == other.address.registers && stores.step == other.step;
                if (is_loaded && is_alike && meet(stores, other, is_late)) return false;
                // Of two that only store, once is enough.
                if (!is_alike && (is_loaded || o > s)) loop_.apart.push_back({s, o, !other.stores && !is_late});
            }
        }
        // Of two stores the first one must not store once more where the other one has.
        for (std::size_t second = 1; second < loop_.stores.size(); ++second) {
            const VectorLoop::Stream &other = loop_.streams[loop_.stores[second].stream];
            for (std::size_t first = 0; first < second; ++first) {
                const VectorLoop::Stream &one = loop_.streams[loop_.stores[first].stream];
                const bool is_alike = one.address.registers == other.address.registers && one.step == other.step;
                if (is_alike && meet(other, one, false)) return false;
            }
        }
        return loop_.apart.size() <= most_apart;
    }

    const GroupPlan &group_;
    const Image &image_;
    const CountedLoop &counted_;
    VectorLoop loop_;

    std::array<RoundValue, 257> registers_;
    RoundValue acc_;
    std::optional<std::uint32_t> d_;
    std::array<std::uint32_t, 257> pairs_ = [] {
        std::array<std::uint32_t, 257> none;
        none.fill(VectorLoop::none);
        return none;
    }();
    std::bitset<257> written_, read_first_;
    std::array<std::uint32_t, 257> reads_of_begin_{};
    std::array<std::optional<std::int32_t>, 257> step_of_;
    std::map<std::uint32_t, std::uint32_t> constants_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> begins_;
    std::vector<std::pair<std::uint32_t, std::size_t>> loads_;  ///< of which stream, and how many stores there were before
};

}  // namespace

std::map<std::uint32_t, VectorLoop> find_vector_loops(const GroupPlan &group) {
    std::map<std::uint32_t, VectorLoop> found;
    for (const auto &[head, counted] : find_counted_loops(group, Skips::computations)) {
        if (counted.leaves) continue;
        if (auto loop = VectorRound(group, counted).find()) found.emplace(head, std::move(*loop));
    }
    return found;
}

}  // namespace mog
