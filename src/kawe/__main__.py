"""Run kawe: `python -m kawe` is the command `kawe`."""

from __future__ import annotations

from contextlib import suppress


def main() -> None:
    """Run the command line; a crash of it dumps no memory."""
    _dump_no_memory()
    # What takes time to load comes after what must not wait for it.
    from kawe.cli.app import main as run  # noqa: PLC0415 - see above

    run()


def _dump_no_memory() -> None:
    """Keep a crash from writing the key to the disk with all else in memory."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
