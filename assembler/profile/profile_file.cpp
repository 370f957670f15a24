// profile_file.cpp: profiles as text. Reading is quick, for profiles of big programs and many runs are long.
#include <charconv>

#include <fmt/format.h>

#include "assembler/profile/profile.hpp"
#include "support/files/hash.hpp"

namespace mog {
namespace {

constexpr std::string_view magic = "mog-profile";
constexpr unsigned version = 1;

/// A line's words, left to right. Every reader returns false, and goes on doing so, once something is wrong.
class Words {
public:
    explicit Words(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

    std::string_view word() {
        blank();
        const char *begin = at_;
        while (at_ != end_ && *at_ != ' ') ++at_;
        return {begin, static_cast<std::size_t>(at_ - begin)};
    }
    template <typename T>
    bool number(T &value, int base = 10) {
        blank();
        const auto [next, failed] = std::from_chars(at_, end_, value, base);
        if (failed != std::errc() || (next != end_ && *next != ' ')) return false;
        at_ = next;
        return true;
    }
    bool done() const { return at_ == end_; }

private:
    void blank() {
        if (at_ != end_ && *at_ == ' ') ++at_;
    }
    const char *at_, *end_;
};

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<Profile> read() {
        if (text_.empty()) return Error{"the profile is empty", {}};
        Words first(line());
        unsigned its_version = 0;
        if (first.word() != magic || !first.number(its_version) || !first.done())
            return Error{"is not a profile; mogrun --profile=FILE writes them", {}};
        if (its_version != version)
            return Error{fmt::format("the profile has version {}, and this program reads version {}", its_version, version), {}};
        bool ended = false;
        while (!rest().empty() && !ended) {
            const std::size_t begin = at_;
            Words words(line());
            if (!entry(words, begin, ended)) return Error{fmt::format("the profile is damaged in line {}", line_), {}};
        }
        if (!ended || !rest().empty())
            return Error{ended ? "the profile is damaged: something follows its end" : "the profile is cut off: its end is missing", {}};
        for (const Profile::Jump &jump : profile_.jumps) {
            const auto known = [&](std::uint32_t function, std::uint32_t block) {
                return function < profile_.functions.size() && block < profile_.functions[function].blocks;
            };
            if (!known(jump.from_function, jump.from_block) || !known(jump.to_function, jump.to_block))
                return Error{"the profile is damaged: it has a jump between blocks that are not in it", {}};
        }
        return std::move(profile_);
    }

private:
    std::string_view rest() const { return text_.substr(at_); }

    std::string_view line() {
        const std::size_t end = text_.find('\n', at_);
        const std::string_view line = text_.substr(at_, end == text_.npos ? text_.npos : end - at_);
        at_ = end == text_.npos ? text_.size() : end + 1;
        ++line_;
        return line;
    }

    bool entry(Words &words, std::size_t begin, bool &ended) {
        if (text_[begin] >= '0' && text_[begin] <= '9') return block(words);
        const std::string_view kind = words.word();
        if (kind == "program") {
            profile_.program = words.word();
        } else if (kind == "pes") {
            if (!words.number(profile_.pes)) return false;
        } else if (kind == "runs") {
            if (!words.number(profile_.runs)) return false;
        } else if (kind == "function") {
            Profile::Function function;
            function.name = words.word();
            if (function.name.empty() || !words.number(function.hash, 16) || !words.number(function.blocks)) return false;
            profile_.functions.push_back(std::move(function));
        } else if (kind == "jump") {
            Profile::Jump jump;
            if (!words.number(jump.from_function) || !words.number(jump.from_block) || !words.number(jump.to_function) ||
                !words.number(jump.to_block) || !words.number(jump.count))
                return false;
            profile_.jumps.push_back(jump);
        } else if (kind == "end") {
            std::uint64_t checksum = 0;
            if (!words.number(checksum, 16) || checksum != fnv1a(text_.substr(0, begin))) return false;
            ended = true;
        } else {
            return false;
        }
        return words.done();
    }

    bool block(Words &words) {
        Profile::Block block;
        if (profile_.functions.empty()) return false;
        Profile::Function &function = profile_.functions.back();
        if (!words.number(block.number) || !words.number(block.count)) return false;
        if (!words.done() && !words.number(block.taken)) return false;
        const bool ascends = function.counts.empty() || function.counts.back().number < block.number;
        if (!words.done() || !ascends || block.number >= function.blocks || block.taken > block.count) return false;
        function.counts.push_back(block);
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0, line_ = 0;
    Profile profile_;
};

}  // namespace

std::string write_profile(const Profile &profile) {
    std::string program = profile.program;
    for (char &c : program)
        if (static_cast<unsigned char>(c) <= ' ') c = '?';
    std::string text =
        fmt::format("{} {}\nprogram {}\npes {}\nruns {}\n", magic, version, program.empty() ? "?" : program, profile.pes, profile.runs);
    for (const Profile::Function &function : profile.functions) {
        text += fmt::format("function {} {} {}\n", function.name, hex16(function.hash), function.blocks);
        for (const Profile::Block &block : function.counts) {
            if (block.taken != 0) text += fmt::format("{} {} {}\n", block.number, block.count, block.taken);
            else text += fmt::format("{} {}\n", block.number, block.count);
        }
    }
    for (const Profile::Jump &jump : profile.jumps)
        text += fmt::format("jump {} {} {} {} {}\n", jump.from_function, jump.from_block, jump.to_function, jump.to_block, jump.count);
    return text + fmt::format("end {}\n", hex16(fnv1a(text)));
}

Result<Profile> read_profile(std::string_view text) { return Reader(text).read(); }

}  // namespace mog
