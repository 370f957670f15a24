# The interpreter as C++ compiles with this machine's compiler.
hello
mogcc -O2 --emit=cpp hello.c -o interpreter.cpp
c++ -w -c interpreter.cpp
