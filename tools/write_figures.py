"""Write the figures of the campaigns into docs/proof.md and docs/promises.md.

Each campaign leaves its figures in build/campaign. This copies them to
docs/figures, where they are kept, and makes the tables of the pages from those.

    python tools/write_figures.py                      all that were measured
    python tools/write_figures.py kills simulation     these; the rest stay
    python tools/write_figures.py --kept               the pages alone
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = (_ROOT / "docs" / "proof.md", _ROOT / "docs" / "promises.md")
MEASURED: Final = _ROOT / "build" / "campaign"
KEPT: Final = _ROOT / "docs" / "figures"
_MARKED: Final = re.compile(
    r"(<!-- (short )?figures -->\n)(.*?)(<!-- end -->)", re.DOTALL
)
_NOT_YET: Final = "not measured yet"
_HEAD: Final = (
    "| campaign | aim | runs | rows | faults | lost | doubled | to a person |",
    "|---|---|--:|--:|--:|--:|--:|--:|",
)
_RUN: Final = "PYTHONPATH=tests .venv/bin/python -m campaigns."
_HOW_HEAD: Final = (
    f"Each of these commands begins with `{_RUN}`. The link of a date leads to the",
    "figures, seeds and remarks:",
    "",
    "| command | date |",
    "|---|---|",
)
_TOLD: Final = ("simulation-people",)
"""Campaigns with a remark that changes what their row of the table says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """One row of the tables."""

    name: str
    """As its figures are called."""
    title: str
    aim: str
    """What would be enough to say more; what was run stands beside it."""


CAMPAIGNS: Final = (
    Campaign(name="kills", title="`kill -9` at named points", aim="10,000 kills"),
    Campaign(
        name="kills-in-recovery",
        title="`kill -9` again during recovery",
        aim="5,000 kills",
    ),
    Campaign(
        name="simulation",
        title="simulation, 5 % of requests at fault",
        aim="10,000,000 rows; at most 0.1 % to a person",
    ),
    Campaign(
        name="simulation-rough",
        title="simulation with many faults, with colleagues and lost journals",
        aim="1,000,000 rows",
    ),
    Campaign(
        name="simulation-people",
        title="simulation with several people, a computer and a copy each",
        aim="2,000,000 rows; at most 0.1 % to a person",
    ),
    Campaign(
        name="two-computers",
        title="a second computer starts during a run of the first",
        aim="at every moment",
    ),
    Campaign(
        name="state-machine",
        title="random sequences of events",
        aim="20,000 sequences of 100 steps",
    ),
    Campaign(
        name="io-errors",
        title="each call to the disk fails",
        aim="50 rows, every call",
    ),
    Campaign(
        name="power-loss",
        title="the power fails",
        aim="every moment of 20 rows, 3 seeds",
    ),
    Campaign(
        name="wire-cuts",
        title="the connection is cut",
        aim="every byte of a create and of a send",
    ),
    Campaign(
        name="hostile-variants",
        title="services that break their rules",
        aim="200 seeds of each kind",
    ),
    Campaign(
        name="tokens",
        title="tokens run out",
        aim="at every one of 50 rows, 1 to 8 workers",
    ),
    Campaign(
        name="receipts",
        title="an export of receipts is killed, 5 % of requests at fault",
        aim="5,000 receipts, 20 kills",
    ),
    Campaign(
        name="machines",
        title="three machines with one journal on a server: killed, frozen, cut off",
        aim="5,000 rows",
    ),
    Campaign(
        name="hosts",
        title="three hosts with the work of 40 accounts: the same, and standbys",
        aim="5,000 rows",
    ),
    Campaign(
        name="hosts-apart",
        title="three hosts in networks of their own, links cut",
        aim="1,000 rows",
    ),
    Campaign(
        name="canary",
        title="the key in any byte that is written",
        aim="50 months of every command",
    ),
    Campaign(
        name="watch",
        title="iwi respond while the pages of a watch shift, and it is killed",
        aim="30 of 1,000 projects in three rounds",
    ),
    Campaign(
        name="year-end",
        title="a year's end of a council and a month of an iwi, killed",
        aim="1,200 closed, 200 answers; 300 received",
    ),
    Campaign(name="workbooks", title="damaged workbooks", aim="1,000,000"),
    Campaign(
        name="twin",
        title="requests to the twin, made from its own document",
        aim="50 examples of each operation",
    ),
    Campaign(name="planted-bugs", title="known bugs, planted", aim="25, all caught"),
)


def written(page: str, *, folder: Path = KEPT) -> str:
    """Give the page with the tables that follow from the figures in `folder`."""

    def fresh(found: re.Match[str]) -> str:
        tables = _short if found[2] else _tables
        return found[1] + tables(folder) + found[4]

    return _MARKED.sub(fresh, page)


def published(folder: Path = KEPT) -> dict[str, dict[str, Any]]:
    """Read the figures that are kept."""
    return {
        path.stem: json.loads(path.read_text("utf-8"))
        for path in sorted(folder.glob("*.json"))
    }


def _tables(folder: Path) -> str:
    figures = published(folder)
    there = [each for each in CAMPAIGNS if each.name in figures]
    rows = [_row(each, figures.get(each.name)) for each in CAMPAIGNS]
    how = [_how(figures[each.name]) for each in there]
    told = [
        f"Of the {each.title}: {figures[each.name]['note']}.\n"
        for each in there
        if each.name in _TOLD
    ]
    return "\n".join(["", *_HEAD, *rows, "", *_HOW_HEAD, *how, "", *told, ""])


def _short(folder: Path) -> str:
    """Make the table for those who read no other: a few sums."""
    figures = published(folder)

    def total(what: str, *names: str) -> str:
        return f"{sum(figures[each][what] for each in names if each in figures):,}"

    killed = total("faults", "kills", "kills-in-recovery")
    simulated = [name for name in figures if name.startswith("simulation")]
    # The kills during recovery are of the same rows as the other kills.
    counted = [name for name in figures if name != "kills-in-recovery"]
    rows = (
        _cells("processes killed in the middle of their work", killed),
        _cells("rows in simulated runs with faults", total("rows", *simulated)),
        _cells("rows in all these tests", total("rows", *counted)),
        _cells("rows lost", total("lost", *counted)),
        _cells("projects sent twice", total("doubled", *counted)),
        _cells("rows left to a person", total("to_a_person", *counted)),
    )
    return "\n".join(["", "| what | how many |", "|---|--:|", *rows, "", ""])


def _row(campaign: Campaign, told: dict[str, Any] | None) -> str:
    if told is None:
        return _cells(campaign.title, campaign.aim, _NOT_YET, *[""] * 5)
    rows = int(told["rows"])
    # Without rows there is nothing that could be lost.
    ends = ("–",) * 4
    if rows:
        ends = (
            f"{rows:,}",
            f"{told['lost']:,}",
            f"{told['doubled']:,}",
            f"{told['to_a_person']:,} ({_share(told['to_a_person'], rows)})",
        )
    runs, faults = f"{told['runs']:,}", f"{told['faults']:,}"
    return _cells(campaign.title, campaign.aim, runs, ends[0], faults, *ends[1:])


def _how(told: dict[str, Any]) -> str:
    command = told["command"].removeprefix(_RUN)
    date = f"[{told['date']}](figures/{told['campaign']}.json)"
    return _cells(f"`{command}`", date)


def _share(part: int, whole: int) -> str:
    percent = 100 * part / whole
    return "0 %" if not part else f"{percent:.2g} %"


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def main() -> int:
    """Copy the figures, write the pages; name what was measured and is unknown."""
    options = _options()
    if not options.kept:
        _copy(options.campaigns)
    for page in PAGES:
        page.write_text(written(page.read_text("utf-8")), encoding="utf-8")
    return 0


def _copy(campaigns: list[str]) -> None:
    known = [each.name for each in CAMPAIGNS]
    KEPT.mkdir(exist_ok=True)
    for path in _measured(campaigns or known):
        (KEPT / path.name).write_text(path.read_text("utf-8"), encoding="utf-8")
    for path in sorted(MEASURED.glob("*.json")):
        if path.stem not in known:
            print(f"not published, since no campaign is called so: {path.stem}")


def _measured(names: list[str]) -> Iterator[Path]:
    for name in names:
        path = MEASURED / f"{name}.json"
        if path.is_file():
            yield path
        else:
            print(f"not measured: {name}")


def _options() -> argparse.Namespace:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("campaigns", nargs="*", metavar="NAME")
    words.add_argument("--kept", action="store_true", help="copy nothing")
    return words.parse_args()


if __name__ == "__main__":
    sys.exit(main())
