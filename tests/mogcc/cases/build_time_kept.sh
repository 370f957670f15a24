# --build-time: g++ takes no more than 1.3 times as long, on two cores, however fast it is here. That is measured once.
unset MOG_SIMD MOG_COMPILER_SPEED       # code for lanes is part of it
program="$SOURCE/tests/programs/json_parser.c"
export MOG_CACHE_DIR="$PWD/cache" LOG="$PWD/log"
cat >compiler <<'END'
#!/bin/sh
"${CXX:-c++}" "$@"
status=$?
{ echo "$*"; times | tail -n 1; } >>"$LOG"
exit $status
END
cat >nothing <<'END'
#!/bin/sh
[ "$1" = --version ] && exit
echo "$*" >>"$LOG"
exit 1
END
chmod +x compiler nothing
hello
# Of the processor, but for what measured the compiler.
seconds() { awk -F'[ms ]+' '/speed.cpp/ { getline; next } /^[0-9]+m/ { sum += 60 * $1 + $2 + 60 * $3 + $4 } END { print sum }' "$LOG"; }
measured() { grep -o '[0-9.]* s,' "$MOG_CACHE_DIR"/*.log | tr -d ' s,'; }

: >log
MOG_CXX=$PWD/compiler mogcc -O2 --build-time=1 "$program" -o program
same "$(grep -c 'speed\.cpp' log)" 2
has log "program.cpp"
took=$(seconds)
before=$(measured)
: >log
MOG_CXX=$PWD/compiler mogcc -O1 --build-time=0.01 hello.c
lacks log "speed.cpp"
# What else goes on may make it slower meanwhile.
MOG_CACHE_DIR=$PWD/later
MOG_CXX=$PWD/compiler mogcc -O1 --build-time=0.01 hello.c
after=$(measured)
awk "BEGIN { slower = $after > $before ? $after / $before : 1; exit !($took <= 2 * 1.3 * slower) }" ||
    fail "g++ took $took s of a processor for --build-time=1; for the small program $before s before, and $after s afterwards"
# With a compiler that cannot do it nothing is known.
MOG_CACHE_DIR=$PWD/never
: >log
MOG_CXX=$PWD/nothing status 1 "$MOGCC" --build-time=0.01 hello.c
same "$(grep -c 'speed\.cpp' log)" 1
absent "$MOG_CACHE_DIR"/*.log
for speed in fast 0 -1; do
    MOG_COMPILER_SPEED=$speed status 1 "$MOGCC" --build-time=0.01 hello.c
    same "$(cat err)" "mogcc: error: MOG_COMPILER_SPEED is '$speed', and not a positive number"
done

# Twice as long on one half as fast is the same; and lanes are compiled where there is time for all of them.
for way in 1:1 2:0.5 2:1 1:100; do
    : >log
    MOG_CXX=$PWD/nothing MOG_COMPILER_SPEED=${way#*:} status 1 "$MOGCC" -O2 --order-time=0 -save-temps --build-time=${way%:*} "$program" -o $way
    lacks log "speed.cpp"
    grep -q 'lanes\.cpp' log && lanes=yes || lanes=no
    echo $lanes >$way.lanes
done
cmp 1:1.mog.cpp 2:0.5.mog.cpp
! cmp -s 2:1.mog.cpp 1:1.mog.cpp || fail "no more with twice the time"
same "$(cat 1:1.lanes) $(cat 2:0.5.lanes) $(cat 1:100.lanes)" "no no yes"
