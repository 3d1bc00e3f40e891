"""Runs that wait for a worker, on the PostgreSQL server of the journals.

procrastinate hands them out: of each account one at a time, to any host that is free.
What a host had that went away is given to another one. That one can begin nothing
before it has the advisory lock of the account's journal: a host that only sleeps keeps
it. So this room decides who tries, and the journal who may.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Container, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import procrastinate
from procrastinate import JobContext, exceptions, psycopg_connector, schema
from procrastinate.jobs import Job, Status

from kawe.domain.batch.journal_servers import STAYS
from kawe.domain.batch.runs import AgreedRun, ListedRun, WorkPlace
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, JournalNewer, StoreFault
from kawe.ports import Halt

_SECONDS: Final = 10
_CONNECTIONS: Final = 4
_GONE_SECONDS: Final = 30.0
"""A host that has not been heard of for so long may be gone."""
_LOOK, _WATCH, _AGREED, _STALLED = (
    f"kawe:{name}" for name in ("look", "watch", "agreed", "stalled")
)
_OF_ALL: Final = "of all"
SCHEMA: Final = "kawe_turns"
_BEGIN: Final = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
CREATE TABLE IF NOT EXISTS kawe_step (
    name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now()
);
"""
_OWN_STEPS: Final = (
    (
        "kawe 1",
        """
CREATE TABLE kawe_run (
    name text PRIMARY KEY,
    profile text NOT NULL,
    workbook text NOT NULL,
    agreed integer NOT NULL,
    put_by text NOT NULL,
    put_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    code integer,
    words text NOT NULL DEFAULT ''
);
""",
    ),
    ("kawe 2", "ALTER TABLE kawe_run ADD COLUMN act text NOT NULL DEFAULT 'send';"),
)
_WORKERS: Final = """
SELECT id FROM procrastinate_workers
WHERE last_heartbeat > now() - make_interval(secs => %(seconds)s)
"""
_PUT: Final = """
WITH old AS (DELETE FROM kawe_run WHERE ended_at < now() - interval '30 days')
INSERT INTO kawe_run (name, profile, workbook, agreed, act, put_by)
VALUES (%(name)s, %(profile)s, %(workbook)s, %(agreed)s, %(act)s, %(put_by)s)
"""
_ENDED: Final = """
UPDATE kawe_run SET
    code = %(code)s, words = %(words)s,
    ended_at = CASE WHEN %(code)s::integer IS NULL THEN NULL ELSE now() END
WHERE name = %(name)s
"""
_WAITS: Final = """
SELECT id, args FROM procrastinate_jobs
WHERE task_name = %(what)s AND status = 'todo'
"""
_READY: Final = """
SELECT 1 AS ready FROM procrastinate_jobs AS turn
WHERE
    status = 'todo' AND queue_name = ANY(%(queues)s)
    AND (scheduled_at IS NULL OR scheduled_at <= now())
    AND NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs AS other
        WHERE other.lock = turn.lock AND (
            other.status = 'doing' OR other.status = 'todo'
            AND (-other.priority, other.id) < (-turn.priority, turn.id)
        )
    )
LIMIT 1
"""
_LISTED: Final = """
SELECT run.*, turn.status::text AS status, turn.attempts AS tries
FROM kawe_run AS run LEFT JOIN procrastinate_jobs AS turn
    ON turn.task_name = %(what)s AND turn.args ->> 'name' = run.name
WHERE run.profile = %(profile)s ORDER BY run.put_at DESC LIMIT 20
"""


class TurnTaker(Protocol):
    """What a host does when its turn has come."""

    async def look(self, profile: str) -> None:
        """Take up the workbooks of a folder."""

    async def watch(self, profile: str) -> None:
        """Look who has answered."""

    async def carry_out(self, run: AgreedRun, *, tries: int) -> tuple[int | None, str]:
        """Carry a run out, and say how it ended; None: it is to be tried again."""


class _Later(Exception):
    """The run is tried again."""


class _Again(procrastinate.BaseRetryStrategy):
    """Tries a run later and later; all else of its account comes before it."""

    def get_retry_decision(
        self, *, exception: BaseException, job: Job
    ) -> procrastinate.RetryDecision | None:
        # A host whose database was away could not say how the run ended.
        if not isinstance(exception, _Later | exceptions.ConnectorException):
            return None
        seconds = _SECONDS * (job.attempts + 1)
        return procrastinate.RetryDecision(retry_in={"seconds": seconds}, priority=-1)


class HostTurns:
    """What waits in one database, opened."""

    def __init__(self, app: procrastinate.App) -> None:
        self._app: Final = app

    async def put(self, run: AgreedRun, *, place: WorkPlace) -> None:
        """Give a run to whichever host is free."""
        await self._do(_PUT, **asdict(run))
        deferred = self._app.configure_task(
            _AGREED, queue=place.queue, lock=place.account, priority=1
        )
        await deferred.defer_async(**asdict(run))

    async def look_at(self, places: Sequence[WorkPlace]) -> None:
        """Let each folder be looked at once, as soon as a host is free."""
        for place in places:
            deferred = self._app.configure_task(_LOOK, **_once(place, "look"))
            with suppress(exceptions.AlreadyEnqueued):
                await deferred.defer_async(timestamp=0, profile=place.profile)

    async def listed(self, profile: str) -> list[ListedRun]:
        """List the agreed runs of a profile, the newest first."""
        found = await self._ask(_LISTED, profile=profile, what=_AGREED)
        names = {each.name for each in fields(ListedRun)} - {"state"}
        return [
            ListedRun(state=_state(each), **{name: each[name] for name in names})
            for each in found
        ]

    async def of_others(self, known: Container[str]) -> list[AgreedRun]:
        """List the agreed runs that wait for a profile which is none of the known."""
        found = [each["args"] for each in await self._ask(_WAITS, what=_AGREED)]
        return [AgreedRun(**each) for each in found if each["profile"] not in known]

    async def take_back(self, name: str, *, code: int, words: str) -> bool:
        """End an agreed run that waits; False: it does not, or no longer."""
        waiting = await self._ask(_WAITS, what=_AGREED)
        for turn in (each for each in waiting if each["args"]["name"] == name):
            if await self._app.job_manager.cancel_job_by_id_async(turn["id"]):
                await self._do(_ENDED, name=name, code=code, words=words)
                return True
        return False

    async def work(
        self,
        work: TurnTaker,
        places: Sequence[WorkPlace],
        *,
        accounts: int,
        every_seconds: int | None,
        halt: Halt,
    ) -> None:
        """Do what waits, for so many accounts at a time, until somebody stops it.

        `every_seconds` is the time between two looks at a folder, of all hosts
        together, the first at once; None: end when nothing waits.
        """
        self._declare(work)
        worker = partial(
            self._app.run_worker_async,
            queues=[_OF_ALL, *(each.queue for each in places)],
            concurrency=accounts,
            install_signal_handlers=False,
            stalled_worker_timeout=_GONE_SECONDS,
            delete_jobs="successful",
        )
        await self.look_at(places)
        if every_seconds is not None:
            self._repeat(places, every_seconds=every_seconds)
            await _until_halt(worker(wait=True), halt)
            if not halt.asked:
                # Of a connection that it lost, procrastinate tells a log alone.
                raise exceptions.ConnectorException(
                    "it ended a connection or gave none"
                )
            return
        queues = [each.queue for each in places]
        while not halt.asked and await self._ask(_READY, queues=queues):
            await _until_halt(worker(wait=False, listen_notify=False), halt)

    def _declare(self, work: TurnTaker) -> None:
        """Say what is done in each kind of turn."""

        async def look(timestamp: int, profile: str) -> None:
            del timestamp
            await work.look(profile)

        async def watch(timestamp: int, profile: str) -> None:
            del timestamp
            await work.watch(profile)

        async def carry_out(turn: JobContext, /, **said: Any) -> None:  # noqa: ANN401 - fields of AgreedRun
            run = AgreedRun(**said)
            code, words = await work.carry_out(run, tries=turn.job.attempts)
            await self._do(_ENDED, name=run.name, code=code, words=words)
            if code is None:
                raise _Later

        self._app.task(name=_LOOK)(look)
        self._app.task(name=_WATCH)(watch)
        self._app.task(name=_AGREED, retry=_Again(), pass_context=True)(carry_out)
        self._app.task(name=_STALLED)(self._give_on)

    def _repeat(self, places: Sequence[WorkPlace], *, every_seconds: int) -> None:
        """Say when each is done again, by one of all hosts; what is stalled first."""
        tasks = self._app.tasks
        self._app.periodic(
            cron=_cron(every_seconds), queue=_OF_ALL, queueing_lock=_STALLED, priority=2
        )(tasks[_STALLED])
        for place in places:
            watch = _WATCH, "watch", place.watch_minutes * 60
            for task, what, seconds in ((_LOOK, "look", every_seconds), watch):
                if seconds:
                    self._app.periodic(
                        cron=_cron(seconds),
                        periodic_id=place.profile,
                        task_kwargs={"profile": place.profile},
                        **_once(place, what),
                    )(tasks[task])

    async def _give_on(self, timestamp: int) -> None:
        """Give on what hosts had that went away; a look comes again by itself."""
        del timestamp
        jobs = self._app.job_manager
        for job in await jobs.get_stalled_jobs(seconds_since_heartbeat=_GONE_SECONDS):
            with suppress(exceptions.ConnectorException):
                if job.task_name == _AGREED:
                    await jobs.retry_job(job)
                else:
                    await jobs.finish_job(job, status=Status.FAILED, delete_job=True)

    async def migrate(self) -> None:
        """Bring the tables up to date, one numbered step after the other.

        Raises:
            JournalNewer: A newer kawe made steps that this one does not know.
            JournalError: Hosts with an older kawe are still at work.
        """
        if await self.pending():
            with suppress(exceptions.UniqueViolation):
                await self._do(_BEGIN)
            if await self._has_older_workers():
                raise JournalError(
                    message="Hosts with an older kawe are at work in this database.",
                    hint="End them all; nothing is lost. Then start the new ones.",
                )
        while steps := await self.pending():
            name, script = steps[0]
            with suppress(exceptions.UniqueViolation):
                # Another host may be at it: who is second waits here, and is refused.
                made = f"INSERT INTO kawe_step VALUES ('{name}');"  # noqa: S608 - ours
                await self._do(f"{made}\n{script}")

    async def pending(self) -> list[tuple[str, str]]:
        """Give the steps that are still to be made.

        Raises:
            JournalNewer: There are some that this kawe does not know.
        """
        is_there = "SELECT to_regclass('kawe_step') IS NOT NULL AS begun"
        ((begun,),) = [each.values() for each in await self._ask(is_there)]
        made = await self._ask("SELECT name FROM kawe_step") if begun else []
        done, steps = {each["name"] for each in made}, _steps()
        if unknown := done - {name for name, _ in steps}:
            raise JournalNewer(
                message="A newer kawe hands out the work in this database: it made "
                f"the step {max(unknown)}, which this kawe does not know.",
                hint="Bring kawe up to date on this computer.",
            )
        return [step for step in steps if step[0] not in done]

    async def _has_older_workers(self) -> bool:
        with suppress(exceptions.ConnectorException):
            return bool(await self._ask(_WORKERS, seconds=_GONE_SECONDS))
        return False

    async def _do(self, statement: str, **values: object) -> None:
        # Many statements at once may have no value, and then no single %.
        said: Any = statement if values else statement.replace("%", "%%")
        await self._app.connector.execute_query_async(said, **values)

    async def _ask(self, statement: Any, **values: object) -> list[dict[str, Any]]:  # noqa: ANN401 - LiteralString
        found = await self._app.connector.execute_query_all_async(statement, **values)
        return list(found)


@asynccontextmanager
async def open_turns(url: str) -> AsyncIterator[HostTurns]:
    """Open what waits in a database; raise `StoreFault` where it fails."""
    # kawe says itself what is wrong, and the words of a run belong in no log.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL + 1)
    connector = procrastinate.PsycopgConnector(
        conninfo=url,
        kwargs={"application_name": "kawe", "connect_timeout": _SECONDS},
        configure=_in_schema,
        min_size=1,
        max_size=_CONNECTIONS,
        timeout=_SECONDS,
    )
    app = procrastinate.App(connector=connector)
    try:
        # Of procrastinate's own calls, this one alone lets errors of psycopg out.
        await psycopg_connector.wrap_exceptions()(app.open_async)()
        try:
            yield HostTurns(app)
        finally:
            await app.close_async()
    except exceptions.ConnectorException as fault:
        why = str(fault.__cause__ or fault).partition("\nCONTEXT:")[0]
        said = one_line(why, limit=200).rstrip(".?")
        raise StoreFault(
            message=f"The database that hands out the work failed: {said}.",
            hint=f"Look after the server, then {Next.AGAIN}: nothing is sent twice.",
        ) from fault


async def _in_schema(connection: Any) -> None:  # noqa: ANN401 - of psycopg
    # A host may sleep between two statements: it holds no lock of a table there.
    await connection.set_autocommit(True)
    await connection.execute(f"SET search_path TO {SCHEMA};{STAYS}")


async def _until_halt(worker: Coroutine[Any, Any, None], halt: Halt) -> None:
    working = asyncio.ensure_future(worker)
    while not working.done() and not halt.asked:
        await asyncio.wait([working], timeout=0.5)
    # A cancelled worker takes nothing new, and waits for those it has.
    working.cancel()
    with suppress(asyncio.CancelledError):
        await working


def _steps() -> list[tuple[str, str]]:
    scripts = sorted(Path(schema.SchemaManager.get_migrations_path()).glob("*.sql"))
    return [*((each.stem, each.read_text("utf-8")) for each in scripts), *_OWN_STEPS]


def _once(place: WorkPlace, what: str) -> dict[str, Any]:
    """Say that one of these waits at most, and of what account it is."""
    waits = f"{what} {place.profile}"
    # A look may send, so that it is a run of its account; a watch sends nothing.
    lock = place.account if what == "look" else waits
    return {"queue": place.queue, "lock": lock, "queueing_lock": waits}


def _cron(seconds: int) -> str:
    if seconds < 60:
        return f"* * * * * */{seconds}"
    minutes = seconds // 60
    return f"*/{minutes} * * * *" if minutes < 60 else f"0 */{minutes // 60} * * *"


def _state(found: Mapping[str, Any]) -> str:
    if found["code"] is not None:
        return "ended"
    states = {"doing": "at work", "todo": "tried again" if found["tries"] else "waits"}
    return states.get(found["status"], "failed")
