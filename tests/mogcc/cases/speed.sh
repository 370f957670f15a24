# hello.c compiles in less than 1.5 s. The best of three: other programs may be running.
hello
best=99999
for i in 1 2 3; do
    begin=$(date +%s%N)
    mogcc -O2 hello.c
    took=$((($(date +%s%N) - begin) / 1000000))
    [ $took -ge $best ] || best=$took
done
echo "hello.c: $best ms"
[ $best -lt 1500 ] || fail "hello.c takes $best ms"
