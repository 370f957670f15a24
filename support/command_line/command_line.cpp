#include "support/command_line/command_line.hpp"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

namespace mog {
namespace {

/// CLI11's help, which may have another first line.
class Formatter final : public CLI::Formatter {
public:
    std::string usage;
    std::string make_usage(const CLI::App *app, std::string name) const override {
        return usage.empty() ? CLI::Formatter::make_usage(app, name) : usage;
    }
};

template <typename Parse>
CommandLine::Parsed read(const CLI::App &app, Parse parse) {
    using Is = CommandLine::Parsed::Is;
    try {
        parse();
    } catch (const CLI::CallForHelp &) {
        return {Is::Shown, app.help()};
    } catch (const CLI::CallForVersion &error) {
        return {Is::Shown, std::string(error.what()) + "\n"};
    } catch (const CLI::ArgumentMismatch &error) {
        return {Is::WithoutValue, error.what()};
    } catch (const CLI::ParseError &error) {
        return {Is::Wrong, error.what()};
    }
    return {};
}

}  // namespace

CommandLine::Option &CommandLine::Option::value(std::string_view name) {
    option_->type_name(std::string(name));
    return *this;
}
CommandLine::Option &CommandLine::Option::value_only(std::string_view name) {
    option_->option_text(std::string(name));
    return *this;
}
CommandLine::Option &CommandLine::Option::one_of(std::vector<std::string> words) {
    option_->check(CLI::IsMember(std::move(words)));
    return *this;
}
CommandLine::Option &CommandLine::Option::one_of(std::vector<unsigned> numbers) {
    option_->check(CLI::IsMember(std::move(numbers)));
    return *this;
}
CommandLine::Option &CommandLine::Option::between(unsigned least, unsigned most) {
    option_->check(CLI::Range(least, most));
    return *this;
}
CommandLine::Option &CommandLine::Option::check(std::function<std::string(const std::string &)> wrong) {
    option_->check(std::move(wrong));
    return *this;
}
CommandLine::Option &CommandLine::Option::required() {
    option_->required();
    return *this;
}
CommandLine::Option &CommandLine::Option::shows_default() {
    option_->capture_default_str();
    return *this;
}
CommandLine::Option &CommandLine::Option::last_counts() {
    option_->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    return *this;
}
CommandLine::Option &CommandLine::Option::one_value_each() {
    option_->allow_extra_args(false);
    return *this;
}
std::string CommandLine::Option::name() const { return option_->get_name(); }
bool CommandLine::Option::is_given() const { return option_->count() != 0; }

CommandLine::CommandLine(std::string_view description, std::string_view name)
    : app_(std::make_unique<CLI::App>(std::string(description), std::string(name))) {
    app_->formatter(std::make_shared<Formatter>());
}
CommandLine::~CommandLine() = default;

CommandLine::Option CommandLine::option(std::string_view names, std::string &into, std::string_view help) {
    return Option(app_->add_option(std::string(names), into, std::string(help)));
}
CommandLine::Option CommandLine::option(std::string_view names, unsigned &into, std::string_view help) {
    return Option(app_->add_option(std::string(names), into, std::string(help)));
}
CommandLine::Option CommandLine::option(std::string_view names, std::vector<std::string> &into, std::string_view help) {
    return Option(app_->add_option(std::string(names), into, std::string(help)));
}
CommandLine::Option CommandLine::option(std::string_view names, std::function<Result<void>(const std::string &)> read,
                                        std::string_view help) {
    return Option(app_->add_option_function<std::string>(
        std::string(names),
        [read = std::move(read), name = std::string(names)](const std::string &value) {
            if (const Result<void> done = read(value); !done) throw CLI::ValidationError(name, done.error().message);
        },
        std::string(help)));
}
CommandLine::Option CommandLine::flag(std::string_view names, bool &into, std::string_view help) {
    return Option(app_->add_flag(std::string(names), into, std::string(help)));
}
CommandLine::Option CommandLine::flag(std::string_view names, std::string &into, std::string_view help) {
    return Option(app_->add_flag(std::string(names), into, std::string(help)));
}
void CommandLine::version(std::string_view text) { app_->set_version_flag("--version", std::string(text)); }

void CommandLine::footer(std::string_view text) { app_->footer(std::string(text)); }
void CommandLine::usage(std::string_view line) { static_cast<Formatter &>(*app_->get_formatter()).usage = line; }
void CommandLine::help_column(std::size_t column) { app_->get_formatter()->column_width(column); }
void CommandLine::ends_at_first_word() { app_->prefix_command(); }

CommandLine::Parsed CommandLine::parse(int argc, const char *const *argv) {
    return read(*app_, [&] { app_->parse(argc, argv); });
}
CommandLine::Parsed CommandLine::parse(std::vector<std::string> words) {
    std::ranges::reverse(words);  // as CLI11 wants them
    return read(*app_, [&] { app_->parse(std::move(words)); });
}

std::vector<std::string> CommandLine::left_over() const { return app_->remaining(); }
std::vector<std::string> CommandLine::long_names() const {
    std::vector<std::string> names;
    for (const CLI::Option *option : std::as_const(*app_).get_options())
        for (const std::string &name : option->get_lnames()) names.push_back("--" + name);
    return names;
}
std::optional<int> CommandLine::values_of(const std::string &name) const {
    const CLI::Option *const option = std::as_const(*app_).get_option_no_throw(name);
    if (option == nullptr) return std::nullopt;
    return option->get_items_expected_min();
}

}  // namespace mog
