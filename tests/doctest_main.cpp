// doctest_main.cpp: doctest's main, and all of doctest that is no template, for all programs of tests that need no other.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
