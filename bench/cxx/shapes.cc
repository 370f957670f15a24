/* shapes: C++. Virtual functions of four classes, one below the other, of objects on the heap in any order, and asked for their class. */
#include "../programs/bench.h"

#include <memory>
#include <vector>

namespace {

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual unsigned corners() const { return 0; }
    virtual void grow(double by) = 0;
};
struct Circle : Shape {
    explicit Circle(double r) : radius(r) {}
    double area() const override { return 3.140625 * radius * radius; }
    void grow(double by) override { radius += by; }
    double radius;
};
struct Rectangle : Shape {
    Rectangle(double w, double h) : width(w), height(h) {}
    double area() const override { return width * height; }
    unsigned corners() const override { return 4; }
    void grow(double by) override { width += by, height += by; }
    double width, height;
};
struct Square final : Rectangle {
    explicit Square(double side) : Rectangle(side, side) {}
    void grow(double by) override { width = height = width + by / 2; }
};
struct Triangle final : Shape {
    Triangle(double b, double h) : base(b), height(h) {}
    double area() const override { return base * height / 2; }
    unsigned corners() const override { return 3; }
    void grow(double by) override { height += by; }
    double base, height;
};

std::unique_ptr<Shape> make(unsigned number)
{
    const double a = 1 + number % 16, b = 1 + number / 16 % 8;
    switch (number >> 8 & 3) {
    case 0: return std::make_unique<Circle>(a);
    case 1: return std::make_unique<Rectangle>(a, b);
    case 2: return std::make_unique<Square>(a);
    default: return std::make_unique<Triangle>(a, b);
    }
}

}  // namespace

FUNCTION unsigned work(unsigned rank)
{
    unsigned random = rank + 12345, squares = 0, corners = 0;
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 300; i++) shapes.push_back(make(next_random(&random)));
    double sum = 0;
    for (int round = 0; round < 25; round++) {
        for (const auto &shape : shapes) {
            shape->grow(0.25);
            sum += shape->area();
            corners += shape->corners();
            if (dynamic_cast<const Square *>(shape.get())) squares++;
        }
        shapes[next_random(&random) % shapes.size()] = make(next_random(&random));
    }
    return static_cast<unsigned>(static_cast<long long>(sum)) ^ corners * 65599 ^ squares;
}
