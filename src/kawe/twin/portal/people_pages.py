"""Who is in a team, and who was invited.

An invitation leads its reader to the portal; here the twin's owner accepts it
in that person's stead.
"""

from __future__ import annotations

from sqlite3 import Connection

from starlette.responses import Response

from kawe.twin.envelope import not_found
from kawe.twin.portal import reading
from kawe.twin.portal.account_pages import account_of
from kawe.twin.portal.desk import RuleQuestion, Visit
from kawe.twin.portal.pages import go_to
from kawe.twin.portal.sessions import FlashMessage
from kawe.twin.portal.showing import show
from kawe.twin.rules.invitation_care import accept_invitation


async def people_page(visit: Visit) -> Response:
    """Show the members and the invitations of an account."""
    account = await account_of(visit)
    team = await visit.desk.ask(
        RuleQuestion(name="team_read", ids={"id": account["id"]}),
        account_id=account["id"],
    )
    return show(visit, "people.html", account=account, team=team)


async def accept(visit: Visit) -> Response:
    """Accept an invitation of the account for the person invited."""
    account = await account_of(visit)
    invitation_id, now = visit.form.text("invitation"), visit.desk.now

    def work(db: Connection) -> None:
        if not reading.is_invited(
            db, account_id=account["id"], invitation_id=invitation_id
        ):
            raise not_found()
        accept_invitation(db, invitation_id=invitation_id, now=now)

    await visit.desk.database.run(work)
    visit.session.notices.append(FlashMessage(says="The invitation is accepted."))
    return go_to(f"/portal/accounts/{account['id']}/people")
