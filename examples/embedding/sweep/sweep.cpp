// sweep.cpp: a parameter sweep: 10,000 PEs, each with a parameter of its own, and their results in a table.
//
//     ./sweep sweep.csv [DEVICE]
#include <cstdio>
#include <fstream>
#include <vector>

#include <mog.hpp>

MOG_DECLARE_LINKED(logistic);

namespace {

constexpr std::uint32_t runs = 10'000;

double rate_of(std::uint32_t pe) {
    return 2.5 + 1.5 * pe / runs;
}

/// As the PEs' compiler lays it out.
struct Result {
    std::int32_t period;
    double exponent;
};

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: sweep FILE.csv [DEVICE]\n");
        return 2;
    }
    try {
        const mog::Program program(MOG_LINKED(logistic));
        mog::Run run(program);
        run.set_pes(runs).set("mem", "64K").set_device(argc > 2 ? argv[2] : "auto");
        run.load();

        std::vector<double> rates;
        for (std::uint32_t pe = 0; pe < runs; pe++) rates.push_back(rate_of(pe));
        run.write_all(program.symbol("rate").address, rates);
        if (const int status = run.to_end()) {
            std::fprintf(stderr, "sweep: a PE ended with status %d\n", status);
            return 1;
        }
        const std::vector<Result> results = run.read_all<Result>(program.symbol("result").address);

        std::ofstream table(argv[1]);
        table << "rate,period,exponent\n";
        for (std::uint32_t pe = 0; pe < runs; pe++) table << rates[pe] << ',' << results[pe].period << ',' << results[pe].exponent << '\n';
        table.close();
        if (!table) {
            std::fprintf(stderr, "sweep: cannot write %s\n", argv[1]);
            return 1;
        }
        std::printf("%u results in %s\n", runs, argv[1]);
    } catch (const mog::Error &error) {
        std::fprintf(stderr, "sweep: %s\n", error.what());
        return 1;
    }
}
