/* exceptions: C++. A recursive descent of short formulas, of which one in some fifty is wrong: what is wrong is thrown through what was
 * begun, and caught. */
#include "../programs/bench.h"

#include <stdexcept>
#include <string>

namespace {

class Formula {
public:
    explicit Formula(const std::string &text) : at_(text.c_str()) {}

    int value()
    {
        const int result = sum();
        if (*at_) throw std::invalid_argument(std::string("what is left: ") + at_);
        return result;
    }

private:
    int sum()
    {
        int result = product();
        while (*at_ == '+' || *at_ == '-') {
            const char sign = *at_++;
            const int next = product();
            result = sign == '+' ? result + next : result - next;
        }
        return result;
    }
    int product()
    {
        int result = number();
        while (*at_ == '*' || *at_ == '/') {
            const char sign = *at_++;
            const int next = number();
            if (sign == '/' && next == 0) throw std::domain_error("divided by zero");
            result = sign == '*' ? (result * next) % 10007 : result / next;
        }
        return result;
    }
    int number()
    {
        if (*at_ == '(') {
            at_++;
            const int result = sum();
            if (*at_++ != ')') throw std::out_of_range("a bracket is open");
            return result;
        }
        if (*at_ < '0' || *at_ > '9') throw std::invalid_argument("no number");
        int result = 0;
        while (*at_ >= '0' && *at_ <= '9') result = result * 10 + (*at_++ - '0');
        return result;
    }

    const char *at_;
};

std::string formula(unsigned &random, int depth)
{
    const unsigned what = next_random(&random);
    if (depth == 0 || what % 8 == 0) return what % 400 == 8 ? "x" : std::to_string(1 + what / 8 % 99);
    std::string text = formula(random, depth - 1);
    text += "+-*/"[what / 8 % 4];
    text += formula(random, depth - 1);
    return what % 3 ? text : '(' + text + ')';
}

}  // namespace

FUNCTION unsigned work(unsigned rank)
{
    unsigned random = rank * 7u + 99, sum = 0;
    for (int i = 0; i < 60; i++) {
        try {
            sum = sum * 31 + static_cast<unsigned>(Formula(formula(random, 4)).value());
        } catch (const std::domain_error &) {
            sum += 1;
        } catch (const std::exception &error) {
            sum = sum * 33 + static_cast<unsigned char>(error.what()[0]);
        }
    }
    return sum;
}
