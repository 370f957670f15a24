// typed.cpp: the class of <mog/channel.hpp>: elements with a type, batches that free themselves, the end of producers.
#include <mog.h>
#include <mog/channel.hpp>

#include <cstdio>

struct job {
    int from;
    double weight;
};
MOG_SHARED int sum, over;

int main() {
    mog::channel<job> jobs("jobs", 8);
    if (!jobs || mog::channel<int>("jobs", "job", 8)) return 1;  // which is told
    if (mog::type_name<job>() != "job" || !mog::channel<job>("jobs", "job", 8)) return 1;
    // PE 0 consumes, all others produce; alone it does both.
    for (int i = 0; i < 100 && (IPROC > 0 || (NPROC == 1 && i < 8)); ++i)
        if (!jobs.put({i, i * 0.5})) return 1;
    jobs.finish();
    if (IPROC > 0) return 0;
    int count = 0;
    while (auto batch = jobs.take(3))
        for (uint32_t i = 0; i < batch.size(); ++i, ++count) sum += batch[i].weight * 2 == batch[i].from ? batch[i].from : 100000;
    job none;
    std::printf("%d jobs, %d, %s\n", count, sum, jobs.get(none) ? "more" : "no more");
    return jobs.try_talloc() != nullptr;
}
