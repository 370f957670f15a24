/* What a virtual call does while an object is being made and unmade, through two levels and members. */
#include <stdio.h>

namespace {
int depth;
struct base {
    const char *seen;
    base() : seen(name()) { depth++; }
    virtual ~base() { printf("%s %d ", name(), depth--); }
    virtual const char *name() const { return "base"; }
    const char *ask() const { return name(); }
};
struct middle : base {
    const char *also;
    middle() : also(ask()) {}
    ~middle() override { printf("%s ", ask()); }
    const char *name() const override { return "middle"; }
};
struct top : middle {
    middle inner;
    const char *name() const override { return "top"; }
};
}

int main() {
    {
        top t;
        printf("%s %s %s %s | ", t.seen, t.also, t.ask(), t.inner.ask());
    }
    puts("");
    return depth;
}
