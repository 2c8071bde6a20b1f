#!/usr/bin/env bash
# Runs style checks, Swift tests on a real PostgreSQL, and journeys, side by side. Called by `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/steps.sh
. scripts/steps.sh

step style scripts/lint.sh
echo "== build"
scripts/build-tests.sh

# What reads only sources and documents would fail again: nothing else is tried then.
run_step architecture "$logs/architecture.log" swift_tests architecture --filter '^ArchitectureTests\.'
# Tests of deadlines, drains, outages and waits fail on a busy machine: they run one by one, before the others. Most of
# their time they wait, so the largest module doesn't wait for the rest.
step "Swift tests of Postgres" swift_tests postgres --no-parallel --filter '^PostgresTests\.'
timed='^(EventLoopTests|HTTPTests|PlatformTests|TasksTests)\.'
step "Swift tests of timing" swift_tests timing --no-parallel --filter "$timed"
wait
step "Swift tests" swift_tests others --skip "^(ArchitectureTests|PostgresTests)\.|$timed"
for name in run writing fields delivery copies rows contributors moderation reports search ergonomics mail operations webhooks classifiers media; do
    journey $name
done
journey autosave --count 10
step "reference of commands" python3 scripts/commands.py --program .build/debug/vitrine --check
step "reference of components" python3 scripts/components.py --check
step "texts for translation" python3 scripts/messages.py --program .build/debug/vitrine --pseudo .vitrine/messages
step "demo clients" .vitrine/venv/bin/python Tests/clients/run.py --program .build/debug/vitrine
step "bill of materials" python3 scripts/bill_of_materials.py --check .build/debug/vitrine .build/debug/vitrine-media
step "security status" python3 Tests/bill_of_materials.py
step install python3 Tests/install/run.py --programs .build/debug
step "hostile decoder" python3 Tests/images/hostile.py --program .build/debug/vitrine-media
finish
