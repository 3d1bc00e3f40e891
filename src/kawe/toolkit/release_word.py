"""A second person's word for a release, where the settings want one.

What waits for tokens was asked for long ago, perhaps by a plan that let it
wait: that it goes now is a live send of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from kawe.domain.batch.approvals import Approval, release_hash
from kawe.domain.rows.entries import BatchName
from kawe.errors import GuardRefused
from kawe.flows.wait.releasing import waiting
from kawe.toolkit.choices import author_of
from kawe.toolkit.session import Session


async def word_for_release(
    session: Session, batches: Sequence[BatchName], *, approved_by: str | None
) -> list[Approval]:
    """Give the word to be written down for each batch in which rows wait.

    Raises:
        GuardRefused: The settings want another person's word, and there is none.
        SettingsError: It is not known who releases.
    """
    wants_second = (
        session.toolkit.settings.approval == "second_person" and session.is_live
    )
    if approved_by is None and not wants_second:
        return []
    author, words = author_of(session.toolkit.settings), []
    for batch in batches:
        rows = await waiting([batch], journal=session.journal)
        if not rows:
            continue
        word = Approval(
            plan=release_hash(rows),
            batch=batch,
            author=author,
            approved_by=approved_by or "",
            sends=len(rows),
            at=session.toolkit.clock.now(),
        )
        if wants_second and not word.is_by_another:
            raise _no_second(author, approved_by)
        words.append(word)
    return words


def _no_second(author: str, approved_by: str | None) -> GuardRefused:
    if approved_by is None:
        return GuardRefused(
            message="The settings want a second person's word for every live send, and "
            "this release has none.",
            hint="Nothing was sent. Name who agreed to it: kawe release "
            "--approved-by NAME",
        )
    return GuardRefused(
        message=f"{author} releases, and cannot approve it as the second person.",
        hint="Nothing was sent. Somebody else must approve it.",
    )
