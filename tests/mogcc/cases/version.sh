mogcc --version >out
grep -q '^mogcc (MOG) [0-9]*\.[0-9]*\.[0-9]*$' out
has out 'with mipsel-linux-gnu-gcc'
same "$(mogcc -dumpmachine)" mipsel-linux-gnu
