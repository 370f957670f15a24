# A pair of registers whose words are the same in all lanes when it is read is set as lanes' variables, whose words are not.
unset MOG_SIMD
cat >divisions.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
typedef unsigned long long wide;
static wide state = 88172645463325252ull;
static wide next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
int main(int count, char **words) {
    wide sum = 0, by = atoi(words[1]);
    long long total = 0;
    for (int i = 0; i < 20000; ++i) {
        wide x = next();
        sum += x % by;
        sum ^= x / (by + i);
        total += (long long)x / (long long)(by - i * 3);
    }
    return printf("%llu %lld %d\n", sum, total, count);
}
EOF
MOG_CXX= mogcc -O2 -save-temps divisions.c -o divisions
grep -q 'OP_divu64(TWO(V(one' divisions.mog.lanes.cpp || fail "no division by a pair of scalars: $(grep -n '64(TWO' divisions.mog.lanes.cpp)"
set_as_values=$(grep -c 'SET_TWO, (V(' divisions.mog.lanes.cpp) || true
[ "$set_as_values" = 0 ] || fail "$set_as_values pairs are set where only their values are"
