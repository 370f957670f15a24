// host_products.cpp: the commands of host_compiler.hpp, one after the other.
#include "tests/isa/host_products.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "support/files.hpp"
#include "support/host_compiler.hpp"

namespace mog::test {

Result<void> compile_host(Image &image, std::string_view doubles) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("mog-isa-{}", ::getpid());
    std::filesystem::create_directories(folder);
    const auto compile = [&]() -> Result<void> {
        for (const HostLibrary &library : host_libraries(image.products.contains("entries"), image.products.contains("places"))) {
            std::vector<std::string> objects;
            for (const HostLibrary::Part &part : library.parts) {
                const std::string source = folder / part.source;
                objects.push_back(folder / (part.object + ".o"));
                if (auto written = write_file(source, image.products[part.source]); !written) return written;
                Command command = compile_part({"g++"}, part, doubles, source, objects.back());
                std::erase(command, "-w");  // but g++ 12 warns of its own header for AVX-512
                command.insert(command.end(), {"-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror",
                                               "-Wno-maybe-uninitialized", "-Wno-uninitialized"});
                const auto status = run_command(command);
                if (!status || *status != 0) return Error{"the generated C++ does not compile without warnings", {}};
            }
            const std::string object = folder / "library.so";
            const auto status = run_command(link_library({"g++"}, objects, object));
            auto code = read_file(object);
            if (!status || *status != 0 || !code) return Error{"the library cannot be linked", {}};
            image.products[library.product] = *code;
        }
        return {};
    };
    const auto compiled = compile();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return compiled;
}

}  // namespace mog::test
