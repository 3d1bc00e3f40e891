"""Asking again what certainly did not happen.

Only after a 429, or a request of which no byte left this machine, may the same act be
asked again without reading first.
"""

from dataclasses import dataclass
from typing import Final, assert_never

from kawe.domain.service.states import Done, NotDone, Reason, Unknown, Verdict
from kawe.domain.text.next_steps import Next
from kawe.errors import ServiceUnreachable
from kawe.flows.run import Run, unreachable

_MOST_UNREACHED: Final = 3
_WAIT_SECONDS: Final = 2.0
# Each waited for the window: a run that nobody watches must end.
_MOST_LIMITED: Final = 20


@dataclass(slots=True, kw_only=True)
class SafeRetry:
    """How often one act was refused without being judged."""

    run: Run
    most_limited: int = _MOST_LIMITED
    unreached: int = 0
    limited: int = 0
    sent: int = 0

    async def may_retry(self, verdict: Verdict) -> bool:
        """Wait, then say whether to ask again; stop the run after many tries."""
        match verdict:
            case NotDone(reason=Reason.RATE_LIMITED):
                # What was sent since the last refusal had room: it was not closed.
                if self.sent != self.run.tally.sent:
                    self.sent, self.limited = self.run.tally.sent, 0
                self.limited += 1
                if self.limited < self.most_limited:
                    return True
                self.run.stop.set(
                    ServiceUnreachable(
                        message="The service's rate limit stays closed.",
                        hint=f"{Next.AGAIN} later: nothing is lost.",
                    )
                )
                return False
            case NotDone(reason=Reason.NOT_REACHED, detail=detail):
                self.unreached += 1
                if self.unreached >= _MOST_UNREACHED:
                    self.run.stop.set(unreachable(detail))
                    return False
                pause = _WAIT_SECONDS * self.unreached
                await self.run.wait_until(self.run.clock.elapsed() + pause)
                return not self.run.stop.is_set()
            case Done() | NotDone() | Unknown():
                return False
            case _:
                assert_never(verdict)
