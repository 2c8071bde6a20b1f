#!/usr/bin/env bash
# Runs all tests: style, Swift tests on a real PostgreSQL, journeys in a real browser. Called by `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== style"
swift format lint --strict --parallel --recursive Package.swift Sources Tests

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
    rm -f "$log"
}
echo "== serial tests"
swift_tests --no-parallel --filter "$timed"
echo "== parallel tests"
swift_tests --skip "$timed"

echo "== browser journeys"
.vitrine/venv/bin/python Tests/journeys/run.py --program .build/debug/vitrine --shots .vitrine/shots
.vitrine/venv/bin/python Tests/journeys/review.py --program .build/debug/vitrine --shots .vitrine/shots

echo "== images (checked with another decoder)"
.vitrine/venv/bin/python Tests/images/run.py --program .build/debug/vitrine-media

echo "== mail (with a real server)"
.vitrine/venv/bin/python Tests/journeys/mail.py --program .build/debug/vitrine
.vitrine/venv/bin/python Tests/journeys/contributors.py --program .build/debug/vitrine --shots .vitrine/shots

echo "== delivery API"
.vitrine/venv/bin/python Tests/journeys/delivery.py --program .build/debug/vitrine

echo "== requirements from outside"
.vitrine/venv/bin/python Tests/journeys/rows.py --program .build/debug/vitrine

echo "== demo clients"
.vitrine/venv/bin/python Tests/clients/run.py --program .build/debug/vitrine

echo "== webhooks (with a real receiver)"
.vitrine/venv/bin/python Tests/journeys/webhooks.py --program .build/debug/vitrine

echo "== operations (with PgBouncer)"
.vitrine/venv/bin/python Tests/journeys/operations.py --program .build/debug/vitrine
