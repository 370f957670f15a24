#!/bin/sh
# tiers.sh MOGCC MOGRUN MOGCUDA LIBMOGCUDA REFUSING: kernels for CUDA change while a program runs, for ones with more of what it executes compiled. It
# begins with what mogcc has compiled, by the run-time compiler or embedded; what it prints stays the same, with calls served between
# launches and beside them; and the next run begins with what this one has found. Exit status 77: there is no clang.
set -eu
mogcc=$1 mogrun=$2 mogcuda=$3 library=$4 refusing=$5
. "$(dirname "$0")/on_ptx_engine.sh"
fail() { echo "tiers.sh: $*" >&2; exit 1; }
# What runs is short: its kernels need not be machine code, too, nor optimised, which is most of what a compilation takes (mog_on_mog.sh begins with
# optimised parts).
export MOGCUDA_ENGINE=interpreter
printf '#!/bin/sh\nexec %s "$@" -O0\n' "${MOG_CLANG:-clang++}" >clang
chmod +x clang
export MOG_CLANG="$work/clang"

# Which function is called is in a table, so that no estimate takes what they call for hot.
cat >program.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <mog.h>
#ifdef OTHER /* the same functions of the library elsewhere in TEXT, with other addresses of data and other registers */
static double table[300] = {1};
static double more(int round) { return table[round] += round / 3.0; }
#endif
static char text[16];
static char *decimal(unsigned n) {
    char *at = text + sizeof text - 1;
    do *--at = '0' + n % 10;
    while (n /= 10);
    return at;
}
/* No streams, of whose many functions a kernel would be made. */
static void say(const char *line) { write(1, line, strlen(line)), write(1, "\n", 1); }
static int compare(const void *a, const void *b) { return *(const unsigned *)a < *(const unsigned *)b ? -1 : 1; }
/* Of functions of the library, one that is long. */
static unsigned number(int round) { return strtol(decimal(round * 7 + IPROC), NULL, 10) + (unsigned)strtod(decimal(round), NULL); }
static unsigned sorted(int round) {
    unsigned numbers[8];
    for (int i = 0; i < 8; i++) numbers[i] = (i + round + IPROC) * 2654435761u;
    qsort(numbers, 8, sizeof *numbers, compare);
    return numbers[round % 8];
}
static unsigned (*const calls[])(int) = {number, sorted};
int main(int argc, char **argv) {
    unsigned sum = 0;
    for (int round = 0; round < atoi(argv[1]); round++) {
        sum += calls[round % 2](round);
#ifdef OTHER
        sum += (unsigned)more(round);
#endif
        if (round % 16 == 0) say(decimal(sum));
    }
    say(decimal(sum));
    return (int)(sum % 50);
}
END
"$mogcc" -O1 --order-time=0 --simd=none program.c -o program
"$mogcc" -O1 --order-time=0 --simd=none -DOTHER program.c -o other
# run NAME OPTION... : three PEs; what they print and the status go to NAME.sorted, statistics to NAME.json, for which all memory of PEs is read.
run() {
    name=$1
    shift
    status=0
    "$mogrun" -n 3 --mem=1M --tag-output --stats=json --slice=50 "$@" "./${program:-program}" 18 >"$name.out" 2>"$name.json" || status=$?
    sort -s -t' ' -k1,1 "$name.out" >"$name.sorted"
    echo "$status" >>"$name.sorted"
}
same() { cmp "$1.sorted" expected.sorted || fail "$2: it prints something else: $(cat "$1.json")"; }
kernels() { grep -o '"begins":' "$1.json" | wc -l; }
# The instructions that kernel N has compiled.
compiled() { grep -o '"mog_instructions":[0-9]*,"sampled"' "$1.json" | sed -n "$2{s/[^0-9]*\([0-9]*\).*/\1/;p}"; }
run expected --device=reference

MOG_TEST_TIERS=once
export MOG_TEST_TIERS
for way in clean concurrent; do
    run $way --device=cuda --service=$way
    same $way "calls served $way"
    [ "$(kernels $way)" -eq 2 ] || fail "calls served $way: no kernel changed: $(cat $way.json)"
    [ "$(compiled $way 1)" -gt 300 ] || fail "it does not begin with what mogcc has compiled: $(cat $way.json)"
    [ "$(compiled $way 2)" -gt "$(compiled $way 1)" ] || fail "the second kernel has no more compiled: $(cat $way.json)"
done
# The next run begins with it.
MOG_TEST_TIERS= run again --device=cuda
same again "the kernel that was found"
grep -q '"tiers":{"remembered":true,' again.json || fail "nothing was remembered: $(cat again.json)"
[ "$(compiled again 1)" -eq "$(compiled concurrent 2)" ] || fail "it begins with something else: $(cat again.json)"

# What a run begins with is linked from parts; what comes later, from the program's own and long functions of libraries.
parts() { grep -o "\"parts_$3\":[0-9]*" "$1.json" | sed -n "$2{s/.*://;p;}"; }
[ "$(parts again 1 compiled)" = 0 ] || fail "the kernel that was found is compiled again: $(cat again.json)"
# Another program has the library's functions from there: compiled are its own code and its table.
[ "$(parts clean 1 compiled)" -gt 4 ] || fail "the first program compiles too little: $(cat clean.json)"
program=other
run expected.other --device=reference
MOG_TEST_TIERS= run other --device=cuda
cmp other.sorted expected.other.sorted || fail "linked from parts of another program, it prints something else: $(cat other.json)"
[ "$(parts other 1 compiled)" -le 2 ] || fail "another program compiles what is there: $(cat other.json)"
[ "$(parts other 1 kept)" -gt 3 ] || fail "another program takes nothing of what is there: $(cat other.json)"
# Nor do later kernels of it compile the long function, but their own code.
MOG_TEST_TIERS=now
program=program
run later --device=cuda
same later "kernel after kernel"
[ "$(parts later "$(kernels later)" kept)" -gt 0 ] || fail "later kernels have no parts: $(cat later.json)"
program=other
run other.later --device=cuda
cmp other.later.sorted expected.other.sorted || fail "a later kernel prints something else: $(cat other.later.json)"
last=$(kernels other.later)
[ "$(parts other.later "$last" kept)" -gt 0 ] || fail "later kernels of another program have no parts: $(cat other.later.json)"
for kernel in $(seq 2 "$last"); do
    [ "$(parts other.later "$kernel" compiled)" -le 1 ] || fail "kernel $kernel of another program compiles what is there: $(cat other.later.json)"
done
MOG_TEST_TIERS=once
program=program

# Where the driver refuses to link, the kernel is compiled whole, which is told.
MOG_TEST_TIERS= MOG_CUDA_DRIVER=$refusing MOG_CACHE_DIR=$work/refused run refused --device=cuda
same refused "a driver that refuses to link"
grep -q 'the kernel that the program has parts of could not be built: CUDA: cuLinkComplete failed' refused.json || fail "nothing is said: $(cat refused.json)"

# A compiler that fails leaves the run as it is.
MOG_TEST_TIERS=fail run failed --device=cuda
same failed "a kernel that could not be built"
grep -q 'could not be built, so the run goes on without' failed.json || fail "nothing is said: $(cat failed.json)"

# What mogcc has embedded is where it begins; without a run-time compiler it stays with that.
MOG_NVCC=$mogcuda "$mogcc" -O1 --order-time=0 --simd=none --device=cuda --cuda-arch=compute_75 program.c -o embedded
program=embedded
MOG_NVRTC=/nowhere run without --device=cuda
same without "embedded code alone"
grep -q '"tiers"' without.json && fail "there is no compiler, and kernels are to change"
run with --device=cuda
same with "embedded code, then others"
[ "$(kernels with)" -eq 2 ] || fail "embedded code does not change: $(cat with.json)"
program=program

# Nothing that depends on time where that is forbidden, and nothing where somebody has decided.
for options in --deterministic --engine=blocks; do
    run decided --device=cuda $options
    same decided "with $options"
    grep -q '"tiers"' decided.json && fail "$options has tiers: $(cat decided.json)"
done
exit 0
