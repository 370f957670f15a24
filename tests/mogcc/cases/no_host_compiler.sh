# No compiler for this machine is needed: the program runs on every device all the same. What was asked to be compiled beforehand is not,
# and mogcc says so, once.
hello
status 0 env MOG_CXX=/nonexistent MOG_SIMD= "$MOGCC" -O2 hello.c
same "$(cat err)" ""
same "$(MOG_DEVICE=host ./a.out)" "hello, 42"
for engine in switch blocks native; do same "$(MOG_DEVICE=host MOG_ENGINE=$engine ./a.out)" "hello, 42"; done
same "$(MOG_DEVICE=reference ./a.out)" "hello, 42"
for option in --build-time=0.1 --unchecked --simd=portable; do
    status 0 env MOG_CXX=no-such-compiler MOG_SIMD=portable "$MOGCC" -O2 $option hello.c
    same "$(wc -l <err)" 1
    has err 'warning: no-such-compiler is not here, so nothing is compiled for the device `host` beforehand'
    same "$(MOG_DEVICE=host ./a.out)" "hello, 42"
done
status 0 env MOG_CXX= "$MOGCC" --build-time=0.1 hello.c
same "$(cat err)" ""
# Nor is any called where there is one.
printf '#!/bin/sh\necho called >>"%s/calls"\nexit 1\n' "$PWD" >compiler
chmod +x compiler
for options in "" -O2 -g "--double=soft" "-save-temps" "--build-time=0" "--simd=none" "--emit=image -o image"; do
    # shellcheck disable=SC2086
    status 0 env MOG_CXX="$PWD/compiler" MOG_SIMD= "$MOGCC" $options hello.c
done
absent calls
status 1 env MOG_CXX="$PWD/compiler" "$MOGCC" --build-time=0.1 hello.c
exists calls
