"""Every enum of the interface, with its values in the interface's order."""

from enum import StrEnum


class UserRole(StrEnum):
    """What a person may do in a team (interface, Authentication 9)."""

    OWNER = "OWNER"
    MEMBER = "MEMBER"


class InvitationStatus(StrEnum):
    """How an invitation to a team stands."""

    PENDING = "PENDING"
    EXPIRED = "EXPIRED"
    ACCEPTED = "ACCEPTED"


class BulkInviteStatus(StrEnum):
    """What a bulk invitation did for one person."""

    INVITED = "INVITED"
    SKIPPED = "SKIPPED"
    FAILED = "FAILED"


class ProjectType(StrEnum):
    """What a project is about."""

    EMERGENCY_WORKS = "EMERGENCY_WORKS"
    ENVIRONMENTAL_SPILL_HEALTH_INCIDENT = "ENVIRONMENTAL_SPILL_HEALTH_INCIDENT"
    ACCIDENTAL_DISCOVERY = "ACCIDENTAL_DISCOVERY"
    LAND_USE_CONSENT = "LAND_USE_CONSENT"
    SUBDIVISION_CONSENT = "SUBDIVISION_CONSENT"
    DISCHARGE_CONSENT_APPLICATION = "DISCHARGE_CONSENT_APPLICATION"
    WATER_TAKE_CONSENT = "WATER_TAKE_CONSENT"
    COASTAL_STREAM_CONSENT = "COASTAL_STREAM_CONSENT"
    POLICY_OR_POLICY_CHANGE = "POLICY_OR_POLICY_CHANGE"
    PLAN_CHANGE = "PLAN_CHANGE"
    DESIGNATIONS_NOTICES_OF_REQUIREMENT = "DESIGNATIONS_NOTICES_OF_REQUIREMENT"
    INFRASTRUCTURE_DEVELOPMENT = "INFRASTRUCTURE_DEVELOPMENT"
    ARCHAEOLOGICAL_AUTHORITY = "ARCHAEOLOGICAL_AUTHORITY"
    RENEWABLE_ENERGY = "RENEWABLE_ENERGY"
    SITE_WORKS_START = "SITE_WORKS_START"
    CULTURAL_MONITORING = "CULTURAL_MONITORING"
    BUILDING_OPENING = "BUILDING_OPENING"
    TREE_CONSENT = "TREE_CONSENT"
    CONSERVATION = "CONSERVATION"
    SCHEDULED_MAINTENANCE = "SCHEDULED_MAINTENANCE"
    EARTHWORKS = "EARTHWORKS"
    OTHER = "OTHER"


class ProjectPhase(StrEnum):
    """Where a project stands, as its owner says."""

    PRE_START = "PRE_START"
    WORKS_UNDERWAY = "WORKS_UNDERWAY"
    COMPLETE = "COMPLETE"
    PRE_LODGEMENT = "PRE_LODGEMENT"
    LODGED = "LODGED"
    FURTHER_INFORMATION_REQUESTED = "FURTHER_INFORMATION_REQUESTED"
    ACCEPTANCE_DECISION = "ACCEPTANCE_DECISION"
    NOTIFICATION = "NOTIFICATION"
    SUBMISSIONS = "SUBMISSIONS"
    FURTHER_SUBMISSIONS = "FURTHER_SUBMISSIONS"
    HEARING = "HEARING"
    DECISION = "DECISION"
    APPEAL = "APPEAL"
    OPERATIVE = "OPERATIVE"
    ON_HOLD = "ON_HOLD"
    WITHDRAWN = "WITHDRAWN"


class ProjectStatus(StrEnum):
    """Where a project stands in the service (interface, States)."""

    DRAFT = "DRAFT"
    NEW = "NEW"
    IN_PROGRESS = "IN_PROGRESS"
    AWAITING_RESPONSE = "AWAITING_RESPONSE"
    UPDATED = "UPDATED"
    COMPLETE = "COMPLETE"
    CLOSED = "CLOSED"


class ProjectPriority(StrEnum):
    """How urgent a project is; the service derives it from the type."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class MeetingType(StrEnum):
    """How people met, on a note."""

    PHONE_CALL = "PHONE_CALL"
    VIDEO_CALL = "VIDEO_CALL"
    IN_PERSON = "IN_PERSON"
    EMAIL = "EMAIL"
    OTHER = "OTHER"


class LogAction(StrEnum):
    """What an activity log entry says was done."""

    CREATED = "CREATED"
    UPDATED = "UPDATED"
    DELETED = "DELETED"
    RESPONDED = "RESPONDED"
    SENT = "SENT"
    REOPENED = "REOPENED"
    CLOSED = "CLOSED"
    COMPLETED = "COMPLETED"


class LogResource(StrEnum):
    """What an activity log entry is about."""

    PROJECT = "PROJECT"
    TEAM = "TEAM"


class UploadCategory(StrEnum):
    """What kind of file an upload is."""

    DOCUMENT = "document"
    IMAGE = "image"
    GIS_LAYER = "gisLayer"


class ActiveStatus(StrEnum):
    """The tabs of the project list."""

    ALL = "all"
    ACTIVE = "active"
    CLOSED = "closed"
    COMPLETED = "completed"


class AssignSide(StrEnum):
    """Whose assignee an assignment sets."""

    RECIPIENT = "recipient"
    SENDER = "sender"


class Scope(StrEnum):
    """What a key may be allowed to do. Scopes do not nest."""

    PROJECTS_READ = "projects:read"
    PROJECTS_WRITE = "projects:write"
    PROJECTS_SEND = "projects:send"
    IWI_READ = "iwi:read"
    TEAM_READ = "team:read"
    TEAM_WRITE = "team:write"
    USERS_INVITE = "users:invite"
    GROUPS_READ = "groups:read"
    GROUPS_WRITE = "groups:write"
    FILES_WRITE = "files:write"
    FILES_READ = "files:read"
    BILLING_READ = "billing:read"
