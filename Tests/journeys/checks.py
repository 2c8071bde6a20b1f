"""Prints the checks of a test, and counts them."""
import sys

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
