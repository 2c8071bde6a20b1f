"""How long tests wait. TEST_PATIENCE multiplies every limit: 1 on an idle machine, more where other programs work, too."""
import contextlib
import os
import shutil
import time
from functools import partial

from checks import check

FACTOR = max(1, int(os.environ.get("TEST_PATIENCE") or 1))

# Limits of production, in milliseconds, that a busy machine exceeds. No journey is about them.
LIMITS = {"POOL_WAIT": 1500, "DEADLINE": 4000, "LOCK_TIMEOUT": 2000, "IDLE_TRANSACTION_TIMEOUT": 5000}
DATABASE = {f"VITRINE_DATABASE_{name}_MS": str(min(60_000, FACTOR * limit)) for name, limit in LIMITS.items() if FACTOR > 1}
for name, limit in DATABASE.items():
    os.environ.setdefault(name, limit)


def seconds(count):
    """A limit of so many seconds on an idle machine."""
    return FACTOR * count


def wait(condition, what, limit=40):
    """Checks that the condition holds within the limit; while a server doesn't respond, it doesn't. `what` may be a function.
    A condition that takes long, such as a command, is asked for half of the time at most: the rest is for what it waits for."""
    asked = time.monotonic()
    end = asked + seconds(limit)
    while not (ok := holds(condition)) and time.monotonic() < end:
        time.sleep(min(1, max(0.1, time.monotonic() - asked)))
        asked = time.monotonic()
    what = what() if callable(what) else what
    return check(ok, what if ok else f"{what} (waited {seconds(limit)} s)")


def holds(condition):
    try:
        return bool(condition())
    except OSError:
        return False


def pause(page):
    """People aren't faster; browsers report a new selection a moment later. A page that isn't shown has no frames, so this has a limit."""
    page.evaluate("(limit) => new Promise((resolve) => { setTimeout(resolve, limit);"
                  " setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 100); })", 1000 * seconds(10))


@contextlib.contextmanager
def browser():
    """Chromium, whose contexts have the same limit for all that pages wait for."""
    from playwright.sync_api import sync_playwright

    limit = 1000 * seconds(30)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or "/usr/bin/chromium", args=["--no-sandbox"], timeout=limit)
        make, control = chromium.new_context, chromium.new_browser_cdp_session()

        def new_context(**options):
            context = make(**options)
            context.set_default_timeout(limit)
            context.set_default_navigation_timeout(limit)
            context.on("page", lambda page: setattr(page, "close", partial(close, page, page.close, control)))
            context.close = partial(close_context, context, context.close)
            return context

        chromium.new_context = new_context
        yield chromium
        chromium.close()


def close(page, end, control, run_before_unload=False):
    """Closes a page. Chromium forgets to when the page is just being replaced by another one (https://crbug.com/536385539), and
    Playwright would wait for it forever, so this asks until it has happened. A page that may ask its user first is not waited for."""
    from playwright.sync_api import Error

    if run_before_unload:
        return end(run_before_unload=True)
    until = time.monotonic() + seconds(30)
    while not page.is_closed():
        assert time.monotonic() < until, f"Chromium doesn't close {page.url}"
        with contextlib.suppress(Error):
            target = page.context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]
            with page.expect_event("close", timeout=500):
                control.send("Target.closeTarget", {"targetId": target["targetId"]})


def close_context(context, end):
    for page in context.pages:
        page.close()
    end()
