// race_checker.cpp
#include "runtime_host/races/race_checker.hpp"

#include <algorithm>
#include <utility>

#include "assembler/analysis/data_flow.hpp"
#include "assembler/image/constants.hpp"
#include "assembler/ir/isa.hpp"

namespace mog {

namespace {

/// What `ll` becomes is a load whose value goes to a register of its own (translator/mips/mips.def).
constexpr std::size_t longest_link = 3;
/// It counts threads (runtime_pe/threads/create.c); who begins after another one's end has not waited for it by that.
constexpr std::string_view unordered_function = "__mog_count_threads";

std::optional<std::uint32_t> link_register(const Image &image) {
    const auto found = std::ranges::find(image.register_names, "link");
    if (found == image.register_names.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - image.register_names.begin());
}

/// cas, amoadd and their like, which have what was there in ACC, are fences too.
bool is_one_step(const OpInfo &row) { return (row.reads & row.writes & Mem) != 0 && (row.writes & Acc) != 0; }

/// By TEXT index, 1: there is a way to it without a fence, or with a store behind that. The translator leaves out fences that others on all
/// ways make needless, so a store's may be in another block.
std::vector<std::uint8_t> without_fence(const Image &image) {
    const auto size = static_cast<Graph::Node>(image.text.size());
    const Graph flow(size, [&](Graph::Node at) {
        const OpInfo &row = info(op_at(image, at));
        std::vector<Graph::Node> next;
        if ((row.writes & NoNext) == 0 && at + 1 < size) next.push_back(at + 1);
        if (row.operand == OperandKind::Label && constant_at(image, at) < size) next.push_back(constant_at(image, at));
        return next;
    });
    // Addresses lead there from anywhere.
    std::vector<std::uint8_t> outside(size);
    if (size != 0) outside.front() = 1;
    for (const std::uint32_t at : image.code_map)
        if (at < size) outside[at] = 1;
    const auto behind = [&](Graph::Node at, std::uint8_t before) -> std::uint8_t {
        const Op op = op_at(image, at);
        const OpInfo &row = info(op);
        if (op == Op::fence_ || is_one_step(row)) return 0;
        return (row.access && (row.writes & Mem) != 0) || always_stops(op) ? 1 : before;
    };
    return solve_forward<std::uint8_t>(flow, behind, outside).in;
}

}  // namespace

RaceChecker::RaceChecker(const Image &image, u32 processes, u32 data_bytes)
    : image_(image), processes_(processes), data_bytes_(data_bytes), forms_(image.text.size(), Form::plain), processes_state_(processes) {
    const std::optional<u32> link = link_register(image);
    const std::vector<std::uint8_t> unfenced = without_fence(image);
    for (std::size_t at = 0; at < image.text.size(); ++at) {
        const OpInfo &row = info(op_at(image, at));
        const bool stores = row.access && (row.writes & Mem) != 0;
        if (stores && !is_one_step(row) && !unfenced[at]) forms_[at] = Form::release;
        if (!row.access || stores || !link) continue;
        for (std::size_t next = at + 1; next < std::min(at + 1 + longest_link, image.text.size()); ++next)
            if (op_at(image, next) == Op::sr_ && (image.text[next] & 0xffu) == *link) forms_[at] = Form::linked;
    }
    const auto counts = std::ranges::find(image.symbols, unordered_function, &Symbol::name);
    if (counts == image.symbols.end()) return;
    for (std::size_t at = 0; at < image.text.size(); ++at)
        if (image.source_address[at] - counts->address < counts->size && info(op_at(image, at)).access) forms_[at] = Form::unordered;
}

void RaceChecker::join(Clock &into, const Clock &other) {
    if (into.size() < other.size()) into.resize(other.size());
    for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

RaceChecker::Thread &RaceChecker::thread_of(u32 pe) {
    Process &process = process_of(pe);
    const u32 number = pe / processes_;
    if (number >= process.threads.size()) process.threads.resize(number + 1);
    Thread &thread = process.threads[number];
    if (thread.now.size() <= number) thread.now.resize(number + 1);
    if (thread.now[number] == 0) thread.now[number] = 1;
    return thread;
}

RaceChecker::Cell &RaceChecker::cell_of(Process &process, u32 address) {
    const u32 word = (address - MOG_DATA_BASE) / 4, page = word / page_words;
    if (process.pages.empty()) process.pages.resize(data_bytes_ / 4 / page_words + 1);
    if (!process.pages[page]) process.pages[page] = std::make_unique<Page>();
    return (*process.pages[page])[word % page_words];
}

RaceChecker::More &RaceChecker::more_of(Process &process, Cell &cell) {
    if (cell.more == 0) {
        process.more.emplace_back();
        cell.more = static_cast<u32>(process.more.size());
    }
    return process.more[cell.more - 1];
}

/// Each byte of the word is by itself from now on.
void RaceChecker::split(Process &process, Cell &cell) {
    const Cell all = cell;
    const std::vector<Event> loads = cell.more == 0 ? std::vector<Event>() : process.more[cell.more - 1].loads;
    auto cells = std::make_unique<std::array<Cell, 4>>();
    for (Cell &byte : *cells) {
        byte.store = all.store;
        byte.load = all.load;
        if (!loads.empty()) more_of(process, byte).loads = loads;
    }
    cell.store = cell.load = {};
    More &more = more_of(process, cell);
    more.loads.clear();
    more.cells = std::move(cells);
}

void RaceChecker::found(u32 pe, const Event &earlier, bool earlier_stores, bool earlier_is_atomic, const RaceAccess &later, u32 address,
                        u32 bytes) {
    if (!pairs_.insert(std::minmax(earlier.text_index, later.text_index)).second) return;
    const Race race{pe % processes_,
                    address,
                    bytes,
                    {earlier.thread, earlier.text_index, earlier.return_address, earlier_stores, earlier_is_atomic},
                    later};
    if (concerns_program(image_, race) && told_.insert(race_key(image_, race)).second) races_.push_back(race);
}

/// A load: what atomic stores to the word have told, the next fence makes known.
void RaceChecker::learn(u32 pe, const Process &process, const Cell &cell) {
    if (cell.more != 0) join(thread_of(pe).pending, process.more[cell.more - 1].told);
}

template <bool is_store>
void RaceChecker::access(u32 pe, u32 address, u32 bytes, u32 text_index, u32 return_address) {
    const u32 number = pe / processes_;
    const Event event{number, thread_of(pe).now[number], text_index, return_address};
    for (u32 end = address + bytes; address != end;) {
        const u32 here = std::min(end, (address & ~3u) + 4) - address;
        access_word<is_store>(pe, address, here, event);
        address += here;
    }
}
template void RaceChecker::access<false>(u32, u32, u32, u32, u32);
template void RaceChecker::access<true>(u32, u32, u32, u32, u32);

template <bool is_store>
void RaceChecker::access_word(u32 pe, u32 address, u32 bytes, const Event &event) {
    Process &process = process_of(pe);
    Cell &cell = cell_of(process, address);
    // Of this thread since its last fence: whoever comes to this word is compared with that one.
    if (const Event &last = is_store ? cell.store : cell.load; last.clock == event.clock && last.thread == event.thread) {
        // But what has been told since then is new: others may have stored to it atomically.
        if (!is_store) learn(pe, process, cell);
        return;
    }
    const u32 part = ((1u << bytes) - 1) << (address & 3);
    if (is_store && forms_[event.text_index] == Form::release) return store_atomically(pe, address, part, false, event);
    if (forms_[event.text_index] == Form::unordered) return;
    if (!is_store && forms_[event.text_index] == Form::linked) return learn(pe, process, cell);
    const RaceAccess told{event.thread, event.text_index, event.return_address, is_store, false};
    if (bytes != 4 && (cell.more == 0 || !process.more[cell.more - 1].cells)) split(process, cell);
    if (cell.more != 0) {
        More &more = process.more[cell.more - 1];
        if (!is_store) learn(pe, process, cell);
        if (is_store)
            for (const AtomicStore &other : more.stores)
                if ((other.bytes & part) != 0 && other.event.thread != event.thread && !precedes(other.event, thread_of(pe).now))
                    found(pe, other.event, true, true, told, address, bytes);
        if (more.cells) {
            for (u32 i = address & 3; i < (address & 3) + bytes; ++i)
                access_cell<is_store>(pe, process, cell, (*process.more[cell.more - 1].cells)[i], event, told, address, bytes);
            return;
        }
    }
    access_cell<is_store>(pe, process, cell, cell, event, told, address, bytes);
}

template <bool is_store>
void RaceChecker::access_cell(u32 pe, Process &process, const Cell &word, Cell &cell, const Event &event, const RaceAccess &told,
                              u32 address, u32 bytes) {
    const Clock &now = thread_of(pe).now;
    const auto is_race = [&](const Event &other) { return other.thread != event.thread && !precedes(other, now); };
    const bool is_atomic_at_times = word.more != 0 && !process.more[word.more - 1].stores.empty();
    if ((is_store || !is_atomic_at_times) && is_race(cell.store)) found(pe, cell.store, true, false, told, address, bytes);
    if constexpr (is_store) {
        if (!is_atomic_at_times && is_race(cell.load)) found(pe, cell.load, false, false, told, address, bytes);
        if (cell.more != 0) {
            std::vector<Event> &loads = process.more[cell.more - 1].loads;
            for (const Event &other : loads)
                if (!is_atomic_at_times && is_race(other)) found(pe, other, false, false, told, address, bytes);
            loads.clear();
        }
        cell.store = event;
        cell.load = {};
    } else {
        // Loads that come before this one need not be kept: a store that this one precedes they do, too.
        if (!precedes(cell.load, now) && cell.load.thread != event.thread) {
            std::vector<Event> &loads = more_of(process, cell).loads;
            std::erase_if(loads, [&](const Event &other) { return other.thread == event.thread || precedes(other, now); });
            loads.push_back(cell.load);
        }
        cell.load = event;
    }
}

void RaceChecker::store_atomically(u32 pe, u32 address, u32 changed_bytes, bool is_swap, const Event &event) {
    Process &process = process_of(pe);
    Thread &thread = thread_of(pe);
    const RaceAccess told{event.thread, event.text_index, event.return_address, true, true};
    Cell &cell = cell_of(process, address);
    const auto compare = [&](const Cell &with) {
        if (with.store.thread != event.thread && !precedes(with.store, thread.now)) found(pe, with.store, true, false, told, address, 4);
    };
    More &more = more_of(process, cell);
    if (more.cells) {
        for (u32 i = 0; i < 4; ++i)
            if (changed_bytes >> i & 1) compare((*more.cells)[i]);
    } else if (changed_bytes != 0) compare(cell);
    // A swap goes on with what the store that it saw told.
    if (is_swap) join(more.told, thread.released);
    else more.told = thread.released;
    // The store itself comes before whoever sees it, what the thread does from then on does not. Between its fence and it is no other.
    if (more.told.size() <= event.thread) more.told.resize(event.thread + 1);
    more.told[event.thread] = event.clock;
    if (!is_swap) ++thread.now[event.thread];
    const auto own = std::ranges::find(more.stores, event.thread, [](const AtomicStore &other) { return other.event.thread; });
    if (own == more.stores.end()) more.stores.push_back({event, changed_bytes});
    else *own = {event, own->bytes | changed_bytes};
}

void RaceChecker::in_one_step(u32 pe, u32 address, bool is_stored, u32 changed_bits, u32 text_index, u32 return_address) {
    const u32 number = pe / processes_;
    Thread &thread = thread_of(pe);
    Process &process = process_of(pe);
    if (forms_[text_index] == Form::unordered) return;
    fence(pe);
    if (is_in_window(address)) {
        load_from_window(pe, address, 4);
        if (is_stored) join(process.window[address / 4], thread.released);
        fence(pe);
        return;
    }
    learn(pe, process, cell_of(process, address));
    if (is_stored) {
        u32 bytes = 0;
        for (u32 i = 0; i < 4; ++i) bytes |= (changed_bits >> 8 * i & 0xff) != 0 ? 1u << i : 0;
        store_atomically(pe, address, bytes, true, {number, thread.now[number], text_index, return_address});
    }
    fence(pe);
}

void RaceChecker::load_from_window(u32 pe, u32 address, u32 bytes) {
    const auto &window = process_of(pe).window;
    for (u32 word = address / 4; word <= (address + bytes - 1) / 4; ++word)
        if (const auto told = window.find(word); told != window.end()) join(thread_of(pe).pending, told->second);
}

void RaceChecker::store_to_window(u32 pe, u32 address, u32 bytes) {
    const Thread &thread = thread_of(pe);
    for (u32 word = address / 4; word <= (address + bytes - 1) / 4; ++word) process_of(pe).window[word] = thread.released;
}

void RaceChecker::fence(u32 pe) {
    Thread &thread = thread_of(pe);
    join(thread.now, thread.pending);
    thread.pending.clear();
    thread.released = thread.now;
    ++thread.now[pe / processes_];
}

void RaceChecker::starts(u32 parent, u32 child) {
    thread_of(std::max(parent, child));  // so that the list does not grow below
    Thread &from = thread_of(parent), &to = thread_of(child);
    join(to.now, from.now);
    to.released = to.pending = {};
    ++to.now[child / processes_];
    ++from.now[parent / processes_];
}

void RaceChecker::wakes(u32 pe, u32 woken) {
    if (pe == woken) return;
    thread_of(std::max(pe, woken));
    Thread &from = thread_of(pe), &to = thread_of(woken);
    join(to.now, from.now);
    ++from.now[pe / processes_];
}

void RaceChecker::ends(u32 pe, u32 cleared) {
    Thread &thread = thread_of(pe);
    if (cleared >= MOG_DATA_BASE && cleared - MOG_DATA_BASE < data_bytes_) {
        Process &process = process_of(pe);
        join(more_of(process, cell_of(process, cleared)).told, thread.now);
    }
    ++thread.now[pe / processes_];
}

void RaceChecker::ends_process(u32 process) { processes_state_[process] = {}; }

std::vector<Race> RaceChecker::take_races() { return std::exchange(races_, {}); }

}  // namespace mog
