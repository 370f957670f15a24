// app.cpp: an application whose build has a program for PEs in it as sources: rolls.h, rolls_image.c and rolls.cpp. It reads no file when it
// runs, but for OpenCL, if it is given one: the interpreter as it stands there, edited or not.
//
//     ./app [DEVICE [rolls.cl]]
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include <mog.hpp>

#include "rolls.h"

int main(int argc, char **argv) {
    try {
        mog_parts parts = rolls_parts;
        std::string source;
        if (argc > 2) {
            std::ifstream file(argv[2]);
            source.assign(std::istreambuf_iterator<char>(file), {});
            parts.opencl = source.c_str();
        }
        mog::Program program(parts);
        mog::Run run(program);
        run.set_pes(1000).set_device(argc > 1 ? argv[1] : "host").set("mem", "64K").load();
        std::vector<unsigned> seeds(run.pes());
        std::iota(seeds.begin(), seeds.end(), 1u);
        run.write_all(ROLLS_ADDRESS_seed, seeds);
        run.to_end();
        const auto throws = run.read_all<unsigned>(ROLLS_ADDRESS_throws);
        std::cout << std::accumulate(throws.begin(), throws.end(), 0u) << " throws on " << run.pes() << " PEs; the last one says: "
                  << run.output(run.pes() - 1);
    } catch (const mog::Error &error) {
        std::cerr << "app: " << error.what() << '\n';
        return 1;
    }
}
