// output_test.cpp: lines stay whole.
#include <doctest/doctest.h>

#include <cerrno>

#include "runtime_host/linux/output.hpp"

using mog::Output;
using mog::OutputConfig;

namespace {

struct Sinks {
    std::string all;  ///< "1<text>" and "2<text>" in order
    OutputConfig config(bool one_target = false) {
        return {one_target, [this](int stream, std::string_view bytes) {
                    all += std::to_string(stream) + "<" + std::string(bytes) + ">";
                    return 0;
                }};
    }
};

}  // namespace

TEST_CASE("an unfinished line waits for its rest") {
    Sinks s;
    Output out(s.config(), 2);
    out.write(0, 1, "hel");
    out.write(1, 1, "one\ntw");
    out.flush();
    CHECK(s.all == "1<one\n>");
    out.write(0, 1, "lo\n");
    out.write(1, 1, "o");
    out.finish_lines(1);
    out.flush();
    CHECK(s.all == "1<one\n>1<hello\ntwo>");
}

TEST_CASE("what is held goes out in the order of ranks, each one's writes in theirs") {
    Sinks s;
    Output out(s.config(), 3);
    out.hold();
    out.write(2, 1, "c1\nc");
    out.write(0, 1, "a1\n");
    out.write(2, 2, "e\n");
    out.write(2, 1, "2\n");
    out.write(0, 1, "a2\n");
    SUBCASE("when it is released") {
        out.flush();
        CHECK(s.all.empty());
        out.release();
        out.flush();
        CHECK(s.all == "1<a1\na2\nc1\n>2<e\n>1<c2\n>");
        out.write(1, 1, "b\n");  // and no longer
        out.flush();
        CHECK(s.all == "1<a1\na2\nc1\n>2<e\n>1<c2\n>1<b\n>");
    }
    SUBCASE("before one of MOG's own lines is put") {
        out.put_line(2, "mog\n");
        out.write(0, 1, "a3\n");
        out.release();
        out.flush();
        CHECK(s.all == "1<a1\na2\nc1\n>2<e\n>1<c2\n>2<mog\n>1<a3\n>");
    }
    SUBCASE("and no line is finished before that") {
        out.write(1, 1, "b");
        out.finish_lines(1);
        out.release();
        out.write(1, 1, "b\n");
        out.flush();
        CHECK(s.all == "1<a1\na2\nc1\n>2<e\n>1<c2\nbb\n>");
    }
    SUBCASE("when there is much of it") {
        out.write(1, 1, std::string(17 << 20, 'b') + "\n");
        CHECK(s.all.size() > 16 << 20);
        CHECK(s.all.starts_with("1<a1\na2\n"));
    }
}

TEST_CASE("before a stream has taken something, writes to it are better not held") {
    Sinks s;
    Output out(s.config(), 2);
    CHECK_FALSE(out.is_untried(1));
    out.hold();
    CHECK(out.is_untried(1));
    out.release();
    out.write(0, 1, "x\n");
    out.flush();
    out.hold();
    CHECK_FALSE(out.is_untried(1));
    CHECK(out.is_untried(2));
    Output alone(s.config(), 1);
    alone.hold();
    CHECK_FALSE(alone.is_untried(1));
}

TEST_CASE("a stream that broke tells whoever writes next, held or not") {
    Output out({false, [](int, std::string_view) { return EPIPE; }}, 2);
    out.hold();
    CHECK(out.write(1, 1, "x\n") == 0);
    out.release();
    out.flush();
    out.hold();
    CHECK(out.write(1, 1, "y\n") == EPIPE);
}

TEST_CASE("a single PE's unfinished line goes out at once") {
    Sinks s;
    SUBCASE("plain") {
        Output out(s.config(), 1);
        out.write(0, 1, "name? ");
        CHECK(s.all == "1<name? >");
        out.write(0, 2, "hm");
        CHECK(s.all == "1<name? >2<hm>");
    }
    SUBCASE("tagged") {
        Output out(s.config(), 1, true);
        out.write(0, 1, "name? ");
        out.write(0, 1, "age?\n");
        CHECK(s.all == "1<[0] name? >1<age?\n>");
    }
}

TEST_CASE("both streams on one terminal keep their order; apart they keep their lines") {
    Sinks s;
    SUBCASE("one target") {
        Output out(s.config(true), 2);
        out.write(0, 1, "a");
        out.write(0, 2, "b\n");
        out.flush();
        CHECK(s.all == "1<a>2<b\n>");
    }
    SUBCASE("two targets") {
        Output out(s.config(), 2);
        out.write(0, 1, "a");
        out.write(0, 2, "b\n");
        out.write(0, 1, "c\n");
        out.flush();
        CHECK(s.all == "2<b\n>1<ac\n>");
    }
}

TEST_CASE("tags stand before every line") {
    Sinks s;
    Output out(s.config(), 12, true);
    out.write(11, 1, "a\n\nb");
    out.write(3, 1, "c\n");
    out.finish_lines(11);
    out.flush();
    CHECK(s.all == "1<[11] a\n[11] \n[3] c\n[11] b\n>");
}

TEST_CASE("after a stream broke, writes to it fail for the same reason; a single PE's at once") {
    auto broken = [](int stream, std::string_view) { return stream == 1 ? ENOSPC : 0; };
    SUBCASE("several") {
        Output out({false, broken}, 2);
        CHECK(out.write(0, 1, "x\n") == 0);
        CHECK(out.write(0, 2, "x\n") == 0);
        CHECK(out.error(1) == 0);
        out.flush();
        CHECK(out.error(1) == ENOSPC);
        CHECK(out.write(1, 1, "y\n") == ENOSPC);
        CHECK(out.write(1, 2, "y\n") == 0);
    }
    SUBCASE("single") {
        Output out({false, broken}, 1);
        CHECK(out.write(0, 1, "x\n") == ENOSPC);
    }
}

TEST_CASE("a line without an end goes out in pieces") {
    const std::string piece(1000, 'x');
    const auto write_to = [&](Output &out, std::uint32_t rank, int times) {
        for (int i = 0; i < times; i++) out.write(rank, 1, piece);
    };
    Sinks s;
    SUBCASE("plain: not a byte more or less") {
        Output out(s.config(), 2);
        write_to(out, 0, 65);
        out.flush();
        CHECK(s.all.empty());
        write_to(out, 0, 1);
        out.flush();
        CHECK(s.all == "1<" + std::string(66'000, 'x') + ">");
        write_to(out, 0, 1);
        out.write(0, 1, "\n");
        out.flush();
        CHECK(s.all == "1<" + std::string(66'000, 'x') + ">1<" + piece + "\n>");
    }
    SUBCASE("with tags each piece is a line") {
        Output out(s.config(), 2, true);
        out.write(1, 1, "other");
        write_to(out, 0, 67);
        out.finish_lines(0);
        out.finish_lines(1);
        out.flush();
        CHECK(s.all == "1<[0] " + std::string(66'000, 'x') + "\n[0] " + piece + "\n[1] other\n>");
    }
    SUBCASE("a single call") {
        Output out(s.config(), 2, true);
        out.write(0, 1, std::string(40 << 20, 'y'));
        out.write(0, 1, "z\n");
        out.flush();
        std::size_t bytes = 0;
        for (const char c : s.all) bytes += c == 'y';
        CHECK(bytes == 40 << 20);
        CHECK(s.all.ends_with("y>1<\n[0] z\n>"));
    }
}

TEST_CASE("lines of many PEs that are not finished are not kept without bound") {
    std::size_t out_bytes = 0;
    Output out({false,
                [&](int, std::string_view bytes) {
                    out_bytes += bytes.size();
                    return 0;
                }},
               8192);
    const std::string part(60'000, 'x');
    std::size_t written = 0;
    for (std::uint32_t rank = 0; rank < 8192; rank++) {
        out.write(rank, 1, part);
        written += part.size();
    }
    out.flush();
    CHECK(written - out_bytes <= Output::most_unfinished);
    CHECK(written - out_bytes > Output::most_unfinished - part.size());
    for (std::uint32_t rank = 0; rank < 8192; rank++) out.finish_lines(rank);
    out.flush();
    CHECK(out_bytes == written);
}

TEST_CASE("equal lines wait for each other over rounds, until all is wanted or it is too much") {
    Sinks s;
    Output out(s.config(), 3, false, 0, mog::Collation{.world = 3, .patience = std::chrono::milliseconds(-1)});
    out.write(0, 1, "on");
    out.write(1, 1, "one\n");
    out.end_round();
    out.write(0, 1, "e\n");
    out.write(2, 1, "one\ntwo");
    out.end_round();
    CHECK(s.all.empty());
    SUBCASE("at the end") {
        out.finish_lines(2);
        out.flush();
        CHECK(s.all == "1<PEs 0-2: one\nPE 2: two\n>");
    }
    SUBCASE("before one of MOG's own lines") {
        out.put_line(2, "mog\n");
        out.end_round();
        CHECK(s.all == "1<PEs 0-2: one\n>2<mog\n>");
    }
    SUBCASE("where memory for them ends") {
        for (int i = 0; i < 600; i++) out.write(1, 1, std::string(60 << 10, 'x') + std::to_string(i) + "\n");
        out.end_round();
        CHECK(s.all.size() > (16 << 20));
    }
}

TEST_CASE("lines of many PEs are whole where memory for what is not folded ends between their pieces") {
    Sinks s;
    constexpr std::uint32_t pes = 400;
    Output out(s.config(), pes, false, 0, mog::Collation{.world = pes, .patience = std::chrono::milliseconds(-1)});
    const std::string half(30 << 10, 'x');
    for (std::uint32_t rank = 0; rank < pes; rank++) {
        out.write(rank, 1, half);
        out.write(rank, 1, half + "\n");
        out.write(rank, 1, "end\n");
        out.end_round();
    }
    out.flush();
    CHECK(s.all == "1<PEs 0-399: " + half + half + "\nPEs 0-399: end\n>");
}
