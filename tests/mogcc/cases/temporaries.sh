# Nothing stays behind: not after success, nor after failure, nor after a signal.
hello
mogcc hello.c
same "$(ls -A "$TMPDIR")" ""
echo 'int main(void) { return missing(); }' >bad.c
status 1 mogcc -w bad.c -o prog
same "$(ls -A "$TMPDIR")" ""
absent prog
# A compiler for this machine that waits: the signal comes in the middle.
printf '#!/bin/sh\necho $$ >>%s/started\nexec sleep 30\n' "$PWD" >slow
chmod +x slow
MOG_CXX=$PWD/slow "$MOGCC" hello.c -o prog &
driver=$!
for i in $(seq 100); do
    [ -s started ] && break
    sleep 0.1
done
[ -n "$(ls -A "$TMPDIR")" ] || fail "there was no temporary file to begin with"
kill -TERM $driver
got=0
wait $driver || got=$?
sleep 0.2
# shellcheck disable=SC2046
kill $(cat started)     # one for each part of the interpreter
same "$got" 143
same "$(ls -A "$TMPDIR")" ""
absent prog
