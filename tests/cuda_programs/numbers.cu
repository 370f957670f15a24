// numbers.cu: arithmetic: divisions, bits, rounding, mathematics, halves, random numbers, physics, finance, fractals.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "cases.hpp"

__global__ void divisions(const long long *a, const long long *b, long long *out) {
    const int t = threadIdx.x;
    const long long x = a[t], y = b[t];
    out[t * 8] = x / y, out[t * 8 + 1] = x % y;
    out[t * 8 + 2] = (long long)((unsigned long long)x / (unsigned long long)y), out[t * 8 + 3] = (long long)((unsigned long long)x % (unsigned long long)y);
    out[t * 8 + 4] = (int)x / (int)y, out[t * 8 + 5] = (int)x % (int)y;
    out[t * 8 + 6] = (unsigned)x / (unsigned)y, out[t * 8 + 7] = x >> (y & 63);
}
CASE(whole_divisions) {
    std::vector<long long> a, b;
    Numbers from;
    for (int i = 0; i < 64; i++) {
        a.push_back(((long long)from.next() << 40 | (long long)from.next() << 10) * (i % 2 ? -1 : 1) + i);
        b.push_back(((long long)from.next() << (i % 5) * 6 | 1) * (i % 3 ? 1 : -1));
    }
    Device<long long> da(a), db(b), device(64 * 8);
    divisions<<<1, 64>>>(da, db, device);
    const auto out = device.host();
    for (int t = 0; t < 64; t++) {
        const long long x = a[t], y = b[t];
        EXPECT(out[t * 8] == x / y && out[t * 8 + 1] == x % y);
        EXPECT(out[t * 8 + 2] == (long long)((unsigned long long)x / (unsigned long long)y) && out[t * 8 + 3] == (long long)((unsigned long long)x % (unsigned long long)y));
        EXPECT(out[t * 8 + 4] == (int)x / (int)y && out[t * 8 + 5] == (int)x % (int)y);
        EXPECT(out[t * 8 + 6] == (unsigned)x / (unsigned)y && out[t * 8 + 7] == x >> (y & 63));
    }
}

__global__ void bits(const unsigned *in, unsigned *out) {
    const unsigned x = in[threadIdx.x], y = in[(threadIdx.x + 1) % 32];
    unsigned *to = out + threadIdx.x * 12;
    to[0] = __popc(x), to[1] = __clz((int)x), to[2] = __ffs((int)x), to[3] = __brev(x), to[4] = __byte_perm(x, y, 0x6132);
    to[5] = __funnelshift_l(x, y, 9), to[6] = __umulhi(x, y), to[7] = (unsigned)__mulhi((int)x, (int)y), to[8] = __vadd4(x, y), to[9] = (unsigned)__dp4a((int)x, (int)y, 3);
    to[10] = __usad(x, y, 1), to[11] = (unsigned)__clzll((long long)x) + (unsigned)__popcll((unsigned long long)x << 32 | y);
}
CASE(bits_and_bytes) {
    std::vector<unsigned> in(32);
    for (unsigned i = 0; i < 32; i++) in[i] = i < 3 ? i : i * 2654435761u;
    Device<unsigned> from(in), to(32 * 12);
    bits<<<1, 32>>>(from, to);
    const auto out = to.host();
    for (unsigned t = 0; t < 32; t++) {
        const unsigned x = in[t], y = in[(t + 1) % 32], *is = &out[t * 12];
        unsigned reversed = 0, bytes = 0, sums = 0;
        int dot = 3;
        for (int i = 0; i < 32; i++) reversed |= (x >> i & 1) << (31 - i);
        const unsigned long long both = (unsigned long long)y << 32 | x;
        const int selected[] = {2, 3, 1, 6};
        for (int i = 0; i < 4; i++) {
            bytes |= (unsigned)(both >> selected[i] * 8 & 255) << i * 8;
            sums |= ((x >> i * 8) + (y >> i * 8) & 255) << i * 8;
            dot += (int)(signed char)(x >> i * 8) * (int)(signed char)(y >> i * 8);
        }
        EXPECT(is[0] == (unsigned)__builtin_popcount(x) && is[1] == (x ? (unsigned)__builtin_clz(x) : 32) && is[2] == (unsigned)__builtin_ffs((int)x) && is[3] == reversed);
        EXPECT(is[4] == bytes && is[5] == (unsigned)(both << 9 >> 32) && is[6] == (unsigned)((unsigned long long)x * y >> 32));
        EXPECT(is[7] == (unsigned)((long long)(int)x * (int)y >> 32) && is[8] == sums && is[9] == (unsigned)dot);
        EXPECT(is[10] == (x > y ? x - y : y - x) + 1 && is[11] == (x ? (unsigned)__builtin_clzll(x) : 64) + (unsigned)__builtin_popcountll((unsigned long long)x << 32 | y));
    }
}

__global__ void rounding(const float *in, float *out, int *whole) {
    const float x = in[threadIdx.x], y = in[(threadIdx.x + 5) % 32];
    float *to = out + threadIdx.x * 8;
    to[0] = __fadd_rd(x, y), to[1] = __fadd_ru(x, y), to[2] = __fmul_rz(x, y), to[3] = __fdiv_rn(x, y), to[4] = __fsqrt_rn(fabsf(x)), to[5] = __fmaf_rn(x, y, 1);
    to[6] = __frcp_rn(y), to[7] = __saturatef(x * 3);
    whole[threadIdx.x * 4] = __float2int_rd(x * 100), whole[threadIdx.x * 4 + 1] = __float2int_rn(x * 100), whole[threadIdx.x * 4 + 2] = (int)(x * 100);
    whole[threadIdx.x * 4 + 3] = __float_as_int(x);
}
CASE(rounding_modes) {
    const auto in = fractions(32, 3);
    Device<float> from(in), to(32 * 8);
    Device<int> device(32 * 4);
    rounding<<<1, 32>>>(from, to, device);
    const auto out = to.host();
    const auto whole = device.host();
    for (int t = 0; t < 32; t++) {
        const float x = in[t], y = in[(t + 5) % 32], *is = &out[t * 8];
        const double sum = (double)x + y, product = (double)x * y;
        EXPECT((double)is[0] <= sum && (double)is[1] >= sum && std::nextafter(is[0], INFINITY) >= is[1]);
        EXPECT(std::fabs((double)is[2]) <= std::fabs(product) && std::fabs((double)std::nextafter(is[2], is[2] < 0 ? -INFINITY : INFINITY)) > std::fabs(product));
        EXPECT(is[3] == x / y && is[4] == std::sqrt(std::fabs(x)) && is[5] == std::fma(x, y, 1.0f) && is[6] == 1 / y);
        EXPECT(is[7] == std::fmin(std::fmax(x * 3, 0.0f), 1.0f));
        EXPECT(whole[t * 4] == (int)std::floor(x * 100) && whole[t * 4 + 1] == (int)std::nearbyint(x * 100) && whole[t * 4 + 2] == (int)(x * 100));
    }
}

__global__ void functions(const double *in, double *out, float *single) {
    const double x = in[threadIdx.x];
    const float y = (float)x;
    double *to = out + threadIdx.x * 16;
    to[0] = exp(x), to[1] = log(fabs(x)), to[2] = sin(x), to[3] = cos(x), to[4] = tan(x), to[5] = atan2(x, 2), to[6] = pow(fabs(x), 1.5), to[7] = cbrt(x);
    to[8] = sinh(x), to[9] = tanh(x), to[10] = erf(x), to[11] = tgamma(fabs(x) + 0.5), to[12] = log1p(fabs(x)), to[13] = hypot(x, 3.0), to[14] = fmod(x, 0.7), to[15] = asinh(x);
    float *also = single + threadIdx.x * 12;
    also[0] = expf(y), also[1] = logf(fabsf(y)), also[2] = sinf(y), also[3] = cosf(y), also[4] = powf(fabsf(y), 1.5f), also[5] = tanhf(y), also[6] = atanf(y);
    also[7] = __expf(y), also[8] = rsqrtf(fabsf(y)), also[9] = __sinf(y), also[10] = exp2f(y), also[11] = std::cbrt(y);
}
CASE(mathematics) {
    std::vector<double> in(64);
    for (int i = 0; i < 64; i++) in[i] = (i - 31.7) * 0.31;
    Device<double> from(in), to(64 * 16);
    Device<float> single(64 * 12);
    functions<<<2, 32>>>(from, to, single);
    functions<<<1, 64>>>(from, to, single);
    const auto out = to.host();
    const auto also = single.host();
    for (int t = 0; t < 64; t++) {
        const double x = in[t], *is = &out[t * 16];
        const float y = (float)x, *f = &also[t * 12];
        const double should[] = {std::exp(x), std::log(std::fabs(x)), std::sin(x), std::cos(x), std::tan(x), std::atan2(x, 2), std::pow(std::fabs(x), 1.5), std::cbrt(x), std::sinh(x),
                                 std::tanh(x), std::erf(x), std::tgamma(std::fabs(x) + 0.5), std::log1p(std::fabs(x)), std::hypot(x, 3.0), std::fmod(x, 0.7), std::asinh(x)};
        for (int i = 0; i < 16; i++) EXPECT(std::fabs(is[i] - should[i]) <= 4e-15 * std::fabs(should[i]) + 1e-300);
        const float too[] = {std::exp(y), std::log(std::fabs(y)), std::sin(y), std::cos(y), std::pow(std::fabs(y), 1.5f), std::tanh(y), std::atan(y),
                             std::exp(y), 1 / std::sqrt(std::fabs(y)), std::sin(y), std::exp2(y), std::cbrt(y)};
        for (int i = 0; i < 12; i++) EXPECT(std::fabs(f[i] - too[i]) <= (i == 9 ? 2e-5f : 2e-6f * std::fabs(too[i]) * (i == 7 ? 3 : 1)) + 1e-30f);
    }
}

__global__ void halves(const float *in, float *out, half *sum, __half2 *pair, __nv_bfloat16 *small) {
    const half x = __float2half(in[threadIdx.x]), y = __float2half(in[(threadIdx.x + 1) % 32]);
    float *to = out + threadIdx.x * 8;
    to[0] = __half2float(x), to[1] = __half2float(x + y), to[2] = __half2float(__hmul(x, y)), to[3] = __half2float(__hfma(x, y, x)), to[4] = __half2float(hsqrt(__habs(x)));
    const __half2 both = __hadd2(__halves2half2(x, y), __float2half2_rn(1.0f));
    to[5] = __low2float(both) + __high2float(both), to[6] = x < y, to[7] = (float)(__nv_bfloat16(in[threadIdx.x]) * __nv_bfloat16(3.0f));
    atomicAdd(sum, half(0.25f));
    atomicAdd(pair, __floats2half2_rn(0.5f, 1.0f));
    small[threadIdx.x] = __float2bfloat16(in[threadIdx.x]);
}
CASE(half_precision) {
    const auto in = fractions(32, 8);
    Device<float> from(in), to(32 * 8);
    Device<half> sum(1);
    Device<__half2> pair(1);
    Device<__nv_bfloat16> small(32);
    halves<<<1, 32>>>(from, to, sum, pair, small);
    const auto out = to.host();
    const auto rounded = [](double value) {  // to 11 bits
        int exponent;
        std::frexp(value, &exponent);
        const double unit = std::ldexp(1.0, std::max(exponent - 11, -24));
        return std::nearbyint(value / unit) * unit;
    };
    for (int t = 0; t < 32; t++) {
        const double x = rounded(in[t]), y = rounded(in[(t + 1) % 32]);
        const float *is = &out[t * 8];
        EXPECT(is[0] == x && is[1] == rounded(x + y) && is[2] == rounded(x * y) && is[3] == rounded(x * y + x));
        EXPECT(is[4] == rounded(std::sqrt((float)std::fabs(x))) && is[5] == (float)(rounded(x + 1) + rounded(y + 1)) && is[6] == (x < y));
        unsigned word;
        std::memcpy(&word, &in[t], 4);
        EXPECT(small.host()[t].bits == (unsigned short)((word + 0x7fff + (word >> 16 & 1)) >> 16));
    }
    EXPECT((float)sum.value() == 8 && (float)pair.value().x == 16 && (float)pair.value().y == 32);
    for (unsigned i = 0; i < 0x10000; i += 7) {  // the host's conversions
        const half h = __ushort_as_half((unsigned short)i);
        EXPECT(__hisnan(h) || __half_as_ushort(__float2half(__half2float(h))) == i);
    }
}

/* Pairs of halves: the lower one is of x and y, the upper one of y and x; NaN in some. */
__global__ void pairs_of_halves(const float *in, unsigned *bits, float *to) {
    const unsigned i = threadIdx.x;
    const half x = in[i], y = in[i + 32], one = 1.0f;
    const __half2 a(x, y), b(y, x);
    const __half2 answers[] = {__heq2(a, b), __hne2(a, b), __hlt2(a, b), __hle2(a, b), __hgt2(a, b), __hge2(a, b), __hequ2(a, b),
                               __hneu2(a, b), __hltu2(a, b), __hleu2(a, b), __hgtu2(a, b), __hgeu2(a, b), __hisnan2(a)};
    unsigned word = 0;
    for (int k = 0; k < 13; k++) word |= (unsigned)((float)answers[k].x == 1) << k | (unsigned)((float)answers[k].y == 1) << (k + 13);
    bits[i] = word | (unsigned)__hbne2(a, b) << 26 | (unsigned)__hbltu2(a, __half2(one, one)) << 27;
    const __half2 clamped = __hmul2_sat(a, b), cut = __hfma2_relu(a, b, __half2(x, y)), least = __hmin2_nan(a, b), most = __hmax2(a, b);
    to[i * 6] = (float)clamped.x, to[i * 6 + 1] = (float)__hsub_sat(x, y), to[i * 6 + 2] = (float)cut.x, to[i * 6 + 3] = (float)cut.y;
    to[i * 6 + 4] = (float)least.x, to[i * 6 + 5] = (float)most.y;
}
CASE(halves_in_pairs) {
    std::vector<float> in(64);
    for (int i = 0; i < 64; i++) in[i] = (float)(i * 7 % 13 - 6) / 4;
    in[5] = in[40] = in[9] = in[41] = NAN;
    Device<float> from(in), to(32 * 6);
    Device<unsigned> bits(32);
    pairs_of_halves<<<1, 32>>>(from, bits, to);
    const auto words = bits.host();
    const auto out = to.host();
    for (int i = 0; i < 32; i++) {
        const float x = in[i], y = in[i + 32];
        const bool none = x != x || y != y;
        const auto asked = [&](float a, float b) {
            const bool is[] = {a == b, a != b, a < b, a <= b, a > b, a >= b};
            unsigned word = a != a ? 1u << 12 : 0;
            for (int k = 0; k < 6; k++) word |= (unsigned)(!none && is[k]) << k | (unsigned)(none || is[k]) << (k + 6);
            return word;
        };
        const unsigned both_ne = !none && x != y, both_ltu = (x != x || x < 1) && (y != y || y < 1);
        EXPECT(words[i] == (asked(x, y) | asked(y, x) << 13 | both_ne << 26 | both_ltu << 27));
        const auto clamped = [](float value) { return value > 0 ? std::min(value, 1.0f) : 0.0f; };
        const auto same = [](float a, float b) { return a == b || (a != a && b != b); };
        const auto cut = [](float value) { return value < 0 ? 0.0f : value; };
        EXPECT(out[i * 6] == clamped(x * y) && out[i * 6 + 1] == clamped(x - y));
        EXPECT(same(out[i * 6 + 2], cut(x * y + x)) && same(out[i * 6 + 3], cut(x * y + y)));
        EXPECT(same(out[i * 6 + 4], none ? NAN : std::min(x, y)) && same(out[i * 6 + 5], std::fmax(x, y)));
    }
}

__global__ void mandelbrot(int *out, int width, int height, int limit) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const double cr = -2 + 3.0 * x / width, ci = -1 + 2.0 * y / height;
    double zr = 0, zi = 0;
    int count = 0;
    while (count < limit && __dadd_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)) < 4) {
        const double next = __dadd_rn(__dsub_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)), cr);
        zi = __dadd_rn(__dmul_rn(2 * zr, zi), ci), zr = next;
        count++;
    }
    out[y * width + x] = count;
}
CASE(mandelbrot_set) {
    const int width = 48, height = 32;
    Device<int> device(width * height);
    mandelbrot<<<dim3(3, 4), dim3(16, 8)>>>(device, width, height, 60);
    const auto out = device.host();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const double cr = -2 + 3.0 * x / width, ci = -1 + 2.0 * y / height;
            double zr = 0, zi = 0;
            int count = 0;
            while (count < 60 && zr * zr + zi * zi < 4) {
                const double next = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci, zr = next;
                count++;
            }
            EXPECT(out[y * width + x] == count);
        }
}

__global__ void monte_carlo(unsigned long long seed, int draws, unsigned *inside) {
    unsigned long long state = seed + (blockIdx.x * blockDim.x + threadIdx.x) * 0x9e3779b97f4a7c15ull;
    unsigned count = 0;
    for (int i = 0; i < draws; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        const unsigned x = (unsigned)(state >> 48), y = (unsigned)(state >> 16) & 0xffff;
        count += (unsigned long long)x * x + (unsigned long long)y * y < (1ull << 32);
    }
    for (int step = 16; step; step /= 2) count += __shfl_down_sync(0xffffffffu, count, step);
    if ((threadIdx.x & 31) == 0) atomicAdd(inside, count);
}
CASE(monte_carlo) {
    Device<unsigned> device(1);
    monte_carlo<<<4, 64>>>(42, 50, device);
    unsigned all = 0;
    for (unsigned long long t = 0; t < 256; t++) {
        unsigned long long state = 42 + t * 0x9e3779b97f4a7c15ull;
        for (int i = 0; i < 50; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            const unsigned x = (unsigned)(state >> 48), y = (unsigned)(state >> 16) & 0xffff;
            all += (unsigned long long)x * x + (unsigned long long)y * y < (1ull << 32);
        }
    }
    EXPECT(device.value() == all);
}

__global__ void bodies(const float4 *places, float3 *forces, int n) {
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 mine = places[i];
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = places[first + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < blockDim.x; j++) {
            const float dx = tile[j].x - mine.x, dy = tile[j].y - mine.y, dz = tile[j].z - mine.z;
            const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f), scale = tile[j].w * inverse * inverse * inverse;
            sum.x += dx * scale, sum.y += dy * scale, sum.z += dz * scale;
        }
        __syncthreads();
    }
    forces[i] = sum;
}
CASE(many_bodies) {
    const int n = 96;
    std::vector<float4> places(n);
    Numbers from;
    for (auto &place : places) place = make_float4(from.unit(), from.unit(), from.unit(), from.unit());
    Device<float4> device(places);
    Device<float3> out(n);
    bodies<<<3, 32, 32 * sizeof(float4)>>>(device, out, n);
    const auto forces = out.host();
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            const double dx = places[j].x - places[i].x, dy = places[j].y - places[i].y, dz = places[j].z - places[i].z;
            const double scale = places[j].w * std::pow(dx * dx + dy * dy + dz * dz + 0.01, -1.5);
            x += dx * scale, y += dy * scale, z += dz * scale;
        }
        EXPECT(near(forces[i].x, x, 1e-4) && near(forces[i].y, y, 1e-4) && near(forces[i].z, z, 1e-4));
    }
}

__global__ void options(const float *price, const float *strike, const float *years, float *call, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float rate = 0.02f, volatility = 0.3f, root = sqrtf(years[i]);
    const float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root), d2 = d1 - volatility * root;
    call[i] = price[i] * normcdff(d1) - strike[i] * expf(-rate * years[i]) * normcdff(d2);
}
CASE(black_and_scholes) {
    std::vector<float> price(100), strike(100), years(100);
    for (int i = 0; i < 100; i++) price[i] = 5 + i * 0.25f, strike[i] = 1 + i * 0.9f, years[i] = 0.25f + i * 0.1f;
    Device<float> a(price), b(strike), c(years), out(100);
    options<<<2, 64>>>(a, b, c, out, 100);
    const auto call = out.host();
    for (int i = 0; i < 100; i++) {
        const double root = std::sqrt(years[i]), d1 = (std::log((double)price[i] / strike[i]) + (0.02 + 0.045) * years[i]) / (0.3 * root), d2 = d1 - 0.3 * root;
        const double should = price[i] * 0.5 * std::erfc(-d1 / std::sqrt(2.0)) - strike[i] * std::exp(-0.02 * years[i]) * 0.5 * std::erfc(-d2 / std::sqrt(2.0));
        EXPECT(std::fabs(call[i] - should) < 2e-5 * std::fmax(1.0, price[i]));
    }
}

__global__ void checksums(const unsigned char *in, int length, unsigned *out) {  // CRC-32 of a row each
    unsigned crc = ~0u;
    for (int i = 0; i < length; i++) {
        crc ^= in[threadIdx.x * length + i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    out[threadIdx.x] = ~crc;
}
CASE(checksums_of_rows) {
    std::vector<unsigned char> in(32 * 9);
    for (int t = 0; t < 32; t++) std::memcpy(&in[t * 9], "123456789", 9);
    in[9] = 'x';
    Device<unsigned char> from(in);
    Device<unsigned> to(32);
    checksums<<<1, 32>>>(from, 9, to);
    EXPECT(to.value(0) == 0xcbf43926u && to.value(31) == 0xcbf43926u && to.value(1) != 0xcbf43926u);
}

template <typename Type>
__global__ void atomics(Type *words, unsigned *other) {
    const Type one = (Type)(1 + threadIdx.x);
    atomicAdd(&words[0], one), atomicSub(&words[1], one), atomicMax(&words[2], one), atomicMin(&words[3], one);
    atomicAnd(&words[4], (Type) ~(1u << (threadIdx.x & 15))), atomicOr(&words[5], (Type)(1u << (threadIdx.x & 15))), atomicXor(&words[6], (Type)(1u << (threadIdx.x & 7)));
    atomicInc(&other[0], 10), atomicDec(&other[1], 5);
    __shared__ Type inside;
    if (threadIdx.x == 0) inside = 0;
    __syncthreads();
    atomicAdd(&inside, one);
    __syncthreads();
    if (threadIdx.x == 0) words[7] = inside, atomicExch(&words[8], inside);
}
CASE(atomics_of_all_kinds) {
    std::vector<int> start = {0, 0, 0, 1000, -1, 0, 0, 0, 0};
    Device<int> words(start);
    Device<unsigned> other(2);
    atomics<int><<<1, 64>>>(words, other);
    EXPECT(words.host() == std::vector<int>({2080, -2080, 64, 1, -65536, 65535, 0, 2080, 2080}));
    EXPECT(other.value(0) == 64 % 11 && other.value(1) == (6 - 64 % 6) % 6);
}
