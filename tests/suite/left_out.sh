#!/bin/sh
# left_out.sh RUN_CTEST: tests that leave something out are told with their reasons, and with CI=true fail the run unless no package
# could have helped; so are those that cost most, and with CI=true those that pass only when run again; ctest's closing lines come last in any case.
set -eu
run_ctest=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() { echo "FAILED: $*"; cat told; failures=$((failures + 1)); }

tests() {   # NAME 'COMMAND' ...: a folder of tests for ctest
    : >CTestTestfile.cmake
    while [ $# -gt 0 ]; do
        echo "add_test($1 sh -c [=[$2]=])"
        echo "set_tests_properties($1 PROPERTIES SKIP_RETURN_CODE 77)"
        shift 2
    done >CTestTestfile.cmake
}
run() {     # EXPECTED_STATUS [VARIABLE=VALUE]
    status=0
    env -u MOG_TEST_BEGAN ${2+"$2"} "$run_ctest" >told 2>&1 || status=$?
    [ "$status" = "$1" ] || fail "status $status, expected $1"
}
has() { grep -q -- "$1" told || fail "nothing says: $1"; }
lacks() { ! grep -q -- "$1" told || fail "something says: $1"; }

tests good 'true' nvcc 'echo "skipped: there is no nvcc"; exit 77'
run 0 CI=true
has '^left out for want of the CUDA Toolkit: 1 (nvcc)$'
tail -n 3 told | grep -q 'nvcc (Skipped)' || fail "ctest's closing lines are not the last"

tests good 'true' oracle 'echo "skipped: no qemu-mipsel"; exit 77'
run 1 CI=true
has '^FAILED: left out, though .* brings what it needs: oracle: skipped: no qemu-mipsel$'
tail -n 3 told | grep -q 'oracle (Skipped)' || fail "ctest's closing lines are not the last"
run 0 CI=
has '^left out, though .*: oracle: skipped: no qemu-mipsel$'

tests good 'true' silent 'exit 77'
run 1 CI=true
has 'silent: it does not say why'

# What costs most is told first.
tests good 'true' busy 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' also_good 'true'
run 0 CI=true
has '^tests took [0-9]* s of processor time, [0-9]*% of [0-9]* cores'
grep -A 1 '^tests took' told | grep -Eq '^ +[0-9]+\.[0-9] s  busy$' || fail "the test that costs most is not told first"
tail -n 5 told | grep -q '100% tests passed' || fail "ctest's closing lines are not the last"

# Tests have Python itself, not what chooses one.
mkdir shim
python=$(python3 -c 'import sys; print(sys.executable)')
printf '#!/bin/sh\necho >>"%s/chosen"\nexec "%s" "$@"\n' "$work" "$python" >shim/python3
chmod +x shim/python3
tests python 'python3 -c "import sys; sys.exit(sys.argv[1:] != [\"two words\"])" "two words"'
run 0 "PATH=$work/shim:$PATH"
[ "$(wc -l <chosen)" = 1 ] || fail "python3 was chosen $(wc -l <chosen) times"

# A second time is for one or the other, and said.
once='[ -e was_$0 ] || { touch was_$0; exit 1; }'
again() { echo "sh -c '$once' $1"; }
tests good 'true' late "$(again late)"
run 0 CI=true
has '^passed only when run again: late$'
tail -n 5 told | grep -q '100% tests passed' || fail "ctest's closing lines are not the last"
rm was_late
run 8 CI=
lacks 'run again'
tests a "$(again a)" b "$(again b)" c "$(again c)" d "$(again d)" e "$(again e)" f "$(again f)"
run 1 CI=true
has '^FAILED: 6 tests passed only when run again'

tests bad 'exit 3' good 'true'
run 8 CI=true
lacks 'run again'
has '50% tests passed, 1 tests failed out of 2'
lacks 'left out'
[ "$failures" = 0 ]
