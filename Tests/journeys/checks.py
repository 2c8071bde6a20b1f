"""Prints the checks of a test, and counts them."""
import argparse
import gc
import os
import signal
import sys
import traceback

passed, failed = 0, []


def check(ok, what):
    global passed
    if ok:
        passed += 1
        print("ok  ", what)
    else:
        failed.append(what)
        print("FAIL", what)
    return ok


def finish():
    """Ends the test; its status says whether a check failed."""
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
    # Nothing of this process can be waited for any more; its guard ends the other ones.
    os._exit(1)


signal.signal(signal.SIGTERM, end_at_limit)
