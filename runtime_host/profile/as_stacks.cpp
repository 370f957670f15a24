// as_stacks.cpp: the report for tools of others: folded stacks, and the file that callgrind writes.
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "runtime_host/profile/report.hpp"

namespace mog::profile {

namespace {

/// In one line, without what separates frames.
std::string as_one_word(std::string name, char separator) {
    for (char &c : name)
        if (c == separator || c == '\n') c = separator == ';' ? ':' : ' ';
    return name;
}

long long whole(double value) { return std::llround(value); }

}  // namespace

std::string as_folded(const Report &report) {
    std::map<std::string, double> folded;
    for (const StackOf &stack : report.stacks) {
        std::string line;
        for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame)
            line += (line.empty() ? "" : ";") + as_one_word(report.functions[frame->function].name, ';');
        folded[line] += stack.cost.instructions;
    }
    std::string text;
    for (const auto &[line, instructions] : folded)
        if (whole(instructions) > 0) text += fmt::format("{} {}\n", line, whole(instructions));
    return text;
}

/// The format as Valgrind's manual has it: a function's own costs by line, then each call with what it cost.
std::string as_callgrind(const Report &report) {
    struct Costs {
        std::map<std::pair<std::string, std::uint32_t>, Cost> own;      // by file and line
        std::map<std::pair<std::uint32_t, std::uint32_t>, Cost> calls;  // by line, and function
    };
    std::map<std::uint32_t, Costs> functions;
    for (const Line &line : report.lines) functions[line.function].own[{line.file, line.line}] += line.self;
    for (const Instruction &instruction : report.instructions)
        if (instruction.line == 0) functions[instruction.function].own[{"", 0}] += instruction.self;
    for (const StackOf &stack : report.stacks)
        for (std::size_t i = 0; i + 1 < stack.frames.size(); ++i) {
            // Of a recursion the outermost call has it all.
            const Frame &caller = stack.frames[i + 1];
            bool again = false;
            for (std::size_t above = i + 2; above < stack.frames.size() && !again; ++above)
                again = stack.frames[above] == caller && stack.frames[above - 1].function == stack.frames[i].function;
            if (again) continue;
            functions[caller.function].calls[{caller.line, stack.frames[i].function}] += stack.cost;
        }
    const auto costs = [](const Cost &cost) { return fmt::format("{} {}", whole(cost.instructions), whole(1e6 * cost.waiting())); };
    std::string text = fmt::format(
        "# callgrind format\nversion: 1\ncreator: mogrun\ncmd: {} {}\ndesc: Device: {}, {}\npositions: line\n"
        "event: Ir : MOG {}\nevent: Wait : microseconds that PEs waited\nevents: Ir Wait\nsummary: {}\n",
        as_one_word(report.run.program, '\n'), as_one_word(report.run.arguments, '\n'), report.run.device, report.run.engine, report.unit(),
        costs(report.all));
    const auto name = [&](std::uint32_t function) { return as_one_word(report.functions[function].name, '\n'); };
    const auto file = [](const std::string &path) { return path.empty() ? std::string("???") : path; };
    for (const auto &[number, entry] : functions) {
        const Function &function = report.functions[number];
        text += fmt::format("\nfl={}\nfn={}\n", file(function.file), name(number));
        std::string in = function.file;
        for (const auto &[place, cost] : entry.own) {
            if (place.first != in) text += fmt::format("fi={}\n", file(place.first));
            in = place.first;
            text += fmt::format("{} {}\n", place.second, costs(cost));
        }
        if (in != function.file) text += fmt::format("fe={}\n", file(function.file));
        for (const auto &[to, cost] : entry.calls) {
            const Function &callee = report.functions[to.second];
            // How often is not known: samples say what is under way.
            text +=
                fmt::format("cfi={}\ncfn={}\ncalls=1 {}\n{} {}\n", file(callee.file), name(to.second), callee.line, to.first, costs(cost));
        }
    }
    return text;
}

}  // namespace mog::profile
