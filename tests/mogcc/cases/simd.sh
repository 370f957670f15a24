# What is compiled for lanes: by itself the loops of a user's program, and what they call; nothing of a program without loops.
unset MOG_SIMD
hello
cat >loop.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void)
{
    unsigned sum = 0;
    char text[64] = "";
    for (unsigned i = 0; i < 1000; i++) {
        sum = sum * 31 + i;
        memset(text, 'a' + i % 26, i % 60);
    }
    qsort(text, strlen(text), 1, compare);
    printf("%u %s\n", sum, text);
    return 0;
}
END
# Looked at in the source of the code for lanes, so it need not be compiled.
lanes_source() {
    rm -f image.mog.lanes.cpp
    MOG_CXX= mogcc -O2 "$@" --emit=image -save-temps -o image
    [ ! -f image.mog.lanes.cpp ] || cat image.mog.lanes.cpp
}
groups() { lanes_source "$@" | grep -c '^ *enum { uses_d = ' || true; }
# What begins a block in it.
blocks() { lanes_source "$@" | grep -c '^ *ENTER([0-9]*u, [0-9]*u)$'; }
[ "$(groups hello.c)" = 0 ] || fail "hello.c has code for lanes"
[ "$(groups --simd=portable hello.c)" -gt 0 ] || fail "--simd=portable does not compile hello.c for lanes"
[ "$(groups --simd=none loop.c)" = 0 ] || fail "--simd=none compiles for lanes"
some=$(groups loop.c)
[ "$some" -gt 1 ] || fail "loop.c: $some functions for lanes, so not memset"
some=$(blocks loop.c) all=$(blocks --simd=portable loop.c)
[ "$some" -lt "$all" ] || fail "loop.c: all $all blocks are for lanes, not only those in the loop"
[ "$(MOG_SIMD=none groups loop.c)" = 0 ] || fail "MOG_SIMD=none compiles for lanes"
[ "$(groups --double=soft loop.c)" = 0 ] || fail "--double=soft compiles for lanes, which compute natively"
mogcc --simd=sse hello.c 2>message && fail "--simd=sse is accepted"
grep -q '"auto", "avx512", "avx2", "portable" or "none"' message || fail "$(cat message)"
# What is compiled by itself is for the best that this processor has, or MOG_SIMD allows.
for simd in avx512 avx2 portable; do
    MOG_SIMD=$simd mogcc -O2 --build-time=0.1 loop.c -o loop
    same "$(MOG_SIMD=$simd MOG_DEVICE=host MOG_ENGINE=lanes ./loop)" "$(MOG_DEVICE=reference ./loop)"
done
