"""Acts: a row names a target, and what is to be done with it."""

from kawe.kinds.acts.facts import FETCHABLE
from kawe.kinds.acts.kind import ACTS, ActsKind
from kawe.kinds.acts.mixed import MIXED

__all__ = ["ACTS", "FETCHABLE", "MIXED", "ActsKind"]
