// main.cpp: doctest's main for the tests of PTX.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
