// exceptions.cc: what is thrown is caught by whom, and what is destroyed on the way, in which order.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

namespace {

struct Noted {
    explicit Noted(int number) : number(number) { std::printf("+%d ", number); }
    Noted(const Noted &other) : number(other.number + 100) { std::printf("+%d ", number); }
    ~Noted() { std::printf("-%d ", number); }
    int number;
};

struct Base {
    virtual ~Base() = default;
    virtual const char *name() const { return "Base"; }
};
struct Other {
    virtual ~Other() = default;
    int value = 7;
};
struct Derived : Base, Other {
    const char *name() const override { return "Derived"; }
};

__attribute__((noinline)) int deep(int depth, int kind) {
    Noted here(depth);
    if (depth != 0) return deep(depth - 1, kind) + 1;
    switch (kind) {
        case 0: throw 42;
        case 1: throw std::runtime_error("a message that is longer than what a string keeps within itself");
        case 2: throw Derived();
        case 3: throw "text";
        case 4: throw Noted(50);
        case 5: return static_cast<int>(std::vector<int>(3).at(9));
        case 6: return static_cast<int>(std::string("abc").substr(5).size());
        case 7: throw 2.5;
        case 8: static_cast<void>(::operator new(std::size_t{1} << 31)); return 0;
        case 9: return std::stoi("no number");
        default: return 0;
    }
}

void caught(int kind) {
    std::printf("%d: ", kind);
    try {
        Noted outside(10);
        std::printf("returned %d ", deep(3, kind));
    } catch (int value) {
        std::printf("int %d", value);
    } catch (const std::bad_alloc &) {
        std::printf("bad_alloc");
    } catch (const std::exception &error) {
        std::printf("%s: %s", typeid(error).name(), error.what());
    } catch (Other &other) {
        std::printf("Other %d %s", other.value, dynamic_cast<Base &>(other).name());
    } catch (const char *text) {
        std::printf("const char * %s", text);
    } catch (const Noted &noted) {
        std::printf("Noted %d", noted.number);
    } catch (...) {
        std::printf("something");
    }
    std::printf("\n");
}

struct Fails {
    Fails() try : first(1), second(make()) {
    } catch (int value) {
        std::printf("constructor: %d ", value);  // and goes on
    }
    static int make() { throw 5; }
    Noted first, second;
};

void again(int level) {
    try {
        if (level == 0) throw std::logic_error("the first");
        again(level - 1);
    } catch (std::exception &error) {
        std::printf("[%d %s] ", level, error.what());
        if (level == 2) std::throw_with_nested(std::runtime_error("the second"));
        if (level < 4) throw;
    }
}

void unfold(const std::exception &error, int depth = 0) {
    std::printf("%*s%s\n", depth, "", error.what());
    try {
        std::rethrow_if_nested(error);
    } catch (const std::exception &inner) {
        unfold(inner, depth + 1);
    }
}

struct Counts {
    ~Counts() { std::printf("uncaught %d ", std::uncaught_exceptions()); }
};

/// Registers that callers have to find again, floats among them.
__attribute__((noinline)) double kept(int n) {
    double a = n * 1.5, b = n * 2.5, c = n * 3.5;
    int i = n, j = n * 2, k = n * 3, l = n * 5;
    for (int round = 0; round < 3; round++) {
        try {
            deep(round, round == 1 ? 7 : 0);
        } catch (int) {
            a += b, i += j;
        } catch (double x) {
            c += x, k += l;
        }
    }
    return a + b * 10 + c * 100 + i + j + k + l;
}

int comparison(const void *a, const void *b) {
    const int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);
    return (x > y) - (x < y);
}

}  // namespace

int main() {
    for (int kind = 0; kind <= 10; kind++) caught(kind);
    try {
        Fails fails;
    } catch (int value) {
        std::printf("and %d\n", value);
    }
    again(4);
    std::printf("\n");
    try {
        try {
            throw std::runtime_error("inner");
        } catch (...) {
            std::throw_with_nested(std::logic_error("outer"));
        }
    } catch (const std::exception &error) {
        unfold(error);
    }
    std::exception_ptr saved;
    try {
        throw Derived();
    } catch (...) {
        saved = std::current_exception();
    }
    for (int i = 0; i < 2; i++) {
        try {
            std::rethrow_exception(saved);
        } catch (const Base &base) {
            std::printf("saved %s\n", base.name());
        }
    }
    try {
        Counts counts;
        throw 1;
    } catch (int) {
        std::printf("then %d\n", std::uncaught_exceptions());
    }
    Base plain;
    Base *pointer = &plain;
    std::printf("%d ", dynamic_cast<Derived *>(pointer) == nullptr);
    try {
        dynamic_cast<Derived &>(*pointer).name();
    } catch (const std::bad_cast &) {
        std::printf("bad_cast ");
    }
    try {
        Base *none = nullptr;
        std::printf("%s", typeid(*none).name());
    } catch (const std::bad_typeid &) {
        std::printf("bad_typeid\n");
    }
    std::printf("%g\n", kept(3));
    int numbers[] = {3, 1, 2};
    std::qsort(numbers, 3, sizeof *numbers, comparison);
    long sum = 0;
    for (int i = 0; i < 2000; i++) {
        try {
            if (i % 3 == 0) throw i;
            if (i % 3 == 1) throw static_cast<long>(i);
            sum += numbers[0];
        } catch (int x) {
            sum += x;
        } catch (long x) {
            sum -= x;
        }
    }
    std::printf("%ld\n", sum);
    std::set_terminate([] {
        std::printf("terminate\n");
        std::fflush(stdout);
        std::_Exit(3);
    });
    [](int x) noexcept { deep(1, x); }(0);
}
