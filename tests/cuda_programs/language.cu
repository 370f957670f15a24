// language.cu: what C++ of kernels can do: templates, classes, recursion, tables of functions, memory of threads, printf, assembly.
#include "cases.hpp"

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__global__ void recursive(int *out) {
    out[threadIdx.x] = fibonacci(threadIdx.x % 16);
    if (threadIdx.x == 0) out[32] = ackermann(2, 3);
}
CASE(recursion) {
    Device<int> device(33);
    recursive<<<1, 32>>>(device);
    const auto out = device.host();
    int a = 0, b = 1;
    for (int i = 0; i < 16; i++) {
        EXPECT(out[i] == a && out[i + 16] == a);
        const int next = a + b;
        a = b, b = next;
    }
    EXPECT(out[32] == 9);
}

typedef int (*Operation)(int, int);
__device__ int plus_of(int a, int b) { return a + b; }
__device__ int minus_of(int a, int b) { return a - b; }
__device__ int times_of(int a, int b) { return a * b; }
__device__ Operation table[3] = {plus_of, minus_of, times_of};
__device__ Operation chosen = minus_of;
__global__ void through_pointers(int *out) {
    const int t = threadIdx.x;
    out[t] = table[t % 3](t, 7);
    out[t + 64] = chosen(t, 2);
}
CASE(function_pointers) {
    Device<int> device(128);
    through_pointers<<<1, 64>>>(device);
    const auto out = device.host();
    for (int t = 0; t < 64; t++) EXPECT(out[t] == (t % 3 == 0 ? t + 7 : t % 3 == 1 ? t - 7 : t * 7) && out[t + 64] == t - 2);
}

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Circle : Shape {
    float radius;
    __device__ Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3 * radius * radius; }
};
struct Rectangle : Shape {
    float width, height;
    __device__ Rectangle(float w, float h) : width(w), height(h) {}
    __device__ float area() const override { return width * height; }
};
__global__ void virtual_calls(float *out) {
    const int t = threadIdx.x;
    Shape *shape = t % 2 ? (Shape *)new Circle((float)t) : new Rectangle((float)t, 2);
    out[t] = shape->area();
    delete shape;
}
CASE(virtual_functions_and_new) {
    Device<float> device(40);
    virtual_calls<<<1, 40>>>(device);
    const auto out = device.host();
    for (int t = 0; t < 40; t++) EXPECT(out[t] == (t % 2 ? 3.0f * t * t : t * 2.0f));
}

template <typename Function>
__global__ void apply(Function function, int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = function(i);
}
CASE(lambdas) {
    const int factor = 3, offset = -5;
    Device<int> device(100);
    apply<<<2, 64>>>([=] __device__(int i) { return i * factor + offset; }, (int *)device, 100);
    const auto out = device.host();
    for (int i = 0; i < 100; i++) EXPECT(out[i] == i * 3 - 5);
}

template <int N>
struct Power {
    template <typename Type>
    static __host__ __device__ Type of(Type x) {
        return x * Power<N - 1>::of(x);
    }
};
template <>
struct Power<0> {
    template <typename Type>
    static __host__ __device__ Type of(Type) {
        return 1;
    }
};
template <typename Type, int N>
__global__ void powers(const Type *in, Type *out) {
    out[threadIdx.x] = Power<N>::of(in[threadIdx.x]);
}
CASE(templates) {
    std::vector<long long> in(32);
    for (int i = 0; i < 32; i++) in[i] = i - 16;
    Device<long long> from(in), to(32);
    powers<long long, 5><<<1, 32>>>(from, to);
    const auto out = to.host();
    for (int i = 0; i < 32; i++) EXPECT(out[i] == Power<5>::of(in[i]));
}

struct Particle {
    double3 place;
    char kind;
    float speed[3];
    short tags[5];
};
__global__ void by_value(Particle given, Particle *out, char small, short medium, long long large) {
    Particle made = given;
    made.place.y += threadIdx.x;
    made.speed[threadIdx.x % 3] = (float)large;
    made.tags[threadIdx.x % 5] = (short)(small + medium);
    out[threadIdx.x] = made;
}
CASE(structures_by_value) {
    Particle given = {{1, 2, 3}, 'x', {4, 5, 6}, {7, 8, 9, 10, 11}};
    Device<Particle> device(10);
    by_value<<<1, 10>>>(given, device, -3, 1000, 1LL << 40);
    const auto out = device.host();
    for (int t = 0; t < 10; t++) {
        EXPECT(out[t].place.x == 1 && out[t].place.y == 2 + t && out[t].kind == 'x');
        EXPECT(out[t].speed[t % 3] == (float)(1LL << 40) && out[t].speed[(t + 1) % 3] == given.speed[(t + 1) % 3]);
        EXPECT(out[t].tags[t % 5] == 997);
    }
}

__global__ void arrays(int *out, int n) {
    int local[20];
    for (int i = 0; i < 20; i++) local[i] = i * (int)threadIdx.x;
    for (int i = 0; i < n; i++) local[(i * 7) % 20] += local[(i * 3 + threadIdx.x) % 20];
    int sum = 0;
    for (int i = 0; i < 20; i++) sum = sum * 31 + local[i];
    out[threadIdx.x] = sum;
}
CASE(arrays_of_threads) {
    Device<int> device(50);
    arrays<<<1, 50>>>(device, 40);
    const auto out = device.host();
    for (unsigned t = 0; t < 50; t++) {
        unsigned local[20], sum = 0;
        for (int i = 0; i < 20; i++) local[i] = i * t;
        for (int i = 0; i < 40; i++) local[(i * 7) % 20] += local[(i * 3 + t) % 20];
        for (int i = 0; i < 20; i++) sum = sum * 31 + local[i];
        EXPECT(out[t] == (int)sum);
    }
}

__global__ void lists(int *out, int count) {
    struct Node {
        int value;
        Node *next;
    };
    Node *first = nullptr;
    for (int i = 0; i < count; i++) {
        Node *node = (Node *)malloc(sizeof(Node));
        node->value = i + (int)threadIdx.x, node->next = first;
        first = node;
    }
    int sum = 0;
    while (first) {
        Node *next = first->next;
        sum = sum * 3 + first->value;
        free(first);
        first = next;
    }
    out[threadIdx.x] = sum;
}
CASE(malloc_in_kernels) {
    Device<int> device(33);
    lists<<<1, 33>>>(device, 10);
    const auto out = device.host();
    for (int t = 0; t < 33; t++) {
        int sum = 0;
        for (int i = 9; i >= 0; i--) sum = sum * 3 + i + t;
        EXPECT(out[t] == sum);
    }
}

__global__ void collatz(int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i > n) return;
    long long value = i;
    int steps = 0;
    while (value != 1) {
        value = value % 2 ? 3 * value + 1 : value / 2;
        steps++;
    }
    out[i - 1] = steps;
}
CASE(loops_of_different_lengths) {
    Device<int> device(500);
    collatz<<<4, 128>>>(device, 500);
    const auto out = device.host();
    for (int i = 1; i <= 500; i++) {
        int steps = 0;
        for (long long value = i; value != 1; steps++) value = value % 2 ? 3 * value + 1 : value / 2;
        EXPECT(out[i - 1] == steps);
    }
}

__global__ void switches(const int *in, int *out) {
    const int value = in[threadIdx.x];
    int result = 0;
    switch (value) {
        case 0: result = 10; break;
        case 1: result = 5;
        case 2: result += 7; break;
        case 5: result = -1; break;
        case 6:
        case 7: result = value * value; break;
        default: result = 99;
    }
    for (int i = 0; i < 10; i++) {
        if (i == value) continue;
        if (i > value + 3) break;
        result += i;
    }
    out[threadIdx.x] = result;
}
CASE(switches_and_breaks) {
    const auto in = numbers(64, 10);
    Device<int> from(in), to(64);
    switches<<<1, 64>>>(from, to);
    const auto out = to.host();
    for (int t = 0; t < 64; t++) {
        const int value = in[t];
        int result = value == 0 ? 10 : value == 1 ? 12 : value == 2 ? 7 : value == 5 ? -1 : value == 6 || value == 7 ? value * value : 99;
        for (int i = 0; i < 10 && i <= value + 3; i++) result += i == value ? 0 : i;
        EXPECT(out[t] == result);
    }
}

__global__ void print(int n) {
    if (threadIdx.x == 3) printf("thread %d of block %d: %s %.3f %c %lld %5u|%-5d|%%\n", threadIdx.x, blockIdx.x, "text", 2.5 * n, 'z', 1LL << 40, 42u, -7);
}
CASE(printf_of_kernels) {
    // prints: thread 3 of block 0: text 7.500 z 1099511627776    42|-7   |%
    print<<<1, 32>>>(3);
    WORKS(cudaDeviceSynchronize());
    std::fflush(stdout);
}

__global__ void assembly(const unsigned *in, unsigned *out, unsigned long long *wide) {
    const unsigned value = in[threadIdx.x];
    unsigned result, lane, high;
    asm("{\n\t.reg .u32 t;\n\tmul.lo.u32 t, %1, 3;\n\tadd.u32 %0, t, 1;\n\t}" : "=r"(result) : "r"(value));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(high) : "r"(value), "r"(0x80000001u));
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(wide[threadIdx.x]) : "r"(value), "r"(value), "l"(5ULL));
    out[threadIdx.x] = result ^ lane << 8 ^ high;
}
CASE(assembly_of_programs) {
    std::vector<unsigned> in(40);
    for (unsigned i = 0; i < 40; i++) in[i] = i * 2654435761u;
    Device<unsigned> from(in), to(40);
    Device<unsigned long long> wide(40);
    assembly<<<1, 40>>>(from, to, wide);
    const auto out = to.host();
    const auto products = wide.host();
    for (unsigned t = 0; t < 40; t++) {
        EXPECT(out[t] == ((in[t] * 3 + 1) ^ (t % 32) << 8 ^ (unsigned)(in[t] * 0x80000001ull >> 32)));
        EXPECT(products[t] == (unsigned long long)in[t] * in[t] + 5);
    }
}

__device__ int counter_of_module = 100;
static __device__ unsigned long long hidden[4] = {1, 2, 3, 4};
__global__ void variables(int *out) {
    out[threadIdx.x] = atomicAdd(&counter_of_module, 2);
    atomicAdd(&hidden[threadIdx.x % 4], 10ull);
}
CASE(variables_of_modules) {
    Device<int> device(16);
    variables<<<1, 16>>>(device);
    int counter = 0;
    unsigned long long values[4];
    WORKS(cudaMemcpyFromSymbol(&counter, counter_of_module, sizeof counter));
    WORKS(cudaMemcpyFromSymbol(values, hidden, sizeof values));
    EXPECT(counter == 132);
    for (int i = 0; i < 4; i++) EXPECT(values[i] == i + 1 + 40u);
    counter = 7;
    WORKS(cudaMemcpyToSymbol(counter_of_module, &counter, sizeof counter));
    variables<<<1, 1>>>(device);
    EXPECT(device.value() == 7);
}

__global__ void __launch_bounds__(64, 2) bounded(int *out) { out[threadIdx.x] = blockDim.x; }
CASE(launch_bounds) {
    Device<int> device(64);
    bounded<<<1, 64>>>(device);
    EXPECT(device.value(63) == 64);
    cudaFuncAttributes attributes;
    WORKS(cudaFuncGetAttributes(&attributes, bounded));
    EXPECT(attributes.maxThreadsPerBlock == 64);
    bounded<<<1, 128>>>(device);
    EXPECT(cudaGetLastError() == cudaErrorLaunchOutOfResources);
}

union Bits {
    float number;
    unsigned bits;
};
struct Packed {
    unsigned low : 5, middle : 11, high : 16;
};
__global__ void representations(const float *in, unsigned *out, Packed *packed) {
    Bits bits;
    bits.number = in[threadIdx.x];
    out[threadIdx.x] = bits.bits;
    Packed made = {bits.bits & 31, bits.bits >> 5 & 2047, bits.bits >> 16};
    made.middle += 1;
    packed[threadIdx.x] = made;
}
CASE(unions_and_bit_fields) {
    const auto in = fractions(32);
    Device<float> from(in);
    Device<unsigned> to(32);
    Device<Packed> packed(32);
    representations<<<1, 32>>>(from, to, packed);
    const auto out = to.host();
    const auto fields = packed.host();
    for (int t = 0; t < 32; t++) {
        unsigned bits;
        std::memcpy(&bits, &in[t], 4);
        EXPECT(out[t] == bits && fields[t].low == (bits & 31) && fields[t].middle == ((bits >> 5) + 1 & 2047) && fields[t].high == bits >> 16);
    }
}

__global__ void times(long long *out) {
    const long long before = clock64();
    const clock_t short_before = clock();
    __nanosleep(threadIdx.x * 10);
    const clock_t short_after = clock();
    const long long after = clock64();
    out[threadIdx.x] = after - before;
    out[32 + threadIdx.x] = (int)((unsigned)short_after - (unsigned)short_before);
}
CASE(time_passes) {
    Device<long long> device(64);
    times<<<1, 32>>>(device);
    const auto out = device.host();
    for (int i = 0; i < 32; i++) EXPECT(out[i] > 0 && out[32 + i] >= 0 && out[32 + i] <= out[i]);
}
