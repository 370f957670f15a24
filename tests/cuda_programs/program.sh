#!/bin/sh
# program.sh MOGCUDA SOURCE.cu: compiles a program and runs it; it says itself whether its kernels are right. Lines `// prints: TEXT` of the
# source are what it has to print beside that. Exit status 77: there is no clang.
set -u
mogcuda=$1 source=$2
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
exit $status
