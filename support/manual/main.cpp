// mog_help_pages TOOL ALIASES DESCRIPTION VERSION TOOLS FOLDER: from what TOOL --help prints, its page for man, FOLDER/man1/TOOL.1, and
// what bash and zsh complete, FOLDER/bash/TOOL and FOLDER/zsh/_TOOL. So there is one table of a tool's options, and nobody keeps copies of
// it. ALIASES, with commas or empty: other names of the tool, which has pages and completions by them too. TOOLS: whose pages are named at
// the end.
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/files/files.hpp"
#include "support/say.hpp"

namespace {

using std::string, std::string_view, std::vector;

/// A line of --help, with what goes on below it.
struct Item {
    enum Kind { Heading, Prose, Literal, Row } kind;
    string left, text;  ///< a row's; others have text only
};

struct Option {
    vector<string> names;  ///< "-n", "--np"; one that is written with its value behind ends in "="
    string value;          ///< "FILE"; empty: none, or one that can be left out
    vector<string> choices;
    string help;
};

string trimmed(string_view text) {
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == text.npos ? string() : string(text.substr(first, last - first + 1));
}

/// What stands between commas.
vector<string> words_of(string_view text) {
    vector<string> words;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        words.emplace_back(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return words;
}

/// Standard output of a program; nothing if it fails.
string output_of(const string &command) {
    string text;
    FILE *pipe = popen(command.c_str(), "r");
    if (!pipe) return {};
    char buffer[4096];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    return pclose(pipe) == 0 ? text : string();
}

vector<string> lines_of(string_view text) {
    vector<string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// Where what is said about options begins: in most rows behind two blanks.
std::size_t column_of(const vector<string> &lines) {
    std::map<std::size_t, int> columns;
    for (const string &line : lines) {
        if (!line.starts_with("  -")) continue;
        const std::size_t gap = line.find("  ", 3);
        if (gap != line.npos) columns[line.find_first_not_of(' ', gap)]++;
    }
    if (columns.empty()) return 0;
    return std::ranges::max_element(columns, {}, [](const auto &column) { return column.second; })->first;
}

bool is_usage(string_view name, string_view text) {
    return text.starts_with("Usage: ") || text.starts_with("usage: ") || text.starts_with(fmt::format("{} [", name));
}

vector<Item> items_of(string_view name, const vector<string> &lines) {
    const std::size_t column = column_of(lines);
    vector<Item> items;
    bool goes_on = false;  // the last item
    for (const string &line : lines) {
        const string text = trimmed(line);
        const bool is_row = line.size() > 2 && line.starts_with("  ") && line[2] != ' ' &&
                            (line[2] == '-' || (line.size() > column && line[column] != ' ' && line.substr(column - 2, 2) == "  "));
        if (text.empty()) {
            goes_on = false;
        } else if (is_usage(name, line)) {
            items.push_back({Item::Prose, "", text});
            goes_on = false;
        } else if (is_row) {
            const bool has_help = line.size() > column && line[column - 1] == ' ';
            items.push_back(
                {Item::Row, trimmed(has_help ? string_view(line).substr(0, column) : line), has_help ? trimmed(line.substr(column)) : ""});
            goes_on = true;
        } else if (goes_on && items.back().kind == Item::Row && line.find_first_not_of(' ') >= column) {
            items.back().text += (items.back().text.empty() ? "" : " ") + text;
        } else if (line[0] == ' ') {
            items.push_back({Item::Literal, "", text});
            goes_on = false;
        } else if (line.back() == ':' && line.size() < 20 && std::isupper(line[0])) {
            items.push_back({Item::Heading, "", line.substr(0, line.size() - 1)});
            goes_on = false;
        } else if (goes_on && items.back().kind == Item::Prose) {
            items.back().text += " " + text;
        } else {
            items.push_back({Item::Prose, "", text});
            goes_on = true;
        }
    }
    return items;
}

/// "-h,--help", "--emit=KIND", "-o,--output TEXT=-", "--engine TEXT:{auto,interpreter}", "--stats[=json]".
Option option_of(const Item &row) {
    Option option;
    option.help = row.text;
    const std::size_t blank = std::min(row.left.find(' '), row.left.size());
    string_view names = string_view(row.left).substr(0, blank);
    option.value = trimmed(string_view(row.left).substr(blank));
    if (const std::size_t brace = option.value.find(":{"); brace != string::npos) {
        string_view rest = string_view(option.value).substr(brace + 2);
        option.choices = words_of(rest.substr(0, rest.find('}')));
    }
    if (const std::size_t end = option.value.find_first_of("=:[ "); end != string::npos) option.value.resize(end);
    names = names.substr(0, names.find('['));
    if (const std::size_t equals = names.find('='); equals != names.npos) {
        option.value = names.substr(equals + 1);
        option.names.emplace_back(names.substr(0, equals + 1));
        return option;
    }
    option.names = words_of(names);
    return option;
}

/// Whether a value is the name of a file: who says so in its help.
bool is_file(const Option &option) {
    const string &v = option.value;
    return v.starts_with("FILE") || v == "DIR" || (v == "TEXT" && option.choices.empty()) ||
           std::ranges::find(option.names, "-o") != option.names.end();
}

// ---- man --------------------------------------------------------------------------------------------------------------

string roff(string_view text) {
    string out;
    for (const char c : text) {
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else if (c == '~') out += "\\(ti";
        else if (c == '^') out += "\\(ha";
        else if (c == '`') out += "\\(ga";
        else if (c == '\'') out += "\\(aq";
        else out += c;
    }
    if (out.starts_with('.')) out.insert(0, "\\&");
    return out;
}

string upper(string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

string usage_of(string_view name, string_view text) {
    if (!text.starts_with(name)) text.remove_prefix(text.find(' ') + 1);
    return fmt::format(".B {}\n{}\n", roff(name), roff(text.substr(std::min(name.size() + 1, text.size()))));
}

string man_page(const string &name, string_view description, string_view version, const vector<Item> &items, string_view others) {
    string usage, text;
    for (const Item &item : items)
        if (item.kind == Item::Prose && is_usage(name, item.text)) usage += (usage.empty() ? "" : ".br\n") + usage_of(name, item.text);
    bool is_literal = false, has_options = false;
    for (const Item &item : items) {
        if (is_literal != (item.kind == Item::Literal)) {
            text += is_literal ? ".fi\n.RE\n" : ".PP\n.RS\n.nf\n";
            is_literal = !is_literal;
        }
        if (item.kind == Item::Prose && is_usage(name, item.text)) continue;
        if (item.kind == Item::Row && !has_options && item.left[0] == '-' && text.find(".SH OPTIONS") == text.npos) text += ".SH OPTIONS\n";
        has_options |= item.kind == Item::Row && item.left[0] == '-';
        switch (item.kind) {
            case Item::Heading: text += fmt::format(".SH {}\n", item.text == "Positionals" ? "ARGUMENTS" : upper(item.text)); break;
            case Item::Prose: text += fmt::format(".PP\n{}\n", roff(item.text)); break;
            case Item::Literal: text += fmt::format("{}\n", roff(item.text)); break;
            case Item::Row: text += fmt::format(".TP\n.B {}\n{}\n", roff(item.left), item.text.empty() ? "\\&" : roff(item.text)); break;
        }
    }
    if (is_literal) text += ".fi\n.RE\n";
    for (const string_view twice : {".SH OPTIONS\n.PP\n", ".SH EXAMPLES\n.PP\n", ".SH ENVIRONMENT\n.PP\n"})
        for (std::size_t at; (at = text.find(twice)) != text.npos;) text.erase(at + twice.size() - 4, 4);
    string page = fmt::format(".TH {} 1 \"\" \"MOG {}\" \"MOG: MIMD on GPU\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}", upper(name), version,
                              roff(name), roff(description), usage);
    if (!text.starts_with(".SH")) page += ".SH DESCRIPTION\n" + (text.starts_with(".PP\n") ? text.substr(4) : text);
    else page += text;
    string see;
    for (const string &other : words_of(others))
        if (other != name) see += fmt::format("{}.BR {} (1)", see.empty() ? "" : ",\n", other);
    return page + fmt::format(".SH SEE ALSO\n{}\n", see);
}

// ---- shells -----------------------------------------------------------------------------------------------------------

string bash_completion(const string &name, const vector<string> &all_names, const vector<Option> &options) {
    vector<string> words, files, directories, others, choices;
    for (const Option &option : options)
        for (const string &word : option.names) {
            words.push_back(word);
            const string plain = word.back() == '=' ? word.substr(0, word.size() - 1) : word;
            if (option.value.empty()) continue;
            if (!option.choices.empty())
                choices.push_back(fmt::format("        {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n", plain,
                                              fmt::join(option.choices, " ")));
            else (option.value == "DIR" ? directories : is_file(option) ? files : others).push_back(plain);
        }
    string cases = fmt::to_string(fmt::join(choices, ""));
    const auto add = [&cases](const vector<string> &names, string_view reply) {
        if (!names.empty()) cases += fmt::format("        {}) {} ;;\n", fmt::join(names, "|"), reply);
    };
    add(directories, "COMPREPLY=($(compgen -d -- \"$word\")); return");
    add(files, "COMPREPLY=($(compgen -f -- \"$word\")); return");
    add(others, "return");
    return fmt::format(
        R"(# What bash completes of {0}; made from {0} --help.
_{0}()
{{
    COMPREPLY=()
    local word=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD-1]}}
    # "=" is a word of its own to bash.
    if [[ $word == "=" ]]; then word=; elif [[ $option == "=" ]]; then option=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    case $option in
{1}    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "{2}" -- "$word"))
        [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}} 2>/dev/null
complete -o filenames -F _{0} {3}
)",
        name, cases, fmt::join(words, " "), fmt::join(all_names, " "));
}

string zsh_completion(const string &name, const vector<string> &all_names, const vector<Option> &options) {
    const auto quoted = [](string_view text, string_view special) {
        string out;
        for (const char c : text) {
            if (c == '\'') {
                out += "'\\''";
                continue;
            }
            if (special.find(c) != special.npos) out += '\\';
            out += c;
        }
        return out;
    };
    string specs;
    for (const Option &option : options)
        for (const string &word : option.names) {
            string value;
            if (!option.value.empty()) {
                const string action = !option.choices.empty() ? fmt::format("({})", fmt::join(option.choices, " "))
                                      : option.value == "DIR" ? "_files -/"
                                      : is_file(option)       ? "_files"
                                                              : "";
                value = fmt::format(":{}:{}", quoted(option.value, ":\\"), action);
            }
            // Tools of CLI11 take "--name VALUE" and "--name=VALUE".
            const string_view glue = value.empty() || word.back() == '=' ? "" : word.starts_with("--") ? "=" : "+";
            specs += fmt::format("  '*{}{}[{}]{}' \\\n", word.back() == '=' ? word.substr(0, word.size() - 1) + "=-" : word, glue,
                                 quoted(option.help, "[]:\\"), value);
        }
    return fmt::format("#compdef {2}\n# What zsh completes of {0}; made from {0} --help.\n_arguments -S \\\n{1}  '*:file:_files'\n", name,
                       specs, fmt::join(all_names, " "));
}

int fail(const string &message) {
    mog::say("mog_help_pages: {}\n", message);
    return 1;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 7) return fail("usage: mog_help_pages TOOL ALIASES DESCRIPTION VERSION TOOLS FOLDER");
    const std::filesystem::path tool = argv[1], folder = argv[6];
    const string name = tool.filename().string();
    const vector<string> lines = lines_of(output_of(fmt::format("'{}' --help", tool.string())));
    if (lines.empty()) return fail(fmt::format("{} --help fails", tool.string()));
    const vector<Item> items = items_of(name, lines);
    vector<Option> options;
    for (const Item &item : items)
        if (item.kind == Item::Row && item.left[0] == '-') options.push_back(option_of(item));
    if (options.empty()) return fail(fmt::format("{} --help has no options", tool.string()));
    const vector<string> aliases = words_of(argv[2]);
    vector<string> names = aliases;
    names.insert(names.begin(), name);
    vector<std::pair<string, string>> files{{"man1/" + name + ".1", man_page(name, argv[3], argv[4], items, argv[5])},
                                            {"bash/" + name, bash_completion(name, names, options)},
                                            {"zsh/_" + name, zsh_completion(name, names, options)}};
    for (const string &alias : aliases) {
        files.emplace_back("man1/" + alias + ".1", fmt::format(".so man1/{}.1\n", name));
        files.emplace_back("bash/" + alias, files[1].second);  // they are looked for by the command's name
    }
    for (const auto &[path, text] : files) {
        std::filesystem::create_directories((folder / path).parent_path());
        if (const mog::Result<void> written = mog::write_text_file(folder / path, text); !written) return fail(written.error().text());
    }
}
