// undefined.cc: what only C++ has of it: objects of other classes than their pointers say, references, values of enumerations, ends of
// functions without a value.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace shapes {
struct Shape {
    virtual ~Shape() {}
    virtual int corners() const { return 0; }
    int tag = 0;
};
struct Square : Shape {
    int corners() const override { return 4; }
    int side = 1;
};
struct Named {
    virtual ~Named() {}
    virtual const char *name() const { return "?"; }
};
struct Sign : Square, Named {
    const char *name() const override { return "sign"; }
};
struct Based : virtual Shape {
    int corners() const override { return 7; }
};
template <typename T>
struct Box : Shape {
    T held{};
};
}  // namespace shapes
using namespace shapes;

enum class Colour : int { red, green };
enum Plain { one = 1, two = 2 };
static volatile int zero = 0;

static int without_value(int n) {
    if (n > 0) return n;
}

template <typename To, typename From>
static To *as(From *from) {
    void *volatile through = from;
    return static_cast<To *>(through);
}

static int use(Shape *shape) { return static_cast<Square *>(shape)->side; }

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "all";
    if (std::strcmp(what, "value") == 0) return without_value(zero);
    Shape plain;
    Square square;
    Sign sign;
    Based based;
    Box<Box<int>> box;
    int sum = use(&square) + use(&sign);
    sum += use(&plain);
    sum += use(&box);
    sum += as<Square>(&plain)->corners();
    sum += as<Named>(&square)->name() != nullptr;
    Named *named = &sign;
    sum += named->name()[0] + static_cast<Sign *>(named)->side;
    sum += as<Box<int>>(named)->tag;
    Shape *virtual_base = &based;
    sum += virtual_base->corners();
    sum += as<Square>(virtual_base)->tag;
    int *volatile none = nullptr;
    int &reference = *none;
    sum += &reference == nullptr;
    bool flag;
    std::memset(&flag, 9, sizeof flag);
    sum += flag;
    Plain wrong;
    std::memset(&wrong, 77, sizeof wrong);
    sum += wrong;
    int numbers[3] = {1, 2, 3};
    sum &= 1;
    sum |= numbers[zero + 3];
    std::fprintf(stderr, "end %d\n", sum != 12345678);
    return 0;
}
