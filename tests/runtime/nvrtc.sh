#!/bin/sh
# nvrtc.sh MOGCC NVRTC_CHECK PROGRAM.c: NVRTC makes machine code of a program's CUDA source, for old and new devices; and of the parts of its
# kernel, which NVIDIA's linker, where it is here, makes one of as its driver does. Skipped (77) where NVRTC is not installed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -O2 --emit=cuda "$3" -o "$work/program.cu" -lm
"$1" -O2 --simd=none "$3" -o "$work/program" -lm
mkdir "$work/parts" "$work/later"
status=0
MOG_CACHE_DIR=$work/cache "$2" "$work/program.cu" "$work/program" "$work" >"$work/built" || status=$?
cat "$work/built"
[ $status = 0 ] || exit $status
# The library's functions of a later kernel are those of the first.
grep '/later/part' "$work/built" >"$work/shared" || { echo "the later kernel is linked with nothing"; exit 1; }
! grep -v ', was there' "$work/shared" || { echo "the later kernel's parts are compiled again"; exit 1; }
link=$(command -v nvlink || echo /usr/local/cuda/bin/nvlink)
[ -x "$link" ] || exit 0
for kernel in parts later; do
    "$link" -v --arch=sm_90 "$work/$kernel"/*.cubin -o "$work/linked.cubin" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
    registers=$(sed -n "/'mog_run'/{n;s/.*used \([0-9]*\) registers.*/\1/p;}" "$work/said")
    echo "$kernel: $registers registers"
    # No thread has more registers than the parts were given.
    [ "$registers" -le 80 ] || { echo "mog_run has $registers registers"; exit 1; }
done
