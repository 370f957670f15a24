#!/bin/sh
# finds_breaks.sh PYTHON FUZZ: each way in which mogrun can be hurt by raw calls is found: crashes, reports of sanitizers, statuses
# that are no program's, files outside of --root, memory and time without bound; and what is all right is not.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
try() { # NAME WANTED SCRIPT: what a mogrun that does this is found to do
    mkdir "$work/$1"
    printf '#!/bin/sh\ncase "$*" in *list-devices*) exit 0 ;; esac\n%s\n' "$3" >"$work/$1/mogrun"
    chmod +x "$work/$1/mogrun"
    status=0
    # No argument has spaces in it but for paths of a build folder, which then cannot be tested this way.
    $arguments --mogrun "$work/$1/mogrun" --keep "$work/kept" --kind syscalls --device reference --no-mpirun --seed 3 --count 1 >"$work/said" 2>&1 || status=$?
    if [ "$2" = nothing ]; then
        [ $status -eq 0 ] && return
    elif [ $status -eq 1 ] && grep -q "FOUND syscalls 3: $2" "$work/said"; then
        return
    fi
    echo "a mogrun that does this: $3: status $status, not \"$2\" but"
    cat "$work/said"
    failures=1
}
# Nothing is run, so nothing needs to be compiled.
printf '#!/bin/sh\n' >"$work/mogcc"
chmod +x "$work/mogcc"
arguments="$* --mogcc $work/mogcc --lateness 1"
try right nothing 'exit 70'
try fault nothing 'exit 139'
try crash 'ended by signal 11' 'kill -SEGV $$'
try refused 'status 3' 'exit 3'
try changed 'changed, under root' 'echo x >>outside/secret; exit 64'
try made 'changed, under root' 'mkdir outside/new; exit 64'
try terminate 'says terminate called' 'echo "terminate called after" >&2; exit 64'
try memory 'uses' 'exec python3 -c "x = bytearray(900 << 20); raise SystemExit(64)"'
try report 'SUMMARY: AddressSanitizer: heap-buffer-overflow' 'echo "SUMMARY: AddressSanitizer: heap-buffer-overflow" >../sanitizer.1; exit 64'
try endless 'does not end' 'exec sleep 60'
exit $failures
