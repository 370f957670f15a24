// opencl.cpp KERNELS.cl: kernels.cl on the first device of OpenCL that is a CPU, timed as kernels.cu is; the same lines.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "inputs.h"
#include "sizes.h"

static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void must(cl_int status, const char *what) {
    if (status == CL_SUCCESS) return;
    std::fprintf(stderr, "opencl: %s: error %d\n", what, status);
    std::exit(1);
}
template <typename T>
static cl_mem copied(const std::vector<T> &values) {
    cl_int status;
    cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T), const_cast<T *>(values.data()), &status);
    must(status, "clCreateBuffer");
    return memory;
}
template <typename T>
static cl_mem zeros(size_t count) {
    return copied(std::vector<T>(count));
}
struct Shape {
    size_t blocks_x, blocks_y, x, y;
};
template <typename... Args>
static void launch(const char *name, Shape shape, Args... args) {
    static std::vector<std::pair<std::string, cl_kernel>> known;
    auto found = std::find_if(known.begin(), known.end(), [&](auto &one) { return one.first == name; });
    if (found == known.end()) {
        cl_int status;
        known.emplace_back(name, clCreateKernel(program, name, &status));
        must(status, name);
        found = known.end() - 1;
    }
    cl_uint at = 0;
    (must(clSetKernelArg(found->second, at++, sizeof args, &args), name), ...);
    const size_t all[] = {shape.blocks_x * shape.x, shape.blocks_y * shape.y}, block[] = {shape.x, shape.y};
    must(clEnqueueNDRangeKernel(queue, found->second, 2, nullptr, all, block, 0, nullptr, nullptr), name);
}
template <typename T, typename Run>
static void measure(const char *name, cl_mem out, size_t count, Run run) {
    std::vector<double> times;
    for (int i = 0; i <= TRIES; i++) {
        const double begin = now();
        run();
        must(clFinish(queue), name);
        if (i) times.push_back(now() - begin);
    }
    std::sort(times.begin(), times.end());
    std::vector<T> made(count);
    must(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, count * sizeof(T), made.data(), 0, nullptr, nullptr), name);
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += double(made[i]) * (i % 7 + 1);
    std::printf("%s %.9f %.6g\n", name, times[TRIES / 2], sum);
}

int main(int, char **argv) {
    cl_uint platforms = 0;
    cl_platform_id platform[8];
    must(clGetPlatformIDs(8, platform, &platforms), "clGetPlatformIDs");
    cl_device_id device = nullptr;
    for (cl_uint i = 0; i < platforms && !device; i++) clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
    cl_int status;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    must(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "clCreateCommandQueue");
    std::ifstream file(argv[1]);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const char *source = text.c_str();
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    const std::string options = "-DBINS=" + std::to_string(BINS) + " -DSORTED=" + std::to_string(SORTED);
    must(clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr), "clBuildProgram");

    const cl_mem a = copied(floats(VECTOR, 1)), b = copied(floats(VECTOR, 2)), c = zeros<float>(VECTOR);
    const int vector = VECTOR, n = MATRIX, image = IMAGE;
    const size_t blocks = VECTOR / 256;
    measure<float>("vadd", c, VECTOR, [&] { launch("vadd", {blocks, 1, 256, 1}, a, b, c, vector); });
    measure<float>("stencil", c, VECTOR, [&] { launch("stencil", {blocks, 1, 256, 1}, a, c, vector); });
    measure<float>("product 16", c, n * n, [&] { launch("product_16", {MATRIX / 16, MATRIX / 16, 16, 16}, a, b, c, n); });
    measure<float>("product 32", c, n * n, [&] { launch("product_32", {MATRIX / 32, MATRIX / 32, 32, 32}, a, b, c, n); });
    measure<float>("plain product", c, n * n, [&] { launch("plain_product", {MATRIX / 128, MATRIX, 128, 1}, a, b, c, n); });
    measure<float>("transpose", c, VECTOR, [&] { launch("transpose", {IMAGE / 32, IMAGE / 32, 32, 8}, a, c, image); });
    measure<float>("reduce", c, VECTOR / 512, [&] { launch("reduce", {VECTOR / 512, 1, 256, 1}, a, c); });
    measure<float>("shuffle sum", c, VECTOR / 32, [&] { launch("shuffle_sum", {blocks, 1, 256, 1}, a, c); });
    const cl_mem bytes = copied(bytes_of(VECTOR)), blurred = zeros<unsigned char>(VECTOR), bins = zeros<unsigned>(BINS);
    measure<unsigned>("histogram", bins, BINS, [&] {
        const unsigned zero = 0;
        must(clEnqueueFillBuffer(queue, bins, &zero, sizeof zero, 0, BINS * sizeof zero, 0, nullptr, nullptr), "clEnqueueFillBuffer");
        launch("histogram", {32, 1, BINS, 1}, bytes, bins, vector);
    });
    const std::vector<int> unsorted = ints(VECTOR, 1 << 30);
    const cl_mem values = copied(unsorted), sorted = copied(unsorted), counts = zeros<int>(VECTOR);
    measure<int>("sort", sorted, VECTOR / 4, [&] {
        must(clEnqueueCopyBuffer(queue, values, sorted, 0, 0, VECTOR, 0, nullptr, nullptr), "clEnqueueCopyBuffer");
        launch("sort", {VECTOR / 4 / SORTED, 1, SORTED, 1}, sorted);
    });
    const int fractal = FRACTAL, bodies = BODIES, number_of_rows = ROWS, options_ = OPTIONS;
    measure<int>("mandelbrot", counts, FRACTAL * FRACTAL, [&] {
        launch("mandelbrot", {FRACTAL / 32, FRACTAL / 8, 32, 8}, counts, fractal);
    });
    const cl_mem pulls = zeros<float>(4 * BODIES);
    measure<float>("nbody", pulls, 4 * BODIES, [&] { launch("nbody", {BODIES / 128, 1, 128, 1}, a, pulls, bodies); });
    const Sparse rows(ROWS);
    const cl_mem begin = copied(rows.begin), column = copied(rows.column), value = copied(rows.value);
    measure<float>("sparse", c, ROWS, [&] {
        launch("sparse", {(ROWS + 127) / 128, 1, 128, 1}, begin, column, value, a, c, number_of_rows);
    });
    measure<unsigned char>("blur", blurred, VECTOR, [&] { launch("blur", {IMAGE / 32, IMAGE / 8, 32, 8}, bytes, blurred, image); });
    measure<int>("collatz", counts, OPTIONS, [&] { launch("collatz", {OPTIONS / 256, 1, 256, 1}, counts, options_); });
    const cl_mem small = copied(ints(VECTOR, 100));
    measure<int>("scan", counts, VECTOR, [&] { launch("scan", {blocks, 1, 256, 1}, small, counts); });
}
