// translate.cpp: a text's tokens, translated if there is anything to translate.
#include "mogcc/cilk/translate.hpp"

#include <algorithm>

#include "mogcc/cilk/translator.hpp"

namespace mog {

Result<std::string> translate_cilk(std::string_view text, const std::string &name, CilkForm form, CilkLanguage language) {
    CTokens source = read_c_tokens(text, name);
    const auto first = std::ranges::find_if(source.tokens, cilk::is_of_cilk);
    if (first == source.tokens.end()) return std::string(text);
    if (language == CilkLanguage::cxx && form == CilkForm::openmp)
        return Error{"Cilk in C++ has no form in OpenMP's tasks, which let no exception out; there are -fcilk and -fcilk=serial",
                     source.place(*first)};
    if (language == CilkLanguage::cxx && form == CilkForm::channels)
        return Error{
            "-fcilk=channels is for C: functions of C++ cannot be cut at their syncs, for their variables have constructors and "
            "destructors; there is -fcilk=steal",
            source.place(*first)};
    return cilk::Translator(std::move(source), form, language == CilkLanguage::cxx).run();
}

}  // namespace mog
