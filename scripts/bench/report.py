"""Writes the figures of a run as tables."""
import datetime
import os
import platform
import re
import subprocess

from figures import number
from processes import ROOT, say

TITLES = {
    "P1": "Submissions of about 1 KB by HTTP, acknowledged after the commit; ceilings: pgbench, the same statement with one\n"
          "submission per commit, and one row of a table with a primary key alone",
    "P2": "One item by id, read from PostgreSQL each time; ceilings: pgbench, the same select; nginx, the same bytes;\n"
          "both, one after the other",
    "P3": "A list of 20 items in any of two categories; ceilings: pgbench, the same query; nginx, the same\n"
          "bytes; both, one after the other",
    "P4": "304 for an unchanged publication; ceiling: nginx, 304 for an unchanged file",
    "P5": "The queue page; ceiling: pgbench, the page's SQL; one client",
    "P6": "A decision by the admin's form, with the way to the next submission; ceiling: pgbench, the decision's SQL",
    "P7": "A publication; ceiling: plain INSERT and UPDATE of the same rows in one transaction",
    "P8": "Verify, and rebuild with one row in a hundred wrong; ceiling: CREATE TABLE AS SELECT of the same views",
    "P9": "Scheduled releases that are all due, each its own publication; ceiling: pgbench, commits of one row",
    "P10": "Nearest places first, of one category: half of all places (common), one in twenty (fair), one in a thousand (rare); ceiling:\n"
           "pgbench, the bare query; equal to a comparison with every place",
    "P11": "Start and memory; the ceiling is the limit",
}


def write_report(bench, options):
    path = options.report
    if not path and not options.only:
        path = "docs/reference/benchmarks.md" if bench.whole else ".vitrine/benchmarks-quick.md"
    if not path:
        return
    with open(os.path.join(ROOT, path), "w") as file:
        file.write(text(bench))
    say(f"written: {path}")


def text(bench):
    parts = [HEAD.format(command=command(bench), **machine(bench), rounds=bench.figures.rounds, seconds=bench.seconds)]
    for id in sorted(TITLES, key=lambda id: int(id[1:])):
        figures = [figure for figure in bench.figures.all if figure.id == id]
        if figures:
            parts.append(table(id, figures))
    missed = [sentence(figure) for figure in bench.figures.missed]
    parts.append("## Beside the aim\n\n" + ("\n".join(missed) if missed else "Nothing in this run.") + "\n")
    parts.append("## As lines\n\n```\n" + "\n".join(figure.line for figure in bench.figures.all) + "\n```\n")
    return "\n".join(parts)


HEAD = """# Benchmarks

Taken on {date} by `{command}` on {machine}, PostgreSQL {postgres} (durable, {buffers} of shared buffers), vitrine {version}.

A machine that others use too tells little by a time alone. So every figure is taken in turn with a ceiling on the same data
in the same minute, {rounds} rounds of {seconds} s each (three times as many where single ones vary most) or a fixed count, and what counts is the ratio. Figures are medians over
the rounds, with the range of the ratio. Server and PostgreSQL are microseconds of CPU per request (after the slash: of the
ceiling); memory is the daemon's. What several runs told: [what the figures say](../explanation/figures.md).
"""


def command(bench):
    return "make bench" + ("" if bench.whole else " QUICK=1") + (" FULL=1" if bench.options.full else "")


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


def table(id, figures):
    names = list(dict.fromkeys(name for figure in figures for name in figure.extra))
    lines = [f"## {id}", "", TITLES[id] + ".", "",
             "| what | ours | ceiling | ratio | range | aim | " + " | ".join(names) + (" |" if names else ""),
             "|---" * (6 + len(names)) + "|"]
    for figure in figures:
        cells = [figure.label, number(figure.ours) + figure.unit, number(figure.ceiling) + figure.unit, f"{figure.ratio:.2f}",
                 f"{figure.spread[0]:.2f} to {figure.spread[1]:.2f}",
                 str(figure.aim) + ("" if figure.is_met else " **missed**")]
        lines.append("| " + " | ".join(cells + [str(figure.extra.get(name, "")) for name in names]) + " |")
    return "\n".join(lines) + "\n"


def sentence(figure):
    """What was missed, and by how much."""
    if figure.aim.at_least is not None:
        return f"* {figure.id}, {figure.label}: {figure.ratio:.2f} of the ceiling, where at least {figure.aim.at_least:g} is aimed at."
    return f"* {figure.id}, {figure.label}: {figure.ratio:.2f} times the ceiling, where at most {figure.aim.at_most:g} is aimed at."
