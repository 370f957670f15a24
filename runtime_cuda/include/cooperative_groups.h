/* cooperative_groups.h: groups of threads: the block, tiles of warps, lanes that came together, the grid. */
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

namespace details {

/* One for all groups, so that functions may take any of them. */
MOG_CUDA_DEVICE unsigned lane_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
MOG_CUDA_DEVICE unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }

/* The grid's barrier: blocks that have come to it, and how often all had. Launches of one source's cooperative kernels at the same time
 * would share it. */
static __device__ unsigned grid_arrivals __attribute__((unused)) = 0;
static __device__ unsigned grid_rounds __attribute__((unused)) = 0;

}  // namespace details

template <typename Type>
struct plus {
    __device__ Type operator()(Type a, Type b) const { return a + b; }
};
template <typename Type>
struct less {
    __device__ Type operator()(Type a, Type b) const { return b < a ? b : a; }
};
template <typename Type>
struct greater {
    __device__ Type operator()(Type a, Type b) const { return a < b ? b : a; }
};
template <typename Type>
struct bit_and {
    __device__ Type operator()(Type a, Type b) const { return a & b; }
};
template <typename Type>
struct bit_or {
    __device__ Type operator()(Type a, Type b) const { return a | b; }
};
template <typename Type>
struct bit_xor {
    __device__ Type operator()(Type a, Type b) const { return a ^ b; }
};

/* All threads of a block. */
class thread_block {
public:
    static __device__ void sync() { __syncthreads(); }
    static __device__ unsigned thread_rank() { return details::lane_in_block(); }
    static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ unsigned num_threads() { return size(); }
    static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static __device__ dim3 dim_threads() { return group_dim(); }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }

/* All threads of a launch by cudaLaunchCooperativeKernel(). */
class grid_group {
public:
    __device__ bool is_valid() const { return true; }
    __device__ void sync() const {
        // (Of each thread, for --check asks each whether what it did was in order with others.)
        __threadfence();
        __syncthreads();
        if (details::lane_in_block() == 0) {
            const unsigned round = *(volatile unsigned *)&details::grid_rounds;
            if (atomicAdd(&details::grid_arrivals, 1u) == gridDim.x * gridDim.y * gridDim.z - 1) {
                details::grid_arrivals = 0;
                __threadfence();
                atomicAdd(&details::grid_rounds, 1u);
            } else {
                while (*(volatile unsigned *)&details::grid_rounds == round) __nanosleep(100);
            }
        }
        // The others of a warp come here while the first of them waits.
        asm volatile("barrier.sync 0;" ::: "memory");
        __threadfence();
    }
    static __device__ unsigned long long block_rank() {
        return (blockIdx.z * (unsigned long long)gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static __device__ unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    static __device__ unsigned long long thread_rank() { return block_rank() * thread_block::size() + details::lane_in_block(); }
    static __device__ unsigned long long size() { return num_blocks() * thread_block::size(); }
    static __device__ unsigned long long num_threads() { return size(); }
    static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static __device__ dim3 group_dim() { return dim_blocks(); }
    static __device__ dim3 block_index() { return thread_block::group_index(); }
};
__device__ inline grid_group this_grid() { return grid_group(); }

/* Some lanes of a warp. */
class coalesced_group {
public:
    explicit __device__ coalesced_group(unsigned mask, unsigned meta = 0, unsigned metas = 1) : mask_(mask), meta_(meta), metas_(metas) {}
    __device__ void sync() const { __syncwarp(mask_); }
    __device__ unsigned size() const { return __popc(mask_); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const { return __popc(mask_ & __nvvm_read_ptx_sreg_lanemask_lt()); }
    __device__ unsigned meta_group_rank() const { return meta_; }
    __device__ unsigned meta_group_size() const { return metas_; }
    __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
    __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
    __device__ unsigned ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
    template <typename Type>
    __device__ unsigned match_any(Type value) const {
        return packed(__match_any_sync(mask_, value));
    }
    template <typename Type>
    __device__ unsigned match_all(Type value, int &all) const {
        return packed(__match_all_sync(mask_, value, &all));
    }
    template <typename Type>
    __device__ Type shfl(Type value, unsigned rank) const {
        return __shfl_sync(mask_, value, lane_of(rank % size()));
    }
    template <typename Type>
    __device__ Type shfl_up(Type value, unsigned distance) const {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of(rank < distance ? rank : rank - distance));
    }
    template <typename Type>
    __device__ Type shfl_down(Type value, unsigned distance) const {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of(rank + distance < size() ? rank + distance : rank));
    }
    template <typename Type>
    __device__ Type shfl_xor(Type value, unsigned ranks) const {
        const unsigned other = thread_rank() ^ ranks;
        return __shfl_sync(mask_, value, lane_of(other < size() ? other : thread_rank()));
    }

protected:
    /* The lane that has a rank: the group's lane before which there are so many. */
    __device__ int lane_of(unsigned rank) const { return (int)__fns(mask_, 0, (int)rank + 1); }
    /* A mask of lanes as one of ranks. */
    __device__ unsigned packed(unsigned lanes) const {
        unsigned ranks = 0, bit = 1;
        for (unsigned left = mask_; left; left &= left - 1, bit <<= 1)
            if (lanes & left & (0 - left)) ranks |= bit;
        return ranks;
    }
    unsigned mask_, meta_, metas_;
};
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* As many threads in a row as a power of two says, within a warp. */
template <unsigned Size, typename Parent = void>
class thread_block_tile;
/* Of whatever group: a tile of any can be kept as one. */
template <unsigned Size>
class thread_block_tile<Size, void> {
    static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");

public:
    static __device__ unsigned mask() {
        return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (details::lane() & ~(Size - 1) & 31);
    }
    static __device__ void sync() { __syncwarp(mask()); }
    static constexpr __device__ unsigned size() { return Size; }
    static constexpr __device__ unsigned num_threads() { return Size; }
    static __device__ unsigned thread_rank() { return details::lane() & (Size - 1); }
    static __device__ unsigned meta_group_rank() { return details::lane_in_block() / Size; }
    static __device__ unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
    static __device__ int any(int predicate) { return __any_sync(mask(), predicate); }
    static __device__ int all(int predicate) { return __all_sync(mask(), predicate); }
    static __device__ unsigned ballot(int predicate) { return own(__ballot_sync(mask(), predicate)); }
    template <typename Type>
    static __device__ unsigned match_any(Type value) {
        return own(__match_any_sync(mask(), value));
    }
    template <typename Type>
    static __device__ unsigned match_all(Type value, int &all) {
        return own(__match_all_sync(mask(), value, &all));
    }
    template <typename Type>
    static __device__ Type shfl(Type value, unsigned rank) {
        return __shfl_sync(mask(), value, (int)rank, Size);
    }
    template <typename Type>
    static __device__ Type shfl_up(Type value, unsigned distance) {
        return __shfl_up_sync(mask(), value, distance, Size);
    }
    template <typename Type>
    static __device__ Type shfl_down(Type value, unsigned distance) {
        return __shfl_down_sync(mask(), value, distance, Size);
    }
    template <typename Type>
    static __device__ Type shfl_xor(Type value, unsigned ranks) {
        return __shfl_xor_sync(mask(), value, (int)ranks, Size);
    }

private:
    static __device__ unsigned own(unsigned lanes) {
        return Size == 32 ? lanes : lanes >> (details::lane() & ~(Size - 1) & 31) & ((1u << (Size & 31)) - 1);
    }
};
template <unsigned Size, typename Parent>
class thread_block_tile : public thread_block_tile<Size, void> {};

template <unsigned Size, typename Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return thread_block_tile<Size, Parent>();
}
__device__ inline coalesced_group tiled_partition(const thread_block &, unsigned size) {
    const unsigned first = details::lane() & ~(size - 1);
    return coalesced_group((size >= 32 ? 0xffffffffu : ((1u << size) - 1) << first) & __activemask(), details::lane_in_block() / size,
                           (thread_block::size() + size - 1) / size);
}
template <typename Group>
__device__ inline coalesced_group binary_partition(const Group &, bool predicate) {
    const unsigned active = __activemask(), set = __ballot_sync(active, predicate);
    return coalesced_group(predicate ? set : active & ~set, predicate, 2);
}
template <typename Group>
__device__ inline coalesced_group labeled_partition(const Group &, int label) {
    return coalesced_group(__match_any_sync(__activemask(), label));
}

template <typename Group>
__device__ inline void sync(const Group &group) {
    group.sync();
}
template <typename Group>
__device__ inline unsigned group_size(const Group &group) {
    return group.size();
}
template <typename Group>
__device__ inline unsigned thread_rank(const Group &group) {
    return group.thread_rank();
}

/* All of a group's values in one; every thread gets it. */
template <typename Group, typename Type, typename Operation>
__device__ inline Type reduce(const Group &group, Type value, Operation operation) {
    // Each rank takes what is beside it; after as many steps as there are bits rank 0 has all.
    const unsigned size = group.size(), rank = group.thread_rank();
    for (unsigned step = 1; step < size; step *= 2) {
        const Type other = group.shfl_down(value, step);
        if (rank % (2 * step) == 0 && rank + step < size) value = operation(value, other);
    }
    return group.shfl(value, 0);
}
template <typename Group, typename Type, typename Operation>
__device__ inline Type inclusive_scan(const Group &group, Type value, Operation operation) {
    for (unsigned step = 1; step < group.size(); step *= 2) {
        const Type other = group.shfl_up(value, step);
        if (group.thread_rank() >= step) value = operation(other, value);
    }
    return value;
}
template <typename Group, typename Type>
__device__ inline Type inclusive_scan(const Group &group, Type value) {
    return inclusive_scan(group, value, plus<Type>());
}
template <typename Group, typename Type, typename Operation>
__device__ inline Type exclusive_scan(const Group &group, Type value, Operation operation) {
    const Type all = inclusive_scan(group, value, operation), before = group.shfl_up(all, 1);
    return group.thread_rank() == 0 ? Type() : before;
}
template <typename Group, typename Type>
__device__ inline Type exclusive_scan(const Group &group, Type value) {
    return exclusive_scan(group, value, plus<Type>());
}

/* Copies of a whole group, done when wait() returns; here when the copy returns and all have met. */
template <typename Group, typename Type>
__device__ inline void memcpy_async(const Group &group, Type *to, const Type *from, size_t bytes) {
    for (size_t i = group.thread_rank(); i < bytes / sizeof(Type); i += group.size()) to[i] = from[i];
}
template <typename Group>
__device__ inline void wait(const Group &group) {
    group.sync();
}

}  // namespace cooperative_groups
