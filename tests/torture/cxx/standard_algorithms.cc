/* <algorithm> and <numeric> on arrays: sort, search, permutations, accumulate. */
#include <algorithm>
#include <numeric>
#include <stdio.h>

int main() {
    int v[] = {5, 2, 9, 1, 7, 3, 8};
    std::sort(v, v + 7);
    bool found = std::binary_search(v, v + 7, 7);
    int *at = std::lower_bound(v, v + 7, 4);
    std::rotate(v, v + 2, v + 7);
    std::reverse(v + 4, v + 7);
    for (int x : v) printf("%d ", x);
    printf("| %d %d %d %d\n", found, *at, std::accumulate(v, v + 7, 0), *std::max_element(v, v + 7));
    std::stable_sort(v, v + 7, [](int a, int b) { return a % 3 < b % 3; });
    char word[] = "abc";
    int permutations = 1;
    while (std::next_permutation(word, word + 3)) permutations++;
    int *middle = std::partition(v, v + 7, [](int x) { return x > 4; });
    std::nth_element(v, v + 3, v + 7);
    printf("%d %d %d %d\n", permutations, (int)(middle - v), v[3], (int)std::count_if(v, v + 7, [](int x) { return x & 1; }));
    return std::gcd(84, 36);
}
