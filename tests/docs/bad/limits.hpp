constexpr unsigned right = 64u << 10, other = 4'097;
