/* C++20 coroutines: a generator; the compiler cuts the function up, the heap keeps its frame. */
#include <coroutine>
#include <stdio.h>

namespace {
struct generator {
    struct promise_type {
        int value = 0;
        generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
    bool next() { handle.resume(); return !handle.done(); }
    ~generator() { handle.destroy(); }
};
generator fibonacci(int n) {
    for (int a = 0, b = 1; n-- > 0; b += a, a = b - a) co_yield a;
}
}

int main() {
    generator g = fibonacci(12);
    while (g.next()) printf("%d ", g.handle.promise().value);
    puts("");
    return 0;
}
