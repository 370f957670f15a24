#!/bin/sh
# finds_mismatch.sh PYTHON FUZZ ... --mogrun MOGRUN ...: a device that computes wrongly is found, the program made smaller.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The last --mogrun counts: one that changes a bit of what the program prints on the device host.
real=$(printf '%s\n' "$@" | sed -n '/^--mogrun$/{n;p;}')
printf '#!/bin/sh\n"%s" "$@" >"%s/out"; status=$?\ncase "$*" in *=host*) sed "s/^hi \\(.*\\)[0-7] lo/hi \\1f lo/" ;; *) cat ;; esac <"%s/out"\nexit $status\n' \
    "$real" "$work" "$work" >"$work/mogrun"
chmod +x "$work/mogrun"
arguments=$(printf '%s\n' "$@" | grep -v '^--no-reduce$')
status=0
# No argument has spaces in it but for paths of a build folder, which then cannot be tested this way.
$arguments --mogrun "$work/mogrun" --keep "$work/kept" --kind asm --seed 5 --count 2 --fail-fast --reduce-steps 12 >"$work/said" 2>&1 || status=$?
cat "$work/said"
[ "$status" -ne 77 ] || exit 77
[ "$status" -eq 1 ]
grep -q -- "--device=host" "$work/kept/asm-5/README"
[ "$(wc -l <"$work/kept/asm-5/smaller.c")" -lt "$(wc -l <"$work/kept/asm-5/program.c")" ]
! cmp -s "$work/kept/asm-5/expected.txt" "$work/kept/asm-5/got.txt"
