// command_line.hpp: command lines as CLI11 reads them. CLI11 is headers alone, which take longer to compile than all else in a tool's main
// file; behind this they are compiled once.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace mog {

class CommandLine {
public:
    /// One of its options, of which more can be said.
    class Option {
    public:
        explicit Option(CLI::Option *option) : option_(option) {}
        Option &value(std::string_view name);       ///< what help calls the value
        Option &value_only(std::string_view name);  ///< the same, and help says no more of it
        Option &one_of(std::vector<std::string> words);
        Option &one_of(std::vector<unsigned> numbers);
        Option &between(unsigned least, unsigned most);
        Option &check(std::function<std::string(const std::string &)> wrong);  ///< what is wrong with a value, or nothing
        Option &required();
        Option &shows_default();
        Option &last_counts();     ///< given several times, the last one counts
        Option &one_value_each();  ///< of a list: a value each time that it is given

        std::string name() const;
        bool is_given() const;

    private:
        CLI::Option *option_;
    };

    CommandLine(std::string_view description, std::string_view name);
    ~CommandLine();
    CommandLine(const CommandLine &) = delete;
    CommandLine &operator=(const CommandLine &) = delete;

    /// Names as "-o,--output"; without - it is a word by its place.
    Option option(std::string_view names, std::string &into, std::string_view help);
    Option option(std::string_view names, unsigned &into, std::string_view help);
    Option option(std::string_view names, std::vector<std::string> &into, std::string_view help);
    Option option(std::string_view names, std::function<Result<void>(const std::string &)> read, std::string_view help);
    Option flag(std::string_view names, bool &into, std::string_view help);
    /// A flag that may be given a value behind =; without one it is "true".
    Option flag(std::string_view names, std::string &into, std::string_view help);
    void version(std::string_view text);

    void footer(std::string_view text);    ///< of the help
    void usage(std::string_view line);     ///< in place of the help's first line
    void help_column(std::size_t column);  ///< where explanations begin
    void ends_at_first_word();             ///< what follows a word that is no option is left over, be it as it may

    struct Parsed {
        enum class Is { Read, Shown, WithoutValue, Wrong } is = Is::Read;
        std::string text;  ///< Shown: what was asked for, to standard output; WithoutValue, Wrong: what is wrong
    };
    Parsed parse(int argc, const char *const *argv);
    Parsed parse(std::vector<std::string> words);  ///< without the program's name

    std::vector<std::string> left_over() const;
    std::vector<std::string> long_names() const;  ///< of all options: "--output"
    /// Whether there is such an option, "-o" or "--output", and how many values it takes at least.
    std::optional<int> values_of(const std::string &name) const;

private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace mog
