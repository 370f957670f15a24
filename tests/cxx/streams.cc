// streams.cc: streams of the C++ library: numbers printed and read, manipulators, files, strings.
#include <algorithm>
#include <complex>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Point {
    int x, y;
};
std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.x << ", " << p.y << ')'; }
std::istream &operator>>(std::istream &in, Point &p) {
    char open, comma, close;
    return in >> open >> p.x >> comma >> p.y >> close;
}

int main() {
    std::cout << "numbers " << 1 << ' ' << -2L << ' ' << 3ull << ' ' << 1.5f << ' ' << 1e100 << ' ' << true << ' ' << 'c' << '\n';
    std::cout << std::hex << std::showbase << 255 << ' ' << std::oct << 8 << std::dec << std::noshowbase << ' ' << std::setw(8) << std::setfill('*') << 42
              << std::left << std::setw(6) << 7 << std::right << std::internal << std::setw(6) << -5 << std::setfill(' ') << '\n';
    for (const double value : {0.0, 1.0 / 3, 1e-7, 123456789.0, 1e300}) {
        std::cout << std::defaultfloat << std::setprecision(6) << value << ' ' << std::fixed << std::setprecision(3) << (value < 1e20 ? value : 0) << ' ' << std::scientific << value << ' '
                  << std::hexfloat << value << '\n';
    }
    std::cout << std::defaultfloat << std::setprecision(17) << 0.1 << ' ' << std::boolalpha << false << ' ' << std::complex<double>(1, -2) << ' '
              << std::numeric_limits<double>::infinity() << ' ' << Point{1, 2} << std::endl;
    std::istringstream in("12 0x1f 3.25e2 word (3, 4) true 99999999999999 x");
    int a, b;
    double c;
    std::string word;
    Point p{};
    bool flag;
    in >> a >> std::hex >> b >> std::dec >> c >> word >> p >> std::boolalpha >> flag;
    std::cout << a << ' ' << b << ' ' << c << ' ' << word << ' ' << p << ' ' << flag << ' ' << in.good();
    int large = 0;
    in >> large;
    std::cout << ' ' << large << ' ' << in.fail();
    in.clear();
    in >> a;
    std::cout << ' ' << in.fail() << in.eof() << '\n';
    {
        std::ofstream file("lines.txt");
        for (int i = 0; i < 5; i++) file << "line " << i << '\n';
        file << "last";
    }
    std::ifstream file("lines.txt");
    std::map<std::string, int> lengths;
    for (std::string line; std::getline(file, line);) lengths[line] = static_cast<int>(line.size());
    for (const auto &[line, length] : lengths) std::cout << line << '=' << length << ' ';
    std::cout << '\n';
    std::fstream both("both.bin", std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc);
    for (int i = 0; i < 1000; i++) both.put(static_cast<char>(i));
    both.seekg(500);
    std::cout << both.get() << ' ' << both.tellg() << ' ';
    both.seekp(10);
    both.write("xyz", 3);
    both.seekg(9);
    char four[5] = {};
    both.read(four, 4);
    std::cout << four + 1 << ' ' << static_cast<int>(four[0]) << '\n';
    std::ifstream none("no/such/file");
    std::cout << none.is_open() << ' ' << !none << '\n';
    try {
        none.exceptions(std::ios::failbit | std::ios::badbit);
    } catch (const std::ios_base::failure &error) {
        std::cout << "failure " << (error.code() == std::io_errc::stream) << '\n';
    }
    std::istringstream numbers("3 1 4 1 5 9 2 6");
    const std::vector<int> read{std::istream_iterator<int>(numbers), {}};
    std::copy(read.rbegin(), read.rend(), std::ostream_iterator<int>(std::cout, ","));
    std::wostringstream wide;
    wide << L"wide " << 5 << L' ' << 2.5;
    std::cout << ' ' << wide.str().size() << '\n';
    namespace fs = std::filesystem;
    fs::create_directories("a/b/c");
    std::ofstream("a/b/file.txt") << "twelve bytes";
    std::vector<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator("a")) names.push_back(entry.path().generic_string() + (entry.is_directory() ? "/" : ""));
    std::sort(names.begin(), names.end());
    for (const auto &name : names) std::cout << name << ' ';
    fs::rename("a/b/file.txt", "a/moved");
    fs::copy_file("a/moved", "a/copied");
    std::cout << fs::file_size("a/copied") << ' ' << fs::exists("a/b/file.txt") << ' ' << fs::path("x/../y/./z.tar.gz").lexically_normal() << ' '
              << fs::path("dir/name.ext").extension() << ' ' << fs::remove_all("a") << '\n';
    std::error_code error;
    fs::file_size("a", error);
    std::cout << error.message() << ' ' << (error == std::errc::no_such_file_or_directory) << '\n';
    std::string left;
    std::cin >> left;
    std::cerr << "end " << std::cin.eof() << left.empty() << '\n';
}
