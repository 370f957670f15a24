/* bits/locale_classes.h: what <iostream>, <sstream>, <locale>, <regex>, <complex> and others of g++'s library come to first. */
#error "PEs have of the C++ library what is in headers alone, and no streams, locales or what needs them: use <stdio.h> and the other headers of C (<memory>, <chrono>: -std=c++17)"
/* Ends the compilation: all that would follow says no more. */
#include <the C++ library of streams and locales>
