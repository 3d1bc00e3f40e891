"""Header names and the marks inside a key that the interface defines."""

from typing import Final

AUTHORIZATION: Final = "Authorization"
BEARER: Final = "Bearer"
RATE_LIMIT: Final = "RateLimit-Limit"
RATE_REMAINING: Final = "RateLimit-Remaining"
RATE_RESET: Final = "RateLimit-Reset"
RETRY_AFTER: Final = "Retry-After"
LIVE_MARK: Final = "_live_"
SANDBOX_MARK: Final = "_test_"
