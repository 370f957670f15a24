# The encoded program, which mogrun runs.
hello
mogcc -O2 --emit=image hello.c
[ ! -x a.image ] || fail "an image is no executable"
same "$("$BUILD/bin/mogrun" -n 1 a.image)" "hello, 42"
