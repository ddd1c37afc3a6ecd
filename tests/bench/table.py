"""Goals, what was reached of them, and the table of both."""
import statistics
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Bound:
    text: str
    holds: object  # for a number, whether it does


def at_least(limit):
    return Bound(f">= {limit:.4g}", lambda value: value >= limit)


def below(limit):
    return Bound(f"< {limit:.4g}", lambda value: value < limit)


@dataclass
class Goal:
    """A bound of the ratio of ours to theirs, round by round, or of ours if it is alone."""
    figure: str
    bound: Bound
    ours: list = field(default_factory=list)
    theirs: list = field(default_factory=list)
    busy: bool = False  # others were, meanwhile

    def ratios(self):
        return [ours / theirs if theirs else float("inf")
                for ours, theirs in zip(self.ours, self.theirs)]

    def reached(self):
        decisive = self.ratios() or self.ours
        if not decisive:
            return "not measured"
        return ("yes" if self.bound.holds(statistics.median(decisive)) else "no") + (
            ", host busy" if self.busy else "")


def spread(values):
    if not values:
        return "-"
    return " / ".join(f"{value:.3g}" for value in (statistics.median(values), min(values),
                                                   max(values)))


def print_table(goals):
    print("| figure | goal | actcert: median / min / max | other | ratio | reached |")
    print("|---|---|---|---|---|---|")
    for goal in goals:
        kind = "ratio " if " against " in goal.figure else ""
        print(f"| {goal.figure} | {kind}{goal.bound.text} | {spread(goal.ours)} | "
              f"{spread(goal.theirs)} | {spread(goal.ratios())} | {goal.reached()} |")
