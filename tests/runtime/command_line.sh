#!/bin/sh
# command_line.sh MOGRUN SOURCES WORK: one clear sentence and the right status for each mistake on the command line;
# docs/system-calls.md is what the table says.
set -u
mogrun=$1 sources=$2 work=$3
mkdir -p "$work" && cd "$work" || exit 1
unset MOG_NPROC MOG_DEVICE MOG_MEM MOG_STATS MOG_STDIN MOG_TAG_OUTPUT MOG_TIMEOUT MOG_SLICE MOG_TRACE
failures=0

# expect STATUS PATTERN COMMAND...: the command ends with the status, and says one line that has the pattern.
expect() {
    status=$1 pattern=$2
    shift 2
    output=$("$@" 2>&1 </dev/null)
    got=$?
    lines=$(printf '%s\n' "$output" | wc -l)
    if [ $got -ne "$status" ] || [ "$lines" -ne 1 ] || ! printf '%s\n' "$output" | grep -q -- "$pattern"; then
        printf 'FAILED: %s\n  wanted status %s and one line with: %s\n  got status %s and: %s\n' "$*" "$status" "$pattern" "$got" "$output"
        failures=$((failures + 1))
    fi
}

printf 'int main;' >source.c
: >empty
head -c 300 "$mogrun" >cut_off
cp /bin/ls elf

expect 2 'which program' "$mogrun"
expect 2 'there is no option --nonsense' "$mogrun" --nonsense ./x
expect 2 'did you mean --tag-output' "$mogrun" --tagoutput ./x
expect 2 '"0" is not a number of PEs' "$mogrun" -n 0 ./x
expect 2 '"many" is not a number of PEs' "$mogrun" --np=many ./x
expect 2 '"many" is not a number of PEs' "$mogrun" -np many ./x
expect 2 '"0" is not a number of PEs' "$mogrun" --tag-output -np=0 ./x
expect 1 'there is no file ./x' "$mogrun" -np 4 ./x -np x
expect 2 '"-3" is not a number of PEs' "$mogrun" -n -3 ./x
expect 2 'not a size' "$mogrun" --mem lots ./x
expect 2 'not a device' "$mogrun" --device=abacus ./x
expect 2 'runs no program' "$mogrun" --calibrate ./x
expect 3 'no device opencl:99\|no OpenCL device\|OpenCL' "$mogrun" --calibrate --device=opencl:99
expect 2 'not a rank' "$mogrun" --stdin=some ./x
expect 2 'not a number of seconds' "$mogrun" --timeout=soon ./x
expect 2 'not "text" or "json"' "$mogrun" --stats=xml ./x
expect 2 'MOG_NPROC' env MOG_NPROC=x "$mogrun" ./x
expect 1 'there is no file ./missing' "$mogrun" ./missing
expect 1 'is a directory' "$mogrun" .
for file in source.c empty cut_off elf; do
    expect 1 "$file" "$mogrun" ./$file
done
expect 0 'mogrun [0-9]' "$mogrun" --version

"$mogrun" --list-devices | grep -q '^reference ' || { echo 'FAILED: --list-devices has no reference'; failures=$((failures + 1)); }
"$mogrun" --help | grep -q '^Usage: mogrun \[OPTIONS\] PROGRAM' || { echo 'FAILED: --help has no usage line'; failures=$((failures + 1)); }
if ! "$mogrun" --list-system-calls | diff - "$sources/docs/system-calls.md"; then
    echo 'FAILED: docs/system-calls.md is out of date: mogrun --list-system-calls > docs/system-calls.md'
    failures=$((failures + 1))
fi
[ $failures -eq 0 ] && echo 'all as expected'
exit $((failures != 0))
