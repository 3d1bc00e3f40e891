"""Who agreed to a plan or a release, and whose signature counts.

A signed statement names the plan by its hash, and everything that must be equal when
the plan is carried out. How signatures are made and checked is decided elsewhere.
"""

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from kawe.domain.batch.agreements import Act
from kawe.domain.batch.saved_plans import SavedPlan, hidden
from kawe.domain.rows.entries import BatchName, Binding, Entry
from kawe.domain.rows.identity import canonical, sha256_of
from kawe.domain.service.service_words import Person
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import counted, fold_name, one_line

SCHEMA: Final = "kawe.approval/1"
KEY_MARK: Final = "ed25519:"
# No other text that the key ever signs begins so.
_PURPOSE: Final = b"kawe.approval/1: I approve this plan.\0"
_KEY_BYTES: Final = 32
_CLOCKS_DIFFER: Final = timedelta(minutes=15)
CoveredRow: TypeAlias = tuple[str, str]
"""The hash of a row's key, with the salt of the plan, and of what leaves for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a person agrees to."""

    plan: str
    """The hash that stands in the plan."""
    file: str
    """The SHA-256 of the bytes of the plan's file."""
    kind: str
    workbook: str
    sheet: str
    mode: str
    service: str
    team_id: str
    team: str
    user_id: str
    """As the service names the person behind the key; empty where it names nobody."""
    user: str
    email: str
    acts: int
    """How many rows reach people."""
    waits: int
    """How many rows wait for a token, and may be released."""
    salt: str
    rows: str
    """A hash of the rows that are approved: see `covered_hash`."""
    at: datetime
    kawe: str

    @property
    def message(self) -> bytes:
        return _PURPOSE + canonical(self.as_json())

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"at": self.at.isoformat()}

    def may_send(self, entry: Entry) -> CoveredRow:
        """Give a row as the statement would name it."""
        return hidden(self.salt, "key", entry.key), Act.of(entry).says

    @property
    def person(self) -> Person | None:
        """Give the person whom the service named."""
        if not self.user_id:
            return None
        return Person(id=self.user_id, name=self.user, email=self.email)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedApproval:
    """A statement, the key of the person, and their signature."""

    statement: Statement
    public_key: str
    """32 bytes in base64."""
    signature: str
    """64 bytes in base64."""

    def to_text(self) -> str:
        """Write it; every file that says the same has the same bytes."""
        said = {
            "schema": SCHEMA,
            **self.statement.as_json(),
            "public_key": self.public_key,
            "signature": self.signature,
        }
        return json.dumps(said, ensure_ascii=False, indent=2) + "\n"


def approval_from_text(text: str) -> SignedApproval:
    """Read what `to_text` wrote.

    Raises:
        ValueError: It is anything else.
    """
    try:
        said = json.loads(text)
        key, signature = said.pop("public_key"), said.pop("signature")
        if said.pop("schema") != SCHEMA:
            raise ValueError("another form")
        found = SignedApproval(
            statement=_statement(said), public_key=key, signature=signature
        )
        is_same = found.to_text() == text
    except (LookupError, TypeError, AttributeError, RecursionError) as trouble:
        raise ValueError("no approval") from trouble
    if not is_same:
        raise ValueError("not as kawe writes it")
    return found


def _statement(said: dict[str, Any]) -> Statement:
    at = datetime.fromisoformat(said.pop("at"))
    numbers = {"acts", "waits"}
    names = {each.name for each in fields(Statement)} - {"at"}
    if said.keys() != names or at.tzinfo is None:
        raise ValueError("other fields")
    for name, value in said.items():
        if type(value) is not (int if name in numbers else str):
            raise ValueError("a value of another type")
    return Statement(**said, at=at)


def user_words(person: Person | None) -> str:
    """Say whom the service names behind a key."""
    if person is None:
        return "the service names its team, and no person"
    named = ", ".join(filter(None, (one_line(person.name), one_line(person.email))))
    return f"the service names {named or 'a person without a name'}"


def covered_rows(plan: SavedPlan) -> list[CoveredRow]:
    """List the rows of a plan that reach people, now or when there are tokens."""
    return sorted(
        (row.key, row.says)
        for row in plan.rows
        if row.action.reaches_people or row.action.waits
    )


def covered_hash(rows: Iterable[CoveredRow]) -> str:
    return sha256_of(sorted(rows))


def public_key_in(text: str) -> str:
    """Read a public key as a person pastes it.

    Raises:
        ValueError: It is none.
    """
    key = text.strip().removeprefix(KEY_MARK)
    raw = b64decode(key, validate=True)
    if len(raw) != _KEY_BYTES or b64encode(raw).decode() != key:
        raise ValueError("no public key")
    return key


def fingerprint_words(public_key: str) -> str:
    """Give twenty hexadecimal digits of a key, to be read over the phone."""
    digits = hashlib.sha256(public_key.encode()).hexdigest()[:20]
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvers:
    """Whose approval counts: what the settings of a person say."""

    keys: tuple[tuple[str, str], ...]
    """Names, each with a public key in base64."""
    require: int = 1
    """How many different persons must approve."""
    within_hours: float | None = None
    """How old an approval may be; None: of any age."""
    allow_own: bool = False
    """True: the approval of whoever submits counts too."""
    allow_same_user: bool = False
    """True: the service may name one person for the keys of several."""

    def name_of(self, public_key: str) -> str:
        """Name whom a key belongs to; empty where it is not pinned."""
        return next((name for name, key in self.keys if key == public_key), "")

    def __str__(self) -> str:
        """Describe it for a person."""
        named = "; ".join(f"{n} ({fingerprint_words(key)})" for n, key in self.keys)
        return f"{self.require} of {named}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalJudge:
    """Decides whether signed approvals count in a run."""

    approvers: Approvers
    binding: Binding
    user: Person | None
    """Whom the service names behind the key of the run."""
    own_key: str
    """The public approval key on this computer; empty: there is none."""
    now_at: datetime
    verifies: Callable[[SignedApproval], bool]

    def trouble(self, signed: SignedApproval) -> str:
        """Say why an approval does not count; empty: it counts."""
        return next(self._troubles(signed), "")

    def _troubles(self, signed: SignedApproval) -> Iterator[str]:
        said = signed.statement
        key = fingerprint_words(signed.public_key)
        if not self.verifies(signed):
            yield "its signature is wrong: it was changed after it was signed"
        if not self.approvers.name_of(signed.public_key):
            yield f"its key {key} is not among the [approvers] of your settings"
        yield from self._elsewhere(said)
        yield from self._age(said)
        if self.approvers.allow_own:
            return
        if signed.public_key == self.own_key:
            yield f"it is signed with your own key {key}, and you submit"
        is_same = self.user is not None and said.user_id == self.user.id
        if is_same and not self.approvers.allow_same_user:
            yield (
                "the service names the same person behind the key of the approval and "
                "behind yours"
            )

    def _elsewhere(self, said: Statement) -> Iterator[str]:
        here = self.binding
        if said.mode != here.mode:
            yield f"it is for {one_line(said.mode)}, and this run is {here.mode}"
        if said.team_id != here.team_id:
            yield f"it is for the team {one_line(said.team)}"
        if said.service != here.base_url:
            yield f"it is for the service at {one_line(said.service)}"

    def _age(self, said: Statement) -> Iterator[str]:
        if said.at > self.now_at + _CLOCKS_DIFFER:
            yield f"it is of {moment_words(said.at)} (NZ time), which is yet to come"
        hours = self.approvers.within_hours
        if hours is not None and self.now_at - said.at > timedelta(hours=hours):
            yield (
                f"it is of {moment_words(said.at)} (NZ time), and your settings take "
                f"none that is older than {hours:g} hours"
            )

    def persons(self, signed: Iterable[SignedApproval]) -> int:
        """Count the different persons behind approvals that count."""
        keys: set[str] = set()
        users: set[str] = set()
        for each in signed:
            user = each.statement.user_id
            if self.approvers.allow_same_user or not user:
                user = each.public_key
            if each.public_key not in keys and user not in users:
                keys.add(each.public_key)
                users.add(user)
        return len(keys)


def not_of_plan(signed: SignedApproval, plan: SavedPlan, *, file: str) -> str:
    """Say why an approval is not one of this plan; empty: it is.

    `file` is the SHA-256 of the bytes of the plan's file.
    """
    said = signed.statement
    if said.plan != plan.sha256:
        return "it approves another plan"
    if said.file != file:
        return "the file of the plan is not the one that was approved, byte for byte"
    if (said.salt, said.rows) != (plan.salt, covered_hash(covered_rows(plan))):
        return "it approves other rows than the plan has"
    return ""


def short_words(troubles: Mapping[str, str], *, require: int, has: int) -> str:
    """Say that approvals are missing, and why those that are there do not count."""
    need = counted(require, "signed approval")
    found = counted(has, "person") if has else "nobody"
    wants = f"Your settings want {need}, and {found} approved it so that it counts."
    said = (f"{one_line(n)} does not count: {why}." for n, why in troubles.items())
    return " ".join([wants, *said])


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What shows that a person approved, and not only that kawe was told so."""

    signed: SignedApproval
    rows: tuple[CoveredRow, ...] = field(repr=False)
    """The rows that the signed statement names by their hash."""

    @property
    def is_whole(self) -> bool:
        return covered_hash(self.rows) == self.signed.statement.rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One person's approval of one plan; those of before were typed."""

    plan: str
    """What `approved_plan` gives; of a release of before, `release:` and a hash."""
    batch: BatchName
    author: str
    approved_by: str
    sends: int
    """How many rows of the plan may reach people."""
    at: datetime
    proof: Proof | None = None
    """None: an older kawe took a typed name, which proves nothing."""

    @property
    def is_by_another(self) -> bool:
        """Say whether another person agreed than the one who made the plan."""
        approver = fold_name(self.approved_by)
        return bool(approver) and approver != fold_name(self.author)


def approved_plan(plan: SavedPlan) -> str:
    """Name a plan by its hash, and by its kind where that has no drafts."""
    kind = plan.reading.kind
    return f"{kind}:{plan.sha256}" if plan.own_steps else plan.sha256


def approval_words(approval: Approval) -> str:
    """Say who agreed to what, and when, in a sentence."""
    thing = "release" if approval.plan.startswith("release:") else "plan"
    plan = (
        f"the {thing} that {one_line(approval.author)} made"
        if approval.is_by_another
        else f"the {thing}, which they made themselves"
    )
    kinds = SheetKind.declared()
    own = (kind.act for kind in kinds if approval.plan.startswith(f"{kind}:"))
    acts = counted(approval.sends, next(own, "send"))
    waits = 0 if approval.proof is None else approval.proof.signed.statement.waits
    if waits:
        acts += f" and {counted(waits, 'row')} that waited for tokens"
    return (
        f"{one_line(approval.approved_by)} approved {plan}, with "
        f"{acts}, at {moment_words(approval.at)} (NZ time); {_proof_words(approval)}."
    )


def _proof_words(approval: Approval) -> str:
    if approval.proof is None:
        return "typed, not proven"
    signed = approval.proof.signed
    key = fingerprint_words(signed.public_key)
    return f"signed with the key {key}, and {user_words(signed.statement.person)}"
