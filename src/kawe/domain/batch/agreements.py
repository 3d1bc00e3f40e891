"""What a person agreed to: the acts that may leave, each by its digest, in order.

Balance, clock and other rows are no part of it: they may lessen what leaves. What a
person agrees to is told as a `Reach`; how many tokens a run may spend is a `Budget`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final, Self

from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import project_fingerprint, sha256_of
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import BEFORE_CREATE, RowKey, State
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import Content
from kawe.domain.text.texts import counted, one_line
from kawe.errors import GuardRefused
from kawe_contract.limits import TOKEN_PACKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act: for which row, of which draft, and what is told."""

    key: RowKey
    project: ProjectId | None
    """None: there is no draft yet."""
    says: str
    """A hash of all that leaves: content, iwi, message, files by their bytes; and of
    why a row is held about which is decided."""

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """Name what leaves for a row: what the journal has of a draft, as it goes."""
        why = entry.reason if entry.state is State.HELD else ""
        # A draft that is gone is made anew, and gets another id.
        project = None if entry.state in BEFORE_CREATE else entry.project_id
        says = cls.told(entry.content, entry.fingerprint, why=why)
        return cls(key=entry.key, project=project, says=says)

    @staticmethod
    def told(content: Content, fingerprint: str, *, why: str = "") -> str:
        """Hash what leaves for a row, what it was found to mean, and how that stood."""
        told: list[object] = [fingerprint, content.target_id, content.changes]
        if (said := content.project) is not None:
            told = [project_fingerprint(said), said.message]
        return sha256_of([told, why])


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The acts that a person agreed to, the first to go first: these and no others."""

    acts: Mapping[RowKey, Act]
    tokens: int
    """What they cost at most."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        """Name what leaves for these rows, in their order."""
        rows = list(entries)
        tokens = sum(entry.kind.has_drafts for entry in rows)
        return cls(acts={row.key: Act.of(row) for row in rows}, tokens=tokens)

    @property
    def sha256(self) -> str:
        """Name the whole list; a form hands that back."""
        acts = [[each.key, each.project, each.says] for each in self.acts.values()]
        return sha256_of([len(acts), self.tokens, acts])

    def covers(self, entry: Entry) -> bool:
        """Say whether just this act was agreed to; a draft may be made meanwhile."""
        agreed, now = self.acts.get(entry.key), Act.of(entry)
        return agreed is not None and agreed in {now, replace(now, project=None)}

    def of_any_draft(self, keys: AbstractSet[RowKey]) -> Self:
        """Let these rows leave from whichever draft says just what was agreed to."""
        free = {e: replace(self.acts[e], project=None) for e in keys & self.acts.keys()}
        return replace(self, acts={**self.acts, **free})

    def in_order(self, entries: Iterable[Entry]) -> list[Entry]:
        """Give the rows that it covers, in its order."""
        covered = {row.key: row for row in entries if self.covers(row)}
        return [covered[key] for key in self.acts if key in covered]


_SHOWN: Final = 3
"""How many rows a question names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The acts to which a person must agree: sends, invitations, decisions."""

    acts: int
    does: str
    """Follows "would" and "to" in a sentence."""
    undone: str
    beside: str = ""
    """What else the run does, to follow `does` in the question."""
    otherwise: str = ""
    """Another choice for a person who does not agree."""
    look: str = "the plan"
    """What a person reads before they agree."""
    over: str = ""
    """Message when a person agreed to fewer; empty: the usual one."""
    alone: str = ""
    """Message when nobody can be asked; empty: the usual one."""
    account: str = ""
    """Live or sandbox, and the team; empty: nobody else hears of it."""
    rows: Sequence[Entry] = ()
    """The rows that may go, the first first: the first `acts` go now."""

    @property
    def request(self) -> str:
        return f"Type {self.acts} to {self.does}{self.beside}"

    def lines(self) -> Iterator[str]:
        """Name the account and the first rows, so that a wrong file is noticed."""
        if not self.rows:
            return
        yield f"{self.account}{'. ' if self.account else ''}The first to go:"
        for row in self.rows[: min(_SHOWN, self.acts)]:
            name = one_line(row.content.name, limit=60)
            days = row.content.project and f": {row.content.project.days_words}"
            yield f"        {one_line(row.marker, limit=40)} ({name}){days or ''}"
        if (more := self.acts - _SHOWN) > 0:
            yield f"        and {more:,} more"

    def check_covered(self, agreed: int) -> None:
        """Check that so many acts are enough, for whom nothing was asked.

        Raises:
            GuardRefused: They are not.
        """
        if self.acts > max(0, agreed):
            raise GuardRefused(
                message=f"{self.over or f'This run would {self.does}'}, and "
                f"{agreed:,} {'was' if agreed == 1 else 'were'} agreed to.",
                hint=f"{self.undone} Look at {self.look}, then agree to the number.",
            )

    def agreed_to(self, typed: str) -> int:
        """Give the number of acts, if just that was typed, or there is none.

        Raises:
            GuardRefused: It was not.
        """
        if self.acts and typed.strip() != str(self.acts):
            said = "Stopped: another number was typed."
            raise GuardRefused(message=said, hint=self.undone)
        return self.acts


def reach_of(
    counts: Mapping[SheetKind, int], *, account: str = "", rows: Sequence[Entry] = ()
) -> Reach:
    """Describe the acts of a run: for how many rows of each kind."""
    does = (k.does[0].format(count=counted(n, *k.does[1:])) for k, n in counts.items())
    return Reach(
        acts=sum(counts.values()),
        does=", and ".join(does),
        undone=" ".join(dict.fromkeys(kind.undone for kind in counts)),
        account=account,
        rows=rows,
    )


def packs_covering(tokens: int) -> tuple[int, ...]:
    """Name the packs that cover `tokens` with the fewest purchases.

    Of those, the ones with the least left over; the largest first. kawe never buys:
    this is advice for the person who does.
    """
    largest = max(TOKEN_PACKS)
    times, rest = divmod(max(tokens, 0), largest)
    last = [min(pack for pack in TOKEN_PACKS if pack >= rest)] if rest else []
    return (*[largest] * times, *last)


def packs_words(tokens: int) -> str:
    """Say which packs would do for `tokens`, bought as seldom as possible.

    Where many would be left over, the packs without that are named too.
    """
    packs = packs_covering(tokens)
    over = sum(packs) - tokens
    if over * 2 <= tokens:
        return f"{_listed(packs)} would do"
    exact = _listed(_exactly(tokens))
    return f"{_listed(packs)} would do, with {over:,} left over; so would {exact}"


def _exactly(tokens: int) -> tuple[int, ...]:
    packs: list[int] = []
    for pack in sorted(TOKEN_PACKS, reverse=True):
        times, tokens = divmod(tokens, pack)
        packs.extend([pack] * times)
    return tuple(packs)


def _listed(packs: tuple[int, ...]) -> str:
    sizes = sorted(set(packs), reverse=True)
    named = [f"{counted(packs.count(size), 'pack')} of {size}" for size in sizes]
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How many sends one run may make. None is no limit of that kind."""

    balance: int | None
    """None for a sandbox key, which spends nothing."""
    keep_reserve: int = 0
    max_tokens: int | None = None
    agreed: int | None = None
    """What the person agreed to, by typing the count or with --yes N."""
    agreement: Agreement | None = field(default=None, repr=False)
    """The acts themselves that they agreed to; None: nobody need agree."""

    def agreed_to(self, number: int, rows: Sequence[Entry]) -> "Budget":
        """Give the budget of whom `rows` were shown: the first `number` may go."""
        agreement = Agreement.of(rows[: max(0, number)])
        return replace(self, agreed=number, agreement=agreement)

    def lets_go(self, entry: Entry) -> bool:
        return self.agreement is None or self.agreement.covers(entry)

    def sends(self, wanted: int) -> int:
        """Say how many of `wanted` sends may be tried."""
        limits = [wanted]
        if self.balance is not None:
            limits.append(self.balance - self.keep_reserve)
        limits += [n for n in (self.max_tokens, self.agreed) if n is not None]
        return max(0, min(limits))

    def missing(self, wanted: int) -> int:
        """Say how many tokens must come before all of `wanted` can be sent."""
        if self.balance is None:
            return 0
        return max(0, wanted + self.keep_reserve - self.balance)

    @property
    def own_limit(self) -> int | None:
        """Give the most tokens by a person's own limits; None: they set none.

        Of the balance only a reserve is such a limit: the service says the rest.
        """
        if self.balance is None:
            return None
        kept = max(0, self.balance - self.keep_reserve) if self.keep_reserve else None
        limits = [each for each in (self.max_tokens, kept) if each is not None]
        return min(limits, default=None)

    def costs(self, words: Iterable[str]) -> Iterator[str]:
        """Say what acts may cost that each decide it at the service."""
        if self.balance is not None and (told := [*filter(None, dict.fromkeys(words))]):
            yield " ".join(told)
            if (most := self.own_limit) is not None:
                yield f"At most {counted(most, 'token')} may be used; more must wait."

    def less(self, used: int) -> "Budget":
        """Give what is left when so many sends were tried."""
        balance, most, agreed = (
            None if limit is None else max(0, limit - used)
            for limit in (self.balance, self.max_tokens, self.agreed)
        )
        return replace(self, balance=balance, max_tokens=most, agreed=agreed)
