"""Which notes of a thread a person may change."""

import pytest

from kawe.domain.service.service_words import Account, Person
from kawe.kinds.acts.deeds import deed_of
from kawe.kinds.acts.table import LINES
from kawe.kinds.acts.world import Unfit, World


def _note(name, by):
    first, last = by.split()
    person = {"first_name": first, "last_name": last}
    said = {"content": "Ring Aroha.", "meeting_type": "EMAIL", "is_internal": True}
    return {"id": name, "created_by": person, **said}


def _world():
    person = Person(id="1", name="Mere Pene", email="mere@example.org")
    account = Account(
        team_id="t", team_name="T", balance=0, sandbox=None, person=person
    )
    thread = [_note("own", "Mere Pene"), _note("other", "Hemi Pene")]
    return World(account=account, parts={"thread": thread, "project": {"id": "p"}})


@pytest.mark.parametrize("more", [{"delete": True}, {"note": "Ring Hēmi."}])
def test_only_its_author_changes_or_deletes_a_note(more):
    said = {"project": "R-1", "meeting_type": "EMAIL", **more}
    deed_of(LINES["notes"], {**said, "note_id": "own"}, _world())
    with pytest.raises(Unfit, match="Only its author may change or delete a note"):
        deed_of(LINES["notes"], {**said, "note_id": "other"}, _world())
