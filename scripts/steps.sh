#!/usr/bin/env bash
# Runs steps side by side, each with its output in a log. Sourced by the scripts of `make test` and `make journeys`.

logs=.vitrine/logs
lanes=3
# Without `swift test`, which waits for its own lock.
swift_tests=(.build/debug/vitrinePackageTests.xctest --testing-library swift-testing)
# What is said of a step besides its end: failures and what was skipped.
notable='✘|^FAIL|^skip| skipped(:|\.?$)'
mkdir -p "$logs"
rm -f "$logs/failed"
# Background commands of a script ignore Ctrl-C.
trap 'trap - INT TERM; kill 0' INT TERM

# step NAME COMMAND...: starts the command as soon as a lane is free.
step() {
    while [ "$(jobs -rp | wc -l)" -ge $lanes ]; do wait -n || true; done
    run_step "$@" &
}

run_step() {
    local name=$1 log="$logs/${1// /-}.log" start=$SECONDS code=0
    shift
    "$@" >"$log" 2>&1 || code=$?
    echo "== $name: $([ $code = 0 ] && echo passed || echo failed) in $((SECONDS - start)) s ($log)"
    grep -aE "$notable" "$log" || true
    tail -n "$([ $code = 0 ] && echo 1 || echo 40)" "$log"
    [ $code = 0 ] || { echo "$name:"; grep -aE "$notable" "$log" | cut -c 1-500 | head -n 20; } >>"$logs/failed"
}

# Each journey has its own daemon, database and port.
journey() {
    local name=$1
    shift
    step "journey $name" nice .vitrine/venv/bin/python "Tests/journeys/$name.py" --program .build/debug/vitrine "$@"
}

# Waits for all steps, and fails if one failed.
finish() {
    wait
    [ ! -e "$logs/failed" ] || { echo "== failed:"; cat "$logs/failed"; return 1; }
}
