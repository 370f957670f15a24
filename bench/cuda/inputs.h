/* inputs.h: numbers that all versions start from. */
#include <vector>

inline unsigned next_number(unsigned &state) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
inline std::vector<float> floats(int count, unsigned seed) {
    std::vector<float> values(count);
    for (float &one : values) one = float(next_number(seed) % 1000) / 1000;
    return values;
}
inline std::vector<int> ints(int count, int below) {
    unsigned seed = 3;
    std::vector<int> values(count);
    for (int &one : values) one = int(next_number(seed) % unsigned(below));
    return values;
}
inline std::vector<unsigned char> bytes_of(int count) {
    unsigned seed = 4;
    std::vector<unsigned char> values(count);
    for (unsigned char &one : values) one = (unsigned char)(next_number(seed) % 251);
    return values;
}
struct Sparse {
    std::vector<int> begin, column;
    std::vector<float> value;
    explicit Sparse(int rows) {
        unsigned seed = 5;
        begin.push_back(0);
        for (int row = 0; row < rows; row++) {
            const int count = int(next_number(seed) % 31) + 1;
            for (int at = 0; at < count; at++) {
                column.push_back(int(next_number(seed) % unsigned(rows)));
                value.push_back(float(next_number(seed) % 100) / 100);
            }
            begin.push_back(int(column.size()));
        }
    }
};
