// image_mutator.cpp: libFuzzer's mutations for images. A mutated byte would nearly always fail the checksum; so sizes and checksum
// are set right afterwards, and half of the time a part of the image is changed and the image written anew.
#include <cstring>

#include "support/random.hpp"
#include "tests/fuzz/targets/target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most);

namespace {

using mog::Image;
using mog::Random;

std::uint32_t odd_number(Random &random) {
    switch (random.below(6)) {
        case 0: return random.below(4);
        case 1: return random.below(70000);
        case 2: return 0x10000000u + random.below(1 << 20);
        case 3: return 0x00400000u + 4 * random.below(1 << 12);
        case 4: return 0u - random.below(16);
        default: return static_cast<std::uint32_t>(random.next());
    }
}

template <typename T>
void change(std::vector<T> &items, Random &random, auto &&one) {
    switch (items.empty() ? 0 : random.below(6)) {
        case 0: items.insert(items.begin() + random.below(items.size() + 1), T{}); break;
        case 1: items.erase(items.begin() + random.below(items.size())); break;
        default: one(items[random.below(items.size())]);
    }
}

void change(Image &image, Random &random) {
    const auto number = [&](std::uint32_t &value) { value = odd_number(random); };
    const auto name = [&](std::string &text) { text.assign(random.below(3), static_cast<char>(random.next())); };
    switch (random.below(17)) {
        case 0: number(image.entry); break;
        case 1: number(image.code_base); break;
        case 2: number(image.brk); break;
        case 3: image.roles[random.below(image.roles.size())] = static_cast<std::uint8_t>(random.next()); break;
        case 4:
            image.cpool_shift = random.below(33);
            image.cpool.resize(std::size_t{1} << std::min(14u, 32 - image.cpool_shift));
            break;
        case 5: change(image.cpool, random, number); break;
        case 6: change(image.code_map, random, number); break;
        case 7: change(image.data, random, [&](std::uint8_t &byte) { byte = static_cast<std::uint8_t>(random.next()); }); break;
        case 8: image.data.resize(random.below(64)); break;
        case 9: change(image.register_names, random, name); break;
        case 10: change(image.source_address, random, number); break;
        case 11: change(image.label_at, random, number); break;
        case 12: change(image.labels, random, name); break;
        case 13: change(image.symbols, random, [&](mog::Symbol &s) { number(random.below(2) ? s.address : s.size); }); break;
        case 14: change(image.lines, random, [&](mog::Line &l) { number(random.below(2) ? l.address : l.file); }); break;
        case 15:
            change(image.frames, random, [&](mog::FrameRule &r) {
                r.offset = static_cast<std::int32_t>(odd_number(random));
                (random.below(2) ? r.ra : r.fp) = static_cast<std::int32_t>(odd_number(random));
            });
            break;
        default: {
            // An instruction here keeps the tables beside TEXT in step.
            auto set = [&](std::uint16_t &word) {
                word = static_cast<std::uint16_t>(random.below(2) ? random.next() : (word & 0xff00u) | random.below(256));
            };
            change(image.text, random, set);
            image.source_address.resize(image.text.size());
            image.retires.resize(image.text.size());
        }
    }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t most, unsigned seed) {
    Random random(seed);
    if (random.below(2) == 0) {
        if (auto image = mog::read_image({data, size})) {
            for (std::uint32_t n = 1 + random.below(3); n != 0; --n) change(*image, random);
            const auto bytes = mog::write_image(*image);
            if (bytes.size() <= most) {
                std::memcpy(data, bytes.data(), bytes.size());
                return bytes.size();
            }
        }
    }
    size = LLVMFuzzerMutate(data, size, most);
    if (random.below(8) != 0) mog_fuzz_repair(data, size);
    return size;
}
