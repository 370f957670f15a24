// library.cc: containers, algorithms and other parts of the C++ library, as a program uses them.
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <charconv>
#include <chrono>
#include <coroutine>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <ranges>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>

struct Generator {
    struct promise_type {
        int value = 0;
        Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) {
            value = v;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { throw; }
    };
    explicit Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
    Generator(const Generator &) = delete;
    ~Generator() { handle.destroy(); }
    std::optional<int> next() {
        handle.resume();
        return handle.done() ? std::nullopt : std::optional(handle.promise().value);
    }
    std::coroutine_handle<promise_type> handle;
};

Generator fibonacci(int limit) {
    for (int a = 0, b = 1; a < limit; b += std::exchange(a, b)) co_yield a;
    if (limit == 13) throw std::string("unlucky");
}

struct Node : std::enable_shared_from_this<Node> {
    explicit Node(int v) : value(v) {}
    ~Node() { std::cout << "~" << value << ' '; }
    std::shared_ptr<Node> next;
    std::weak_ptr<Node> back;
    int value;
};

int main() {
    std::vector<int> numbers(100);
    std::mt19937 random(12345);
    for (int &n : numbers) n = static_cast<int>(random() % 1000);
    std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; });
    std::cout << numbers.front() << ' ' << numbers.back() << ' ' << std::accumulate(numbers.begin(), numbers.end(), 0L) << '\n';
    std::stable_sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 10 < b % 10; });
    std::nth_element(numbers.begin(), numbers.begin() + 50, numbers.end());
    std::cout << numbers[50] << ' ' << *std::max_element(numbers.begin(), numbers.end()) << '\n';
    std::map<std::string, std::vector<int>> words;
    const std::string text = "the quick brown fox jumps over the lazy dog and the cat";
    std::size_t at = 0;
    for (std::size_t i = 0; i <= text.size(); i++)
        if (i == text.size() || text[i] == ' ') {
            words[text.substr(at, i - at)].push_back(static_cast<int>(at));
            at = i + 1;
        }
    for (const auto &[word, places] : words) std::cout << word << ':' << places.size() << (places.size() > 1 ? "! " : " ");
    std::cout << '\n';
    std::unordered_map<int, std::string> hashed;
    for (int i = 0; i < 1000; i++) hashed.emplace(i * 7919, std::to_string(i));
    std::cout << hashed.size() << ' ' << hashed[7919 * 500] << ' ' << hashed.count(3) << '\n';
    std::set<std::pair<int, int>> pairs{{2, 1}, {1, 2}, {1, 1}, {2, 1}};
    std::deque<int> queue{1, 2, 3};
    queue.push_front(0);
    std::list<int> list{5, 3, 4};
    list.sort();
    std::priority_queue<int, std::vector<int>, std::greater<>> heap;
    for (int n : {5, 1, 4, 2}) heap.push(n);
    std::forward_list<int> forward{1, 2};
    std::cout << pairs.size() << queue[0] << list.front() << heap.top() << forward.front() << std::bitset<8>(0xa5) << '\n';
    std::variant<int, std::string, double> variant = "text";
    std::cout << std::visit([](const auto &v) -> std::string { if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>) return v; else return "number"; }, variant);
    try {
        std::get<int>(variant);
    } catch (const std::bad_variant_access &error) {
        std::cout << ' ' << error.what();
    }
    std::any any = 5;
    try {
        std::cout << ' ' << std::any_cast<int>(any) << ' ';
        std::any_cast<double>(any);
    } catch (const std::bad_any_cast &error) {
        std::cout << error.what() << '\n';
    }
    std::function<int(int)> factorial = [&](int n) { return n < 2 ? 1 : n * factorial(n - 1); };
    std::cout << factorial(10);
    try {
        std::function<void()>()();
    } catch (const std::bad_function_call &) {
        std::cout << " bad_function_call\n";
    }
    {
        auto first = std::make_shared<Node>(1);
        first->next = std::make_shared<Node>(2);
        first->next->back = first->shared_from_this();
        std::cout << first.use_count() << first->next->back.lock()->value << ' ';
    }
    std::unique_ptr<Node> unique(new Node(3));
    unique.reset();
    std::cout << '\n';
    const std::regex pattern(R"((\w+)@(\w+)\.(com|org))");
    std::smatch match;
    const std::string mail = "write to someone@example.org or to other@site.com";
    if (std::regex_search(mail, match, pattern)) std::cout << match[1] << ' ' << match[2] << ' ' << match.position() << ' ';
    std::cout << std::regex_replace(mail, pattern, "<$1 at $2>") << '\n';
    try {
        std::regex("(");
    } catch (const std::regex_error &error) {
        std::cout << "regex_error " << (error.code() == std::regex_constants::error_paren) << '\n';
    }
    for (auto v : std::views::iota(1, 20) | std::views::filter([](int n) { return n % 3 == 0; }) | std::views::transform([](int n) { return n * n; })) std::cout << v << ' ';
    auto generator = fibonacci(50);
    while (auto n = generator.next()) std::cout << *n << ',';
    try {
        auto other = fibonacci(13);
        while (other.next()) {
        }
    } catch (const std::string &text) {
        std::cout << ' ' << text << '\n';
    }
    char buffer[40];
    for (double d : {0.1, 1e23, 5e-324, 123456.789}) {
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, d);
        double back = 0;
        std::from_chars(buffer, end.ptr, back);
        std::cout << std::string_view(buffer, static_cast<std::size_t>(end.ptr - buffer)) << (back == d ? " " : "? ");
    }
    std::cout << std::stod("2.5e3") << ' ' << std::to_string(3.25) << '\n';
    using namespace std::chrono;
    const sys_days day = 2024y / February / 29;
    std::cout << weekday(day).c_encoding() << ' ' << (sys_days(2025y / 1 / 1) - day).count() << ' ' << duration_cast<milliseconds>(hours(2) + 30s).count() << ' '
              << (steady_clock::now() >= steady_clock::time_point()) << '\n';
    std::valarray<double> values{1, 2, 3};
    values = values * values + 1.0;
    std::cout << values.sum() << ' ' << std::get<1>(std::tuple(1, "two", 3.0)) << ' ' << std::gcd(84, 36) << '\n';
    std::uniform_real_distribution<double> real(0, 1);
    std::normal_distribution<double> normal;
    double sum = 0;
    for (int i = 0; i < 100; i++) sum += real(random);
    std::printf("%.6f %.6f\n", sum, normal(random));
    std::string s = "0123456789";
    s.insert(5, "abc").erase(0, 2).replace(0, 1, 20, 'z').append(s.rbegin(), s.rend());
    std::cout << s << ' ' << s.find("abc") << ' ' << s.rfind('z') << ' ' << (s.compare("zz") > 0) << ' ' << (std::hash<std::string>()("abc") == std::hash<std::string_view>()("abc")) << '\n';
}
