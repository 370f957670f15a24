// cases.hpp: CUDA programs as cases of one executable: each runs kernels and compares what they made with what the host computes.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Case {
    const char *name;
    void (*run)();
    Case *next;
    static Case *&first() {
        static Case *list = nullptr;
        return list;
    }
    Case(const char *called, void (*function)()) : name(called), run(function), next(first()) { first() = this; }
};
#define CASE(name)                              \
    static void run_##name();                   \
    static Case case_##name(#name, run_##name); \
    static void run_##name()

inline int &failures() {
    static int count = 0;
    return count;
}
inline bool expect(bool holds, const char *what, int line) {
    if (!holds && failures()++ < 20) std::printf("  line %d: not so: %s\n", line, what);
    return holds;
}
#define EXPECT(...) expect((__VA_ARGS__), #__VA_ARGS__, __LINE__)
#define WORKS(...) expect((__VA_ARGS__) == cudaSuccess, #__VA_ARGS__, __LINE__)

/// Memory of the device that the host fills and reads.
template <typename Type>
class Device {
public:
    explicit Device(size_t count) : count_(count) {
        WORKS(cudaMalloc(&pointer_, count * sizeof(Type)));
        WORKS(cudaMemset(pointer_, 0, count * sizeof(Type)));
    }
    explicit Device(const std::vector<Type> &values) : Device(values.size()) {
        WORKS(cudaMemcpy(pointer_, values.data(), count_ * sizeof(Type), cudaMemcpyHostToDevice));
    }
    Device(const Device &) = delete;
    ~Device() { WORKS(cudaFree(pointer_)); }
    operator Type *() const { return pointer_; }
    std::vector<Type> host() const {
        std::vector<Type> values(count_);
        WORKS(cudaMemcpy(values.data(), pointer_, count_ * sizeof(Type), cudaMemcpyDeviceToHost));
        return values;
    }
    Type value(size_t at = 0) const { return host()[at]; }

private:
    size_t count_;
    Type *pointer_ = nullptr;
};

/// The same numbers on every machine.
struct Numbers {
    unsigned state = 12345;
    unsigned next() {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }
    unsigned below(unsigned limit) { return next() % limit; }
    float unit() { return (float)next() / 16777216.0f; }
};
inline std::vector<int> numbers(size_t count, unsigned below, unsigned seed = 1) {
    Numbers from{seed};
    std::vector<int> made(count);
    for (int &value : made) value = (int)from.below(below);
    return made;
}
inline std::vector<float> fractions(size_t count, unsigned seed = 1) {
    Numbers from{seed};
    std::vector<float> made(count);
    for (float &value : made) value = from.unit() - 0.5f;
    return made;
}
inline bool near(double a, double b, double relative = 1e-5) {
    return std::fabs(a - b) <= relative * std::fmax(1.0, std::fmax(std::fabs(a), std::fabs(b)));
}

inline int run_cases(int count, char **names) {
    int ran = 0, failed = 0;
    for (Case *each = Case::first(); each; each = each->next) {
        bool wanted = count < 2;
        for (int i = 1; i < count; i++) wanted = wanted || std::strcmp(names[i], each->name) == 0;
        if (!wanted) continue;
        const int before = failures();
        each->run();
        WORKS(cudaDeviceSynchronize());
        WORKS(cudaGetLastError());
        std::printf("%s: %s\n", each->name, failures() == before ? "good" : "BAD");
        failed += failures() != before;
        ran++;
    }
    std::printf("%d cases, %d failed\n", ran, failed);
    return failed || !ran ? 1 : 0;
}
int main(int count, char **names) { return run_cases(count, names); }
