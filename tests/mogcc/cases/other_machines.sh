# What is for other processors is named in a sentence, or left out where nothing is lost.
hello
status 0 mogcc -c -march=native -mtune=native -m64 -mavx2 -msse4.2 -mno-red-zone -mfma -fcf-protection -mtune=generic -march=x86-64-v3 hello.c
same "$(cat err)" "mogcc: warning: options for other processors are not supported for PEs, and are left out: -march=native -mtune=native -m64 -mavx2 -msse4.2 -mno-red-zone -mfma -fcf-protection -mtune=generic -march=x86-64-v3"
exists hello.o
# None of MIPS's options is taken for another's.
options() { "$@" -Q --help=target | awk '$1 ~ /^-m/ { print $1 }' | sed 's/=.*/=1/' | sort -u; }
# shellcheck disable=SC2046
status 0 mogcc -### -c $(options mipsel-linux-gnu-gcc | grep -vxE -e '-m(soft-float|ips16|micromips|single-float|no-float|eb|abi=1)') hello.c
lacks err "left out"
# Of x86's those that make code faster or safer, or say what x86 is, all are known.
if gcc -dumpmachine | grep -q x86_64; then
    options gcc | grep -E -e '-m(no-)?(s?sse|avx|fma|bmi|aes|sha|amx|pclmul|popcnt|lzcnt|rd|x?save|fxsr|mmx|3dnow|red|cmodel|fpmath|prefer|tls|stack|indirect|function)' |
        grep -vxE -e '-mstack-protector.*|-mno-sse4|-mspeculate.*' | sort >wanted
    # shellcheck disable=SC2046
    status 0 mogcc -### -c $(cat wanted) hello.c
    grep 'left out' err | sed 's/.*left out: //' | tr ' ' '\n' | sort >left
    same "$(diff wanted left)" ""
    [ "$(wc -l <wanted)" -gt 60 ] || fail "gcc has few options"
fi
# Processors that there are.
mogcc -c -march=mips32 -mtune=24kc hello.c 2>err
same "$(cat err)" ""

# Objects, archives and libraries of this machine; big-endian ones.
gcc -c hello.c -o native.o
ar rcs native.a native.o
gcc -shared -fPIC hello.c -o native.so
mipsel-linux-gnu-gcc -EB -c hello.c -o big.o
for file in native.o native.a native.so big.o; do
    status 1 mogcc $file -o prog
    same "$(wc -l <err)" 1
    has err "$file is for "
    has err "PEs run code of 32-bit little-endian MIPS; compile its sources with mogcc"
    absent prog
done
mogcc -c hello.c native.o 2>out     # nothing is linked

# One sentence for what there is no library for.
for option in -fopenacc --coverage -fprofile-generate; do
    status 2 mogcc $option hello.c
    same "$(wc -l <err)" 1
done
status 2 mogcc -fgnu-tm hello.c
has err 'PEs have no transactions'
