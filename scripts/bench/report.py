"""Writes the results of a run as a Markdown report."""
import datetime
import os
import platform
import re
import subprocess

from results import number
from processes import ROOT, say

TITLES = {
    "P1": "Submissions of about 1 KB by HTTP, acknowledged after the commit; ceilings: pgbench, the same statement with one\n"
          "submission per commit, and one row of a table with only a primary key",
    "P2": "One item by id, always read from PostgreSQL; ceilings: pgbench, the same select; nginx, the same bytes;\n"
          "both in sequence",
    "P3": "A list of 20 items in any of two categories; ceilings: pgbench, the same query; nginx, the same\n"
          "bytes; both in sequence",
    "P2b": "One item by id from a daemon that keeps responses, while two entries are published each second; ceiling: nginx, the\n"
           "same bytes",
    "P3b": "A list of 20 items in the same way",
    "P4": "304 for an unchanged publication; ceiling: nginx, 304 for an unchanged file",
    "P5": "The queue page with one client; ceiling: pgbench, the SQL of the page. The search of the palette with one client;\n"
          "the ceiling is the limit",
    "P6": "A decision with the admin form, including the redirect to the next submission; ceiling: pgbench, the SQL of the decision",
    "P7": "A publication; ceiling: plain INSERT and UPDATE of the same rows in one transaction",
    "P8": "Verify, and repair with one row in a hundred wrong; ceiling: CREATE TABLE AS SELECT of the read tables",
    "P9": "Due releases, each published on its own; ceiling: pgbench, commits of one row",
    "P10": "Nearest places of one category with half of all places (common), one in twenty (fair), one in a thousand (rare);\n"
           "ceiling: pgbench, the bare query. Routes from an origin to a destination, by their detour in meters;\n"
           "ceiling: the limit. Results are checked against a comparison with every place and route",
    "P11": "Start time, memory, and what a daemon at rest asks of PostgreSQL; the ceiling is the limit",
    "P16": "Approvals with publication, by turns with the admin form and the API; ceiling: pgbench, the SQL of one approval.\n"
           "Two daemons have half of the clients each",
    "P17": "An item by id and the queue page while one other client does its worst; the ceiling is the same at rest",
}


def write_report(bench, options):
    path = options.report
    if not path and not options.only:
        path = "docs/reference/benchmarks.md" if bench.is_complete else ".vitrine/benchmarks-quick.md"
    if not path:
        return
    with open(os.path.join(ROOT, path), "w") as file:
        file.write(text(bench))
    say(f"written: {path}")


def text(bench):
    parts = [HEAD.format(command=command(bench), **machine(bench), rounds=bench.results.rounds, seconds=bench.seconds)]
    for id in sorted(TITLES, key=lambda id: (int(re.sub(r"\D", "", id)), id)):
        results = [result for result in bench.results.all if result.id == id]
        if results:
            parts.append(table(id, results))
    missed = [sentence(result) for result in bench.results.missed]
    parts.append("## Targets missed\n\n" + ("\n".join(missed) if missed else "None.") + "\n")
    parts.append("## Output\n\n```\n" + "\n".join(result.line for result in bench.results.all) + "\n```\n")
    return "\n".join(parts)


HEAD = """# Benchmarks

Measured on {date} with `{command}` on {machine}, PostgreSQL {postgres} (durable, {buffers} of shared buffers), vitrine {version}.

Times on a shared machine mean little on their own. Each measurement alternates with a ceiling on the same data in the same
minute, for {rounds} rounds of {seconds} s each (three times as many where results vary most) or a fixed count; the ratio is what
counts. Values are medians over the rounds, with the range of the ratio. Server and PostgreSQL are microseconds of CPU per request
(after the slash: of the ceiling); rss is the memory of the daemon. See [methods and results](../explanation/benchmarks.md).
"""


def command(bench):
    return "make bench" + ("" if bench.is_complete else " QUICK=1") + (" FULL=1" if bench.options.full else "")


def machine(bench):
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*:\s*(.+)", file.read())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    version = subprocess.run([bench.program.path, "--version"], capture_output=True, text=True).stdout.strip()
    return {
        "date": datetime.date.today().isoformat(),
        "machine": f"{os.cpu_count()} cores ({model.group(1) if model else platform.machine()}), {memory:.0f} GB",
        "postgres": bench.small.database.value("show server_version").split()[0],
        "buffers": bench.small.database.value("show shared_buffers"),
        "version": version.split()[-1] if version else "?",
    }


def table(id, results):
    names = list(dict.fromkeys(name for result in results for name in result.extra))
    lines = [f"## {id}", "", TITLES[id] + ".", "",
             "| measurement | ours | ceiling | ratio | range | target | " + " | ".join(names) + (" |" if names else ""),
             "|---" * (6 + len(names)) + "|"]
    for result in results:
        cells = [result.label, number(result.ours) + result.unit, number(result.ceiling) + result.unit, f"{result.ratio:.2f}",
                 f"{result.spread[0]:.2f} to {result.spread[1]:.2f}",
                 str(result.target) + ("" if result.is_met else " **missed**")]
        lines.append("| " + " | ".join(cells + [str(result.extra.get(name, "")) for name in names]) + " |")
    return "\n".join(lines) + "\n"


def sentence(result):
    """Describes a missed target."""
    if result.target.at_least is not None:
        return f"* {result.id}, {result.label}: {result.ratio:.2f} of the ceiling; target: at least {result.target.at_least:g}."
    return f"* {result.id}, {result.label}: {result.ratio:.2f} times the ceiling; target: at most {result.target.at_most:g}."
