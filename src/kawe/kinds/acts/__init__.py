"""Acts: a row names a target, and what is to be done with it."""

from kawe.kinds.acts.content import FETCHABLE
from kawe.kinds.acts.kind import ACTS, ActsKind

__all__ = ["ACTS", "FETCHABLE", "ActsKind"]
