"""Measures in turn with the ceilings, prints each result as a line, and collects the results for the report."""
import statistics
import time
from dataclasses import dataclass, field

from processes import note, say


@dataclass
class Target:
    """`at_least` or `at_most` for a ratio; without either, the result is informational."""
    at_least: float = None
    at_most: float = None

    def is_met(self, ratio):
        if self.at_least is not None and ratio < self.at_least:
            return False
        return self.at_most is None or ratio <= self.at_most

    def __str__(self):
        if self.at_least is not None:
            return f">={self.at_least:g}"
        return f"<={self.at_most:g}" if self.at_most is not None else "-"


@dataclass
class Result:
    """One comparison: medians of both sides over the rounds, and the range of the ratios."""
    id: str
    label: str
    ours: float
    ceiling: float
    unit: str
    ratio: float
    spread: tuple
    target: Target
    extra: dict = field(default_factory=dict)

    @property
    def is_met(self):
        return self.target.is_met(self.ratio)

    @property
    def line(self):
        parts = [f"{self.id} {self.label}", f"ours={number(self.ours)}{self.unit}",
                 f"ceiling={number(self.ceiling)}{self.unit}", f"ratio={self.ratio:.2f}",
                 f"range={self.spread[0]:.2f}..{self.spread[1]:.2f}"]
        if str(self.target) != "-":
            parts.append(f"target{self.target} {'met' if self.is_met else 'MISSED'}")
        return " ".join(parts + [f"{name}={value}" for name, value in self.extra.items()])


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


class Results:
    """All results of a run. After `until`, each measurement runs only one round."""

    def __init__(self, rounds, until):
        self.rounds = rounds
        self.until = until
        self.all = []

    def in_turn(self, *sides, times=1):
        """Calls the sides alternately (A B A B ...) for `times` the usual rounds; returns the samples of each side."""
        samples = [[] for _ in sides]
        for round in range(self.rounds * times):
            if round > 0 and time.monotonic() > self.until:
                note("bench: out of time; using fewer rounds from now on")
                break
            for collected, side in zip(samples, sides):
                collected.append(side())
        return samples

    def rates(self, id, label, ours, ceiling, target=Target(), **extra):
        """Compares the rates of samples; higher is better."""
        return self._add(id, label, [s.rate for s in ours], [s.rate for s in ceiling], "/s", target, {
            "p99": f"{number(median(s.p99 for s in ours))}ms/{number(median(s.p99 for s in ceiling))}ms",
            **costs(ours, ceiling), **extra})

    def rates_of(self, id, label, ours, ceiling, target=Target(), **extra):
        """Compares rates per second; higher is better."""
        return self._add(id, label, ours, ceiling, "/s", target, extra)

    def times(self, id, label, ours, ceiling, target=Target(), **extra):
        """Compares milliseconds; lower is better."""
        return self._add(id, label, ours, ceiling, "ms", target, extra)

    def fact(self, id, label, values, unit, limit, **extra):
        """Compares a value with a fixed limit."""
        return self._add(id, label, values, [limit] * len(values), unit, Target(at_most=1), extra)

    def _add(self, id, label, ours, ceiling, unit, target, extra):
        ratios = [a / b if b else float("inf") for a, b in zip(ours, ceiling)]
        result = Result(
            id, label, statistics.median(ours), statistics.median(ceiling), unit, statistics.median(ratios),
            (min(ratios), max(ratios)), target, extra)
        self.all.append(result)
        say(result.line)
        return result

    @property
    def missed(self):
        return [result for result in self.all if not result.is_met]


def median(values):
    return statistics.median(list(values))


def costs(ours, ceiling):
    """CPU per request: of the daemon, and of PostgreSQL for both sides."""
    values = {}
    if any(s.server_cost for s in ours):
        values["server"] = f"{median(s.server_cost for s in ours):.0f}us/req"
    if any(s.database_cost for s in ours):
        values["postgres"] = f"{median(s.database_cost for s in ours):.0f}us/req"
        if any(s.database_cost for s in ceiling):
            values["postgres"] += f"/{median(s.database_cost for s in ceiling):.0f}us"
    if any(s.memory for s in ours):
        values["rss"] = f"{max(s.memory for s in ours):.0f}MB"
    return values
