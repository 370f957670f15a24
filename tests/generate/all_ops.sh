#!/bin/sh
# all_ops.sh MOGAS KIND COMPILER...: generates the interpreter of a program with every instruction, and compiles it. A warning fails.
# KIND: what mogas --emit takes; or `amdgcn` or `spirv`, for which OpenCL C is compiled as drivers of such GPUs do.
set -e
mogas=$1 kind=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{
    echo '.register sp ra p q'
    echo 'start:'
    "$mogas" --list-ops | while read -r _ name operand _; do
        case $operand in
        '$r') echo "        $name \$p" ;;
        number) echo "        $name 7" ;;
        constant) echo "        $name 0x12345678" ;;
        label) echo "        $name start" ;;
        *) echo "        $name" ;;
        esac
    done
    echo '        brk 0'
} >"$folder/all.mog"
emit=$kind
case $kind in amdgcn | spirv) emit=opencl ;; esac
"$mogas" "$folder/all.mog" --emit="$emit" --order-time=0.01 --build-time=all --superinstructions=8 -o - >"$folder/source"
case $kind in
cuda) set -- "$@" -o "$folder/ptx" ;;
amdgcn | spirv) set -- "$@" -o "$folder/code" ;;
esac
try() {
    "$@" "$folder/source" >"$folder/output" 2>&1 || {
        echo "$@"
        cat "$folder/output"
        exit 1
    }
    if grep -i warning "$folder/output"; then
        echo "$@"
        exit 1
    fi
}
engines="SEQUENCE SWITCH BLOCKS"
[ "$kind" != amdgcn ] || engines="SEQUENCE BLOCKS" # a switch is for processors
for engine in $engines; do
    try "$@" "-DMOG_ENGINE_$engine"
    # The lanes of a warp meet after each pass.
    [ "$kind" != cuda ] || grep -q 'vote.sync.any' "$folder/ptx" || { echo "$engine: no vote in the loop"; exit 1; }
    case $kind in
    amdgcn)
        # Three kernels, and nothing that a driver would have to link. What registers they take is in docs/benchmarks.md.
        [ "$(grep -c '^; Kernel info:' "$folder/code")" = 3 ] || { echo "$engine: not three kernels"; exit 1; }
        if grep -o '_Z[A-Za-z0-9_]*@[a-z0-9@]*' "$folder/code"; then
            echo "$engine: calls functions that are not there"
            exit 1
        fi
        ;;
    spirv)
        llvm-spirv-14 --spirv-max-version=1.0 "$folder/code" -o "$folder/spirv"
        spirv-val --target-env opencl1.2 "$folder/spirv"
        ;;
    esac
done
# Every engine with every way to count and to end, whether a device has a use for it today or not. (nvcc cannot check alone.)
case $kind in cuda | amdgcn | spirv) exit 0 ;; esac
for engines in SEQUENCE SWITCH BLOCKS "BLOCKS SWITCH" "LANES SWITCH"; do
    flags=
    for engine in $engines; do flags="$flags -DMOG_ENGINE_$engine"; done
    for more in "" -DMOG_PROFILE "-DMOG_FUEL -DMOG_COUNT"; do
        # shellcheck disable=SC2086
        try "$@" -fsyntax-only $flags $more
    done
done
