# -o NAME, -oNAME, and a.out without; the result is executable.
hello
mogcc hello.c
mogcc hello.c -o one
mogcc hello.c -otwo
for f in a.out one two; do
    [ -x $f ] || fail "$f is not executable"
    same "$(./$f)" "hello, 42"
done
