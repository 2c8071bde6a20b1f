#!/usr/bin/env bash
# Runs the tests of the modules with C or threads under AddressSanitizer and ThreadSanitizer. Called by `make sanitize`;
# `make sanitize ARGS=thread` runs one of them.
set -euo pipefail
cd "$(dirname "$0")/.."

# Package.swift leaves out everything else, such as the image decoder with its memory limit and the daemon with jemalloc.
export VITRINE_CHECK="EventLoopTests FetchTests HTTPTests MarkupTests PlatformTests PostgresTests"
export VITRINE_WITHOUT_OPTIMIZATION=1
[ $# -gt 0 ] || set -- address thread

for sanitizer in "$@"; do
    folder=.build/$sanitizer
    echo "== build for the $sanitizer sanitizer"
    # The linker names each function of the sanitizer that it keeps to itself.
    swift build --quiet --build-tests --sanitize "$sanitizer" --scratch-path "$folder" 2>&1 |
        { grep -v 'Cannot export local symbol' || true; }
    library=""
    if [ "$sanitizer" = thread ]; then
        library=$PWD/$folder/runtime.so
        clang -O1 -shared -fPIC -o "$library" scripts/sanitize/runtime.c
    fi
    echo "== tests under the $sanitizer sanitizer"
    # Swift's runtime never frees metadata, which is no leak.
    log=$folder/tests.log
    # Tests of deadlines and drains run one by one, as in `make test`.
    timed='^(EventLoopTests|HTTPTests|PlatformTests|PostgresTests)\.'
    run=(env ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$library"
        "$folder/debug/vitrinePackageTests.xctest" --testing-library swift-testing)
    if ! { "${run[@]}" --no-parallel --filter "$timed" && "${run[@]}" --skip "$timed"; } >"$log" 2>&1; then
        grep -aE -A 30 '✘|^(WARNING|==[0-9]+==ERROR).*Sanitizer' "$log" | swift demangle --simplified
        echo "== failed; the log is $log"
        exit 1
    fi
    grep -a 'Test run with' "$log"
done
