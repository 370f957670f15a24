#!/bin/sh
# cuda_embedded.sh MOGCC MOGRUN EMULATION NVCC: machine code that mogcc put into a program is taken where it fits device, options and driver,
# and needs no NVRTC; elsewhere NVRTC is asked. NVCC and EMULATION are ours.
set -u
mogcc=$1 mogrun=$2 emulation=$3 nvcc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
printf '#include <mog.h>\n#include <stdio.h>\nint main(void) { printf("%%d: %%.3f\\n", mog_rank(), mog_rank() / 7.0); return 0; }\n' >program.c
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
compile() { MOG_NVCC=$nvcc "$mogcc" -O1 --order-time=0 --device=cuda "$@" program.c -o program || exit 1; }

# expect STATUS TEXT FAULTS NVRTC OPTION...: how the run on a device with these faults ends, and what it says besides output.
expect() {
    status=$1 text=$2 faults=$3 nvrtc=$4
    shift 4
    MOG_CUDA_DRIVER=$emulation MOG_NVRTC=$nvrtc MOG_EMULATED_CUDA=$faults MOG_CACHE_DIR=$work/cache \
        "$mogrun" -n 33 --stats "$@" program >out 2>err </dev/null
    got=$?
    { [ $got -eq "$status" ] && grep -qF -- "$text" err; } || fail "$* with \"$faults\": wanted status $status and '$text', got $got and: $(cat err)"
    [ "$status" -ne 0 ] || [ "$(sort -n out | tail -n 1)" = "32: 4.571" ] || fail "$*: output"
}
none=$work/none.so

compile --cuda-arch=sm_75,sm_80,compute_88
# The latest of the device's generation that it knows.
expect 0 'for the interpreter (embedded, for sm_75)' capability=75 "$none" --device=cuda
expect 0 'for the interpreter (embedded, for sm_80)' capability=86 "$none" --device=cuda
expect 0 'for the interpreter (embedded, for sm_80)' capability=89 "$none" --device=cuda
# PTX for those to come.
expect 0 'for the interpreter (embedded, for compute_88)' capability=90 "$none" --device=cuda
expect 0 'for the interpreter (embedded, for compute_88)' capability=120 "$none" --device=cuda
# A program that needs no NVRTC finds its device.
expect 0 'cuda:0 (' capability=86 "$none"
[ ! -e cache ] || fail "something was cached"
# Not for it.
expect 3 'MOG_NVRTC' capability=60 "$none" --device=cuda
# What changes the interpreter: counting, doubles, the engine, the profile.
for option in --count --double=soft --engine=switch --fuel=1M --profile=profile; do
    expect 3 'MOG_NVRTC' capability=86 "$none" --device=cuda $option
done
expect 0 'for the interpreter
' capability=86 "$emulation" --device=cuda --count
! grep -q embedded err || fail "--count: $(cat err)"
# A driver that is older than nvcc takes no PTX of it.
expect 3 'CUDA_ERROR_UNSUPPORTED_PTX_VERSION' capability=90,driver=12000 "$none" --device=cuda
expect 0 'start-up' capability=90,driver=12000 "$emulation" --device=cuda
! grep -q embedded err || fail "an old driver: $(cat err)"

# What --double of mogcc makes usual is what was compiled.
compile --cuda-arch=sm_80 --double=soft
expect 0 'embedded, for sm_80' capability=86 "$none" --device=cuda
expect 3 'MOG_NVRTC' capability=86 "$none" --device=cuda --double=native
# The usual architectures: the first of each generation, and PTX of the last.
compile
for pair in 75:sm_75 89:sm_80 90:sm_90 100:compute_90; do
    expect 0 "embedded, for ${pair#*:})" "capability=${pair%:*}" "$none" --device=cuda
done
exit $((failures > 0))
