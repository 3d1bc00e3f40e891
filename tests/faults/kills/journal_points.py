"""Points around the commits of the journal.

What a commit holds is learnt where it is put down; the journal's own thread
comes by just before the commit, and just after it, before anybody hears of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Final

from faults.kills.clockwork import Clockwork, put_around
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.states import Intent, RowKey, Step
from kawe.flows.wait import queueing
from kawe.journal import writer
from kawe.journal.journal import StoreJournal
from kawe.journal.store.sqlite import SqliteStore
from kawe.kinds.invitations import kind
from kawe.kinds.projects import rounds

SETTLING: Final[ContextVar[bool]] = ContextVar("settling", default=False)
"""Whether a doubt is being settled, in this task."""
_NAMING: Final[ContextVar[Callable[[], str] | None]] = ContextVar(
    "naming", default=None
)
"""What to call that which the journal is asked to put down, in this task."""
_STEPS: Final = {Step.CREATE: "create", Step.SEND: "send", Step.INVITE: "invite"}


class JournalPoints:
    """Everything that is put into the commit under way, by its point's name."""

    def __init__(self, clockwork: Clockwork) -> None:
        self._clockwork: Final = clockwork
        self._pending: list[str] = []
        self._whole: set[str] = set()
        """Hashes of bodies that carry an organisation whole."""
        self._settled: set[RowKey] = set()

    def install(self) -> None:
        """Wrap the journal of this process."""
        self._around_commits()
        self._name("note", self._note)
        self._name("conclude", lambda intent, *_: self._act(intent, "verdict"))
        self._name("keep_file", lambda *_: "file")
        self._name("keep_receipt", lambda *_: "receipt")
        self._name("open_batch", lambda *_: "batch")
        self._name("move", lambda key, *_: self._move(key))
        self._name("move_all", lambda keys, *_: self._move(keys[0]))
        self._learn_changes()
        self._learn_bodies()
        self._mark_settling()

    def _note(self, intents: Sequence[Intent]) -> str:
        return self._act(intents[0], "intent")

    def _act(self, intent: Intent, what: str) -> str:
        is_whole = intent.body_sha256 in self._whole
        return f"{'organisation' if is_whole else _STEPS[intent.step]}.{what}"

    def _move(self, key: RowKey) -> str:
        return "settle.move" if key in self._settled else "move"

    def _name(self, act: str, name: Callable[..., str]) -> None:
        """Have what the journal's method `act` puts down known by its name."""

        def around(inner: Callable[..., Any]) -> Callable[..., Any]:
            async def named(it: StoreJournal, *given: Any, **words: Any) -> Any:
                mark = _NAMING.set(lambda: name(*given))
                try:
                    return await inner(it, *given, **words)
                finally:
                    _NAMING.reset(mark)

            return named

        put_around(StoreJournal, act, around)

    def _learn_changes(self) -> None:
        def around(inner: Callable[..., Any]) -> Callable[..., Any]:
            def changed(it: StoreJournal, act: Callable[[], Any]) -> Any:
                naming = _NAMING.get()

                def acted() -> Any:
                    done = act()
                    if naming is not None:
                        self._pending.append(naming())
                    return done

                return inner(it, acted)

            return changed

        put_around(StoreJournal, "_change", around)

    def _around_commits(self) -> None:
        def control(inner: Callable[..., None]) -> Callable[..., None]:
            def controlled(it: SqliteStore, statement: str) -> None:
                if statement == "COMMIT":
                    self._come_by("before-commit")
                inner(it, statement)

            return controlled

        def tell(inner: Callable[..., None]) -> Callable[..., None]:
            def told(*given: Any) -> None:
                self._come_by("after-commit")
                self._pending.clear()
                inner(*given)

            return told

        put_around(SqliteStore, "_control", control)
        put_around(writer, "_tell", tell)

    def _come_by(self, moment: str) -> None:
        for name in self._pending:
            self._clockwork.visit(f"{name}.{moment}")

    def _learn_bodies(self) -> None:
        def around(inner: Callable[..., Any]) -> Callable[..., Any]:
            def learnt(*given: Any, **words: Any) -> Any:
                body = inner(*given, **words)
                if "organisation" in body:
                    self._whole.add(sha256_of(body))
                return body

            return learnt

        put_around(rounds, "draft_body", around)

    def _mark_settling(self) -> None:
        """Mark tasks that settle doubts, and the rows that they move."""
        put_around(rounds, "reconcile", _settling)
        put_around(queueing, "reconcile", _settling)
        put_around(kind, "reconcile_invitations", _settling)

        def move(inner: Callable[..., Any]) -> Callable[..., Any]:
            def moved(it: StoreJournal, key: RowKey, *given: Any, **words: Any) -> Any:
                if SETTLING.get():
                    self._settled.add(key)
                else:
                    self._settled.discard(key)
                return inner(it, key, *given, **words)

            return moved

        put_around(StoreJournal, "move", move)


def _settling(inner: Callable[..., Any]) -> Callable[..., Any]:
    async def settling(*given: Any, **words: Any) -> None:
        mark = SETTLING.set(True)
        try:
            await inner(*given, **words)
        finally:
            SETTLING.reset(mark)

    return settling
