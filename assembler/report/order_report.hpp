// order_report.hpp: the search for an order, shown: what was found, beside simpler orders and the bound.
#pragma once

#include <string>

#include "assembler/order/ngrams.hpp"
#include "assembler/order/order_search.hpp"

namespace mog {

struct OrderReport {
    struct Row {
        std::string name;
        std::size_t slots = 0;
        Price price;
        bool is_ours = false, is_bound = false;
    };
    std::string program;
    Order order;
    DeviceCosts costs;
    MarkovChain digrams;
    std::vector<Row> rows;
    std::vector<Ngram> ngrams;  ///< the most frequent of each length from 2 to 8, ascending by length
    std::vector<double> climb;  ///< the curve of hill climbing with as many pricings
    /// With counts of runs: our order's price with every instruction in its place, not as digrams alone. This is what a
    /// run of the same program on the same input should show.
    std::optional<Price> predicted;
    /// With counts of runs: an order found with estimated frequencies, priced with the counts.
    std::optional<Price> estimated;
    FusionTrial fused, fused_switch;  ///< what the sequence and the switch have; the switch is not priced
};

/// Runs what the order is compared with; takes some tenths of a second and about as long again as the search.
OrderReport make_order_report(const Image &image, const Order &order, const OrderOptions &options, std::string program);

/// The names of its instructions, separated by blanks.
std::string ngram_names(const OrderReport &report, const Ngram &ngram);

std::string report_as_text(const OrderReport &report);
std::string report_as_json(const OrderReport &report);
/// One page that needs nothing else.
std::string report_as_html(const OrderReport &report);

/// Makes the report and writes it in the form that the file's suffix asks for.
Result<void> write_order_report(const Image &image, const Order &order, const OrderOptions &options, const std::string &program,
                                const std::string &file);

}  // namespace mog
