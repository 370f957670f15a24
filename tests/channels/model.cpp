// model.cpp: the steps of abi/channel.h in every order: two producers and two consumers, wraps, elements in pieces. Each access of memory
// is one step; a state is the memory, and what each party has read so far, so that no state is gone through twice.
//
// In each end: nothing is lost and nothing comes twice, a producer's elements come in their order, what was freed is available again, and
// the operations that were done can be put in one order, which is compatible with time, in which a queue does them (linearizability).
//
// With --mistake=N a step is done wrongly, which has to be found: the test can fail.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

using Word = std::uint32_t;

struct Done {  // an operation that succeeded
    bool is_take;
    std::vector<Word> values;
    int party;
    Word number, before;  // of the operation; and those that were over when it began, as bits
};

/// The step is done.
struct Stop {};

struct Party {
    std::vector<Word> read;  // what its accesses gave, in order
    bool is_over = false;
    Word waits_at = 0, waits_while = 0;  // it asks a word that has to change; 0: it does not
};

struct State {
    std::vector<Word> memory;
    std::vector<Party> parties;
    std::vector<Word> begun;  // by operation: what was over then
    std::vector<char> has_begun;
    Word over = 0;
};

int mistake = 0;

/// One party's step: its program is done again with what it has read, up to the first access that is new.
class Step {
public:
    State *state;
    Party *party;
    std::size_t replayed = 0;
    bool has_stepped = false;
    Word last_place = 0;
    std::vector<Done> done;
    int number;

    template <typename Access>
    Word access(Word place, Access what) {
        last_place = place;
        if (replayed < party->read.size()) return party->read[replayed++];
        if (has_stepped) throw Stop{};
        has_stepped = true;
        const Word before = what(state->memory.at(place / 4));
        party->read.push_back(before);
        ++replayed;
        return before;
    }
    /// The word that was read last has to change: the reading is forgotten, and done again then.
    void relax() {
        if (replayed < party->read.size()) std::abort();  // it is always the last one
        party->waits_at = last_place;
        party->waits_while = party->read.back();
        party->read.pop_back();
        throw Stop{};
    }
};

}  // namespace

#define CHANNEL_MEMORY Step *
#define CHANNEL_FIXED(m, place) ((m)->state->memory.at((place) / 4))
#define CHANNEL_LOAD(m, place) (m)->access((place), [](Word &word) { return word; })
#define CHANNEL_STORE(m, place, value) (void)(m)->access((place), [v = Word(value)](Word &word) { return word = v; })
#define CHANNEL_READ CHANNEL_LOAD  // an order of all accesses: what is relaxed is not modelled
#define CHANNEL_WRITE CHANNEL_STORE
#define CHANNEL_ADD(m, place, n)                     \
    (m)->access((place), [v = Word(n)](Word &word) { \
        const Word old = word;                       \
        return word += v, old;                       \
    })
#define CHANNEL_SWAP(m, place, value)                    \
    (m)->access((place), [v = Word(value)](Word &word) { \
        const Word old = word;                           \
        return word = v, old;                            \
    })
#define CHANNEL_RESERVE(m, place, count, limit, was, tries) reserve(m, place, count, limit, was, tries)
#define CHANNEL_CAS(m, place, expected, wanted) compare_and_swap(m, place, expected, wanted)
#define CHANNEL_RELAX(m) (m)->relax()
#define CHANNEL_ROOM_MADE(m, channel) (void)(channel)

namespace {
bool compare_and_swap(Step *m, Word at, Word expected, Word wanted) {
    return m->access(at, [=](Word &word) { return word == expected ? (word = wanted, 1u) : 0u; }) != 0;
}

/// One step, as of a PE alone.
bool reserve(Step *m, Word at, Word count, Word limit, Word *was, Word *tries) {
    const auto has_room = [=](Word word) { return static_cast<std::int32_t>(limit - count - word) >= 0; };
    if (mistake == 1) {  // two: what others have reserved in between is reserved once more
        *was = m->access(at, [](Word &word) { return word; });
        if (has_room(*was)) m->access(at, [v = *was + count](Word &word) { return word = v; });
    } else {
        *was = m->access(at, [=](Word &word) {
            const Word old = word;
            if (has_room(old)) word += count;
            return old;
        });
    }
    *tries = has_room(*was);
    return *tries != 0;
}
}  // namespace

#include "abi/channel.h"

namespace {

constexpr Word channel = 0, word = 4;

struct Operation {
    bool is_take;
    Word count;                  // elements, or at most
    std::vector<Word> values{};  // to put
};
struct Case {
    const char *name;
    Word length, group;
    Word begin;  // positions begin here
    bool alone;  // each reservation is a compare-and-swap by itself
    std::vector<std::vector<Operation>> parties;
};

Word log2_of(Word number) { return number <= 1 ? 0 : 1 + log2_of(number / 2); }

State begin_of(const Case &c) {
    State state;
    const Word data = CHANNEL_BYTES, control = data + c.length * word, counts = control + 2 * c.length * word,
               end = counts + c.length / c.group * word;
    state.memory.resize(end / word);
    const auto set = [&](Word at, Word value) { state.memory[at / word] = value; };
    set(CHANNEL_LENGTH, c.length);
    set(CHANNEL_LENGTH_BITS, log2_of(c.length));
    set(CHANNEL_GROUP, c.group);
    set(CHANNEL_GROUP_BITS, log2_of(c.group));
    set(CHANNEL_DATA, data);
    set(CHANNEL_CONTROL, control);
    set(CHANNEL_DONE, counts);
    set(CHANNEL_TAIL, c.begin);
    set(CHANNEL_HEAD, c.begin);
    set(CHANNEL_CONTROL_TAIL, c.begin);
    set(CHANNEL_CONTROL_HEAD, c.begin);
    if (c.alone) set(CHANNEL_FLAGS, CHANNEL_ALONE);
    state.parties.resize(c.parties.size());
    std::size_t operations = 0;
    for (const auto &party : c.parties) operations += party.size();
    state.begun.resize(operations);
    state.has_begun.resize(operations);
    return state;
}

/// What a party does. Values are written and read as steps, too.
void program(Step &step, const std::vector<Operation> &operations, int first) {
    State &state = *step.state;
    const Word data = CHANNEL_FIXED(&step, CHANNEL_DATA), mask = CHANNEL_FIXED(&step, CHANNEL_LENGTH) - 1;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const Operation &operation = operations[i];
        const std::size_t number = static_cast<std::size_t>(first) + i;
        // Its first step is the next one, if it has not been done.
        if (step.replayed == step.party->read.size()) {
            if (step.has_stepped) throw Stop{};
            if (!state.has_begun[number]) {
                state.has_begun[number] = 1;
                state.begun[number] = state.over;
            }
        }
        Done done{operation.is_take, {}, step.number, static_cast<Word>(number), 0};
        if (operation.is_take) {
            Word at = 0;
            const Word count = channel_claim(&step, channel, 1, operation.count, &at);
            for (Word k = 0; k < count; ++k) {
                const Word index = channel_index(&step, channel, at + k);
                done.values.push_back(CHANNEL_LOAD(&step, data + (index & mask) * word));
            }
            for (Word k = 0; k < count; ++k)
                if (!channel_finish(&step, channel, channel_index(&step, channel, at + k), 1)) {
                    std::puts("an element was freed before");
                    std::exit(1);
                }
        } else {
            const Word index = channel_reserve(&step, channel, operation.count);
            if (index != CHANNEL_NO_ROOM) {
                if (mistake == 2) channel_publish(&step, channel, index, operation.count);
                for (Word k = 0; k < operation.count; ++k) CHANNEL_STORE(&step, data + (index + k) * word, operation.values[k]);
                if (mistake != 2) channel_publish(&step, channel, index, operation.count);
                done.values = operation.values;
            }
        }
        state.over |= 1u << number;
        done.before = state.begun[number];
        if (!done.values.empty()) step.done.push_back(std::move(done));
    }
    step.party->is_over = true;
}

/// Can they be put in an order in which a queue does them, and everyone after those that were over when it began?
bool has_order(const std::vector<Done> &done, Word placed, std::vector<Word> &queue, std::size_t head) {
    if (placed == (1u << done.size()) - 1) return true;
    for (std::size_t i = 0; i < done.size(); ++i) {
        if (placed >> i & 1) continue;
        bool is_first = true;  // of those that are left, none was over before it
        for (std::size_t k = 0; k < done.size(); ++k) is_first &= k == i || (placed >> k & 1) || !(done[i].before >> done[k].number & 1);
        if (!is_first) continue;
        if (!done[i].is_take) {
            queue.insert(queue.end(), done[i].values.begin(), done[i].values.end());
            if (has_order(done, placed | 1u << i, queue, head)) return true;
            queue.resize(queue.size() - done[i].values.size());
        } else if (queue.size() - head >= done[i].values.size() &&
                   std::equal(done[i].values.begin(), done[i].values.end(), queue.begin() + static_cast<std::ptrdiff_t>(head))) {
            if (has_order(done, placed | 1u << i, queue, head + done[i].values.size())) return true;
        }
    }
    return false;
}

class Search {
public:
    explicit Search(const Case &c) : case_(c) {
        int first = 0;
        for (const auto &party : c.parties) first_.push_back(first), first += static_cast<int>(party.size());
    }
    bool run() {
        visit(begin_of(case_));
        std::printf("%-28s %8zu states, %6zu ends, %zu with all that was put taken: %s\n", case_.name, seen_.size(), ends_, complete_,
                    wrong_.empty() ? "all right" : wrong_.c_str());
        return wrong_.empty() && ends_ > 0;
    }

private:
    /// Done again from the beginning, with one step more or none: what it has done so far, in `done`.
    void replay(State &state, int party, std::vector<Done> &done, bool steps) {
        Step step{};
        step.state = &state;
        step.party = &state.parties[static_cast<std::size_t>(party)];
        step.number = party;
        step.has_stepped = !steps;
        if (steps) step.party->waits_at = 0;
        try {
            program(step, case_.parties[static_cast<std::size_t>(party)], first_[static_cast<std::size_t>(party)]);
        } catch (const Stop &) {
        }
        done.insert(done.end(), step.done.begin(), step.done.end());
    }

    void visit(const State &state) {
        if (!wrong_.empty() || !seen_.insert(hash_of(state)).second) return;
        bool goes_on = false;
        for (std::size_t i = 0; i < state.parties.size(); ++i) {
            const Party &party = state.parties[i];
            if (party.is_over) continue;
            if (party.waits_at && state.memory[party.waits_at / word] == party.waits_while) continue;
            goes_on = true;
            State next = state;
            std::vector<Done> done;
            replay(next, static_cast<int>(i), done, true);
            visit(next);
        }
        if (goes_on) return;
        for (const Party &party : state.parties)
            if (!party.is_over) {
                wrong_ = "somebody waits for ever";
                return;
            }
        end(state);
    }

    void end(State state) {
        ++ends_;
        std::vector<Done> done;
        for (std::size_t i = 0; i < state.parties.size(); ++i) replay(state, static_cast<int>(i), done, false);
        // What nobody has taken is taken now, after all others.
        State after = state;
        after.parties.resize(after.parties.size() + 1);
        Step step{};
        step.state = &after;
        step.party = &after.parties.back();
        std::vector<Word> rest;
        for (Word at = 0; alone(step, [&](Step *m) { return channel_claim(m, channel, 1, 1, &at); }) > 0;) {
            const Word index = alone(step, [&](Step *m) { return channel_index(m, channel, at); });
            rest.push_back(after.memory[(after.memory[CHANNEL_DATA / word] + index * word) / word]);
            alone(step, [&](Step *m) { return static_cast<Word>(channel_finish(m, channel, index, 1)); });
        }
        if (rest.empty()) ++complete_;
        std::vector<Word> put, taken = rest;
        for (const Done &one : done)
            (one.is_take ? taken : put).insert((one.is_take ? taken : put).end(), one.values.begin(), one.values.end());
        std::sort(put.begin(), put.end());
        std::sort(taken.begin(), taken.end());
        if (put != taken) wrong_ = "something is lost, or comes twice";
        const Word group = after.memory[CHANNEL_GROUP / word], tail = after.memory[CHANNEL_TAIL / word];
        if (after.memory[CHANNEL_HEAD / word] != (tail & ~(group - 1))) wrong_ = "something that was freed is not available";
        if (!is_linearizable(done, rest)) wrong_ = "what was done is not what a queue does";
    }

    /// Nobody else is there: one step after the other.
    template <typename What>
    static Word alone(Step &step, What what) {
        for (step.party->read.clear();;) {
            step.replayed = 0;
            step.has_stepped = false;
            try {
                return what(&step);
            } catch (const Stop &) {
            }
        }
    }

    /// What was left comes last.
    static bool is_linearizable(std::vector<Done> done, const std::vector<Word> &rest) {
        Word all = 0;
        for (const Done &one : done) all |= 1u << one.number;
        if (!rest.empty()) done.push_back({true, rest, -1, 31, all});
        std::vector<Word> queue;
        return has_order(done, 0, queue, 0);
    }

    static std::string hash_of(const State &state) {
        std::uint64_t a = 0x9e3779b97f4a7c15u, b = 0xc2b2ae3d27d4eb4fu;
        const auto mix = [&](std::uint64_t value) {
            a = (a ^ value) * 0xff51afd7ed558ccdu;
            a ^= a >> 32;
            b = (b + value) * 0xc4ceb9fe1a85ec53u;
            b ^= b >> 29;
        };
        for (const Word value : state.memory) mix(value);
        for (const Party &party : state.parties) {
            mix(party.read.size() * 2 + party.is_over);
            for (const Word value : party.read) mix(value);
            mix(party.waits_at);
        }
        for (const Word value : state.begun) mix(value);
        for (const char value : state.has_begun) mix(static_cast<std::uint64_t>(value));
        std::string key(16, 0);
        std::memcpy(key.data(), &a, 8);
        std::memcpy(key.data() + 8, &b, 8);
        return key;
    }

    const Case &case_;
    std::vector<int> first_;
    std::unordered_set<std::string> seen_;
    std::size_t ends_ = 0, complete_ = 0;
    std::string wrong_;
};

Operation put(std::vector<Word> values) { return {false, static_cast<Word>(values.size()), std::move(values)}; }
Operation take(Word most) { return {true, most}; }

}  // namespace

int main(int argc, char **argv) {
    const std::string option = argc > 1 ? argv[1] : "";
    if (option.starts_with("--mistake=")) mistake = option.back() - '0';
    const std::vector<Case> cases = {
        {"2 producers, 2 consumers", 2, 1, 0, false, {{put({11})}, {put({21})}, {take(1)}, {take(2)}}},
        {"groups of 2", 2, 2, 0, false, {{put({11})}, {put({21})}, {take(1)}, {take(1)}}},
        {"positions that wrap", 2, 1, 0xffffffff, false, {{put({11}), put({12})}, {put({21})}, {take(2)}}},
        {"a full channel", 1, 1, 7, false, {{put({11}), put({12})}, {put({21})}, {take(1), take(1)}}},
        {"pieces, and ends left out", 4, 2, 2, false, {{put({11, 12}), put({13, 14, 15})}, {take(2), take(2)}, {take(1)}}},
        {"2 producers of pieces", 4, 1, 3, false, {{put({11, 12})}, {put({21, 22})}, {take(3)}}},
        {"pieces that others part", 4, 1, 1, false, {{put({11, 12})}, {put({21, 22})}}},
        {"groups that others part", 4, 2, 2, false, {{put({11})}, {put({21, 22})}, {take(2)}}},
        {"alone", 4, 2, 2, true, {{put({11, 12}), put({13})}, {put({21})}, {take(2)}}},
    };
    bool right = true;
    for (const Case &one : cases) right &= Search(one).run();
    return right ? 0 : 1;
}
