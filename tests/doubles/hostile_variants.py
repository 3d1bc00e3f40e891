"""Every way in which the twin can be hostile to a batch."""

from __future__ import annotations

from typing import Any, Final

from doubles.hostile_batch import ACTS, Setting, Variant

_LOST_CREATE: Final = Setting(
    kind="drop", operations=("project_create",), fields={"probability": 0.5}
)
_LOST_SEND: Final = Setting(
    kind="drop", operations=("project_send",), fields={"probability": 0.5}
)
_TRIED: Final = ("without a clear answer",)
_TWO: Final = ("projects with the reference",)


def _acts(kind: str, **fields: Any) -> Setting:
    return Setting(kind=kind, operations=ACTS, fields={"probability": 0.4, **fields})


def _odd(
    name: str,
    *settings: Setting,
    held: tuple[str, ...] = (),
    stops: tuple[str, ...] = (),
) -> Variant:
    return Variant(name=name, settings=settings, held=held, stops=stops)


VARIANTS: Final = (
    _odd("a second send is not refused", Setting(kind="no_conflict"), _LOST_SEND),
    _odd(
        "projects have no status",
        Setting(kind="null_status"),
        _LOST_SEND,
        held=("does not say whether it was sent",),
    ),
    _odd(
        "lists hide drafts",
        Setting(kind="hidden_drafts"),
        _LOST_CREATE,
        held=(*_TRIED, *_TWO),
    ),
    _odd("lists lag", Setting(kind="lag", fields={"seconds": 0.4}), _LOST_CREATE),
    _odd("pages shift", Setting(kind="shift"), _LOST_CREATE, held=(*_TRIED, *_TWO)),
    _odd(
        "pages leave out",
        Setting(kind="shift", fields={"rows": 1}),
        _LOST_CREATE,
        held=(*_TRIED, *_TWO),
    ),
    _odd(
        "a create answers with another project",
        Setting(
            kind="reused_id",
            operations=("project_create",),
            fields={"probability": 0.5},
        ),
        held=("another project", "made for another row", *_TWO),
        stops=("with another computer",),
    ),
    _odd(
        "drafts are sent at once",
        Setting(kind="sent_at_once"),
        stops=("The service sends drafts at once",),
    ),
    _odd(
        "references are written otherwise",
        Setting(kind="other_reference"),
        # A draft whose answer was lost is not known by its reference.
        held=("The service made a draft with the reference", "likely repeats"),
        stops=("The service writes references in its own way",),
    ),
    _odd("no envelope", _acts("wrong_json", how="no_envelope"), held=_TRIED),
    _odd(
        "a web page for an answer", _acts("gateway_page", status_code=200), held=_TRIED
    ),
    _odd(
        "a redirect", _acts("redirect", count=1), stops=("The service sends elsewhere",)
    ),
    _odd("a bomb", _acts("gzip_bomb", size_bytes=11_000_000), held=_TRIED),
    _odd(
        "a failure after the work", _acts("server_error", status_code=503), held=_TRIED
    ),
    _odd(
        "work that is done late",
        _acts("late", seconds=0.5, told="server_error"),
        held=_TRIED,
    ),
    _odd("429 in plain text", _acts("rate_limited", body="text", count=3)),
    _odd(
        "a clock that is behind",
        Setting(kind="wrong_date"),
        _acts("rate_limited", reset="epoch", seconds=-3600, count=3),
    ),
)
