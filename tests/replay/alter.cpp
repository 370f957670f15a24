// alter IN OUT RANK WHAT: a recording in which one thing is otherwise, for tests of what a replay says then. WHAT: "nothing", which says
// that entries are written as they were read; "time", of what a clock gave; "call", that the PE made last but one; "end", which is not
// there.
#include <fcntl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime_host/linux/syscalls.hpp"
#include "runtime_host/replay/recording_file.hpp"

namespace {

using namespace mog;

template <typename T>
T taken(Result<T> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "alter: %s\n", result.error().text().c_str());
    std::exit(1);
}
void done(const Result<void> &result) {
    if (result) return;
    std::fprintf(stderr, "alter: %s\n", result.error().text().c_str());
    std::exit(1);
}

bool is_clock(std::uint32_t number) {
    const SyscallRow *const row = find_syscall(number);
    return row && row->name.starts_with("clock_gettime");
}

void copy(const RecordedEntry &e, RecordedEntries &to, bool changes_call, bool changes_memory) {
    switch (e.kind) {
        case RecordedKind::Call:
            return to.call(e.place, e.value + (changes_call ? 1 : 0), e.info, std::span(e.argument).first(e.arguments));
        case RecordedKind::Fault: return to.fault(e.place, e.value);
        case RecordedKind::Answer: return to.answer(e.value, false);
        case RecordedKind::Failed: return to.answer(e.value, true);
        case RecordedKind::Memory: {
            std::vector<std::uint8_t> bytes(e.bytes.begin(), e.bytes.end());
            if (changes_memory) bytes[0] ^= 1;
            return to.memory(e.place, bytes);
        }
        case RecordedKind::State: return to.state(e.place, e.value);
        case RecordedKind::Late: return to.late();
        case RecordedKind::Printed: return to.printed(static_cast<int>(e.value), e.count, e.hash);
        case RecordedKind::Text: return to.text(static_cast<int>(e.value), e.bytes);
        case RecordedKind::End: return to.end(e.value, e.count, e.info);
        case RecordedKind::Member: return to.member(e.value);
        case RecordedKind::Turn: return to.turn(e.value);
    }
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    const std::string_view what = argv[4];
    const auto chosen = static_cast<std::uint32_t>(std::atoi(argv[3]));
    const std::shared_ptr<Recording> from = taken(Recording::open(argv[1]));
    RecordingWriter to(OwnedFd(open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600)), argv[2]);
    done(to.begin(from->head()));
    for (std::uint32_t rank = 0; rank < from->head().nproc; ++rank) {
        std::uint32_t calls = 0, call = 0;
        from->choose(rank);
        while (const RecordedEntry *entry = taken(from->next())) {
            if (entry->kind == RecordedKind::Call) ++calls;
            from->take();
        }
        const std::uint32_t last_but_one = calls - 1;
        calls = 0;
        from->choose(rank);
        RecordedEntries entries;
        while (const RecordedEntry *entry = taken(from->next())) {
            if (entry->kind == RecordedKind::Call) {
                ++calls;
                call = entry->value;
            }
            const bool is_chosen = rank == chosen;
            const bool changes_call = is_chosen && what == "call" && entry->kind == RecordedKind::Call && calls == last_but_one;
            const bool changes_memory = is_chosen && what == "time" && entry->kind == RecordedKind::Memory && is_clock(call);
            if (!(is_chosen && what == "end" && entry->kind == RecordedKind::End)) copy(*entry, entries, changes_call, changes_memory);
            from->take();
        }
        done(to.append(rank, entries.bytes()));
    }
    done(to.finish());
    return 0;
}
