#!/usr/bin/env bash
# Runs all tests: style, Swift tests on a real PostgreSQL, journeys in a real browser, guides. Called by `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== style"
swift format lint --strict --parallel --recursive Package.swift Sources Tests
scripts/size.py

echo "== build"
swift build --build-tests --explicit-target-dependency-import-check error

# Tests of deadlines, drains and outages are sensitive to timing and run serially; all others run in parallel.
timed='^(EventLoopTests|HTTPTests|PlatformTests|PostgresTests)\.'
swift_tests() {
    local log
    log=$(mktemp)
    if ! swift test --skip-build "$@" 2>&1 | tee "$log"; then
        echo "== failures"
        grep -a '✘' "$log" || true
        rm -f "$log"
        return 1
    fi
    if grep -aq ' skipped' "$log"; then
        echo "== skipped"
        grep -a ' skipped' "$log"
    fi
    rm -f "$log"
}
echo "== serial tests"
swift_tests --no-parallel --filter "$timed"
echo "== parallel tests"
swift_tests --skip "$timed"

echo "== images (checked with another decoder)"
.vitrine/venv/bin/python Tests/images/run.py --program .build/debug/vitrine-media

scripts/journeys.sh
