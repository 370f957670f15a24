// memory_threads.cc: threads, exceptions and the containers of C++ do nothing that is told; a block that another thread freed is.
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int *shared;

static std::size_t work(int n) {
    std::map<int, std::string> words;
    for (int i = 0; i < 50; ++i) words[i * 7 % 50] += std::string(static_cast<std::size_t>(i % 20), 'a');
    std::vector<std::unique_ptr<std::string>> all;
    for (auto &[key, word] : words) all.push_back(std::make_unique<std::string>(word + std::to_string(key * n)));
    std::size_t sum = 0;
    for (const auto &word : all) sum += word->size();
    try {
        if (sum > 3) throw std::runtime_error(*all.front());
    } catch (const std::exception &error) {
        sum += std::strlen(error.what());
    }
    return sum;
}

int main(int argc, char **) {
    std::vector<std::thread> threads;
    std::vector<std::size_t> sums(3);
    for (int i = 0; i < 3; ++i) threads.emplace_back([&, i] { sums[i] = work(i); });
    for (std::thread &thread : threads) thread.join();
    shared = new int[4]{1, 2, 3, 4};
    std::thread([] { delete[] shared; }).join();
    if (argc > 1) return shared[2];
    return sums[0] == sums[1] + 1000;
}
