/* streams: C++. Numbers and words to a string stream, in several bases and widths, and back from it, with manipulators. */
#include "../programs/bench.h"

#include <iomanip>
#include <sstream>
#include <string>

FUNCTION unsigned work(unsigned rank)
{
    unsigned random = rank * 101u + 11, sum = 0;
    std::ostringstream out;
    for (int i = 0; i < 120; i++) {
        const unsigned number = next_random(&random);
        out << std::setw(8) << std::setfill('.') << number % 100000 << ' ' << std::hex << number << std::dec << ' ' << std::fixed
            << std::setprecision(3)
            << number % 10000 / 16.0 << (i % 3 ? ' ' : '\n') << "word" << i << ' ';
    }
    std::string text = out.str();
    for (char &c : text) {
        if (c == '.') c = ' ';
        sum = sum * 31 + static_cast<unsigned char>(c);
    }
    std::istringstream in(text);
    std::string word;
    unsigned decimal = 0, hexadecimal = 0, whole = 0, thousandths = 0;
    while (in >> decimal >> std::hex >> hexadecimal >> std::dec >> whole >> thousandths >> word)
        sum = sum * 33 + (decimal ^ hexadecimal) + whole * 1000 + thousandths + static_cast<unsigned>(word.size());
    return sum;
}
