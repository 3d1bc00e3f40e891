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


VARIANTS: Final = (
    Variant(
        name="a second send is not refused",
        settings=(Setting(kind="no_conflict"), _LOST_SEND),
    ),
    Variant(
        name="projects have no status",
        settings=(Setting(kind="null_status"), _LOST_SEND),
        held=("does not say whether it was sent",),
    ),
    Variant(
        name="lists hide drafts",
        settings=(Setting(kind="hidden_drafts"), _LOST_CREATE),
        held=(*_TRIED, *_TWO),
    ),
    Variant(
        name="lists lag",
        settings=(Setting(kind="lag", fields={"seconds": 0.4}), _LOST_CREATE),
    ),
    Variant(
        name="pages shift",
        settings=(Setting(kind="shift"), _LOST_CREATE),
        held=(*_TRIED, *_TWO),
    ),
    Variant(
        name="pages leave out",
        settings=(Setting(kind="shift", fields={"rows": 1}), _LOST_CREATE),
        held=(*_TRIED, *_TWO),
    ),
    Variant(
        name="a create answers with another project",
        settings=(
            Setting(
                kind="reused_id",
                operations=("project_create",),
                fields={"probability": 0.5},
            ),
        ),
        held=("another project", "made for another row", *_TWO),
        stops=("with another computer",),
    ),
    Variant(
        name="drafts are sent at once",
        settings=(Setting(kind="sent_at_once"),),
        stops=("The service sends drafts at once",),
    ),
    Variant(
        name="references are written otherwise",
        settings=(Setting(kind="other_reference"),),
        held=("The service made a draft with the reference",),
        stops=("The service writes references in its own way",),
    ),
    Variant(
        name="no envelope",
        settings=(_acts("wrong_json", how="no_envelope"),),
        held=_TRIED,
    ),
    Variant(
        name="a web page for an answer",
        settings=(_acts("gateway_page", status_code=200),),
        held=_TRIED,
    ),
    Variant(
        name="a redirect",
        settings=(_acts("redirect", count=1),),
        stops=("The service sends elsewhere",),
    ),
    Variant(
        name="a bomb",
        settings=(_acts("gzip_bomb", size_bytes=11_000_000),),
        held=_TRIED,
    ),
    Variant(
        name="a failure after the work",
        settings=(_acts("server_error", status_code=503),),
        held=_TRIED,
    ),
    Variant(
        name="work that is done late",
        settings=(_acts("late", seconds=0.5, told="server_error"),),
        held=_TRIED,
    ),
    Variant(
        name="429 in plain text",
        settings=(_acts("rate_limited", body="text", count=3),),
    ),
    Variant(
        name="a clock that is behind",
        settings=(
            Setting(kind="wrong_date"),
            _acts("rate_limited", reset="epoch", seconds=-3600, count=3),
        ),
    ),
)
