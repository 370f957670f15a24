// test_main.cpp: doctest's main, which skips all where the device is not.
#define DOCTEST_CONFIG_IMPLEMENT
#include "tests/embed/embed_test.hpp"

#include <cstdio>

int main(int argc, char **argv) {
    const std::string_view wanted = device_under_test();
    bool is_there = false;
    struct Search {
        std::string_view wanted;
        bool *is_there;
    } search{wanted, &is_there};
    mog_list_devices(
        nullptr,
        [](void *user, const mog_device *device) {
            auto *const s = static_cast<Search *>(user);
            const std::string_view id = device->id;
            if (id.substr(0, id.find(':')) == s->wanted.substr(0, s->wanted.find_first_of(":=,"))) *s->is_there = true;
        },
        &search, nullptr);
    if (!is_there) {
        std::printf("there is no device %s here\n", device_under_test());
        return 77;
    }
    return doctest::Context(argc, argv).run();
}
