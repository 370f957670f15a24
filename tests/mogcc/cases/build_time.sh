# --build-time: with more time all is compiled that is with less, and more.
# labels FILE: of all blocks that are compiled.
labels() { grep -oE '^ *b[0-9]+:' "$1" | tr -d ' b:' | sort -u; }
# Of the lines above functions, which may be two.
instructions() { tr '\n' ' ' <"$1" | grep -oE '[0-9]+ blocks?,[ */]*[0-9]+[ */]*instruction' | tr -d '*/' | awk '{ sum += $3 } END { print sum + 0 }'; }
# covers MORE LESS: a block without a label is one that others lead into, so nobody leaves compiled code for it.
covers() {
    labels "$1" >more
    labels "$2" >less
    for block in $(comm -13 more less); do ! grep -q "LEAVE($block)" "$1" || return 1; done
    [ "$(instructions "$1")" -ge "$(instructions "$2")" ]
}
# Of the last one, what messages of MPI go through has a part of the time.
for program in tests/programs/md5 tests/programs/lz_compress examples/mpi/ring/ring; do
    mogcc -O2 --emit=mog "$SOURCE/$program.c" -lm -o program.mog
    mogas() { "$(dirname "$MOGCC")/mogas" --emit=cpp --order-time=0 --build-time="$1" program.mog >"$1.cpp"; }
    mogas 0
    same "$(labels 0.cpp)" ""
    before=0
    for seconds in 0.1 0.5 1 3 10 all; do
        mogas $seconds
        covers $seconds.cpp $before.cpp || fail "$program: with --build-time=$seconds something is not compiled that is with $before"
        before=$seconds
    done
    [ "$(instructions all.cpp)" -gt "$(instructions 1.cpp)" ] || fail "$program: all is no more than 1 s"
    ! covers 0.5.cpp all.cpp || fail "$program: all is no more than 0.5 s"
done
