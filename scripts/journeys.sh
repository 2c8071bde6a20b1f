#!/usr/bin/env bash
# Runs all journeys, in a browser and from outside, and the commands of the guides, with a real daemon. Called by `make journeys` and `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== browser journeys"
.vitrine/venv/bin/python Tests/journeys/run.py --program .build/debug/vitrine --shots .vitrine/shots
.vitrine/venv/bin/python Tests/journeys/review.py --program .build/debug/vitrine --shots .vitrine/shots

echo "== mail (with a real server)"
.vitrine/venv/bin/python Tests/journeys/mail.py --program .build/debug/vitrine
.vitrine/venv/bin/python Tests/journeys/contributors.py --program .build/debug/vitrine --shots .vitrine/shots

echo "== delivery API"
.vitrine/venv/bin/python Tests/journeys/delivery.py --program .build/debug/vitrine

echo "== requirements from outside"
.vitrine/venv/bin/python Tests/journeys/rows.py --program .build/debug/vitrine

echo "== settings at every interface"
.vitrine/venv/bin/python Tests/journeys/policies.py --program .build/debug/vitrine

echo "== language"
.vitrine/venv/bin/python Tests/journeys/language.py --program .build/debug/vitrine

echo "== demo clients"
.vitrine/venv/bin/python Tests/clients/run.py --program .build/debug/vitrine

echo "== webhooks (with a real receiver)"
.vitrine/venv/bin/python Tests/journeys/webhooks.py --program .build/debug/vitrine

echo "== operations (with PgBouncer)"
.vitrine/venv/bin/python Tests/journeys/operations.py --program .build/debug/vitrine

echo "== guides (README, tutorial and how-tos, as they stand there)"
.vitrine/venv/bin/python Tests/journeys/guides.py --program .build/debug/vitrine
