#!/usr/bin/env bash
# Runs what takes longer than `make test` may: all random input of the Swift tests, the core without packs, screenshots with
# axe, other journeys, real images, and the commands of the guides. Called by `make journeys`.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/steps.sh
. scripts/steps.sh

echo "== build"
scripts/build-tests.sh

random=$(grep -rl TestScale Tests/*Tests | sed -E 's,.*/(.*)\.swift,\1,' | paste -sd '|')
all_random_input() { VITRINE_TESTS=all swift_tests random --filter "\.($random)/"; }
step "Swift tests with all random input" all_random_input
# Those that packs change most; `VITRINE_TEST_PACKS="" swift test` runs all. The log doesn't name tests that need a pack.
without_packs='^(APITests|CommandTests|PublishingTests|StoreTests)\.'
core_without_packs() {
    VITRINE_TEST_PACKS="" swift_tests core --filter "$without_packs" 2>&1 |
        grep -av ' skipped: "needs the pack'
}
step "core without packs" core_without_packs
# Eight empty machines are set up and used.
journey_limit=1800 journey guides
for name in run writing fields review contributors moderation reports search classifiers media; do
    journey $name --shots .vitrine/shots
done
step images .vitrine/venv/bin/python Tests/images/run.py --program .build/debug/vitrine-media
for name in policies language; do journey $name; done
journey delivery --all
journey ergonomics --all
# Ten times the sample of `make test`.
journey_limit=1800 journey autosave --count 100
finish
