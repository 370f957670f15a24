#!/bin/sh
# site.sh ROOT WORK: the site is built without a warning, its links lead somewhere, and one that does not is found.
set -eu
command -v mkdocs >/dev/null || { echo "skipped: there is no mkdocs"; exit 77; }
rm -rf "$2"
"$1/scripts/site" --out "$2"
for page in index.html docs/tutorial.html docs/cookbook.html docs/gallery.html docs/pictures/stencil.png search/search_index.json; do
    [ -s "$2/$page" ] || { echo "there is no $page"; exit 1; }
done
cd "$2"
sed -i 's/href="mpi.html#the-functions"/href="mpi.html#no-functions"/; s/href="faults.html"/href="fault.html"/' docs/tutorial.html docs/glossary.html
printf '<p>text\n- and no list</p>' >>docs/faq.html
if "$1/scripts/site" --check "$2" >found; then echo "links that lead nowhere are not found"; exit 1; fi
for problem in 'docs/tutorial.html: fault.html leads nowhere' 'docs/faq.html: no list or table'; do
    grep -q "$problem" found || { echo "not found: $problem"; cat found; exit 1; }
done
