// kernels.cl: the kernels of kernels.cu in OpenCL, for blocks of the same shapes. What shuffles do there goes through local memory here.
kernel void vadd(global const float *a, global const float *b, global float *c, int n) {
    const int i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}
kernel void stencil(global const float *in, global float *out, int n) {
    local float row[258];
    const int i = get_global_id(0), own = get_local_id(0), t = own + 1;
    row[t] = in[i];
    if (own == 0) row[0] = i > 0 ? in[i - 1] : 0;
    if (own == 255) row[257] = i + 1 < n ? in[i + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = 0.25f * row[t - 1] + 0.5f * row[t] + 0.25f * row[t + 1];
}
#define PRODUCT(tile)                                                                                       \
    kernel void product_##tile(global const float *a, global const float *b, global float *c, int n) {      \
        local float x[tile][tile], y[tile][tile];                                                           \
        const int tx = get_local_id(0), ty = get_local_id(1), row = get_global_id(1), column = get_global_id(0); \
        float sum = 0;                                                                                      \
        for (int t = 0; t < n / tile; t++) {                                                                \
            x[ty][tx] = a[row * n + t * tile + tx];                                                         \
            y[ty][tx] = b[(t * tile + ty) * n + column];                                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
            for (int k = 0; k < tile; k++) sum += x[ty][k] * y[k][tx];                                      \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
        }                                                                                                   \
        c[row * n + column] = sum;                                                                          \
    }
PRODUCT(16)
PRODUCT(32)
kernel void plain_product(global const float *a, global const float *b, global float *c, int n) {
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
kernel void transpose(global const float *in, global float *out, int n) {
    local float tile[32][33];
    const int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 32 + ty;
    for (int i = 0; i < 32; i += 8) tile[ty + i][tx] = in[(y + i) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + tx, y = get_group_id(0) * 32 + ty;
    for (int i = 0; i < 32; i += 8) out[(y + i) * n + x] = tile[tx][ty + i];
}
kernel void reduce(global const float *in, global float *out) {
    local float part[256];
    const int t = get_local_id(0), block = get_group_id(0);
    part[t] = in[block * 512 + t] + in[block * 512 + 256 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_ = 128; half_; half_ /= 2) {
        if (t < half_) part[t] += part[t + half_];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[block] = part[0];
}
kernel void shuffle_sum(global const float *in, global float *out) {
    local float part[256];
    const int t = get_local_id(0);
    part[t] = in[get_global_id(0)];
    for (int step = 16; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const float other = t % 32 + step < 32 ? part[t + step] : part[t];
        barrier(CLK_LOCAL_MEM_FENCE);
        part[t] += other;
    }
    if (t % 32 == 0) out[get_global_id(0) / 32] = part[t];
}
kernel void histogram(global const uchar *in, global uint *out, int n) {
    local uint bins[BINS];
    const int t = get_local_id(0);
    bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_add(&bins[in[i]], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[t], bins[t]);
}
kernel void sort(global int *values) {
    local int own[SORTED];
    const int t = get_local_id(0);
    own[t] = values[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int size = 2; size <= SORTED; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            const int other = t ^ step;
            if (other > t && (own[t] > own[other]) == ((t & size) == 0)) {
                const int kept = own[t];
                own[t] = own[other], own[other] = kept;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    values[get_global_id(0)] = own[t];
}
kernel void mandelbrot(global int *out, int n) {
    const int x = get_global_id(0), y = get_global_id(1);
    const float cx = -2.0f + 3.0f * x / n, cy = -1.5f + 3.0f * y / n;
    float a = 0, b = 0;
    int rounds = 0;
    while (rounds < 200 && a * a + b * b < 4) {
        const float next = a * a - b * b + cx;
        b = 2 * a * b + cy, a = next;
        rounds++;
    }
    out[y * n + x] = rounds;
}
kernel void nbody(global const float4 *bodies, global float4 *out, int n) {
    const int i = get_global_id(0);
    const float4 me = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < n; j++) {
        const float4 other = bodies[j];
        const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        const float square = dx * dx + dy * dy + dz * dz + 0.01f, root = 1 / sqrt(square), pull = other.w * root * root * root;
        x += dx * pull, y += dy * pull, z += dz * pull;
    }
    out[i] = (float4)(x, y, z, 0);
}
kernel void sparse(global const int *begin, global const int *column, global const float *value, global const float *x, global float *y,
                   int rows) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    float sum = 0;
    for (int at = begin[row]; at < begin[row + 1]; at++) sum += value[at] * x[column[at]];
    y[row] = sum;
}
kernel void blur(global const uchar *in, global uchar *out, int n) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) sum += in[(y + dy) * n + x + dx];
    out[y * n + x] = sum / 9;
}
kernel void collatz(global int *out, int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint x = i + 1;
    int steps = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
    }
    out[i] = steps;
}
kernel void scan(global const int *in, global int *out) {
    local int sums[2][256];
    const int t = get_local_id(0);
    int now = 0;
    sums[0][t] = in[get_global_id(0)];
    for (int step = 1; step < 256; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[1 - now][t] = sums[now][t] + (t >= step ? sums[now][t - step] : 0);
        now = 1 - now;
    }
    out[get_global_id(0)] = sums[now][t];
}
