// Cilk in C++
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <cstdio>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>
#include <functional>

int fib(int n) {
    if (n < 2) return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

namespace work {
class tree {
public:
    tree(int depth, int weight) : weight_(weight) {
        if (depth) left_ = std::make_unique<tree>(depth - 1, weight * 2), right_ = std::make_unique<tree>(depth - 1, weight * 2 + 1);
    }
    long sum() const {
        long left = 0, right = 0;
        if (left_) left = cilk_spawn left_->sum();
        if (right_) right = right_->sum();
        cilk_sync;
        return left + right + weight_;
    }
    void add(int n) {
        if (left_) cilk_spawn left_->add(n);
        if (right_) cilk_spawn this->right_->add(n);
        weight_ += n;
    }
    template <class F> void each(F &&f) {
        if (left_) cilk_spawn left_->each(f);
        if (right_) right_->each(f);
        f(weight_);
    }
    int nested(int n) { int r = cilk_spawn twice(n); cilk_sync; return r; }
private:
    int twice(int n) { return 2 * n; }
    std::unique_ptr<tree> left_, right_;
    int weight_;
};
}

static void append(std::string &to, std::string what, int times) { for (; times; --times) to += what; }
template <class T> static void store(T &to, const T &from) { to = from; }
template <class It> static void quick(It begin, It end) {
    if (end - begin < 8) {
        for (It i = begin; i != end; ++i)
            for (It k = i; k != begin && *k < *(k - 1); --k) std::swap(*k, *(k - 1));
        return;
    }
    auto pivot = *(begin + (end - begin) / 2);
    It l = begin, r = end - 1;
    while (l <= r) {
        while (*l < pivot) ++l;
        while (pivot < *r) --r;
        if (l <= r) std::swap(*l++, *r--);
    }
    cilk_spawn quick(begin, r + 1);
    quick(l, end);
}
static int checked(int n) {
    if (n == 7) throw std::runtime_error("seven");
    if (n == 9) throw std::out_of_range("nine");
    return n;
}
struct counter { int count = 0; int operator()(int n) { return count += n; } };

static std::unique_ptr<int> boxed(int n) {
    auto result = std::make_unique<int>(0);
    *result = cilk_spawn checked(n);
    return result;
}
static std::vector<int> listed(int n) {
    int a = cilk_spawn checked(n);
    int b;
    b = cilk_spawn checked(n + 1);
    cilk_sync;
    return {a, b};
}
static const std::string &longer(const std::string &a, const std::string &b) { return a.size() < b.size() ? b : a; }

static void none(void *view) { new (view) std::vector<int>(); }
static void join(void *left, void *right) {
    auto &to = *static_cast<std::vector<int> *>(left), &from = *static_cast<std::vector<int> *>(right);
    to.insert(to.end(), from.begin(), from.end());
    from.~vector();
}
static std::vector<int> cilk_reducer(none, join) squares;
static cilk::opadd_reducer<long> overall = 100;
struct totals {
    cilk::opadd_reducer<double> sum;
    void take(int i) { sum += i; }
};
static void reducers() {
    totals all;
    long cilk_reducer(cilk::zero<long>, cilk::plus<long>) local = 1;
    cilk::ostream_reducer<char> out(std::cout);
    cilk_for (int i = 0; i < 300; ++i) {
        squares.push_back(i * i);
        overall += i;
        ++overall;
        all.take(i);
        local += 2;
        if (i % 60 == 0) out << i << " of " << 300 << '\n';
    }
    cilk_spawn [&] { squares.push_back(-1); overall += 1000; }();
    squares.push_back(-2);
    cilk_sync;
    long check = 0;
    for (std::size_t i = 0; i < squares.size(); ++i) check = (check * 31 + squares[i]) % 1000003;
    *out << check << ' ' << overall << ' ' << *all.sum << ' ' << local << ' ' << squares.back() << std::endl;
}

int main() {
    reducers();
    std::printf("%d\n", fib(18));
    work::tree tree(8, 1);
    std::printf("%ld\n", tree.sum());
    tree.add(3);
    std::printf("%ld %d\n", tree.sum(), tree.nested(21));
    long total = 0;
    tree.each([&](int weight) { __atomic_fetch_add(&total, weight, __ATOMIC_RELAXED); });
    std::printf("%ld\n", total);

    std::string texts[4];
    for (int i = 0; i < 4; ++i) {
        std::string word(1, char('a' + i));
        cilk_spawn append(texts[i], word, i + 1);
        word = "changed";
        cilk_spawn store(texts[(i + 1) % 4 + 0 * i], texts[(i + 1) % 4]);
        cilk_sync;
    }
    cilk_sync;
    for (const std::string &text : texts) std::printf("%s\n", text.c_str());

    std::vector<double> values(1000);
    cilk_for (std::size_t i = 0; i < values.size(); ++i) values[i] = double((i * 7919) % 1000);
    quick(values.begin(), values.end());
    long wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != double(i);
    std::printf("%ld wrong\n", wrong);
    cilk_for (double &value : values) { if (value < 10) continue; value = -value; }
    cilk_for (auto at = values.begin(); at != values.end(); at += 2) *at += 1;
    cilk_for (int i = 999; i >= 0; i -= 3) { int k = cilk_spawn checked(i == 7 || i == 9 ? 0 : i); cilk_sync; values[i] += k; }
    std::printf("%.0f\n", std::accumulate(values.begin(), values.end(), 0.0));

    std::function<int(int)> recursive = [&](int n) {
        if (n < 2) return n;
        int x = cilk_spawn recursive(n - 1);
        int y = recursive(n - 2);
        cilk_sync;
        return x + y;
    };
    int f = cilk_spawn recursive(12);
    counter count;
    int c = cilk_spawn count(5);
    auto d = cilk_spawn counter{7}(5);
    int e;
    e = cilk_spawn [&](int n) { return n + 1; }(5);
    std::string name = "x";
    cilk_spawn { name += "y"; };
    auto moved = std::make_unique<int>(11);
    int g = cilk_spawn [](std::unique_ptr<int> p) { return *p; }(std::move(moved));
    cilk_sync;
    std::printf("%d %d %d %d %d %s %d %d\n", f, c, count.count, d, e, name.c_str(), g, moved == nullptr);
    std::printf("%d %d %s\n", *boxed(3), listed(4)[1], longer("a", "bb").c_str());

    for (int n = 5; n < 11; ++n) {
        try {
            int x = 0, y = 0;
            x = cilk_spawn checked(n);
            y = cilk_spawn checked(n + 2);
            cilk_sync;
            std::printf("%d %d\n", x, y);
        } catch (const std::exception &error) {
            std::printf("%d: %s\n", n, error.what());
        }
    }
    try {
        cilk_for (int i = 0; i < 20; ++i) checked(i);
    } catch (const std::exception &error) {
        std::printf("loop: %s\n", error.what());
    }
    try {
        boxed(7);
    } catch (const std::exception &error) {
        std::printf("boxed: %s\n", error.what());
    }
    return 0;
}
