// fusion_choice.cpp: numbers of superinstructions, each tried with a short search.
#include "assembler/order/fusion_choice.hpp"

namespace mog {
namespace {

constexpr double hopeless = 1.2;  // times the best price: more superinstructions will not do either

}  // namespace

std::vector<FusionTrial> choose_fusion(Image &image, const FusionOptions &fusion, const OrderOptions &order) {
    const Execution execution = execution_for(image, order);
    const FusionPlan plan = plan_fusion(image, execution, fusion);
    std::vector<FusionTrial> trials;
    std::size_t best = plan.stages.size() - 1;
    if (!fusion.count && execution.is_guess) {
        // An estimate is so flat that none pays in a sequence, for 100 of 103 programs (tests/programs and bench/programs, -O2): the trials
        // are spared. Of the others two lose less than 1 % by that and one, with 30 kinds of instruction in a loop, 9 %.
        best = 0;
    } else if (!fusion.count) {
        OrderOptions trial = order;
        if (!trial.traced) trial.estimated = execution;
        trial.seconds *= trial_part;
        trial.watch = {};
        double least = 0;
        for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
            fuse(image, plan, stage);
            if (stage != 0 && order.slots != 0 && served_ops(image).size() > order.slots) break;
            trials.push_back(preview_order(image, trial));
            const Price price = trials.back().price;
            if (stage != 0 && price.of(order.objective) > hopeless * least) break;
            if (stage != 0 && price.of(order.objective) >= least) continue;
            least = price.of(order.objective);
            best = stage;
        }
    }
    fuse(image, plan, best);
    return trials;
}

}  // namespace mog
