"""The portal's application: its routes and their protection.

Every page except the sign-in needs a session, and every form its token.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import quote, urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from kawe_twin.api.gate import Endpoint
from kawe_twin.calls.validation import is_uuid
from kawe_twin.portal import views
from kawe_twin.portal.context import SESSION_LIFE, Form, PortalContext, Visit, read_form
from kawe_twin.portal.pages import HOME, go_to, page, safe_page, style_sheet
from kawe_twin.world.answers import Refusal, not_found
from kawe_twin.world.keys import is_same_secret

View: TypeAlias = Callable[[Visit], Awaitable[Response]]

TOKEN_FIELD: Final = "form_token"  # noqa: S105 - the name of a field
SIGN_IN: Final = "/portal/sign-in"

_log: Final = logging.getLogger("kawe_twin")

_PAGES: Final[tuple[tuple[str, View], ...]] = (
    ("/", views.home),
    ("/accounts/{id}", views.tokens_page),
    ("/accounts/{id}/invoices/{invoice}", views.invoice_page),
    ("/accounts/{id}/keys", views.keys_page),
    ("/accounts/{id}/people", views.people_page),
    ("/accounts/{id}/receipts", views.receipts_page),
    ("/accounts/{id}/documents/{document}", views.document),
    ("/accounts/{id}/projects", views.projects_page),
    ("/projects/{id}", views.project_page),
    ("/checkout/{id}", views.checkout_page),
)
_ACTS: Final[tuple[tuple[str, View], ...]] = (
    ("/accounts/{id}/tokens", views.buy_tokens),
    ("/accounts/{id}/keys", views.create_key),
    ("/accounts/{id}/keys/revoke", views.revoke_key),
    ("/accounts/{id}/people", views.accept),
    ("/projects/{id}/{act}", views.act_on_project),
    ("/checkout/{id}", views.pay_checkout),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """The pages."""

    context: PortalContext

    def routes(self) -> list[BaseRoute]:
        """Give what the API origin serves under /portal; its root leads there."""
        application = Starlette(
            routes=[
                Route("/portal.css", style_sheet, methods=["GET"]),
                Route("/sign-in", self._show_sign_in, methods=["GET"]),
                Route("/sign-in", self._sign_in, methods=["POST"]),
                Route("/sign-out", self._sign_out, methods=["POST"]),
                *(Route(at, self._page(view), methods=["GET"]) for at, view in _PAGES),
                *(Route(at, self._act(view), methods=["POST"]) for at, view in _ACTS),
            ],
            exception_handlers=dict.fromkeys(
                (Refusal, HTTPException, ClientDisconnect, Exception), self._sorry
            ),
        )
        application.router.redirect_slashes = False
        return [
            *(Route(at, _from_root, methods=["GET"]) for at in ("/", "/portal")),
            Mount("/portal", app=application),
        ]

    def _page(self, view: View) -> Endpoint:
        async def answer(request: Request) -> Response:
            if (visit := self._visit(request, form=Form())) is None:
                asked = request.url.replace(scheme="", netloc="", fragment="")
                return go_to(f"{SIGN_IN}?next={quote(safe_page(str(asked)))}")
            return await view(visit)

        return answer

    def _act(self, view: View) -> Endpoint:
        async def answer(request: Request) -> Response:
            form = await read_form(request)
            if (visit := self._visit(request, form=form)) is None:
                # Without a session the form is dropped.
                return go_to(SIGN_IN)
            self._demand_token(form, visitor_id=visit.session.visitor_id)
            return await view(visit)

        return answer

    def _visit(self, request: Request, *, form: Form) -> Visit | None:
        context = self.context
        session = context.sessions.find(self._cookie(request), at=context.setup.clock())
        if session is None:
            return None
        ids = {name: str(value).lower() for name, value in request.path_params.items()}
        if not all(is_uuid(ids[name]) for name in {"id", "document"} & ids.keys()):
            raise not_found()
        return Visit(
            context=context,
            session=session,
            ids=ids,
            query=dict(request.query_params),
            form=form,
        )

    def _demand_token(self, form: Form, *, visitor_id: str) -> None:
        given = form.text(TOKEN_FIELD)
        if not self.context.sessions.is_form_token(given, visitor_id=visitor_id):
            said = "This form is out of date. Go back, load the page again, and retry."
            raise Refusal(403, said)

    async def _show_sign_in(self, request: Request) -> Response:
        wanted = request.query_params.get("next", HOME)
        return self._sign_in_page(request, wanted=wanted, says="")

    async def _sign_in(self, request: Request) -> Response:
        form = await read_form(request)
        visitor_id, wanted = self._cookie(request), form.text("next")
        self._demand_token(form, visitor_id=visitor_id)
        if not is_same_secret(form.text("secret"), self.context.owner_secret):
            says = "That is not the owner’s secret of this twin as it runs now."
            return self._sign_in_page(request, wanted=wanted, says=says)
        session = self.context.sessions.begin(at=self.context.setup.clock())
        return self._keep(go_to(safe_page(wanted)), visitor_id=session.visitor_id)

    async def _sign_out(self, request: Request) -> Response:
        form = await read_form(request)
        visitor_id = self._cookie(request)
        self._demand_token(form, visitor_id=visitor_id)
        self.context.sessions.end(visitor_id)
        return go_to(SIGN_IN)

    def _sign_in_page(self, request: Request, *, wanted: str, says: str) -> Response:
        visitor_id = self.context.sessions.visitor_of(self._cookie(request))
        told = {"signed_in": False, "wanted": safe_page(wanted), "says": says}
        shown = self._shown("sign_in.html", 403 if says else 200, visitor_id, **told)
        return self._keep(shown, visitor_id=visitor_id)

    def _shown(
        self, name: str, status_code: int, visitor_id: str, **told: object
    ) -> Response:
        values = {
            **told,
            "form_token": self.context.sessions.form_token(visitor_id),
            "notices": (),
            "status_code": status_code,
        }
        return page(name, values=values, status_code=status_code)

    @property
    def _cookie_name(self) -> str:
        # Cookies ignore ports, and two twins may run on one machine.
        return f"kawe_portal_{urlsplit(self.context.setup.api_url).port}"

    def _cookie(self, request: Request) -> str:
        return request.cookies.get(self._cookie_name, "")

    def _keep(self, answer: Response, *, visitor_id: str) -> Response:
        # Not Secure: the twin uses plain HTTP on this machine.
        answer.set_cookie(
            self._cookie_name,
            visitor_id,
            path="/portal",
            max_age=int(SESSION_LIFE.total_seconds()),
            httponly=True,
            samesite="strict",
        )
        return answer

    async def _sorry(self, request: Request, fault: Exception) -> Response:
        match fault:
            case Refusal():
                status_code, says = fault.status_code, fault.message
            case HTTPException():
                status_code, says = fault.status_code, f"{fault.detail}."
            case ClientDisconnect():
                status_code, says = 400, "The request broke off."
            case _:
                _log.error("A fault in the portal", exc_info=fault)
                status_code, says = 500, "Something went wrong at our end."
        visitor_id = self._cookie(request)
        session = self.context.sessions.find(visitor_id, at=self.context.setup.clock())
        told = {"signed_in": session is not None, "says": says}
        return self._shown("sorry.html", status_code, visitor_id, **told)


async def _from_root(request: Request) -> Response:
    # Whoever brings a key is a program, and gets the answer of the interface.
    if "authorization" in request.headers:
        raise HTTPException(status_code=404)
    return go_to(HOME)
