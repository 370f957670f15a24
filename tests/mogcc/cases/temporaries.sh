# Nothing stays behind: not after success, nor after failure, nor after a signal.
hello
mogcc hello.c
same "$(ls -A "$TMPDIR")" ""
echo 'int main(void) { return missing(); }' >bad.c
status 1 mogcc -w bad.c -o prog
same "$(ls -A "$TMPDIR")" ""
absent prog
# A compiler for this machine that waits: the signal comes in the middle.
waits slow
begin env MOG_CXX=$PWD/slow "$MOGCC" --build-time=0.1 hello.c -o prog
[ -n "$(ls -A "$TMPDIR")" ] || fail "there was no temporary file to begin with"
end TERM
same "$got" 143
same "$(ls -A "$TMPDIR")" ""
absent prog
