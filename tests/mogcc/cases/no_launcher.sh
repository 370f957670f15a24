hello
status 1 env MOG_LAUNCHER=/nowhere/mogrun "$MOGCC" hello.c -o prog
has err '/nowhere/mogrun'
absent prog
