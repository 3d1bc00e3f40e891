"""The journals of this computer, and which of them a command is about.

A journal belongs to one address and mode. A command without a key, with another key or
at another address must not take the journal that it does not find for an empty one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.entries import Binding
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted, one_line, some_of
from kawe.errors import JournalError, KaweError
from kawe.journal.history import overview
from kawe.journal.journal import StoreJournal
from kawe.journal.store.location import check_location
from kawe.journal.store.places import is_there, journals_at
from kawe.settings.values import Settings, state_folder

_WAITS: Final = (Outcome.DEFERRED, Outcome.HELD, Outcome.IN_DOUBT, Outcome.UNFINISHED)
_PLACE: Final = "*/*.journal"
_MOVED: Final = (
    f"If it was moved, name its new place with {Given.JOURNAL}. Without it, the next "
    "submit begins a new one and asks the service first what it has."
)
_NAME_ONE: Final = f"Name one with {Given.JOURNAL}, or use its key and address."


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownJournal:
    """A journal of this computer and what it holds."""

    path: Path
    binding: Binding | None = None
    """None where no run was ever bound to it."""
    batches: int = 0
    counts: Counter[Outcome] = field(default_factory=Counter)
    fault: str = ""
    """Why it cannot be read; then nothing is known of its rows."""

    @property
    def whose(self) -> str:
        """Say whose it is: mode, team and address."""
        if self.binding is None:
            return one_line(self.path.name, limit=100)
        said = self.binding
        parts = (said.mode, said.team_name, said.base_url)
        return ", ".join(one_line(each, limit=80) for each in parts)

    @property
    def words(self) -> str:
        """Say what it holds and how many of its rows wait."""
        if self.fault:
            return f"{self.whose}: it cannot be read. {one_line(self.fault, limit=300)}"
        waits = [
            f"{self.counts[each]:,} {each}" for each in _WAITS if self.counts[each]
        ]
        batches = counted(self.batches, "batch", "batches")
        rows = f"rows that wait: {', '.join(waits)}" if waits else "no row waits"
        return f"{self.whose}: {batches}; {rows}"

    def lines(self) -> Iterator[str]:
        """Say what it holds, and how it is named."""
        yield f"  {self.words}"
        yield f"    {Given.JOURNAL(self.path)}"

    def as_json(self) -> dict[str, Any]:
        """Give the journal for JSON documents."""
        bound = self.binding
        return {
            "path": str(self.path),
            "address": None if bound is None else bound.base_url,
            "team": None if bound is None else bound.team_name,
            "mode": None if bound is None else bound.mode,
            "batches": self.batches,
            "counts": {outcome.value: n for outcome, n in self.counts.items()},
            "trouble": self.fault or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalChoice:
    """The journal that a command is about, and the others of this computer."""

    path: Path
    why: tuple[str, ...] = ()
    """Why it is this one, where settings and key name another or none."""
    own: KnownJournal | None = None
    """None: there is none yet."""
    others: tuple[KnownJournal, ...] = ()
    """Those in which rows wait, or that cannot be read."""

    @property
    def is_plain(self) -> bool:
        """Say whether it is the journal that anybody would expect, and the only one."""
        return not self.why and not self.others

    def before(self) -> Iterator[str]:
        """Say which journal the following is about."""
        yield from self.why
        if not self.why and self.others and self.own is not None:
            yield f"The journal that was read: {self.own.whose}"

    def after(self) -> Iterator[str]:
        """Say what waits in the other journals."""
        if self.others:
            yield from _listed(self.others, words="Other journals of this computer:")

    def waits_elsewhere(self, outcomes: Sequence[Outcome]) -> bool:
        """Check that rows wait in another journal that is as real as this one.

        A rehearsal's rows are no reason to look where real ones are asked for.
        """
        mine = None if self.own is None else self.own.binding
        return any(
            each.fault or any(map(each.counts.get, outcomes))
            for each in self.others
            if not _is_less_real(each.binding, mine)
        )

    def as_json(self) -> list[dict[str, Any]]:
        """Give all journals for JSON documents, the one that was read first."""
        own = () if self.own is None else (self.own,)
        return [
            {**each.as_json(), "is_read": each is self.own}
            for each in (*own, *self.others)
        ]


def journals_here() -> list[KnownJournal]:
    """List the journals in kawe's own folder that hold anything, by path."""
    found = [look_into(path) for path in _paths_here()]
    return [each for each in found if each.batches or each.fault]


def _paths_here() -> list[Path]:
    return [path for path in sorted(state_folder().glob(_PLACE)) if path.is_file()]


async def make_sure_of_journal(settings: Settings) -> None:
    """Open the journal once, if there is one.

    Raises:
        JournalError: It cannot be read, or must not be at that place.
    """
    place = settings.journal_place()
    if isinstance(place, Path):
        check_location(place.absolute())
    if is_there(place):
        await StoreJournal.open(place, read_only=True).aclose()


def own_journal(settings: Settings) -> KnownJournal:
    """Say what the journal of the settings holds; nothing, where there is none yet."""
    place, path = settings.journal_place(), settings.journal_path()
    return look_into(path, place=place) if is_there(place) else KnownJournal(path=path)


def look_into(path: Path, *, place: JournalPlace | None = None) -> KnownJournal:
    """Say what a journal holds, or why it cannot be read; `place` is not its path."""
    try:
        found = overview(place or path)
    except KaweError as trouble:
        return KnownJournal(path=path, fault=trouble.message)
    counts: Counter[Outcome] = Counter()
    for state, number in found.states.items():
        counts[outcome_of(state)] += number
    return KnownJournal(
        path=path, binding=found.binding, batches=found.batches, counts=counts
    )


def choose_journal(
    settings: Settings, *, is_strict: bool = False, may_be_missing: bool = False
) -> JournalChoice:
    """Choose the journal that a command is about.

    That of the settings and the key; where there is none, the only one of this
    computer. A strict one contradicts no key and no address that was given; with
    `may_be_missing`, there may be none.

    Raises:
        JournalError: There is none where one must be, or several are meant.
    """
    path = settings.journal_path()
    if settings.journal is not None or settings.journal_server is not None:
        return _named(settings, is_strict=is_strict, may_be_missing=may_be_missing)
    if _paths_here() == [path]:
        # Nothing needs a look: a large journal takes seconds.
        return JournalChoice(path=path)
    here = journals_here()
    own = next((each for each in here if each.path == path), None)
    others = [each for each in here if each is not own]
    waiting = tuple(each for each in others if each.fault or _waits(each))
    if own is not None or not (others or _was_there(path)):
        return JournalChoice(path=path, own=own, others=waiting)
    none = _none_for(settings)
    if _was_there(path):
        raise JournalError(
            message=f"{none} It was there before: its lock {one_line(path.name)}.lock "
            f"lies in {one_line(str(path.parent), limit=400)}.",
            hint=_with_list(
                f"{_MOVED} A copy is put back by {Next.JOURNAL_RESTORE}.", others
            ),
        )
    fitting = [each for each in others if _fits(each, settings)]
    chosen = fitting if fitting or is_strict else others
    if is_strict and may_be_missing and not chosen and settings.refusal() is None:
        return JournalChoice(path=path, why=(none,), others=waiting)
    if len(chosen) != 1:
        raise JournalError(message=none, hint=_with_list(_NAME_ONE, others))
    (only,) = chosen
    rest = tuple(each for each in others if each is not only and _waits(each))
    which = "the one that fits" if len(others) > 1 else "the only journal that there is"
    return JournalChoice(
        path=only.path,
        why=(none, f"This is {which}: {only.whose}."),
        own=only,
        others=rest,
    )


def require_journal(settings: Settings) -> JournalChoice:
    """Give the journal of the key, for a command that acts on what it has.

    Raises:
        JournalError: It has nothing, and others of this computer have; or it was
            there and is gone.
    """
    choice = choose_journal(settings, may_be_missing=True)
    if choice.path == settings.journal_path():
        return choice
    others = [each for each in (choice.own, *choice.others) if each is not None]
    raise JournalError(message=_none_for(settings), hint=_with_list(_NAME_ONE, others))


def _named(
    settings: Settings, *, is_strict: bool, may_be_missing: bool
) -> JournalChoice:
    """Give the journal that a person named: nothing is said of others."""
    place, path = settings.journal_place(), settings.journal_path()
    if is_there(place):
        return JournalChoice(path=path)
    none = f"There is no journal at {one_line(str(place), limit=400)}"
    if not isinstance(place, Path):
        there = journals_at(place)
        if not is_strict and (kept := place.moved_as(there)):
            was = f"{none}. It was there before: that database keeps it as {kept}."
            raise JournalError(message=was, hint=_MOVED)
        more = f" That database has: {some_of(there, shown=6)}." if there else ""
        return JournalChoice(path=path, why=(f"{none}.{more}",))
    if may_be_missing:
        return JournalChoice(path=path, why=(f"{none}.",))
    hint = _with_list("It begins with the first submit.", journals_here())
    raise JournalError(message=f"{none} yet.", hint=hint)


def _none_for(settings: Settings) -> str:
    if settings.key is None:
        return "No key was given, so kawe does not know which journal is meant."
    if settings.base_url is None:
        return "No address was given, so kawe does not know which journal is meant."
    mode = f"a {settings.key_mode} key" if settings.key_mode else "this key"
    profile = settings.profile
    of = "" if profile == "default" else f" of the profile {one_line(profile)}"
    address = one_line(settings.base_url)
    return f"No journal of this computer has a batch{of} of {mode} at {address}."


def _with_list(hint: str, others: Sequence[KnownJournal]) -> str:
    if not others:
        return hint
    return "\n".join((hint, *_listed(others, words="Journals of this computer:")))


def _listed(journals: Sequence[KnownJournal], *, words: str) -> Iterator[str]:
    yield words
    for each in journals:
        yield from each.lines()


def _was_there(path: Path) -> bool:
    return not path.exists() and path.with_name(f"{path.name}.lock").exists()


def _waits(known: KnownJournal) -> bool:
    return any(map(known.counts.get, _WAITS))


def _fits(known: KnownJournal, settings: Settings) -> bool:
    """Check that a journal contradicts nothing that was said."""
    bound = known.binding
    return (
        known.path.parent.name == settings.profile
        and bound is not None
        and settings.base_url in {None, bound.base_url}
        and (settings.key_mode or settings.mode) in {None, bound.mode}
    )


def _is_less_real(one: Binding | None, other: Binding | None) -> bool:
    if one is None or other is None:
        return False
    if is_loopback(one.base_url) != is_loopback(other.base_url):
        return is_loopback(one.base_url)
    return one.mode == "sandbox" and other.mode == "live"
