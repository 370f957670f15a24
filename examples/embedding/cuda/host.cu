// host.cu: launches a program's CUDA interpreter on PEs until all have ended, and collects their results: what mogrun and libmog do, for a
// host that has its own CUDA. Of system calls it serves exit() alone.
//
//     ./host PES
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "collatz.h"

namespace {

constexpr uint32_t warp = 32, passes = 2000000, data_words = 16384, exit_call = 4001, exit_group = 4246;

void check(int code, const char *what) {
    if (code == 0) return;
    std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(static_cast<cudaError_t>(code)));
    std::exit(1);
}

/// Memory of the device, until the process ends.
template <typename T>
T *new_memory(std::size_t count) {
    void *memory = nullptr;
    check(cudaMalloc(&memory, count ? count * sizeof(T) : 4), "cudaMalloc");
    return static_cast<T *>(memory);
}

template <typename T>
void write(T *to, const T *from, std::size_t count) {
    check(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
}

template <typename T>
T *copy_of(const T *content, std::size_t count) {
    T *memory = new_memory<T>(count);
    write(memory, content, count);
    return memory;
}

template <typename T>
std::vector<T> read(const T *from, std::size_t count) {
    std::vector<T> content(count);
    check(cudaMemcpy(content.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return content;
}

}  // namespace

int main(int argc, char **argv) {
    const uint32_t pes = argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 0;
    if (pes == 0) {
        std::fprintf(stderr, "usage: host PES\n");
        return 2;
    }
    collatz_memory memory = {};
    memory.text = copy_of(COLLATZ_TEXT, COLLATZ_TEXT_HALFWORDS);
    memory.cpool = copy_of(COLLATZ_CPOOL, COLLATZ_CPOOL_WORDS);
    memory.code_map = copy_of(COLLATZ_CODE_MAP, COLLATZ_CODE_MAP_WORDS);
    memory.entry_of = copy_of(collatz_entry_of, sizeof collatz_entry_of / 4);
    memory.data_words = data_words;
    memory.stride = (pes + warp - 1) / warp * warp;
    memory.data = new_memory<uint32_t>(std::size_t{data_words} * memory.stride);
    memory.state = new_memory<uint32_t>(std::size_t{COLLATZ_STATE_ROWS} * memory.stride);
    memory.requests = new_memory<uint32_t>(std::size_t{MOG_Q_WORDS} * pes);
    memory.nrequests = new_memory<uint32_t>(1);
    check(cudaMemset(memory.data, 0, std::size_t{4} * data_words * memory.stride), "cudaMemset");

    // What a PE finds above its stack: argc, argv, the end of the environment and of the auxiliary vector, and argv[0].
    uint32_t startup[8] = {1, MOG_DATA_BASE + 4 * data_words - 8, 0, 0, 0, 0};
    std::memcpy(&startup[6], "program", 8);
    check(collatz_launch_init(&memory, copy_of(COLLATZ_DATA, COLLATZ_DATA_WORDS), COLLATZ_DATA_WORDS, copy_of(startup, 8), 8, pes, nullptr),
          "mog_init");

    // Launches of so many passes, with those that still run, until none is left.
    std::vector<uint32_t> running(pes);
    std::iota(running.begin(), running.end(), 0u);
    uint32_t *active = new_memory<uint32_t>(pes);
    std::vector<bool> ended(pes);
    unsigned launches = 0;
    for (; !running.empty(); launches++) {
        write(active, running.data(), running.size());
        check(cudaMemset(memory.nrequests, 0, 4), "cudaMemset");
        check(collatz_launch_run(&memory, active, static_cast<uint32_t>(running.size()), passes, nullptr), "mog_run");
        const uint32_t stopped = read(memory.nrequests, 1).front();
        const std::vector<uint32_t> requests = read(memory.requests, std::size_t{MOG_Q_WORDS} * stopped);
        for (uint32_t i = 0; i < stopped; i++) {
            const uint32_t *q = &requests[std::size_t{MOG_Q_WORDS} * i];
            if (q[MOG_Q_STOP] != MOG_STOP_SYS || (q[MOG_Q_NUMBER] != exit_call && q[MOG_Q_NUMBER] != exit_group)) {
                std::fprintf(stderr, "PE %u stopped for reason %u, system call %u, which this host does not serve\n", q[MOG_Q_PE],
                             q[MOG_Q_STOP], q[MOG_Q_NUMBER]);
                return 1;
            }
            ended[q[MOG_Q_PE]] = true;
        }
        std::vector<uint32_t> left;
        for (const uint32_t pe : running)
            if (!ended[pe]) left.push_back(pe);
        running.swap(left);
    }

    // The results: the two words of `longest` in every PE, by one launch.
    std::vector<uint32_t> list(std::size_t{MOG_T_WORDS} * pes);
    for (uint32_t pe = 0; pe < pes; pe++) {
        uint32_t *record = &list[std::size_t{MOG_T_WORDS} * pe];
        record[MOG_T_PE] = pe;
        record[MOG_T_ADDRESS] = COLLATZ_ADDRESS_longest;
        record[MOG_T_LENGTH] = 8;
        record[MOG_T_STAGING] = 8 * pe;
    }
    uint32_t *staging = new_memory<uint32_t>(std::size_t{2} * pes);
    check(collatz_launch_transfer(&memory, copy_of(list.data(), list.size()), pes, staging, 0, nullptr), "mog_transfer");
    const std::vector<uint32_t> results = read(staging, std::size_t{2} * pes);
    uint32_t best = 0;
    for (uint32_t pe = 1; pe < pes; pe++)
        if (results[2 * pe + 1] > results[2 * best + 1]) best = pe;
    std::printf("%u takes longest: %u steps (found by PE %u of %u)\n", results[2 * best], results[2 * best + 1], best, pes);
    std::fprintf(stderr, "%u launches\n", launches);
}
