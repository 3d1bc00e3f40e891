"""kawe with a fault of its own planted: `python -m doubles.planting WHERE ...`.

The exception says the key in every way in which a careless library could.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote


def _words(key: str) -> str:
    header = f"Bearer {key}"
    return (
        f"Illegal header value {header.encode()!r} in {json.dumps({'key': key})}, "
        f"again {json.dumps(json.dumps(header))}, at https://x/?k={quote(key)}\n{key}"
    )


def _raising(*_: Any, **__: Any) -> Any:
    words = _words(_key())
    raise RuntimeError(words) from ValueError(words)


def _dying(*_: Any, **__: Any) -> Any:
    os.kill(os.getpid(), signal.SIGABRT)


def _key() -> str:
    key = os.environ.get("KAWE_API_KEY")
    if key:
        return key
    from kawe.settings.keeping import KeyPlace, kept_key  # noqa: PLC0415 - rarely

    return kept_key("default", place=KeyPlace.FILE).key


def _plant(where: str) -> None:
    from kawe.cases import kit  # noqa: PLC0415 - same
    from kawe.journal import journal  # noqa: PLC0415 - what is broken is loaded first
    from kawe.service import acts, lookups  # noqa: PLC0415 - same
    from kawe.service.transport import answers, wire  # noqa: PLC0415 - same

    places: Final[dict[str, tuple[Any, str, Callable[..., Any]]]] = {
        "wire": (wire.Wire, "ask", _raising),
        "create": (acts.HttpActs, "create_draft", _raising),
        "send": (acts.HttpActs, "send", _raising),
        "account": (lookups.HttpLookups, "account", _raising),
        "answer": (answers.Answer, "envelope", _raising),
        "journal": (journal.StoreJournal, "note", _raising),
        "report": (kit.Toolkit, "report", _raising),
        "abort": (acts.HttpActs, "send", _dying),
    }
    owner, name, instead = places[where]
    setattr(owner, name, instead)


PLACES: Final = ("wire", "create", "send", "account", "answer", "journal", "report")


def main() -> None:
    """Plant the fault, then be kawe."""
    where, *words = sys.argv[1:]
    _plant(where)
    sys.argv = ["kawe", *words]
    from kawe.__main__ import main as kawe  # noqa: PLC0415 - after it was planted

    kawe()


if __name__ == "__main__":
    main()
