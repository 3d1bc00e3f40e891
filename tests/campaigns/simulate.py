"""Let kawe work through thousands of worlds in which everything goes wrong.

Each world has a workbook, a person who runs the command until nothing is left,
and a service whose answers get lost. Everything in it follows from its seed.

    PYTHONPATH=tests .venv/bin/python -m campaigns.simulate
        --rows 100000 --seed 1 --faults 5 --processes 2
        --rows 1000000 --seed 1 --faults 5-20 --oddities 30
        --seed 17 --replay       what happened in world 17
        --people --rows 20000    several computers in each world
        --people --about habits  only the months of people with habits

`--faults` is how many of 100 requests meet a fault, `--oddities` how many of
100 worlds have a meddling colleague, a journal that is lost, or null statuses.
A failure names its seed; replay it with the same two options.

With `--people` most worlds have two to four computers, each with a journal, a
clock and a copy of the workbook of its own, which work at the same time; an
oddity is a journal that is lost, or a service that writes references its own way
or sends what is to be a draft. The others live for months: people bring back rows
that were sent (habits), or write honest rows that are much alike (programmes).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from doubles.figures import RUN, Figures, record
from faults.people.campaign import HONEST, SIDE_BY_SIDE, WITH_HABITS, PeopleCampaign
from faults.people.programmes import PROGRAMMES, too_many_questions
from faults.simulation.campaign import Campaign
from faults.simulation.oracle import Findings

_TELL_SECONDS: Final = 60


def main(words: Sequence[str] | None = None) -> int:
    """Run a campaign, or replay one world."""
    options = _options(words)
    least, _, most = options.faults.partition("-")
    kind: Callable[..., Campaign] = Campaign
    if options.people:
        kind = partial(PeopleCampaign, about=options.about)
    campaign = kind(
        seed=options.seed,
        rows=options.rows,
        least_faults=float(least),
        most_faults=float(most or least),
        oddities_percent=options.oddities,
        processes=options.processes,
        most_seconds=options.minutes * 60,
        tell=_Teller(),
    )
    if options.replay:
        return _replay(campaign)
    begun = time.monotonic()
    findings = campaign.run()
    seconds = time.monotonic() - begun
    findings.broken += too_many_questions(findings)
    _print(findings, seconds=seconds)
    if options.record:
        record(_figures(findings, options=options, seconds=seconds))
    return 1 if findings.broken else 0


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", default="5")
    parser.add_argument("--oddities", type=float, default=2.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--people", action="store_true", help="several computers")
    parser.add_argument(
        "--about", default="", choices=["", SIDE_BY_SIDE, WITH_HABITS, HONEST]
    )
    parser.add_argument(
        "--record",
        metavar="NAME",
        nargs="?",
        help="the campaign's name in the figures; '' keeps none",
    )
    options = parser.parse_args(words)
    if options.record is None:
        options.record = "simulation-people" if options.people else "simulation"
    return options


class _Teller:
    """Says once a minute how far a campaign is, and at once what is broken."""

    def __init__(self) -> None:
        self._said_at = time.monotonic()
        self._told = 0

    def __call__(self, findings: Findings) -> None:
        """Say it, when it is time."""
        for each in findings.broken[self._told :]:
            print(f"BROKEN: {each}", file=sys.stderr, flush=True)
        self._told = len(findings.broken)
        if time.monotonic() - self._said_at >= _TELL_SECONDS:
            self._said_at = time.monotonic()
            print(
                f"{findings.rows:,} rows, {len(findings.broken)} promises broken",
                file=sys.stderr,
            )


def _replay(campaign: Campaign) -> int:
    findings, world = campaign.lives(campaign.setting(campaign.seed, keeps_trace=True))
    print("\n".join(world.trace.lines))
    print(f"{len(world.trace.lines)} lines, sha256 {world.trace.sha256()}")
    print("\n".join(findings.broken) or "every promise was kept")
    return 1 if findings.broken else 0


def _print(findings: Findings, *, seconds: float) -> None:
    share = 100 * findings.held_for_faults / max(1, findings.rows)
    print(
        f"{findings.rows:,} rows in {findings.worlds:,} worlds, {findings.runs:,} runs "
        f"of the command, {seconds:.0f} s"
    )
    print(
        f"doubled {findings.doubled}, lost {findings.lost}, held for faults "
        f"{findings.held_for_faults} ({share:.4f} %), held otherwise "
        f"{findings.held_otherwise}"
    )
    print(
        f"second drafts {findings.orphans}, of which nobody told "
        f"{findings.orphans_unreported}; sent by two computers at the same moment "
        f"{findings.raced}, in the portal too {findings.by_hand_too}"
    )
    if findings.unsaid or findings.claimed:
        print(
            f"gone from a queue unsaid {findings.unsaid}, falsely reported sent "
            f"{findings.claimed}"
        )
    _print_counts("outcomes", findings.outcomes)
    _print_counts("faults that struck", findings.struck)
    _print_counts("processes that ended", findings.ends)
    _print_counts("what others did", findings.others)
    _print_habits(findings)
    for each in findings.to_a_person:
        print(f"to a person: {each}")
    for each in findings.broken:
        print(f"BROKEN: {each}")


def _print_counts(what: str, counts: Counter[str]) -> None:
    print(f"{what}: {counts.total():,}")
    for name, count in counts.most_common():
        print(f"    {count:>9,}  {name}")


def _print_habits(findings: Findings) -> None:
    if findings.new:
        print(
            "by habit: new rows, asked about; workbooks, questions, of which not the "
            "first; second sends"
        )
    for name, new in findings.new.most_common():
        asked, books = findings.asked[name], findings.workbooks[name]
        share = 100 * asked / max(new, 1)
        print(
            f"    {new:>9,}  {asked:>6,} ({share:5.2f} %)  {books:>6,}"
            f"  {findings.questions[name]:>5,}  {findings.asked_again[name]:>4,}"
            f"  {findings.doubled_by[name]:>5,}  {name}"
        )
    if findings.new:
        print(
            f"sent again: {findings.rewritten} rewritten in more than two traits, "
            f"{findings.answered} with a word of before left in Repeat of; "
            f"new rows that no answer lets go {findings.stuck}"
        )


def _figures(
    findings: Findings, *, options: argparse.Namespace, seconds: float
) -> Figures:
    crashes = findings.ends.total()
    people = " --people" if options.people else ""
    return Figures(
        campaign=options.record,
        what=_what(options),
        command=f"{RUN}.simulate{people} --rows {findings.rows} "
        f"--seed {options.seed} --faults {options.faults} "
        f"--oddities {options.oddities:g}",
        runs=findings.runs,
        rows=findings.rows,
        faults=findings.struck.total() + crashes,
        lost=findings.lost,
        doubled=findings.doubled,
        to_a_person=findings.held_for_faults,
        seconds=round(seconds, 1),
        seeds=f"{options.seed} to {options.seed + findings.worlds - 1}",
        note=f"{crashes} processes ended in the middle; {_note(findings, options)}",
    )


def _habits(findings: Findings) -> str:
    asked = ", ".join(
        f"{name} {100 * findings.asked[name] / findings.new[name]:.1f} % of "
        f"{findings.new[name]:,}"
        for name in PROGRAMMES
        if findings.new[name]
    )
    return (
        f"{findings.rewritten} rows of which people had rewritten more than two of "
        f"name, place, words and dates, and {findings.answered} beside which a word "
        "of before was left in Repeat of, were sent again; rows asked about in honest "
        f"programmes: {asked}"
    )


def _what(options: argparse.Namespace) -> str:
    faults = f"{options.faults} % of requests at fault"
    if options.people:
        return (
            "two to four computers with journals, clocks and copies of their own, "
            "colleagues in the portal, lagging replicas; months in which rows come "
            f"back; in six worlds of ten {faults}"
        )
    return f"simulated runs, {faults}, processes ended at every boundary"


def _note(findings: Findings, options: argparse.Namespace) -> str:
    if options.people:
        return (
            f"{findings.held_otherwise} more rows were held or asked about because "
            "people changed them or their projects; "
            f"{findings.unsaid} rows left a queue unsaid, {findings.claimed} were "
            f"falsely reported sent; {findings.orphans} second drafts were left; "
            f"{findings.raced} drafts were sent by two computers within the seconds "
            "in which neither can see the other, at services that refuse no second "
            f"send; of {findings.by_hand_too} rows a colleague sent a draft in the "
            "portal at that moment, or another draft later; " + _habits(findings)
        )
    return (
        f"{findings.held_otherwise} more rows were held because a colleague changed "
        "or sent a draft, a journal was lost or a status was null; "
        f"{findings.orphans_unreported} second drafts that nobody was told of, all "
        "after the loss of a journal"
    )


if __name__ == "__main__":
    sys.exit(main())
