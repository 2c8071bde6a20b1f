#!/usr/bin/env bash
# Checks what needs no database: style, architecture, and the tests of the modules below Store. Called by `make check`.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== style"
swift format lint --strict --parallel --recursive Package.swift Plugins Sources Tests Examples

# Package.swift leaves out what these tests don't need; a folder of their own keeps the complete build as it is.
export VITRINE_CHECK="ArchitectureTests DomainTests EventLoopTests FetchTests HTTPTests LocalizationTests MarkupTests PlatformTests"
echo "== build"
scripts/build-tests.sh --quiet --scratch-path .build/check

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
swift_tests() {
    local log="$logs/$1"
    shift
    if ! swift test --skip-build --scratch-path .build/check "$@" >"$log" 2>&1; then
        grep -a -A 20 '✘' "$log" || cat "$log"
        return 1
    fi
    grep -a 'Test run with' "$log"
}
echo "== tests without a database"
# The tests of deadlines and drains mostly wait, so both sets run at once.
timed='^(EventLoopTests|HTTPTests|PlatformTests)\.'
failed=0
swift_tests timed --no-parallel --filter "$timed" &
swift_tests others --skip "$timed" || failed=1
wait $! || failed=1
exit $failed
