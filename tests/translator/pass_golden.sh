#!/bin/sh
# pass_golden.sh [--rebase] MOGTR LINKER_SCRIPT FILE.s: a golden test of one pass.
#
# FILE.s stands in a folder named like the pass. It is assembled, linked and translated, and the program after the pass is
# compared with FILE.expected beside it, or, for bad_*.s, the error with it. --rebase writes FILE.expected anew. remove_faint is left out
# for other passes' cases, which say little of what they compute: it would take most of it away.
set -eu
rebase=false
[ "$1" != --rebase ] || { rebase=true; shift; }
mogtr=$1 script=$2 source=$3
pass=$(basename "$(dirname "$source")")
expected=${source%.s}.expected
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mipsel-linux-gnu-gcc -march=mips32r2 -mfp32 -mno-abicalls -Wa,-mno-fix-loongson3-llsc -c "$source" -o "$work/a.o"
# The control block, which crt0.o brings to whole programs.
printf '.section .mogcb, "aw"\n.space 32\n' | mipsel-linux-gnu-gcc -mfp32 -mno-abicalls -c -x assembler - -o "$work/cb.o"
mipsel-linux-gnu-gcc -nostdlib -static -no-pie -Wl,--emit-relocs,--build-id=none,-e,main,-z,noexecstack,--no-warn-mismatch \
    -T "$script" "$work/a.o" "$work/cb.o" -o "$work/a.elf"
alone=
[ "$pass" = remove_faint ] || alone=--without-pass=remove_faint
status=0
"$mogtr" --verify-each $alone --dump-after="$pass" "$work/a.elf" >"$work/actual" 2>"$work/errors" || status=$?
sed "s|$work/||" "$work/errors" >>"$work/actual"
case $(basename "$source") in
    bad_*) [ "$status" -eq 1 ] || { echo "status $status, not 1"; exit 1; } ;;
    *) [ "$status" -eq 0 ] || { cat "$work/errors"; exit 1; } ;;
esac
if $rebase; then cp "$work/actual" "$expected"; fi
diff -u "$expected" "$work/actual"
