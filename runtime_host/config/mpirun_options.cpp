// mpirun_options.cpp: what such options mean here, and which of them cannot be.
#include "runtime_host/config/mpirun_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <span>

#include <fmt/format.h>

#include "support/files/files.hpp"
#include "support/text.hpp"

namespace mog {

namespace {

enum class Action { variable, pair, directory, number, tag, hosts, hostfile, nothing };

struct Row {
    Action action;
    int words;
    std::string_view spellings, argument, help;
};
constexpr Row rows[] = {
#define MPIRUN(action, words, spellings, argument, help) {Action::action, words, spellings, argument, help},
#include "runtime_host/config/mpirun_options.def"
};

const Row *find_row(std::string_view name) {
    for (const Row &row : rows)
        for (const std::string &spelling : split_words(row.spellings))
            if (spelling == name) return &row;
    return nullptr;
}

/// The names of this machine.
bool is_here(std::string_view host) {
    if (host == "localhost" || host == "::1" || host.starts_with("127.")) return true;
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return false;
    const std::string_view own(name.data());
    return host == own || host.substr(0, host.find('.')) == own.substr(0, own.find('.'));
}

/// Hosts that were asked for, and the slots that they have.
class Hosts {
public:
    /// "name", "name:4"
    Result<void> add(std::string_view option, std::string_view host) {
        const std::size_t colon = host.find(':') == host.rfind(':') ? host.find(':') : host.npos;  // "::1" has more
        const std::string_view name = host.substr(0, colon);
        if (!is_here(name))
            return Error{fmt::format(
                "{}: {} is another machine, and this run has PEs of this one alone; an MPI of the system runs mogrun on several: "
                "mpirun -np 2 -host this,other mogrun -n 1000 ./prog",
                option, name)};
        if (colon != host.npos) return count(option, host.substr(colon + 1));
        return {};
    }

    /// A file of Open MPI's or MPICH's: a host on each line, perhaps with "slots=4".
    Result<void> read(std::string_view option, const std::string &path) {
        const Result<std::string> text = read_text_file(path);
        if (!text) return Error{fmt::format("{}: {}", option, text.error().text())};
        for (std::string_view line : split_lines(*text)) {
            line = trim(line.substr(0, line.find('#')));
            bool is_first = true;
            for (const std::string &word : split_words(line)) {
                Result<void> done;
                if (is_first) done = add(fmt::format("{} {}", option, path), word);
                else if (word.starts_with("slots=")) done = count(option, std::string_view(word).substr(6));
                if (!done) return done.error();
                is_first = false;
            }
        }
        return {};
    }

    std::optional<std::uint32_t> slots() const { return slots_; }

private:
    Result<void> count(std::string_view option, std::string_view digits) {
        std::uint32_t number = 0;
        const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (failed != std::errc() || end != digits.data() + digits.size() || number == 0)
            return Error{fmt::format("{}: \"{}\" is not a number of slots", option, digits)};
        slots_ = slots_.value_or(0) + number;
        return {};
    }

    std::optional<std::uint32_t> slots_;
};

class Reader {
public:
    Reader(const std::vector<std::string> &words, const std::function<std::optional<int>(const std::string &)> &own)
        : words_(words), own_(own) {}

    Result<MpirunRequest> read() {
        std::size_t at = 1;
        result_.words.push_back(words_[0]);
        while (at < words_.size()) {
            std::string word = words_[at];
            if (word.size() < 2 || word[0] != '-' || word == "--") break;
            const std::string name = word.substr(0, word.find('='));
            if (!own_(word) && !own_(name) && name.size() > 2 && name[1] != '-' && own_("-" + name)) {
                word.insert(0, "-");  // -np, -tag-output
                result_.words.push_back(word);
                if (!word.ends_with(name)) at++;
                else at = copy_values(at + 1, own_(word).value_or(0));
                continue;
            }
            const Row *row = own_(name) ? nullptr : find_row(std::string_view(name).substr(name[1] == '-' ? 2 : 1));
            if (!row) {
                result_.words.push_back(word);
                at = copy_values(at + 1, own_(word).value_or(0));
                continue;
            }
            std::vector<std::string> values;
            // -bind-to=core, but -x NAME=VALUE
            if (name != word) values.push_back(word.substr(name.size() + 1));
            for (at++; values.size() < static_cast<std::size_t>(row->words); at++) {
                if (at == words_.size()) return Error{fmt::format("{} has no value; see mogrun --help", name)};
                values.push_back(words_[at]);
            }
            if (values.size() > static_cast<std::size_t>(row->words)) return Error{fmt::format("{} takes no value", name)};
            if (Result<void> done = act(row->action, name, values); !done) return done.error();
        }
        result_.words.insert(result_.words.end(), words_.begin() + static_cast<std::ptrdiff_t>(at), words_.end());
        result_.slots = hosts_.slots();
        return std::move(result_);
    }

private:
    std::size_t copy_values(std::size_t at, int count) {
        for (; count > 0 && at < words_.size(); count--) result_.words.push_back(words_[at++]);
        return at;
    }

    Result<void> act(Action action, const std::string &option, const std::vector<std::string> &values) {
        switch (action) {
            case Action::variable: {
                const std::string &word = values[0];
                const std::size_t equals = word.find('=');
                if (equals != word.npos) result_.environment.emplace_back(word.substr(0, equals), word.substr(equals + 1));
                else if (!std::getenv(word.c_str()))
                    result_.warnings.push_back(fmt::format("{} {}: there is no such variable", option, word));
                return {};
            }
            case Action::pair: result_.environment.emplace_back(values[0], values[1]); return {};
            case Action::directory: result_.directory = values[0]; return {};
            case Action::number: result_.words.insert(result_.words.end(), {"-n", values[0]}); return {};
            case Action::tag: result_.words.push_back("--tag-output"); return {};
            case Action::hosts: {
                std::string_view list = values[0];
                for (std::size_t at = 0; at <= list.size();) {
                    const std::size_t end = std::min(list.find(',', at), list.size());
                    if (Result<void> done = hosts_.add(option, list.substr(at, end - at)); !done) return done.error();
                    at = end + 1;
                }
                return {};
            }
            case Action::hostfile: return hosts_.read(option, values[0]);
            case Action::nothing: return {};
        }
        return {};
    }

    const std::vector<std::string> &words_;
    const std::function<std::optional<int>(const std::string &)> &own_;
    MpirunRequest result_;
    Hosts hosts_;
};

}  // namespace

Result<MpirunRequest> take_mpirun_options(const std::vector<std::string> &words,
                                          const std::function<std::optional<int>(const std::string &)> &own) {
    return Reader(words, own).read();
}

bool is_mpirun(std::string_view name) {
    name = name.substr(name.rfind('/') + 1);  // npos + 1 is 0
    return name.ends_with("mpirun") || name.ends_with("mpiexec");
}

std::string mpirun_help() {
    std::string text = "Of mpirun and mpiexec it takes, with one dash or two:\n";
    for (const Row &row : rows) {
        std::string spelled;
        for (const std::string &name : split_words(row.spellings)) {
            const std::size_t last_line = spelled.size() - (spelled.rfind('\n') + 1);
            const std::string_view between = spelled.empty() ? "" : last_line > 90 ? ",\n  " : ", ";
            spelled += fmt::format("{}{}{}", between, name.size() == 1 ? "-" : "--", name);
        }
        text +=
            fmt::format("  {}{}{}\n                              {}\n", spelled, row.argument.empty() ? "" : " ", row.argument, row.help);
    }
    return text;
}

}  // namespace mog
