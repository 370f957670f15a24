/* A vector, a list and a hash map, as templates, with iterators and range for. */
#include <stdio.h>
#include <string.h>

namespace {
template <typename T> class vector {
    T *data_ = nullptr;
    int size_ = 0, room_ = 0;
public:
    ~vector() { delete[] data_; }
    void push(const T &v) {
        if (size_ == room_) {
            T *bigger = new T[room_ = room_ * 2 + 1];
            for (int i = 0; i < size_; i++) bigger[i] = data_[i];
            delete[] data_;
            data_ = bigger;
        }
        data_[size_++] = v;
    }
    T *begin() { return data_; }
    T *end() { return data_ + size_; }
    T &operator[](int i) { return data_[i]; }
};
template <typename V> class map {
    struct node { const char *key; V value; node *next; };
    node *bucket_[16] = {};
    static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + *s++; return h & 15; }
public:
    V &operator[](const char *key) {
        node *&head = bucket_[hash(key)];
        for (node *n = head; n; n = n->next) if (!strcmp(n->key, key)) return n->value;
        return (head = new node{key, V(), head})->value;
    }
};
}

int main() {
    vector<int> v;
    for (int i = 0; i < 50; i++) v.push(i * i);
    int sum = 0;
    for (int x : v) sum += x;
    map<double> m;
    m["one"] = 1, m["two"] = 2, m["one"] += 0.5;
    vector<vector<int> *> rows;
    rows.push(&v);
    printf("%d %g %g %g %d\n", sum, m["one"], m["two"], m["three"], (*rows[0])[7]);
    return 0;
}
