#!/bin/sh
# program.sh MOGCUDA SOURCE.cu: compiles a program and runs it; it says itself whether its kernels are right. Lines `// prints: TEXT` of the
# source are what it has to print beside that. It runs again with few registers, by each allocator (docs/divergence.md). Exit status 77: there is no clang.
set -u
mogcuda=$1 source=$2 here=$(cd "$(dirname "$0")" && pwd)
command -v "${MOG_CLANG:-clang++}" >/dev/null || { echo "skipped: this wants clang++; on Debian: apt-get install clang"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$mogcuda" -O1 "$source" -o "$folder/program" || exit 1
"$folder/program" >"$folder/output"
status=$?
cat "$folder/output"
sed -n 's,^ *// prints: ,,p' "$source" >"$folder/wanted"
while IFS= read -r line; do
  grep -qxF -- "$line" "$folder/output" || { echo "it does not print: $line"; status=1; }
done <"$folder/wanted"
# In code that is compiled before it runs: it says the same. What was compiled once is kept for the next time that this is run.
if command -v c++ >/dev/null; then
  MOG_CXX=$here/compiler.sh FAILED=$folder/failed MOGCUDA_ENGINE=compiled "$folder/program" >"$folder/compiled" || { echo "compiled it fails:"; cat "$folder/compiled"; status=1; }
  [ ! -e "$folder/failed" ] || { echo "kernels were not compiled:"; cat "$folder/failed"; status=1; }
  cmp -s "$folder/output" "$folder/compiled" || { echo "compiled it says something else"; diff "$folder/output" "$folder/compiled"; status=1; }
fi
# With registers, of 64 bits and of 32, that lose what they hold when what overlaps them is written: it says the same.
for registers in linear,8 divergent,8 rematerialising,8 affine,8 affine,6 affine,8,exact affine,14,bits=32 linear,14,bits=32; do
  MOGCUDA_REGISTERS=$registers,junk "$folder/program" >"$folder/with_registers" ||
    { echo "with registers by $registers it fails:"; cat "$folder/with_registers"; status=1; }
  cmp -s "$folder/output" "$folder/with_registers" || { echo "with registers by $registers it says something else"; status=1; }
done
exit $status
