"""A plan that somebody else made: looked at beside its workbook, and signed."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from kawe.cases import plan_from_text, read_plan_file, safe_name
from kawe.cases.batches.approving import (
    approval_files,
    key_lines,
    own_signer,
    reach_of_approval,
    sign_plan,
    who_approves,
    write_approval,
)
from kawe.cases.batches.shown_plans import shown_beside
from kawe.cases.choices import author_of
from kawe.cases.kit import Toolkit
from kawe.desk.pages.check import start
from kawe.desk.pages.plan import PLAN, SIGN, keep_shown, show, why_not
from kawe.desk.runs import DeskRun
from kawe.desk.visits import Acts, DeskVisit, FormRefused, View, about
from kawe.desk.works import put_file
from kawe.domain.batch.exit_codes import ExitCode

_PLAN_ENDS: Final = ".json"


def take(visit: DeskVisit) -> Response:
    """Take a plan with its workbook and attachments, and see what would be sent."""
    given = visit.uploads("plan")
    plan = next((e for e in given if e.name.casefold().endswith(_PLAN_ENDS)), None)
    if plan is None:
        raise FormRefused("Choose the file of a plan. Nothing was done.", field="plan")
    content = plan.content.read()
    with about("plan"):
        saved = plan_from_text(content.decode(errors="replace"))
        reach_of_approval(saved)
    suffix = saved.reading.workbook.suffix.casefold()
    books = [each for each in given if each.name.casefold().endswith(suffix)]
    if not books:
        raise FormRefused(
            "Choose the plan together with its workbook and attachments. Nothing was "
            "done.",
            field="plan",
        )
    # Attachments can be sheets too.
    book = min(books, key=lambda each: each.name != saved.reading.workbook.name)
    name, now = safe_name(book.name, f"workbook{suffix}"), datetime.now(UTC)
    work = visit.works.add(name, book.content, at=now, signs=True)
    for each in given:
        if each not in {plan, book}:
            put_file(work.files / safe_name(each.name, "attachment"), each.content)

    async def do(toolkit: Toolkit, _: DeskRun) -> tuple[None, int]:
        shown = await shown_beside(
            toolkit, saved, workbook=work.workbook, tray=work.files
        )
        keep_shown(work, saved, shown)
        # Whoever reads the plan finds that.
        put_file(work.plan, BytesIO(content))
        return None, ExitCode.DONE

    return visit.begin(PLAN, do, work=work)


def sign(visit: DeskVisit) -> Response:
    """Sign the plan that the page showed, in the name of whoever the key names."""
    work = visit.work
    saved, file = read_plan_file(work.plan)
    if refused := why_not(visit, work, saved):
        raise FormRefused(f"{refused} Nothing was signed.")
    with about("typed"):
        reach_of_approval(saved).agreed_to(visit.text("typed"))
    secret = visit.text("passphrase")
    visit.around.keep_out(secret)

    async def do(toolkit: Toolkit, _: DeskRun) -> tuple[list[str], int]:
        account = await who_approves(toolkit, saved)
        signer, _new = own_signer(
            passphrase=lambda: secret, new_passphrase=lambda: secret
        )
        signed = sign_plan(
            saved, file=file, account=account, signer=signer, toolkit=toolkit
        )
        write_approval(signed, plan=work.plan, wanted=None)
        return key_lines(author_of(toolkit.settings), signer.public_key), ExitCode.DONE

    return visit.begin(SIGN, do, work=work)


def approval(visit: DeskVisit) -> Response:
    """Give the newest approval, for whoever made the plan."""
    work = visit.work
    signed = approval_files(work.plan)
    if not signed:
        raise HTTPException(404)
    return FileResponse(signed[-1], filename=f"{work.workbook.stem}.approval.json")


PAGES: Final[tuple[tuple[str, View], ...]] = (("/works/{work}/approval", approval),)
ACTS: Final[Acts] = (
    ("/sign", take, start),
    ("/works/{work}/sign", sign, show),
)
