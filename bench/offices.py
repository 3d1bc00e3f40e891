"""How kawe reads the sheets of offices: right, asked about, or silently wrong.

    python bench/offices.py               every sheet of _offices, _more_offices and
                                          _public_headings
    python bench/offices.py --show        each column that was read wrong as well
    python bench/offices.py --only WORD   the sheets whose name has this word
    python bench/offices.py --quick       without the person who knows
    python bench/offices.py --tiny        four of them

What each column means stands beside each sheet. Three kinds of reader take it:

- nobody: `kawe check --json --no-input --offline`;
- Enter: a person who presses Enter at every question of `kawe check --offline`;
- a person who knows what the columns mean, and answers each question rightly; what is
  wrong after that they say with a command, and check again.

For each sheet one line says

- read: columns that are read as what they mean before anybody answers, of those that
  mean something; a guess that is shown and waits for a person counts as read;
- silent: columns read as what they are not while nobody is asked, by nobody and by
  Enter; 0 is the aim;
- turned: start and end each read as the other, so; 0 is the aim;
- kind: what it was read as, if that is wrong;
- asked: questions before Enter alone is through; 1 is the aim for half of the sheets;
- rounds: checks until the person who answers rightly has every column right; 2 is the
  aim, `never` if they never have;
- lines: lines printed to Enter alone;
- taken: lines that are no rows, taken for rows.

Set PYTHONPATH to the src of another checkout to measure that one.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _more_offices import more_offices
from _offices import Office, offices
from _person import Answer, Session, at_terminal, enter
from _public_headings import public_offices
from rounds import TITLES, Desk, Page, number

AT_ONCE = 2
MOST_ROUNDS = 3
KAWE = (sys.executable, "-m", "kawe")
TINY = ("pair: First day", "two languages, slash", "map export, shape", "BambooHR")
GUESSED = "guess"
AXES = {("longitude", "easting"): "longitude", ("latitude", "northing"): "latitude"}
IS_IT = re.compile(r"Is “(.*?)”.*? the column\s+(.*?)\?", re.DOTALL)
WHICH = re.compile(r"Which column is “(.*?)”", re.DOTALL)
NEEDED = re.compile(r"The sheet has no column (.*?)\.\s+Which", re.DOTALL)
CHOICE = re.compile(r"^\s*(\d+) (.+?)(?: \(in it: .*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Read:
    """How one list of a workbook was read."""

    kind: str
    fields: Mapping[int, str]
    guessed: frozenset[int]
    waits: bool
    """Nothing is sent before a person has answered."""
    rows: int


@dataclass(slots=True)
class Found:
    """What was found out about one workbook."""

    who: str
    means: int = 0
    right: int = 0
    silent: int = 0
    silent_enter: int = 0
    turned: int = 0
    kind: str = ""
    asked: int = 0
    rounds: int = 0
    lines: int = 0
    taken: int = 0
    ended: bool = True
    """The person who knows had every column right in the end."""
    log: list[str] = field(default_factory=list)


def main() -> None:
    words = sys.argv[1:]
    chosen = list(choose(words))
    print(
        f"{'read':>8} {'silent':>6} {'Enter':>5} {'turned':>6} {'asked':>5} "
        f"{'rounds':>6} {'lines':>5} {'taken':>5}  sheet"
    )
    every = []
    with (
        tempfile.TemporaryDirectory() as place,
        ThreadPoolExecutor(max_workers=AT_ONCE) as pool,
    ):
        desks = [desk_of(each, Path(place) / f"{n}") for n, each in enumerate(chosen)]
        for found in pool.map(measure, desks):
            every.append(found)
            print(line(found), flush=True)
            for said in found.log if "--show" in words else ():
                print(f"      {said}")
    for said in summary(every):
        print(said)


def choose(words: Sequence[str]) -> Iterator[Office]:
    """Give the workbooks that are asked for."""
    only = words[words.index("--only") + 1] if "--only" in words else ""
    for office in (*offices(), *more_offices(), *public_offices()):
        if "--tiny" in words and not any(each in office.who for each in TINY):
            continue
        if only.casefold() in office.who.casefold():
            yield office


def line(found: Found) -> str:
    rounds = f"{found.rounds}" if found.ended else "never"
    return (
        f"{found.right:>2} of {found.means:>2} {found.silent:>6} "
        f"{found.silent_enter:>5} {found.turned:>6} {found.asked:>5} "
        f"{rounds:>6} {found.lines:>5} {found.taken:>5}  {found.who}"
        + (f" [read as {found.kind}]" if found.kind else "")
    )


def summary(every: Sequence[Found]) -> Iterator[str]:
    """Say what came out of all sheets together."""
    right, means = sum(e.right for e in every), sum(e.means for e in every)
    yield f"{len(every)} workbooks, {means} columns that mean something"
    share = f"{right / means:.2f} of them read right before anybody answers"
    yield f"{share}; 0.9 is the aim"
    yield (
        f"{sum(e.silent for e in every)} silently wrong with nobody, "
        f"{sum(e.silent_enter for e in every)} with Enter alone; 0 is the aim"
    )
    yield f"{sum(e.turned for e in every)} sheets with start and end turned round"
    yield f"{sum(bool(e.kind) for e in every)} read as the wrong kind"
    asked = [e.asked for e in every]
    middle = statistics.median(asked)
    yield f"{middle:.1f} questions in the middle, at most {max(asked)}"
    rounds = [e.rounds for e in every if e.ended] or [0]
    yield (
        f"{statistics.mean(rounds):.1f} rounds, at most {max(rounds)}, and "
        f"{sum(not e.ended for e in every)} sheets never right; 2 is the aim"
    )
    lines = [e.lines for e in every]
    yield f"{statistics.median(lines):.1f} lines in the middle, at most {max(lines)}"
    yield f"{sum(e.taken for e in every)} lines that are no rows taken for rows"


def desk_of(office: Office, folder: Path) -> Desk:
    """Put a workbook into a folder with settings of its own."""
    folder.mkdir()
    desk = Desk(office=office, folder=folder, environment=home_in(folder / "home"))
    desk.save()
    if len(desk.lists) > 1:
        desk.flags.append("--all-sheets")
    return desk


def home_in(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "HOME": f"{home}",
        "XDG_STATE_HOME": f"{home}/state",
        "XDG_CONFIG_HOME": f"{home}/config",
    }


def measure(desk: Desk) -> Found:
    """Let nobody, Enter and a person who knows read one workbook."""
    found = Found(desk.office.who)
    found.means = sum(counts(m) for page in desk.lists for m in page.meant.values())
    first = unattended(desk)
    for page, read in first:
        found.right += sum(
            fits(meant, read.fields.get(column, ""))
            and read.kind in {"", page.sheet.kind}
            for column, meant in page.meant.items()
            if counts(meant)
        )
    found.silent = note_wrong(found, "nobody", first)
    by_enter(desk, found)
    if "--quick" not in sys.argv[1:]:
        by_knowing(desk, found)
    return found


def counts(meant: str) -> bool:
    """Say whether a column must be read, to be right."""
    return not meant.startswith("~")


def fits(meant: str, read: str) -> bool:
    """Say whether a column may be read so."""
    # Degrees below x and y are read as what they are, with a note.
    read = AXES.get((meant, read), read)
    return read == meant or (meant.startswith("~") and read in {"", meant[1:]})


def by_enter(desk: Desk, found: Found) -> None:
    """Press Enter at every question."""
    desk.environment.update(home_in(desk.folder / "enter"))
    seen, lists = at_desk(desk, enter)
    found.asked, found.lines = seen.asked, seen.lines
    found.silent_enter = note_wrong(found, "Enter", lists)
    for page, read in lists:
        is_kind = read.kind in {"", page.sheet.kind}
        found.kind = found.kind if is_kind else read.kind
        found.taken += max(0, read.rows - len(page.meanings))
        found.turned += not waits(read) and is_turned(page, read)


def is_turned(page: Page, read: Read) -> bool:
    """Say whether start and end stand in each other's column, one or both."""
    turned = {"start_date": "end_date", "end_date": "start_date"}
    return any(
        meant in turned and read.fields.get(column) == turned[meant]
        for column, meant in page.meant.items()
    )


def waits(read: Read) -> bool:
    """Say whether a person must answer before anything of this reading counts."""
    return read.waits


def note_wrong(found: Found, reader: str, lists: Sequence[tuple[Page, Read]]) -> int:
    """Count the columns that are read as what they are not, with nothing asked."""
    wrong = 0
    for page, read in lists:
        for column, got in read.fields.items():
            meant = page.fields.get(column, "")
            if fits(meant, got):
                continue
            is_silent = not (read.waits and column in read.guessed)
            wrong += is_silent
            how = "silently" if is_silent else "as a guess"
            found.log.append(
                f"{reader}: “{shown(page, column)}” {how} read as {got}, "
                f"means {meant or 'nothing'}"
            )
        if reader == "nobody":
            found.log += [
                f"nobody: “{shown(page, column)}” not read, means {meant}"
                for column, meant in page.meant.items()
                if counts(meant) and not read.fields.get(column)
            ]
    return wrong


def unattended(desk: Desk) -> list[tuple[Page, Read]]:
    """Check with nobody there."""
    words = ["check", desk.office.file, "--json", "--quiet", "--no-input", "--offline"]
    ran = desk.run(*words, *desk.flags)
    try:
        document = json.loads(ran.stdout)
    except json.JSONDecodeError:
        return []
    return list(reads_of(desk, document.get("sheets", [document])))


def reads_of(
    desk: Desk, documents: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Page, Read]]:
    """Give each list, and how a document says that it was read."""
    for document in documents:
        if "reading" in document:
            told = document["reading"]
            columns = [each for each in told["columns"] if each["field"]]
            guessed = {number(e) for e in columns if e["how"] == GUESSED}
            waits, kind = bool(told["needs_answer"]), document["kind"]
        elif "read_as" in document:
            columns, guessed, waits = document["read_as"], set(), False
            kind = document["kind"]
        else:
            continue
        name = document.get("sheet") or document.get("reading", {}).get("sheet") or ""
        named = (page for page in desk.lists if page.sheet.name == name)
        page = next(named, None) or desk.page_of({"rows": [], **document})
        yield (
            page,
            Read(
                kind=kind,
                fields={number(each): each["field"] for each in columns},
                guessed=frozenset(guessed),
                waits=waits,
                rows=document.get("rows_read", 0),
            ),
        )


def at_desk(desk: Desk, answer: Answer) -> tuple[Session, list[tuple[Page, Read]]]:
    """Check at a terminal; give what was seen, and how the sheet was read."""
    for old in desk.folder.glob("*.result.*"):
        old.unlink()
    seen = at_terminal(
        [*KAWE, "check", desk.office.file, "--offline", *desk.flags],
        folder=desk.folder,
        environment=desk.environment,
        answer=answer,
    )
    documents = [json.loads(p.read_bytes()) for p in desk.folder.glob("*.result.json")]
    return seen, list(reads_of(desk, documents))


def by_knowing(desk: Desk, found: Found) -> None:
    """Answer every question rightly; say what is wrong after it, and check again."""
    desk.environment.update(home_in(desk.folder / "knows"))
    before: list[str] = []
    while found.rounds < MOST_ROUNDS:
        found.rounds += 1
        seen, lists = at_desk(desk, Knowing(desk))
        if not lists and "--skip-struck" in seen.text:
            desk.flags.append("--skip-struck")
            wrong = []
            continue
        wrong = [
            f"“{shown(page, column)}” is {read.fields.get(column) or 'not read'}"
            for page, read in lists
            for column in wrong_of(page, read)
        ]
        if lists and not wrong:
            return
        if wrong == before:
            # What was said changed nothing, or there is nothing to say it of.
            break
        before = wrong
        for page, read in lists:
            say_what_is_wrong(desk, page, read)
    found.ended = False
    found.log.append(f"knows: never right: {'; '.join(wrong) or 'nothing was read'}")


def shown(page: Page, column: int) -> str:
    """Give a heading on one line."""
    return " ".join(page.heading(column).split())


def wrong_of(page: Page, read: Read) -> list[int]:
    """Name the columns that are not read as what they mean."""
    return [
        column
        for column in page.fields
        if not fits(page.fields[column], read.fields.get(column, ""))
    ]


def say_what_is_wrong(desk: Desk, page: Page, read: Read) -> None:
    """Tell kawe outside a check what the columns mean."""
    if read.kind != page.sheet.kind and "--kind" not in desk.flags:
        desk.flags += ["--kind", page.sheet.kind]
        return
    words = ["--accept", "--sheet", page.sheet.name, "--kind", page.sheet.kind]
    for column in wrong_of(page, read):
        meant = page.fields[column].removeprefix("~")
        title = page.title(column) if meant else ""
        words += ["--set", f"{page.heading(column)}={title}"]
    desk.run("columns", desk.office.file, *words)


@dataclass(slots=True)
class Knowing:
    """A person who knows what each column means."""

    desk: Desk
    said: set[tuple[str, str]] = field(default_factory=set)

    def __call__(self, seen: str) -> str:
        """Answer a question."""
        flat = " ".join(seen.split())
        if "Type a number or a word" in flat:
            return "member"
        if "What are its rows?" in flat:
            return "1" if self.desk.lists[0].sheet.kind == "projects" else "2"
        if one := IS_IT.findall(flat):
            heading, title = one[-1]
            return "y" if self._title(heading) == title else "n"
        choices = CHOICE.findall(seen)
        if which := WHICH.findall(flat):
            return self._number(choices, self._title(which[-1]))
        if needed := NEEDED.findall(flat):
            headings = {
                head: n for n, shown in choices for head in [shown.strip().strip("“”")]
            }
            wanted = [h for h in headings if self._title(h) == needed[-1]]
            return headings[wanted[0]] if wanted else ""
        return self._row(seen)

    def _row(self, _seen: str) -> str:
        """Correct the table, one column a time; then take it."""
        for page, read in unattended(self.desk):
            for column in wrong_of(page, read):
                meant = page.fields[column].removeprefix("~")
                title = TITLES.get((page.sheet.kind, meant), "not read")
                change = (f"{column}", title)
                if change not in self.said:
                    self.said.add(change)
                    return " ".join(change)
        return "yes"

    def _number(self, choices: Sequence[tuple[str, str]], title: str) -> str:
        return next((n for n, shown in choices if shown.strip() == title), "")

    def _title(self, heading: str) -> str:
        """Give kawe's word for what a heading means."""
        flat = " ".join(heading.split())
        for page in self.desk.lists:
            for column, meant in page.fields.items():
                if " ".join(page.heading(column).split()) == flat:
                    return TITLES.get((page.sheet.kind, meant.removeprefix("~")), "")
        return ""


if __name__ == "__main__":
    main()
