// reductions.cu: many values become one, or a few: sums, extremes, counts, scans, histograms, compaction.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "cases.hpp"

namespace cg = cooperative_groups;

template <int Threads>
__global__ void block_sums(const int *in, int *out, int count) {
    __shared__ int part[Threads];
    const int t = threadIdx.x, i = blockIdx.x * Threads + t;
    part[t] = i < count ? in[i] : 0;
    __syncthreads();
    for (int step = Threads / 2; step > 0; step /= 2) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
CASE(sum_in_shared_memory) {
    const auto in = numbers(5000, 1000);
    Device<int> from(in), parts(20), all(1);
    block_sums<256><<<20, 256>>>(from, parts, 5000);
    block_sums<32><<<1, 32>>>(parts, all, 20);
    int sum = 0;
    for (int value : in) sum += value;
    EXPECT(all.value() == sum);
}

__global__ void shuffle_sum(const float *in, float *out) {
    float value = in[blockIdx.x * 32 + threadIdx.x];
    for (int step = 16; step; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
}
CASE(sum_by_shuffles) {
    const auto in = fractions(8 * 32);
    Device<float> from(in), to(8);
    shuffle_sum<<<8, 32>>>(from, to);
    for (int b = 0; b < 8; b++) {
        float tree[32];
        for (int i = 0; i < 32; i++) tree[i] = in[b * 32 + i];
        for (int step = 16; step; step /= 2)
            for (int i = 0; i < step; i++) tree[i] += tree[i + step];
        EXPECT(to.value(b) == tree[0]);
    }
}

__global__ void atomic_sums(const int *in, int count, int *sum, unsigned *most, int *least, unsigned long long *wide) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        atomicAdd(sum, in[i]);
        atomicMax(most, (unsigned)in[i]);
        atomicMin(least, -in[i]);
        atomicAdd(wide, (unsigned long long)in[i] << 20);
    }
}
CASE(sum_by_atomics) {
    const auto in = numbers(3000, 100000);
    Device<int> from(in), sum(1), least(1);
    Device<unsigned> most(1);
    Device<unsigned long long> wide(1);
    atomic_sums<<<5, 96>>>(from, 3000, sum, most, least, wide);
    long long all = 0;
    int largest = 0;
    for (int value : in) all += value, largest = value > largest ? value : largest;
    EXPECT(sum.value() == (int)all);
    EXPECT((int)most.value() == largest);
    EXPECT(least.value() == -largest);
    EXPECT(wide.value() == (unsigned long long)all << 20);
}

__global__ void dot(const double *a, const double *b, int count, double *out) {
    extern __shared__ double sums[];
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum = fma(a[i], b[i], sum);
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = sums[0];
}
CASE(dot_product_of_doubles) {
    std::vector<double> a(1000), b(1000);
    double sum = 0;
    for (int i = 0; i < 1000; i++) a[i] = i * 0.25, b[i] = 1000 - i, sum += a[i] * b[i];
    Device<double> first(a), second(b), out(1);
    dot<<<1, 128, 128 * sizeof(double)>>>(first, second, 1000, out);
    EXPECT(near(out.value(), sum, 1e-14));
}

struct Best {
    float value;
    int place;
};
__global__ void smallest(const float *in, int count, Best *out) {
    __shared__ Best best[64];
    Best mine = {1e30f, -1};
    for (int i = threadIdx.x; i < count; i += 64)
        if (in[i] < mine.value) mine = {in[i], i};
    best[threadIdx.x] = mine;
    __syncthreads();
    for (int half = 32; half; half /= 2) {
        if (threadIdx.x < half) {
            const Best other = best[threadIdx.x + half];
            if (other.value < best[threadIdx.x].value) best[threadIdx.x] = other;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = best[0];
}
CASE(place_of_the_smallest) {
    const auto in = fractions(777, 5);
    int place = 0;
    for (int i = 0; i < 777; i++)
        if (in[i] < in[place]) place = i;
    Device<float> from(in);
    Device<Best> out(1);
    smallest<<<1, 64>>>(from, 777, out);
    EXPECT(out.value().place == place && out.value().value == in[place]);
}

__global__ void groups(const int *in, int *out) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const int value = in[block.thread_rank()];
    const int sum = cg::reduce(tile, value, cg::plus<int>()), most = cg::reduce(tile, value, cg::greater<int>());
    out[block.thread_rank()] = sum * 1000 + most + (int)tile.meta_group_rank();
    if (value % 3 == 0) {
        const auto met = cg::coalesced_threads();
        out[block.thread_rank()] += (int)met.size() * 1000000 + (int)(met.thread_rank() + met.shfl(1, 0)) * 10000000;
    }
}
CASE(cooperative_groups_reduce) {
    const auto in = numbers(64, 50);
    Device<int> from(in), to(64);
    groups<<<1, 64>>>(from, to);
    const auto out = to.host();
    for (int i = 0; i < 64; i++) {
        int sum = 0, most = 0, met = 0, rank = 0;
        for (int j = i / 8 * 8; j < i / 8 * 8 + 8; j++) sum += in[j], most = in[j] > most ? in[j] : most;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++)
            if (in[j] % 3 == 0) met++, rank += j < i;
        EXPECT(out[i] == sum * 1000 + most + i / 8 + (in[i] % 3 == 0 ? met * 1000000 + (rank + 1) * 10000000 : 0));
    }
}

/* One thread tells the others by a variable of the block: what they read behind a barrier is not read before it. */
__global__ void turns(const int *in, int *out, int *next) {
    __shared__ int turn, odd;
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    if (block.thread_rank() == 0) turn = atomicAdd(next, 1);
    block.sync();
    const int at = turn * (int)block.size() + (int)block.thread_rank();
    if (warp.thread_rank() == 5 && warp.meta_group_rank() == 1) odd = in[at];
    const int met = __syncthreads_count(in[at] % 2) * 10 + __syncthreads_or(in[at] == 0) + 2 * __syncthreads_and(in[at] < 50);
    int equal = 0;
    warp.match_all(odd, equal);
    out[at] = odd * 10000 + met * 2 + (equal != 0);
}
CASE(turns_of_blocks) {
    const auto in = numbers(6 * 64, 51);
    Device<int> from(in), to(6 * 64), next(1);
    turns<<<6, 64>>>(from, to, next);
    const auto out = to.host();
    for (int i = 0; i < 6 * 64; i++) {
        int odds = 0, zero = 0, below = 2;
        for (int j = i / 64 * 64; j < i / 64 * 64 + 64; j++) odds += in[j] % 2, zero |= in[j] == 0, below = in[j] < 50 ? below : 0;
        EXPECT(out[i] == in[i / 64 * 64 + 37] * 10000 + (odds * 10 + zero + below) * 2 + 1);
    }
}

__global__ void scan_block(const int *in, int *out, int *sums, int count) {
    __shared__ int now[2][128];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    int from = 0;
    now[0][t] = i < count ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        now[1 - from][t] = now[from][t] + (t >= step ? now[from][t - step] : 0);
        from = 1 - from;
        __syncthreads();
    }
    if (i < count) out[i] = now[from][t];
    if (t == 127 && sums) sums[blockIdx.x] = now[from][t];
}
__global__ void add_before(int *out, const int *sums, int count) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (blockIdx.x > 0 && i < count) out[i] += sums[blockIdx.x - 1];
}
CASE(scan_over_blocks) {
    const auto in = numbers(1500, 100);
    Device<int> from(in), to(1500), sums(12), scanned(12);
    scan_block<<<12, 128>>>(from, to, sums, 1500);
    scan_block<<<1, 128>>>(sums, scanned, nullptr, 12);
    add_before<<<12, 128>>>(to, scanned, 1500);
    const auto out = to.host();
    for (int i = 0, sum = 0; i < 1500; i++) EXPECT(out[i] == (sum += in[i]));
}

__global__ void blelloch(int *values) {  // exclusive, in place, of 256
    __shared__ int tree[256];
    const int t = threadIdx.x;
    tree[2 * t] = values[2 * t];
    tree[2 * t + 1] = values[2 * t + 1];
    int offset = 1;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) tree[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1, kept = tree[left];
            tree[left] = tree[right];
            tree[right] += kept;
        }
    }
    __syncthreads();
    values[2 * t] = tree[2 * t];
    values[2 * t + 1] = tree[2 * t + 1];
}
CASE(scan_by_a_tree) {
    const auto in = numbers(256, 1000, 7);
    Device<int> values(in);
    blelloch<<<1, 128>>>(values);
    const auto out = values.host();
    for (int i = 0, sum = 0; i < 256; sum += in[i++]) EXPECT(out[i] == sum);
}

__global__ void compact(const int *in, int count, int *out, int *kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const bool keeps = i < count && in[i] % 2 == 0;
    const unsigned mask = __ballot_sync(0xffffffffu, keeps);
    int base = 0;
    if (lane == 0) base = atomicAdd(kept, __popc(mask));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (keeps) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}
CASE(compaction_by_ballots) {
    const auto in = numbers(1000, 10000);
    Device<int> from(in), to(1000), kept(1);
    compact<<<8, 128>>>(from, 1000, to, kept);
    int count = 0;
    long long sum = 0, found = 0;
    for (int value : in)
        if (value % 2 == 0) count++, sum += (long long)value * value;
    EXPECT(kept.value() == count);
    const auto out = to.host();
    for (int i = 0; i < count; i++) found += (long long)out[i] * out[i];
    EXPECT(found == sum);
}

__global__ void histogram(const unsigned char *in, int count, unsigned *out) {
    __shared__ unsigned bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&out[b], bins[b]);
}
CASE(histogram_of_bytes) {
    std::vector<unsigned char> in(6000);
    std::vector<unsigned> bins(256);
    Numbers from;
    for (auto &value : in) value = (unsigned char)(from.below(16) * from.below(17)), bins[value]++;
    Device<unsigned char> bytes(in);
    Device<unsigned> out(256);
    histogram<<<4, 96>>>(bytes, 6000, out);
    EXPECT(out.host() == bins);
}

__global__ void histogram_by_matches(const int *in, int *bins) {
    const int value = in[blockIdx.x * 64 + threadIdx.x];
    const unsigned same = __match_any_sync(0xffffffffu, value);
    if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&bins[value], __popc(same));
}
CASE(histogram_of_matches) {
    const auto in = numbers(512, 10);
    std::vector<int> bins(10);
    for (int value : in) bins[value]++;
    Device<int> from(in), out(10);
    histogram_by_matches<<<8, 64>>>(from, out);
    EXPECT(out.host() == bins);
}

__global__ void counts(const int *in, int *out) {
    const int value = in[threadIdx.x];
    const int many = __syncthreads_count(value > 50), all = __syncthreads_and(value < 100), any = __syncthreads_or(value == 77);
    const int warp = __all_sync(0xffffffffu, value < 90) * 2 + __any_sync(0xffffffffu, value > 95);
    out[threadIdx.x] = many * 100 + all * 10 + (any != 0) + warp * 100000;
}
CASE(counts_at_barriers) {
    const auto in = numbers(96, 100, 3);
    Device<int> from(in), to(96);
    counts<<<1, 96>>>(from, to);
    int many = 0, any = 0;
    for (int value : in) many += value > 50, any |= value == 77;
    const auto out = to.host();
    for (int i = 0; i < 96; i++) {
        int below = 1, above = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++) below &= in[j] < 90, above |= in[j] > 95;
        EXPECT(out[i] == many * 100 + 10 + any + (below * 2 + above) * 100000);
    }
}

__global__ void redux(const int *in, int *out) {
    const int value = in[threadIdx.x];
    out[threadIdx.x] = __reduce_add_sync(0xffffffffu, value) + 100000 * __reduce_max_sync(0xffffffffu, value) + (int)__reduce_xor_sync(0xffffffffu, (unsigned)value);
}
CASE(reductions_by_an_instruction) {
    const auto in = numbers(32, 100);
    int sum = 0, most = 0;
    unsigned parity = 0;
    for (int value : in) sum += value, most = value > most ? value : most, parity ^= (unsigned)value;
    Device<int> from(in), to(32);
    redux<<<1, 32>>>(from, to);
    for (int value : to.host()) EXPECT(value == sum + 100000 * most + (int)parity);
}
