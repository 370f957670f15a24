#!/bin/sh
# all_ops.sh MOGAS KIND COMPILER...: generates the interpreter of a program with every instruction, and compiles it. A warning fails.
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
"$mogas" "$folder/all.mog" --emit="$kind" --order-time=0.01 --build-time=all --superinstructions=8 -o - >"$folder/source"
[ "$kind" != cuda ] || set -- "$@" -o "$folder/ptx"
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
for engine in SEQUENCE SWITCH BLOCKS; do
    try "$@" "-DMOG_ENGINE_$engine"
    # The lanes of a warp meet after each pass.
    [ "$kind" != cuda ] || grep -q 'vote.sync.any' "$folder/ptx" || { echo "$engine: no vote in the loop"; exit 1; }
done
# Every engine with every way to count and to end, whether a device has a use for it today or not. (nvcc cannot check alone.)
[ "$kind" != cuda ] || exit 0
for engines in SEQUENCE SWITCH BLOCKS "BLOCKS SWITCH" "LANES SWITCH"; do
    flags=
    for engine in $engines; do flags="$flags -DMOG_ENGINE_$engine"; done
    for more in "" -DMOG_PROFILE "-DMOG_FUEL -DMOG_COUNT"; do
        # shellcheck disable=SC2086
        try "$@" -fsyntax-only $flags $more
    done
done
