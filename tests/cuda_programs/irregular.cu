// irregular.cu: sorting, searching, graphs, sparse matrices, strings: work that depends on data.
#include "cases.hpp"

#include <algorithm>
#include <string>

__global__ void bitonic(int *values, int n) {  // one block, n a power of two
    extern __shared__ int all[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) all[i] = values[i];
    __syncthreads();
    for (int size = 2; size <= n; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            for (int i = threadIdx.x; i < n; i += blockDim.x) {
                const int other = i ^ step;
                if (other > i && (all[i] > all[other]) == ((i & size) == 0)) {
                    const int kept = all[i];
                    all[i] = all[other], all[other] = kept;
                }
            }
            __syncthreads();
        }
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = all[i];
}
CASE(bitonic_sort) {
    auto in = numbers(512, 1 << 20);
    Device<int> device(in);
    bitonic<<<1, 128, 512 * sizeof(int)>>>(device, 512);
    std::sort(in.begin(), in.end());
    EXPECT(device.host() == in);
}

__global__ void odd_even(int *values, int n, int phase) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 < n && values[i] > values[i + 1]) {
        const int kept = values[i];
        values[i] = values[i + 1], values[i + 1] = kept;
    }
}
CASE(odd_even_sort) {
    auto in = numbers(60, 1000, 9);
    Device<int> device(in);
    for (int i = 0; i < 60; i++) odd_even<<<1, 32>>>(device, 60, i % 2);
    std::sort(in.begin(), in.end());
    EXPECT(device.host() == in);
}

__global__ void radix(unsigned *values) {  // 128 values by 8 bits, one bit a round
    __shared__ unsigned all[128];
    __shared__ int before[128];
    const int t = threadIdx.x;
    all[t] = values[t];
    __syncthreads();
    for (int bit = 0; bit < 8; bit++) {
        const unsigned mine = all[t];
        const int zero = !(mine >> bit & 1);
        before[t] = zero;
        __syncthreads();
        for (int step = 1; step < 128; step *= 2) {
            const int add = t >= step ? before[t - step] : 0;
            __syncthreads();
            before[t] += add;
            __syncthreads();
        }
        const int zeros = before[127], place = zero ? before[t] - 1 : zeros + t - before[t];
        __syncthreads();
        all[place] = mine;
        __syncthreads();
    }
    values[t] = all[t];
}
CASE(radix_sort) {
    std::vector<unsigned> in(128);
    Numbers from;
    for (auto &value : in) value = from.below(256);
    Device<unsigned> device(in);
    radix<<<1, 128>>>(device);
    std::sort(in.begin(), in.end());
    EXPECT(device.host() == in);
}

__device__ void quick(int *values, int left, int right) {  // recursive, one thread
    if (left >= right) return;
    const int pivot = values[(left + right) / 2];
    int i = left, j = right;
    while (i <= j) {
        while (values[i] < pivot) i++;
        while (values[j] > pivot) j--;
        if (i <= j) {
            const int kept = values[i];
            values[i++] = values[j], values[j--] = kept;
        }
    }
    quick(values, left, j);
    quick(values, i, right);
}
__global__ void quick_rows(int *values, int n) { quick(values + threadIdx.x * n, 0, n - 1); }
CASE(quick_sort_by_recursion) {
    auto in = numbers(40 * 50, 1000);
    Device<int> device(in);
    quick_rows<<<1, 40>>>(device, 50);
    for (int row = 0; row < 40; row++) std::sort(in.begin() + row * 50, in.begin() + row * 50 + 50);
    EXPECT(device.host() == in);
}

__global__ void find(const int *sorted, int n, const int *keys, int *places, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] < keys[i]) low = middle + 1;
        else high = middle;
    }
    places[i] = low;
}
CASE(binary_search) {
    auto sorted = numbers(500, 10000, 2);
    std::sort(sorted.begin(), sorted.end());
    const auto keys = numbers(300, 11000, 3);
    Device<int> a(sorted), b(keys), out(300);
    find<<<3, 128>>>(a, 500, b, out, 300);
    const auto places = out.host();
    for (int i = 0; i < 300; i++) EXPECT(places[i] == std::lower_bound(sorted.begin(), sorted.end(), keys[i]) - sorted.begin());
}

// A graph as lists one after the other.
struct Graph {
    std::vector<int> begin, to, weight;
};
Graph make_graph(int nodes, int degree) {
    Graph made;
    Numbers from;
    for (int i = 0; i < nodes; i++) {
        made.begin.push_back((int)made.to.size());
        for (int k = (int)from.below(degree * 2); k > 0; k--) made.to.push_back((int)from.below(nodes)), made.weight.push_back(1 + (int)from.below(20));
    }
    made.begin.push_back((int)made.to.size());
    return made;
}
std::vector<int> distances(const Graph &graph, int nodes, bool weighted) {
    std::vector<int> d(nodes, 1 << 28);
    d[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < nodes; i++)
            for (int e = graph.begin[i]; e < graph.begin[i + 1]; e++)
                if (const int way = d[i] + (weighted ? graph.weight[e] : 1); way < d[graph.to[e]]) d[graph.to[e]] = way, changed = true;
    }
    return d;
}

__global__ void breadth(const int *begin, const int *to, const int *now, int count, int *next, int *next_count, int *level, int depth) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (int e = begin[now[i]]; e < begin[now[i] + 1]; e++)
        if (atomicCAS(&level[to[e]], 1 << 28, depth) == 1 << 28) next[atomicAdd(next_count, 1)] = to[e];
}
CASE(breadth_first_search) {
    const int nodes = 400;
    const Graph graph = make_graph(nodes, 3);
    std::vector<int> level(nodes, 1 << 28);
    level[0] = 0;
    Device<int> begin(graph.begin), to(graph.to), a(nodes), b(nodes), levels(level), counter(1);
    int count = 1;
    for (int depth = 1; count; depth++) {
        WORKS(cudaMemset(counter, 0, sizeof(int)));
        breadth<<<(count + 63) / 64, 64>>>(begin, to, depth % 2 ? a : b, count, depth % 2 ? b : a, counter, levels, depth);
        count = counter.value();
    }
    EXPECT(levels.host() == distances(graph, nodes, false));
}

__global__ void bellman(const int *begin, const int *to, const int *weight, int nodes, int *d, int *changed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nodes || d[i] == 1 << 28) return;
    for (int e = begin[i]; e < begin[i + 1]; e++)
        if (atomicMin(&d[to[e]], d[i] + weight[e]) > d[i] + weight[e]) *changed = 1;
}
CASE(shortest_ways_with_weights) {
    const int nodes = 300;
    const Graph graph = make_graph(nodes, 3);
    std::vector<int> start(nodes, 1 << 28);
    start[0] = 0;
    Device<int> begin(graph.begin), to(graph.to), weight(graph.weight), d(start), changed(1);
    do {
        WORKS(cudaMemset(changed, 0, sizeof(int)));
        bellman<<<5, 64>>>(begin, to, weight, nodes, d, changed);
    } while (changed.value());
    EXPECT(d.host() == distances(graph, nodes, true));
}

__device__ int root_of(int *parent, int node) {
    while (parent[node] != node) node = parent[node];
    return node;
}
__global__ void unite(const int *from, const int *to, int edges, int *parent) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    for (;;) {
        int a = root_of(parent, from[e]), b = root_of(parent, to[e]);
        if (a == b) return;
        if (a < b) {
            const int kept = a;
            a = b, b = kept;
        }
        if (atomicCAS(&parent[a], a, b) == a) return;
    }
}
CASE(connected_components) {
    const int nodes = 300, edges = 220;
    const auto from = numbers(edges, nodes, 4), to = numbers(edges, nodes, 5);
    std::vector<int> parent(nodes);
    for (int i = 0; i < nodes; i++) parent[i] = i;
    Device<int> a(from), b(to), device(parent);
    unite<<<4, 64>>>(a, b, edges, device);
    auto out = device.host();
    std::vector<int> label = parent;
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < edges; e++) {
            const int least = std::min(label[from[e]], label[to[e]]);
            changed |= label[from[e]] != least || label[to[e]] != least;
            label[from[e]] = label[to[e]] = least;
        }
    }
    for (int i = 0; i < nodes; i++) {
        int root = i;
        while (out[root] != root) root = out[root];
        EXPECT(root == label[i]);
    }
}

__global__ void sparse(const int *begin, const int *column, const float *value, const float *x, float *y, int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows) return;
    float sum = 0;
    for (int e = begin[row] + lane; e < begin[row + 1]; e += 32) sum += value[e] * x[column[e]];
    for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) y[row] = sum;
}
CASE(sparse_matrix_times_vector) {
    const int rows = 50;
    const Graph graph = make_graph(rows, 20);
    std::vector<float> value(graph.weight.begin(), graph.weight.end()), x(rows);
    for (int i = 0; i < rows; i++) x[i] = (float)(i % 5 - 2);
    Device<int> begin(graph.begin), column(graph.to);
    Device<float> values(value), dx(x), dy(rows);
    sparse<<<13, 128>>>(begin, column, values, dx, dy, rows);
    const auto y = dy.host();
    for (int row = 0; row < rows; row++) {
        float sum = 0;
        for (int e = graph.begin[row]; e < graph.begin[row + 1]; e++) sum += value[e] * x[graph.to[e]];
        EXPECT(y[row] == sum);
    }
}

__global__ void search(const char *text, int length, const char *word, int word_length, int *found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + word_length > length) return;
    for (int k = 0; k < word_length; k++)
        if (text[i + k] != word[k]) return;
    atomicAdd(found, 1);
}
CASE(words_in_a_text) {
    std::string text;
    for (int i = 0; i < 200; i++) text += i % 3 ? "abra" : "cadabra";
    Device<char> all(std::vector<char>(text.begin(), text.end())), word(std::vector<char>{'r', 'a', 'a', 'b'});
    Device<int> found(1);
    search<<<(int)text.size() / 128 + 1, 128>>>(all, (int)text.size(), word, 4, found);
    int count = 0;
    for (size_t at = text.find("raab"); at != std::string::npos; at = text.find("raab", at + 1)) count++;
    EXPECT(found.value() == count && count > 0);
}

__global__ void edit(const char *a, const char *b, int n, int *out) {  // one block; a diagonal a round
    __shared__ int rows[3][65];
    const int t = threadIdx.x;
    for (int d = 0; d <= 2 * n; d++) {
        const int i = t, j = d - t;
        int *now = rows[d % 3], *last = rows[(d + 2) % 3], *before = rows[(d + 1) % 3];
        if (i <= n && j >= 0 && j <= n) {
            if (i == 0 || j == 0) now[i] = i + j;
            else now[i] = min(min(last[i - 1], last[i]) + 1, before[i - 1] + (a[i - 1] != b[j - 1]));
            if (i == n && j == n) *out = now[i];
        }
        __syncthreads();
    }
}
CASE(edit_distance) {
    const int n = 50;
    std::vector<char> a(n), b(n);
    for (int i = 0; i < n; i++) a[i] = (char)('a' + i * i % 7), b[i] = (char)('a' + i * 3 % 7);
    Device<char> da(a), db(b);
    Device<int> out(1);
    edit<<<1, 64>>>(da, db, n, out);
    std::vector<std::vector<int>> table(n + 1, std::vector<int>(n + 1));
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            table[i][j] = !i || !j ? i + j : std::min(std::min(table[i - 1][j], table[i][j - 1]) + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    EXPECT(out.value() == table[n][n]);
}

__global__ void sieve(unsigned char *composite, int n) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x + 2;
    if (p * p > n) return;
    for (int k = p * p; k <= n; k += p) composite[k] = 1;
}
CASE(sieve_of_primes) {
    const int n = 5000;
    Device<unsigned char> composite(n + 1);
    sieve<<<1, 96>>>(composite, n);
    const auto out = composite.host();
    int primes = 0;
    for (int i = 2; i <= n; i++) primes += !out[i];
    EXPECT(primes == 669);
}

__global__ void queens(int n, const int *firsts, unsigned long long *all) {
    // The stack of the search, by hand: columns and diagonals that are taken, and rows to be tried.
    unsigned left[16], taken[16], from_left[16], from_right[16];
    const unsigned full = (1u << n) - 1, first = 1u << firsts[threadIdx.x];
    int depth = 1;
    unsigned long long found = 0;
    taken[1] = first, from_left[1] = first << 1, from_right[1] = first >> 1;
    left[1] = full & ~(taken[1] | from_left[1] | from_right[1]);
    while (depth) {
        if (!left[depth]) {
            depth--;
            continue;
        }
        const unsigned bit = left[depth] & (0u - left[depth]);
        left[depth] ^= bit;
        if (depth == n - 1) {
            found++;
            continue;
        }
        taken[depth + 1] = taken[depth] | bit, from_left[depth + 1] = (from_left[depth] | bit) << 1, from_right[depth + 1] = (from_right[depth] | bit) >> 1;
        depth++;
        left[depth] = full & ~(taken[depth] | from_left[depth] | from_right[depth]);
    }
    atomicAdd(all, found);
}
CASE(eight_queens) {
    Device<int> firsts(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
    Device<unsigned long long> all(1);
    queens<<<1, 8>>>(8, firsts, all);
    EXPECT(all.value() == 92);
}

struct Lock {
    int taken;
};
__global__ void locked(Lock *lock, int *counter, int *most) {
    for (int i = 0; i < 3; i++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(&lock->taken, 0, 1) == 0) {
                const int before = *(volatile int *)counter;
                *(volatile int *)counter = before + 1;
                *most = max(*most, before + 1);
                __threadfence();
                atomicExch(&lock->taken, 0);
                done = true;
            }
        }
    }
}
CASE(locks_that_spin) {
    Device<Lock> lock(1);
    Device<int> counter(1), most(1);
    locked<<<3, 48>>>(lock, counter, most);
    EXPECT(counter.value() == 3 * 48 * 3 && most.value() == counter.value());
}
