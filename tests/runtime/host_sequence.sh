#!/bin/sh
# host_sequence.sh MOGCC MOGRUN SOURCES WORK: --engine=sequence on the device host: compiled when it is asked for, kept, the same
# results as by the switch, superinstructions, counts and fuel included; and what it says where there is no compiler.
set -eu
mogcc=$1 mogrun=$2 sources=$3 work=$4
rm -rf "$work" && mkdir -p "$work" && cd "$work"
MOG_CACHE_DIR=$work/cache
export MOG_CACHE_DIR
fail() { echo "FAILED: $*"; exit 1; }

"$mogcc" -O2 --superinstructions=12 --build-time=0 "$sources/tests/programs/sha256.c" -o program
run() { "$mogrun" -n 20 --device=host "$@" ./program; }

run --engine=switch >expected
run --engine=sequence --stats >sequence 2>first || fail "does not run: $(cat first)"
cmp expected sequence || fail "another result than by the switch"
grep -q '^ *engine .*, sequence, [1-9][0-9]* superinstructions' first || fail "says which engine: $(grep engine first)"
grep -q '(cached)' first && fail "compiled before"
run --engine=sequence --stats 2>second | cmp - expected || fail "another result from the cache"
grep -q '(cached)' second || fail "compiled again: $(grep start-up second)"

# Counted alike with and without superinstructions.
count() { run --count --stats=json "$@" 2>&1 >/dev/null | sed -n 's/.*"mog_instructions":\([0-9]*\).*/\1/p'; }
executed=$("$mogrun" -n 20 --device=reference --count --stats=json ./program 2>&1 >/dev/null | sed -n 's/.*"mog_instructions":\([0-9]*\).*/\1/p')
[ -n "$executed" ] && [ "$(count --engine=sequence)" = "$executed" ] || fail "counts $(count --engine=sequence) instead of $executed"

# Fuel ends a PE at the same instruction.
for engine in switch sequence; do run --engine=$engine --fuel=20000 >"$engine.out" 2>"$engine.err" || true; done
cmp switch.out sequence.out && cmp switch.err sequence.err || fail "fuel ends elsewhere: $(diff switch.err sequence.err | head -4)"
[ -s sequence.err ] || fail "fuel does not end"

rm -rf cache
if MOG_CXX=no-such-compiler run --engine=sequence >/dev/null 2>error; then fail "runs without a compiler"; fi
grep -q 'needs a C++ compiler.*apt-get install g++' error || fail "does not say what to do: $(cat error)"
