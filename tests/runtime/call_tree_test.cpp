// call_tree_test.cpp: the calls of many PEs as a tree: what they have in common is told once, and nobody is lost.
#include <doctest/doctest.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "runtime_host/population/call_tree.hpp"

using mog::CallTree;

TEST_CASE("call tree: common calls are one line, the most frequent first, with their ranks") {
    CallTree tree;
    const CallTree::Place main = tree.place("main", "main at a.c:9"), step = tree.place("step", "step at a.c:3");
    const CallTree::Place receive = tree.place("MPI_Recv", "MPI_Recv");
    for (std::uint32_t rank = 0; rank < 10; rank++) {
        std::vector<CallTree::Place> calls{main};
        CallTree::Wait wait{"waits for a message from {}, tag 1", rank + 1};
        if (rank >= 2) calls.push_back(receive);
        if (rank == 1) calls.push_back(step);
        tree.add(rank, calls, rank >= 2 ? &wait : nullptr);
    }
    CHECK(tree.text() ==
          "      10  main at a.c:9  [0-9]\n"
          "       8    MPI_Recv  [2-9]\n"
          "       8      (waits for a message from ranks 3-10, tag 1)\n"
          "       1    step at a.c:3  [1]\n");
}

TEST_CASE("call tree: one PE has no numbers, recursion of any depth is a line, threads are counted") {
    CallTree one, several;
    const CallTree::Place main = one.place("main", "main at a.c:9"), a = one.place("even", "even at a.c:1"),
                          b = one.place("odd", "odd at a.c:2");
    const std::vector<CallTree::Place> calls{main, a, b, a, b, a};
    one.add(0, calls, nullptr);
    CHECK(one.text() == "  main at a.c:9\n    even at a.c:1 (recursive)\n");
    const std::vector<CallTree::Place> all{several.place("main", "main")};
    for (const std::uint32_t rank : {3u, 3u, 3u, 7u}) several.add(rank, all, nullptr);
    CHECK(several.text() == "       4  main  [3, 7]\n");
}

TEST_CASE("call tree: of very many places the rarest are counted") {
    std::mt19937 random(1);
    CallTree tree;
    constexpr std::uint32_t count = 5000;
    for (std::uint32_t rank = 0; rank < count; rank++) {
        const std::string text = "f at f.c:" + std::to_string(random() % 100);
        const std::vector<CallTree::Place> calls{tree.place("main", "main"), tree.place("f", text)};
        tree.add(rank, calls, nullptr);
    }
    std::istringstream lines(tree.text());
    std::uint64_t sum = 0, before = count, number = 0, shown = 0;
    std::string line;
    std::getline(lines, line);
    CHECK(line == "    5000  main  [0-4999]");
    while (std::getline(lines, line)) {
        number = std::stoull(line);
        const bool is_rest = line.find("... at 89 other places") != std::string::npos;
        CHECK((is_rest || number <= before));
        before = number;
        sum += number;
        shown++;
    }
    CHECK(sum == count);
    CHECK(shown == 12);
}
