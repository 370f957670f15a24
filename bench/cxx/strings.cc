/* strings: C++. Makes a text of words, takes it apart, replaces, sorts and counts the words, and joins what comes of it. */
#include "../programs/bench.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

static std::vector<std::string> split(std::string_view text)
{
    std::vector<std::string> words;
    for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find(' '), text.size());
        if (end != 0) words.emplace_back(text.substr(0, end));
    }
    return words;
}

FUNCTION unsigned work(unsigned rank)
{
    unsigned random = rank * 40503u + 7;
    std::string text;
    for (int i = 0; i < 400; i++) {
        const unsigned length = 2 + next_random(&random) % 20;
        for (unsigned k = 0; k < length; k++) text += static_cast<char>('a' + next_random(&random) % 4);
        text += i % 7 ? " " : "  ";
    }
    for (std::size_t at = 0; (at = text.find("abc", at)) != std::string::npos; at += 2) text.replace(at, 3, "xy");
    std::vector<std::string> words = split(text);
    std::map<std::string, int> counts;
    for (const std::string &word : words) counts[word.substr(0, 3)]++;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::string joined;
    for (const auto &[start, count] : counts) joined += start + '=' + std::to_string(count) + ';';
    for (const std::string &word : words)
        if (word.compare(0, 2, "xy") >= 0 || word.ends_with("cd")) joined.append(word, 0, 8).push_back(',');
    unsigned sum = 0;
    for (const char c : joined) sum = sum * 31 + static_cast<unsigned char>(c);
    return sum;
}
