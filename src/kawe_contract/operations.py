"""One table of every operation of the service, by name.

A `?` marks a path or scope that the interface does not show and kawe assumes; the
settings can change such a path. Two operations name a second scope in their summary.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kawe_contract.enums import Scope

_PAGE_QUERY: Final = ("page", "limit")
PROJECT_QUERY: Final = (
    *_PAGE_QUERY,
    "search",
    "type",
    "status",
    "priority",
    "organisation",
    "local_authority",
    "assigned_to",
    "active_status",
)
_QUERIES: Final[Mapping[str, tuple[str, ...]]] = {
    "iwi_search": ("search",),
    "project_list": PROJECT_QUERY,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that the service can be asked to do."""

    name: str
    method: str
    path: str
    scopes: tuple[Scope, ...] = ()
    shown: bool = True
    scope_shown: bool = True
    request: str | None = None
    """Name of the body's schema."""
    response: str | None = None
    """Name of the schema of `response_object`; None where it is not shown."""
    paged: bool = False
    """`response_object` is a page of `response`."""
    listed: bool = False
    """`response_object` is a plain array of `response`."""
    query: tuple[str, ...] = ()
    refusals: tuple[int, ...] = ()
    """Status codes beside those that follow from other fields."""
    summary: str


# name | method and path | scope | body | answer | refusals of its own | summary
_TABLE: Final = """
iwi_count           | POST   /iwi/count                       | iwi:read         | IwiCountBody           | IwiCount               |         | Which iwi a place belongs to
iwi_search          | GET    /iwi ?                           | iwi:read         |                        | list of Iwi            |         | Find iwi by name
project_list        | GET    /projects                        | projects:read    |                        | ProjectPage            |         | List projects
project_create      | POST   /projects                        | projects:write ? | CreateProjectBody      | Project                | 402     | Create a project; with draft false, projects:send is needed as well
project_read        | GET    /projects/{id}                   | projects:read    |                        | Project                |         | Read a project
project_update      | PUT    /projects/{id} ?                 | projects:write   | UpdateProjectBody      | Project                |         | Change a project
project_send        | PUT    /projects/{id}/send              | projects:send    | SendProjectBody        |                        | 402 409 | Send a project to iwi
project_respond     | PUT    /projects/{id}/respond           | projects:write ? | RespondBody            |                        | 402     | Answer on a project's thread
project_complete    | PUT    /projects/{id}/complete          | projects:write ? | CompleteProjectBody    |                        | 409     | Complete a project; iwi only
project_report      | POST   /projects/{id}/report            | projects:send    | ReportBody             |                        |         | Ask for an engagement report
project_assign      | PUT    /projects/{id}/assign ?          | projects:write   | AssignProjectBody      |                        |         | Assign a project
project_close       | PUT    /projects/{id}/close ?           | projects:write   | CloseProjectBody       |                        | 409     | Close a project
project_reopen      | PUT    /projects/{id}/reopen ?          | projects:write   |                        |                        | 409     | Reopen a closed project
engagement_list     | GET    /projects/{id}/engagements       | projects:read    |                        | page of Engagement     |         | Read a project's thread, newest first
note_create         | POST   /projects/{id}/notes             | projects:write   | NoteBody               | Engagement             |         | Write an internal note
note_edit           | PUT    /projects/{id}/notes/{note_id} ? | projects:write   | NoteBody               | Engagement             |         | Change one's own note
note_delete         | DELETE /projects/{id}/notes/{note_id} ? | projects:write   |                        |                        |         | Remove one's own note
project_logs        | GET    /projects/{id}/logs ?            | projects:read    |                        | page of Log            |         | Read a project's activity
project_documents   | GET    /projects/{id}/documents ?       | projects:read    |                        | page of Document       |         | List a project's documents
user_read           | GET    /user                            |                  |                        | User                   |         | Who the key is
user_invite         | POST   /user/invite                     | users:invite     | InviteUserBody         |                        | 409     | Invite one person
user_invite_bulk    | POST   /user/invite/bulk                | users:invite     | BulkInviteBody         | BulkInviteResponse     |         | Invite up to 200 people
invitation_read     | GET    /user/invitation/{id}            | users:invite ?   |                        | Invitation             |         | Read one invitation
invitation_resend   | PUT    /user/invitation/{id}/resend ?   | users:invite     |                        |                        | 409     | Send an invitation again
invitation_expire   | PUT    /user/invitation/{id}/expire ?   | users:invite     |                        |                        | 409     | End an invitation
team_read           | GET    /team/{id}                       | team:read        |                        | Team                   |         | Read members and invitations
team_rename         | PUT    /team/{id}/name                  | team:write       | TeamNameBody           |                        |         | Rename the team
team_role           | PUT    /team/{id}/role                  | team:write       | TeamRoleBody           |                        | 409     | Change a member's role
team_revoke         | DELETE /team/{id}/revoke                | team:write       | TeamRevokeBody         |                        | 409     | Remove a member
receipt_list        | GET    /team/{id}/receipts              | team:read        |                        | page of Receipt        |         | List receipts
report_list         | GET    /team/{id}/reports               | team:read        |                        | page of Report         |         | List reports
invoice_list        | GET    /team/{id}/invoices              | billing:read     |                        | page of Invoice        |         | List token purchases, newest first
organisation_list   | GET    /organisations                   | projects:read    |                        | page of Organisation   |         | List the organisations that the team created
organisation_read   | GET    /organisations/{id}              | projects:read    |                        | Organisation           |         | Read an organisation
organisation_update | PUT    /organisations/{id}              | projects:write ? | UpdateOrganisationBody | Organisation           |         | Change an organisation
organisation_delete | DELETE /organisations/{id}              | projects:write ? |                        |                        |         | Delete an organisation; its projects stay
group_list          | GET    /groups ?                        | groups:read      |                        | list of RecipientGroup |         | List assignment groups
group_create        | POST   /groups ?                        | groups:write     | GroupBody              | RecipientGroup         |         | Create an assignment group
group_update        | PUT    /groups/{id} ?                   | groups:write     | GroupBody              | RecipientGroup         |         | Change an assignment group
group_delete        | DELETE /groups/{id} ?                   | groups:write     |                        |                        |         | Delete an assignment group
upload_presign      | POST   /upload/presign ?                | files:write      | PresignUploadBody      | PresignUploadResponse  |         | Ask where to upload a file
upload_complete     | POST   /upload/complete ?               | files:write      | CompleteUploadBody     | CompleteUploadResponse | 404     | Finish an upload
download            | GET    /download/{id}                   | files:read       |                        | Download               |         | Ask for a short-lived link to a document
"""  # noqa: E501 - one line for each operation


def _read(line: str) -> Operation:
    name, call, scope, body, answer, refusals, summary = (
        column.strip() for column in line.split("|")
    )
    method, path = call.removesuffix("?").split()
    form, _, response = answer.rpartition(" of ")
    return Operation(
        name=name,
        method=method,
        path=path,
        scopes=tuple(Scope(said) for said in scope.removesuffix("?").split()),
        shown=not call.endswith("?"),
        scope_shown=not scope.endswith("?"),
        request=body or None,
        response=response or None,
        paged=form == "page",
        listed=form == "list",
        query=_QUERIES.get(name, _PAGE_QUERY if form == "page" else ()),
        refusals=tuple(int(code) for code in refusals.split()),
        summary=summary,
    )


OPERATIONS: Final[dict[str, Operation]] = {
    operation.name: operation for operation in map(_read, _TABLE.strip().splitlines())
}
