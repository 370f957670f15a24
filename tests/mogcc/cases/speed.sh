# hello.c takes no longer than two C++ programs that do the same, in the best of five rounds: other programs may be running.
hello
printf '#include <iostream>\nint main() { std::cout << "hello\\n"; }\n' >hello.cc
milliseconds() {
    begin=$(date +%s%N)
    "$@"
    echo $((($(date +%s%N) - begin) / 1000000))
}
for round in 1 2 3 4 5; do
    mog=$(milliseconds mogcc -O2 hello.c)
    # shellcheck disable=SC2086
    cxx=$(milliseconds ${MOG_CXX:-c++} -O2 hello.cc -o hello.native)
    echo "round $round: hello.c $mog ms, hello.cc $cxx ms"
    [ "$mog" -gt $((2 * cxx)) ] || exit 0
done
fail "hello.c takes $mog ms"
