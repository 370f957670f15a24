// profile_target.cpp: any bytes as a profile. What is accepted is written and read without a change, and gives a program
// frequencies by which an order can be searched, or is refused. Profiles end in a checksum, so each input is tried with a right
// one, too.
#include "assembler/image/encode.hpp"
#include "assembler/order/order_search.hpp"
#include "assembler/profile/profile.hpp"
#include "assembler/text/parse.hpp"
#include "support/files/files.hpp"
#include "support/files/hash.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace {

using mog::fuzz::require;

/// The program that the seeds are profiles of.
const mog::Image &program() {
    static const mog::Image image = [] {
        const auto text = mog::read_text_file(MOG_FUZZ_PROFILED);
        require(bool(text), "cannot read " MOG_FUZZ_PROFILED);
        const auto parsed = mog::parse(*text, MOG_FUZZ_PROFILED);
        require(bool(parsed), parsed ? "" : parsed.error().text());
        auto encoded = mog::encode(*parsed);
        require(bool(encoded), encoded ? "" : encoded.error().text());
        return *std::move(encoded);
    }();
    return image;
}

/// The text up to its last line, and a last line with the checksum that it wants.
std::string with_checksum(std::string_view text) {
    const std::size_t end = text.rfind("\nend ");
    std::string result(text.substr(0, end == text.npos ? text.size() : end + 1));
    return result + "end " + mog::hex16(mog::fnv1a(result)) + "\n";
}

void use(std::string_view text) {
    const auto profile = mog::read_profile(text);
    if (!profile) {
        require(!profile.error().message.empty(), "an error without a sentence");
        return;
    }
    const std::string written = mog::write_profile(*profile);
    const auto again = mog::read_profile(written);
    require(bool(again), again ? "" : "a written profile cannot be read: " + again.error().text());
    require(mog::write_profile(*again) == written, "a profile changes when it is written and read");

    // Merged with itself, as those of several runs are.
    const mog::Profile profiles[] = {*profile, *again};
    std::vector<std::string> notes;
    mog::OrderOptions options;
    auto execution = mog::execution_of(program(), profiles, notes);
    if (!execution) {
        require(!execution.error().message.empty(), "an error without a sentence");
        return;
    }
    require(execution->count.size() == program().text.size(), "counts for other code");
    options.traced = *std::move(execution);
    options.seconds = 0.001;
    options.threads = 1;
    const auto order = mog::search_order(program(), options);
    require(bool(order) && mog::covers(*order, program()), "a profile spoils the order");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    use(text);
    use(with_checksum(text));
    return 0;
}
