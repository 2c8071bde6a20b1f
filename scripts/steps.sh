#!/usr/bin/env bash
# Runs steps side by side, each with its output in a log. Sourced by the scripts of `make test` and `make journeys`.

logs=.vitrine/logs
# Swift tests run beside one journey, and later two journeys at a time: more would only wait for each other.
lanes=2
# Limits of tests are multiplied by this.
export TEST_PATIENCE=${TEST_PATIENCE:-1}
# No step may hang. In seconds, twice what one takes on a machine with a few other programs.
journey_limit=900
swift_limit=2700
# What is said of a step besides its end: failures and what was skipped.
notable='✘|^FAIL|^skip| skipped(:|\.?$)'
mkdir -p "$logs"
# Commands of the steps that failed, one in each line.
failed=$logs/failed
rm -f "$failed" "$logs"/*-again.log "$logs"/*.xml
# Background commands of a script ignore Ctrl-C.
trap 'trap - INT TERM; kill 0' INT TERM

# step NAME COMMAND...: starts the command as soon as a lane is free.
step() {
    while [ "$(jobs -rp | wc -l)" -ge $lanes ]; do wait -n || true; done
    { run_step "$1" "$logs/${1// /-}.log" "${@:2}" || echo "${*@Q}" >>"$failed"; } &
}

# run_step NAME LOG COMMAND...
run_step() {
    local name=$1 log=$2 start=$SECONDS code=0
    shift 2
    "$@" >"$log" 2>&1 || code=$?
    echo "== $name: $([ $code = 0 ] && echo passed || echo failed) in $((SECONDS - start)) s ($log)"
    grep -aE "$notable" "$log" || true
    tail -n "$([ $code = 0 ] && echo 1 || echo 40)" "$log"
    return $code
}

# swift_tests NAME OPTION...: without `swift test`, which waits for its own lock. The second time only suites that failed, one by one.
swift_tests() {
    local results=$logs/$1.xml suites=""
    shift
    if [ -e "$results" ]; then
        suites=$(grep -B 1 '<failure' "$results" | sed -En 's/.*classname="([^"]*)".*/\1/p' | sort -u | paste -sd '|')
    fi
    [ -z "$suites" ] || set -- --no-parallel --filter "^(${suites//./\\.})/"
    timeout --foreground $swift_limit \
        .build/debug/vitrinePackageTests.xctest --testing-library swift-testing "$@" --xunit-output "$results"
}

# Each journey has its own daemon and database. At the limit it says where it is.
journey() {
    step "journey $1" timeout --foreground --kill-after=10 $journey_limit \
        .vitrine/venv/bin/python "Tests/journeys/$1.py" --program .build/debug/vitrine "${@:2}"
}

# Waits for all steps, then runs failed ones again, one by one. Fails if one fails again, or if three are unstable.
finish() {
    local line log unstable=0 problems=""
    wait
    [ -e "$failed" ] || return 0
    while read -r line <&3; do
        eval "set -- $line"
        log="$logs/${1// /-}-again.log"
        if run_step "$1" "$log" "${@:2}"; then
            echo "unstable: $1"
            unstable=$((unstable + 1))
        else
            problems+="$1:"$'\n'"$(grep -aE "$notable" "$log" | cut -c 1-500 | head -n 20 || true)"$'\n'
        fi
    done 3<"$failed"
    [ $unstable -lt 3 ] || problems+="$unstable steps are unstable"$'\n'
    [ -z "$problems" ] || { printf '== failed:\n%s' "$problems"; return 1; }
}
