"""What the service said to checks within a day, in a file beside the journal.

It only saves questions, and no send relies on it: the journal keeps what a run asked.
So a file that is broken, of another account or not writable is no error, and its
questions are asked again. It names its account by a hash and holds no key.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

from kawe.domain.rows.entries import Binding
from kawe.domain.service.service_words import IwiAnswer, Organisation, OrganisationId
from kawe.domain.text.texts import checked_text, fold_name
from kawe.durable import make_folder, replacing
from kawe_places.values import Place

_SCHEMA: Final = "kawe.answers/1"
_MOST_BYTES: Final = 50_000_000
_UNREADABLE: Final = (OSError, ValueError, TypeError, LookupError, RecursionError)
_Point: TypeAlias = tuple[float, float]


def answers_beside(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.answers")


class AnswerFile:
    """An `AnswerMemory` in one file, read at the beginning and written at the end.

    `since` and `now` say which answers are young enough to be used.
    """

    def __init__(
        self, path: Path, *, binding: Binding, since: datetime, now: datetime
    ) -> None:
        self._path = path
        self._account = account_of(binding)
        self._iwi: dict[_Point, tuple[datetime, IwiAnswer]] = {}
        self._organisations: tuple[datetime, tuple[Organisation, ...]] = (now, ())
        self._is_changed = False
        with suppress(*_UNREADABLE):
            self._read(since=since, now=now)

    def iwi_answers(self) -> dict[_Point, IwiAnswer]:
        return {place: answer for place, (_, answer) in self._iwi.items()}

    def keep_iwi_answer(self, place: Place, answer: IwiAnswer, *, at: datetime) -> None:
        self._iwi[place.key()] = (at, answer)
        self._is_changed = True

    def organisations(self) -> dict[str, Organisation]:
        names: dict[str, Organisation] = {}
        for each in self._organisations[1]:
            names.setdefault(fold_name(each.name), each)
        return names

    def keep_organisations(
        self, organisations: Iterable[Organisation], *, at: datetime
    ) -> None:
        self._organisations = (at, tuple(organisations))
        self._is_changed = True

    def save(self) -> None:
        if not self._is_changed:
            return
        data = json.dumps(self._document(), ensure_ascii=True).encode()
        with suppress(OSError):
            make_folder(self._path.parent)
            with replacing(self._path) as file:
                file.write(data)

    def _document(self) -> Mapping[str, Any]:
        at, organisations = self._organisations
        return {
            "schema": _SCHEMA,
            "account": self._account,
            "iwi": [
                [*place, asked_at.isoformat(), answer.can_select, answer.pairs()]
                for place, (asked_at, answer) in self._iwi.items()
            ],
            "organisations_at": at.isoformat(),
            "organisations": [[each.id, each.name] for each in organisations],
        }

    def _read(self, *, since: datetime, now: datetime) -> None:
        """Read the file; what cannot be read raises, and leaves nothing known."""
        # A pipe would never end.
        if not self._path.is_file() or self._path.stat().st_size > _MOST_BYTES:
            return
        document = json.loads(self._path.read_bytes())
        if (document["schema"], document["account"]) != (_SCHEMA, self._account):
            return
        iwi = dict(map(_place, document["iwi"]))
        at = datetime.fromisoformat(document["organisations_at"])
        organisations = tuple(
            Organisation(id=OrganisationId(checked_text(each)), name=checked_text(name))
            for each, name in document["organisations"]
        )
        if since <= at <= now:
            self._organisations = (at, organisations)
        self._iwi = {
            place: (asked_at, answer)
            for place, (asked_at, answer) in iwi.items()
            if since <= asked_at <= now
        }


def _place(record: Sequence[Any]) -> tuple[_Point, tuple[datetime, IwiAnswer]]:
    latitude, longitude, at, can_select, pairs = record
    answer = IwiAnswer.of_pairs(pairs, can_select=can_select is True)
    place = Place(latitude=float(latitude), longitude=float(longitude))
    return place.key(), (datetime.fromisoformat(at), answer)


def account_of(binding: Binding) -> str:
    """Name an account by a hash, for files beside the journal."""
    whose = f"{binding.base_url}\n{binding.team_id}\n{binding.mode}"
    return hashlib.sha256(whose.encode()).hexdigest()
