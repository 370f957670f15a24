# The report on the search for an order, in its three forms: what orders are compared, the digrams' picture, the search's curve.
hello
# The search as users have it.
search=
export MOG_CXX=
for form in html txt json; do
    mogcc -O2 --order-report=report.$form hello.c -o hello
done
for form in html txt; do
    for order in 'random orders, mean of 1000' 'random orders, best of 1000' 'order by frequency' 'hill climbing, as long' 'this search' 'lower bound'; do
        has report.$form "$order"
    done
done
has report.html 'aria-label="curve of the search"'
has report.html 'aria-label="digram heat map"'
# One page, that needs nothing else.
lacks report.html 'http'
lacks report.html 'src='
# The same figures for a program: ours is no worse than the others, and not below the bound.
python3 - report.json <<'P'
import json, sys
report = json.load(open(sys.argv[1]))
orders = {row["name"]: row["cost"] for row in report["orders"]}
print(orders)
ours = orders.pop("this search")
bound = orders.pop("lower bound")
assert bound <= ours <= min(orders.values()), (bound, ours, orders)
P
status 2 mogcc --order-report=report.pdf hello.c
has err 'a file that ends in .html, .json or .txt'
