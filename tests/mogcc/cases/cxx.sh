# C++: classes, virtual functions, templates, statics that are destroyed at exit, new and delete.
mipsel-linux-gnu-g++ --version >/dev/null 2>&1 || skip "no mipsel-linux-gnu-g++"
cat >x.cpp <<'EOF'
#include <stdio.h>
struct Shape {
    virtual ~Shape() { puts("gone"); }
    virtual int area() const = 0;
};
template <int N> struct Square : Shape {
    int area() const override { return N * N; }
};
static Square<2> small;
int main() {
    static Square<3> middle;
    Shape *large = new Square<4>;
    printf("%d %d %d\n", small.area(), middle.area(), large->area());
    delete large;
    auto next = [](int x) { return x + 1; };
    return next(4);
}
EOF
echo 'int c_function(void) { return 0; }' >y.c
mogcc -Wall -Werror x.cpp y.c
status 5 ./a.out
same "$(tr '\n' ' ' <out)" "4 9 16 gone gone gone "
# mogc++ takes .c for C++, and links objects with the library; mogcc links what has no need of it.
cat >z.c <<'EOF'
#include <iostream>
int main(int argc, char **argv) {
    if (argc > 1) { std::cout << "Hello, " << argv[1] << '\n'; return 0; }
    try { throw 3; } catch (int value) { std::cout << "caught " << value << std::endl; return value; }
}
EOF
mogcxx -c z.c
mogcxx z.o -o z
status 3 ./z
same "$(cat out)" "caught 3"
# What a program with streams has in its file beside the launcher, and each PE has in its memory, for constants are all PEs'.
size=$(($(stat -c %s z) - $(stat -c %s "$BUILD/bin/mogrun")))
[ $size -lt 1000000 ] || fail "the image of a program with streams has $size bytes"
# The environment is in it, too.
status 0 env -i "$BUILD/bin/mogrun" --stats=json ./z world
used=$(sed -n 's/.*"memory_used".*"all":{"most":\([0-9]*\).*/\1/p' err)
[ "${used:-0}" -gt 4000 ] && [ "$used" -lt 40960 ] || fail "a PE with streams uses $used bytes: $(cat err)"
status 1 mogcc z.o -o z2
grep -q 'undefined reference to .std::' err || fail "mogcc z.o: $(cat err)"
# C, cleaned up by who is left: -fexceptions.
cat >clean.c <<'EOF'
#include <stdio.h>
#include <unwind.h>
static void gone(int *value) { printf("gone %d\n", *value); }
static _Unwind_Reason_Code count(struct _Unwind_Context *context, void *depth) { (void)context; ++*(int *)depth; return _URC_NO_REASON; }
__attribute__((noinline)) static int deep(int n) { int depth = 0; return n ? deep(n - 1) + 0 * printf("%s", "") : (_Unwind_Backtrace(count, &depth), depth); }
int main(void) { __attribute__((cleanup(gone))) int x = 5; printf("%d frames\n", deep(3)); return 0; }
EOF
mogcc -O0 -fexceptions clean.c -o clean
status 0 ./clean
same "$(tr '\n' ' ' <out)" "6 frames gone 5 "
# An exception that nobody catches: which, and where it was thrown.
cat >uncaught.cc <<'EOF'
#include <stdexcept>
namespace sums { int check(int n) { if (n > 2) throw std::out_of_range("too many: " + std::to_string(n)); return n; } }
int main(int argc, char **) { return sums::check(argc + 2); }
EOF
mogcc -g -O1 -fno-inline uncaught.cc -o uncaught
status 134 ./uncaught
grep -q "terminate called after throwing an instance of 'std::out_of_range'" err && grep -q 'what():  too many: 3' err || fail "uncaught: $(cat err)"
grep -q 'sums::check(int) at .*uncaught.cc:2' err || fail "it is not said where it was thrown: $(cat err)"
# Objects that need nothing of the library are linked without it.
cat >small.cc <<'END'
extern "C" int puts(const char *);
struct Base { virtual ~Base() { puts("gone"); } virtual int value() const = 0; };
struct One : Base { int value() const override { return 1; } };
int main() { static One kept; Base *made = new One; int sum = kept.value() + made->value(); delete made; return sum; }
END
mogcc -fno-exceptions -fno-rtti -c small.cc
mogcc small.o -o small
status 2 ./small
same "$(tr '\n' ' ' <out)" "gone gone "
# Tables of exceptions that are damaged are told, and nothing is made of them.
mogcxx --emit=elf z.c -o z.elf
damage() { # damage SECTION OFFSET BYTES SENTENCE
    set -- "$@" "$(mipsel-linux-gnu-readelf -SW z.elf | sed -n "s/^.* $1 *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p")"
    cp z.elf damaged.elf
    printf "$3" | dd of=damaged.elf bs=1 seek=$((0x$5 + $2)) conv=notrunc 2>/dev/null
    status 1 mogtr damaged.elf -o damaged.mog
    grep -q "$4" err || fail "$1 + $2: $(cat err)"
}
damage .eh_frame 0 '\377\377\377\177' 'the entry of .eh_frame at 0x[0-9a-f]* is damaged'
damage .eh_frame 4 '\001' 'the entry of .eh_frame at 0x[0-9a-f]* is damaged'
damage .eh_frame 9 'q' 'the entry of .eh_frame at 0x[0-9a-f]* is damaged'
damage .gcc_except_table 0 '\017' 'the entry of .eh_frame at 0x[0-9a-f]* is damaged'
