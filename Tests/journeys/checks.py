"""Prints the checks of a test and how long its steps took, and counts the checks."""
import argparse
import contextlib
import gc
import os
import signal
import sys
import time
import traceback

passed, failed = 0, []
# Seconds and number of times, by the name of what took them.
spent = {}


def check(ok, what):
    global passed
    if ok:
        passed += 1
        print("ok  ", what)
    else:
        failed.append(what)
        print("FAIL", what)
    return ok


@contextlib.contextmanager
def timed(name):
    """Adds how long this takes to what was done under this name before."""
    started = time.monotonic()
    try:
        yield
    finally:
        seconds, count = spent.get(name, (0, 0))
        spent[name] = seconds + time.monotonic() - started, count + 1


def step(function, *arguments, browser=None, **options):
    """Runs a step of a test. What it opens in the browser ends with it: an open page goes on asking its server."""
    opened = list(browser.contexts) if browser else []
    name = function.__name__ + "".join(f" {option}={value}" for option, value in options.items())
    with timed(name):
        result = function(*arguments, **options)
    for context in browser.contexts if browser else []:
        if context not in opened:
            context.close()
    return result


def print_slowest():
    """Steps contain commands and the start of daemons, which are also summed up."""
    for name, (seconds, count) in sorted(spent.items(), key=lambda item: -item[1][0])[:10]:
        print(f"     {seconds:6.1f} s {name}" + (f" ({count} times)" if count > 1 else ""))


def finish():
    """Ends the test; its status says whether a check failed."""
    print_slowest()
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


def read_options(description):
    """The options of a test: `program`, and `shots` for a folder of screenshots."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--shots")
    return parser.parse_args()


def end_at_limit(_, frame):
    """Says where the test is. The pages of a browser are driven from greenlets, of which only one has the signal's frame."""
    failed.append("no end within the limit")
    print("FAIL no end within the limit; the test is here:")
    waiting = [thing.gr_frame for thing in gc.get_objects() if type(thing).__name__ == "greenlet" and thing.gr_frame]
    for stack in [*waiting, frame]:
        print("".join(traceback.format_stack(stack)), flush=True)
    print_slowest()
    sys.stdout.flush()
    # Nothing of this process can be waited for any more; its guard ends the other ones.
    os._exit(1)


signal.signal(signal.SIGTERM, end_at_limit)
