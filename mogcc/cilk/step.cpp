// step.cpp: between gcc's preprocessor and its compiler.
#include "mogcc/cilk/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "mogcc/cilk/translate.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"

namespace mog {

namespace {

Result<std::string> translate_file(const std::string &path, const std::string &name, CilkForm form, CilkLanguage language) {
    Result<std::string> text = read_text_file(path);
    if (!text) return text.error();
    return translate_cilk(*text, name, form, language);
}

/// The preprocessor's output is what the user wants to see.
Result<int> preprocess(Command command, CilkForm form, CilkLanguage language) {
    const auto option = std::ranges::find(command, "-o");
    const bool is_named = option != command.end() && option + 1 != command.end();
    const std::string output = is_named ? *(option + 1) : "-";
    Result<std::filesystem::path> file = temporary_file("preprocessed.i");
    if (!file) return file.error();
    if (is_named) *(option + 1) = *file;
    else command.insert(command.end(), {"-o", *file});
    Result<int> status = run_command(command);
    if (!status || *status != 0) return status;
    const Result<std::string> text = translate_file(*file, "-", form, language);
    if (!text) return text.error();
    MOG_TRY(write_text_file(output, *text));
    return 0;
}

Result<int> compile(Command command, CilkForm form, CilkLanguage language) {
    const auto input = std::ranges::find(command, "-fpreprocessed") + 1;
    if (input == command.end()) return run_command(command);
    const Result<std::string> text = read_text_file(*input);
    if (!text) return text.error();
    const Result<std::string> translated = translate_cilk(*text, *input, form, language);
    if (!translated) return translated.error();
    if (*translated == *text) return run_command(command);
    if (language == CilkLanguage::c && form != CilkForm::openmp && std::ranges::find(command, "-fopenmp") != command.end())
        return Error{"a file has Cilk's constructs or OpenMP's: compile those without Cilk by a command of their own, without -fcilk"};
    Result<std::filesystem::path> file = temporary_file(language == CilkLanguage::c ? "translated.i" : "translated.ii");
    if (!file) return file.error();
    MOG_TRY(write_text_file(*file, *translated));
    *input = *file;
    if (language == CilkLanguage::c) command.push_back("-fopenmp");
    return run_command(command);
}

}  // namespace

Result<int> run_cilk_step(std::string_view how, Command command) {
    const bool shows = how.ends_with("+E");
    if (shows) how.remove_suffix(2);
    if (how != "steal" && how != "channels" && how != "openmp")
        return Error{fmt::format("--cilk-step={}: there are steal, channels and openmp", how)};
    const CilkForm form = how == "openmp" ? CilkForm::openmp : how == "channels" ? CilkForm::channels : CilkForm::steal;
    if (command.empty()) return Error{"--cilk-step is followed by a command, which gcc adds (-wrapper)"};
    const auto has = [&](std::string_view word) { return std::ranges::find(command, word) != command.end(); };
    const std::filesystem::path program = std::filesystem::path(command.front()).filename();
    if (program != "cc1" && program != "cc1plus") return run_command(command);
    const CilkLanguage language = program == "cc1" ? CilkLanguage::c : CilkLanguage::cxx;
    if (has("-E")) return shows && !has("-M") && !has("-MM") ? preprocess(std::move(command), form, language) : run_command(command);
    return has("-fpreprocessed") ? compile(std::move(command), form, language) : run_command(command);
}

}  // namespace mog
