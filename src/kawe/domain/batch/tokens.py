"""Tokens: how many are needed, may be spent, and could be bought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from kawe.domain.batch.agreements import Agreement
from kawe.domain.rows.entries import Entry
from kawe.domain.text.texts import counted
from kawe_contract.limits import TOKEN_PACKS


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

    def agreed_to(self, number: int, rows: Sequence[Entry]) -> Budget:
        """Give the budget of whom `rows` were shown: the first `number` may go."""
        return replace(
            self, agreed=number, agreement=Agreement.of(rows[: max(0, number)])
        )

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

    def less(self, used: int) -> Budget:
        """Give what is left when so many sends were tried."""
        balance, most, agreed = (
            None if limit is None else max(0, limit - used)
            for limit in (self.balance, self.max_tokens, self.agreed)
        )
        return replace(self, balance=balance, max_tokens=most, agreed=agreed)
