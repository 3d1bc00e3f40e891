"""Invitations: people who are invited into the team."""

from kawe.kinds.invitations.kind import INVITATIONS, InvitationsKind

__all__ = ["INVITATIONS", "InvitationsKind"]
