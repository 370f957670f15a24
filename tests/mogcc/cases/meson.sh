# A project of meson's, as it is, with MOG's cross file.
command -v meson >/dev/null || skip "no meson"
PATH=$(dirname "$MOGCC"):$PATH
status 0 meson setup --cross-file "$SOURCE/cmake/mog.meson" --prefix "$PWD/installed" build "$SOURCE/tests/mogcc/package"
status 0 meson compile -C build
status 0 meson test -C build
status 0 meson install --strip -C build
exists installed/lib/libgreet.a
same "$(installed/bin/hello)" "hello 5, 2 threads, 1 PE"
