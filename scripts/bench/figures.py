"""Takes figures in turn with their ceilings, prints each as a line, and keeps them for the tables."""
import statistics
import time
from dataclasses import dataclass, field

from processes import note, say


@dataclass
class Aim:
    """`at_least` or `at_most` for a ratio; a figure without either is only told."""
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
class Figure:
    """One comparison: the medians of both sides over the rounds, and the ratio of each round."""
    id: str
    label: str
    ours: float
    ceiling: float
    unit: str
    ratio: float
    spread: tuple
    aim: Aim
    extra: dict = field(default_factory=dict)

    @property
    def is_met(self):
        return self.aim.is_met(self.ratio)

    @property
    def line(self):
        parts = [f"{self.id} {self.label}", f"ours={number(self.ours)}{self.unit}",
                 f"ceiling={number(self.ceiling)}{self.unit}", f"ratio={self.ratio:.2f}",
                 f"range={self.spread[0]:.2f}..{self.spread[1]:.2f}"]
        if str(self.aim) != "-":
            parts.append(f"aim{self.aim} {'met' if self.is_met else 'MISSED'}")
        return " ".join(parts + [f"{name}={value}" for name, value in self.extra.items()])


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


class Figures:
    """All figures of a run, within a time: past `until` each is taken once only."""

    def __init__(self, rounds, until):
        self.rounds = rounds
        self.until = until
        self.all = []

    def in_turn(self, *sides, times=1):
        """Calls the sides A B A B ..., `times` as often as others; gives the list of results of each."""
        taken = [[] for _ in sides]
        for round in range(self.rounds * times):
            if round > 0 and time.monotonic() > self.until:
                note("bench: out of time, fewer rounds from here on")
                break
            for results, side in zip(taken, sides):
                results.append(side())
        return taken

    def rates(self, id, label, ours, ceiling, aim=Aim(), **extra):
        """Compares the rates of samples; more is better."""
        return self._add(id, label, [s.rate for s in ours], [s.rate for s in ceiling], "/s", aim, {
            "p99": f"{number(median(s.p99 for s in ours))}ms/{number(median(s.p99 for s in ceiling))}ms",
            **costs(ours, ceiling), **extra})

    def rates_of(self, id, label, ours, ceiling, aim=Aim(), **extra):
        """Compares numbers a second; more is better."""
        return self._add(id, label, ours, ceiling, "/s", aim, extra)

    def times(self, id, label, ours, ceiling, aim=Aim(), **extra):
        """Compares milliseconds; less is better."""
        return self._add(id, label, ours, ceiling, "ms", aim, extra)

    def fact(self, id, label, values, unit, limit, **extra):
        """A figure beside a fixed limit."""
        return self._add(id, label, values, [limit] * len(values), unit, Aim(at_most=1), extra)

    def _add(self, id, label, ours, ceiling, unit, aim, extra):
        ratios = [a / b if b else float("inf") for a, b in zip(ours, ceiling)]
        figure = Figure(
            id, label, statistics.median(ours), statistics.median(ceiling), unit, statistics.median(ratios),
            (min(ratios), max(ratios)), aim, extra)
        self.all.append(figure)
        say(figure.line)
        return figure

    @property
    def missed(self):
        return [figure for figure in self.all if not figure.is_met]


def median(values):
    return statistics.median(list(values))


def costs(ours, ceiling):
    """CPU per request: the daemon's own, and PostgreSQL's for us and for the ceiling."""
    told = {}
    if any(s.server_cost for s in ours):
        told["server"] = f"{median(s.server_cost for s in ours):.0f}us/req"
    if any(s.database_cost for s in ours):
        told["postgres"] = f"{median(s.database_cost for s in ours):.0f}us/req"
        if any(s.database_cost for s in ceiling):
            told["postgres"] += f"/{median(s.database_cost for s in ceiling):.0f}us"
    if any(s.memory for s in ours):
        told["rss"] = f"{max(s.memory for s in ours):.0f}MB"
    return told
