"""The kind of sheet whose rows are people to invite."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from kawe.contract.limits import BULK_INVITE_MAX
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.saved_plans import Action
from kawe.domain.service.verdicts import Step
from kawe.domain.sheet.findings import PERSON_GONE, PERSON_KNOWN, PERSON_ROLE
from kawe.domain.sheet.tables import Table
from kawe.flows.checked_rows import CheckContext, CheckedRow
from kawe.flows.kinds import Answers, Inquiry, Kind, Submission
from kawe.flows.submit.submitting import in_rounds
from kawe.kinds.invitations.content import InvitationContent
from kawe.kinds.invitations.inviting import invite_all, reconcile_invitations
from kawe.kinds.invitations.joining import mark_known_people
from kawe.kinds.invitations.keeping import INVITED, keep_invitations
from kawe.kinds.invitations.rows import read_invitations, without_owner_findings


class InvitationsKind(Kind):
    """Rows that invite a person each."""

    word = "invitations"
    package = "kawe.kinds.invitations"
    content = InvitationContent
    sheet_names = frozenset({"invitations", "invitation", "invites"})
    guide = (
        (
            "Fill in one row for each person on the sheet Invitations. Click on a "
            "cell to see what it wants."
        ),
        (
            "Check it: kawe check invitations.xlsx. Nobody is invited yet. kawe "
            "names each cell that needs correcting and says what to do."
        ),
        (
            "Submit it: kawe submit invitations.xlsx. Everybody gets an email with "
            "an invitation to your team. People who are in the team, or invited "
            "already, are left out."
        ),
        "You can submit the same workbook again at any time: nobody is invited twice.",
    )
    steps: ClassVar = {Step.INVITE: ("invite people", "to invite this person")}
    planned = Action.INVITE.value
    done = Outcome.INVITED.value
    known_rules = frozenset({PERSON_KNOWN, PERSON_GONE, PERSON_ROLE})
    there = (
        "in the team or invited already",
        "The person is in the team already, or has an open invitation.",
    )
    marker = "Email"
    one = "an invitation"
    act = "invitation"
    will = "be invited"
    listed = "people to invite"
    acts = ("person to invite", "people to invite")
    does = ("invite {count}", "person", "people")
    undone = "Nobody was invited."
    gives = frozenset(
        {
            *("invitation_status", "invitation_expires_at"),
            *("invitation_id", "invitation_made_at"),
        }
    )
    is_real_in_sandbox = True
    shows_marker = False
    kept_fields = frozenset({"role"})
    requests_to_check = 3
    rows_in_a_request = BULK_INVITE_MAX

    def read(self, table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
        return read_invitations(table, context=context)

    async def ask(self, rows: tuple[CheckedRow, ...], inquiry: Inquiry) -> Answers:
        """Ask who is in the team, and who has been invited."""
        rows = without_owner_findings(rows, done=inquiry.finished)
        invited = {
            row.row.ref
            for row in rows
            if row.key is not None
            and row.key in inquiry.known
            and inquiry.known[row.key].state in INVITED
        }
        return Answers(
            rows=await mark_known_people(rows, asker=inquiry.asker, invited=invited)
        )

    async def submit(self, submission: Submission) -> None:
        """Invite everybody who was not invited, and keep how invitations stand."""
        run = submission.run
        await in_rounds(
            submission,
            settle=partial(reconcile_invitations, run),
            act=partial(invite_all, run),
        )
        await keep_invitations(run, kind=self)


INVITATIONS: Final = InvitationsKind()
