/* matrices: C++. Small matrices of doubles as templates with operators: products, sums, powers and a decomposition. */
#include "../programs/bench.h"

#include <array>
#include <cmath>
#include <utility>

namespace {

template <int Rows, int Columns>
struct Matrix {
    std::array<double, Rows * Columns> of{};
    double &operator()(int row, int column) { return of[row * Columns + column]; }
    double operator()(int row, int column) const { return of[row * Columns + column]; }
    template <typename F>
    Matrix each(F function) const
    {
        Matrix result;
        for (std::size_t i = 0; i < of.size(); i++) result.of[i] = function(of[i]);
        return result;
    }
    friend Matrix operator+(Matrix a, const Matrix &b)
    {
        for (std::size_t i = 0; i < b.of.size(); i++) a.of[i] += b.of[i];
        return a;
    }
};

template <int Rows, int Inner, int Columns>
Matrix<Rows, Columns> operator*(const Matrix<Rows, Inner> &a, const Matrix<Inner, Columns> &b)
{
    Matrix<Rows, Columns> result;
    for (int i = 0; i < Rows; i++)
        for (int k = 0; k < Inner; k++)
            for (int j = 0; j < Columns; j++) result(i, j) += a(i, k) * b(k, j);
    return result;
}

template <int Size>
double determinant(Matrix<Size, Size> m)
{
    double result = 1;
    for (int column = 0; column < Size; column++) {
        int pivot = column;
        for (int row = column; row < Size; row++)
            if (std::fabs(m(row, column)) > std::fabs(m(pivot, column))) pivot = row;
        if (m(pivot, column) == 0) return 0;
        if (pivot != column) {
            for (int i = 0; i < Size; i++) std::swap(m(pivot, i), m(column, i));
            result = -result;
        }
        result *= m(column, column);
        for (int row = column + 1; row < Size; row++) {
            const double times = m(row, column) / m(column, column);
            for (int i = column; i < Size; i++) m(row, i) -= times * m(column, i);
        }
    }
    return result;
}

}  // namespace

FUNCTION unsigned work(unsigned rank)
{
    unsigned random = rank * 13u + 5;
    double sum = 0;
    for (int round = 0; round < 12; round++) {
        Matrix<8, 6> a;
        Matrix<6, 8> b;
        for (double &x : a.of) x = (next_random(&random) % 2001) / 1000.0 - 1;
        for (double &x : b.of) x = (next_random(&random) % 2001) / 1000.0 - 1;
        Matrix<8, 8> c = a * b;
        for (int i = 0; i < 8; i++) c(i, i) += 2;
        for (int i = 0; i < 6; i++)
            c = (c * c).each([](double x) { return x / (1 + std::fabs(x)); }) + c.each([](double x) { return 0.5 * x; });
        sum += determinant(c) + std::sqrt(std::fabs(c(1, 2)));
    }
    return static_cast<unsigned>(static_cast<long long>(sum * 1048576));
}
