#!/usr/bin/env bash
# Runs every test: style, the Swift tests on a real PostgreSQL, the journeys in a real browser. Called by `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== style"
swift format lint --strict --parallel --recursive Package.swift Sources Tests

echo "== build"
swift build --build-tests --explicit-target-dependency-import-check error

# Rooms that deal in time (deadlines, drains, outages) run one test after the other; the others side by side.
timed='^(EventLoopTests|HTTPTests|PlatformTests|PostgresTests)\.'
swift_tests() {
    local log
    log=$(mktemp)
    if ! swift test --skip-build "$@" 2>&1 | tee "$log"; then
        echo "== what failed"
        grep -a '✘' "$log" || true
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}
echo "== tests of the ground"
swift_tests --no-parallel --filter "$timed"
echo "== tests of the house above"
swift_tests --skip "$timed"

echo "== journeys in a browser"
.vitrine/venv/bin/python Tests/journeys/run.py --program .build/debug/vitrine --shots .vitrine/shots
.vitrine/venv/bin/python Tests/journeys/review.py --program .build/debug/vitrine --shots .vitrine/shots

echo "== images, looked at by another decoder"
.vitrine/venv/bin/python Tests/images/run.py --program .build/debug/vitrine-media

echo "== mail to a real server"
.vitrine/venv/bin/python Tests/journeys/mail.py --program .build/debug/vitrine
.vitrine/venv/bin/python Tests/journeys/contributors.py --program .build/debug/vitrine --shots .vitrine/shots

echo "== the delivery API as others see it"
.vitrine/venv/bin/python Tests/journeys/delivery.py --program .build/debug/vitrine

echo "== webhooks to a real receiver"
.vitrine/venv/bin/python Tests/journeys/webhooks.py --program .build/debug/vitrine
