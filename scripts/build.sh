#!/usr/bin/env bash
# Builds the release binaries with the Swift runtime linked statically: they run without the toolchain, and calls are faster.
set -euo pipefail
cd "$(dirname "$0")/.."

for translation in Messages/*.po; do
    [ -e "$translation" ] && msgfmt --check-format --output-file="${translation%.po}.mo" "$translation"
done
for product in vitrine vitrine-media; do
    swift build -c release --static-swift-stdlib --product "$product" --explicit-target-dependency-import-check error
done
