// mogrun_target.cpp: any bytes as the command line of mogrun, a word per line; lines that begin with MOG_ are variables of the
// environment. All of main.cpp runs. The program that it names does not exist, so nothing is run.
#define main mogrun_main
#define MOG_VERSION "0"
#include "runtime_host/main.cpp"
#undef main

#include "tests/fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    std::vector<std::string> words{"mogrun"}, variables;
    for (const std::string_view line : mog::split_lines({reinterpret_cast<const char *>(data), size})) {
        std::string word(line.substr(0, line.find('\0')));
        if (word.starts_with("--list-d")) continue;  // asks the drivers of the machine
        const std::size_t equals = word.find('=');
        if (word.starts_with("MOG_") && equals != word.npos) {
            word[equals] = '\0';
            setenv(word.c_str(), word.c_str() + equals + 1, 1);
            variables.push_back(word.substr(0, equals));
        } else {
            words.push_back(std::move(word));
        }
    }
    words.push_back("/nowhere/program");
    std::vector<char *> pointers;
    for (std::string &word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int status = mogrun_main(static_cast<int>(words.size()), pointers.data());
    mog::fuzz::require(status >= 0 && status <= 3, "an exit status that is not in the manual");
    for (const std::string &name : variables) unsetenv(name.c_str());
    return 0;
}
