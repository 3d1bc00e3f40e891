"""What awaits, called as any other function."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def awaited(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Run `function` in a loop of its own, and give what it gives."""

    @wraps(function)
    def run(*args: P.args, **named: P.kwargs) -> T:
        return asyncio.run(function(*args, **named))

    return run
