# -o NAME, -oNAME, and a.out without; the result is executable.
hello
mogcc hello.c
mogcc hello.c -o one
mogcc hello.c -otwo
for f in a.out one two; do
    [ -x $f ] || fail "$f is not executable"
    same "$(./$f)" "hello, 42"
done
# What is no file of its own is written to, not replaced: standard output, a pipe, a device.
mogcc hello.c -o - >three
chmod +x three
same "$(./three)" "hello, 42"
mkfifo pipe
chmod 600 pipe
cat pipe >four &
mogcc hello.c -o pipe
wait
cmp three four
same "$(stat -c %F:%a pipe)" "fifo:600"
