"""Projects: drafts that are made, and sent to iwi for a token each."""

from kawe.kinds.projects.kind import PROJECTS, ProjectsKind

__all__ = ["PROJECTS", "ProjectsKind"]
