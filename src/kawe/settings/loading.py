"""Loads settings from all places; the nearest overrides.

A `kawe.toml` in the working directory may come from somebody else, so it may only
describe the work or make a run stricter. docs/settings.md has the table.

Settings may name other methods and paths of operations. A wrong path could turn a
question into a send: a reading operation stays one, no two operations share a path, and
a folder's file cannot set any.

Every setting can be shown with its value and origin, without the key.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final, TypeAlias

from kawe.domain.sheet.columns import OwnCheck, SheetKind, column_named
from kawe.domain.text.new_zealand import A_YEAR
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import clean, one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.schemas.catalog import load_columns
from kawe.settings.approvers import approvers_of
from kawe.settings.files import layers_of, read_file, read_own_file
from kawe.settings.headings import own_headings
from kawe.settings.keeping import FILE_NAME, find_key, user_file
from kawe.settings.notifying import check_notify, log_place
from kawe.settings.table import (
    SETTINGS,
    Giver,
    Layer,
    Origin,
    Setting,
    Values,
    merged,
    nearest,
    refuse_unknown,
)
from kawe.settings.values import Settings, checked_url
from kawe_contract.operations import OPERATIONS


def load_settings(
    flags: Values, *, environment: Mapping[str, str], folder: Path
) -> Settings:
    """Load every setting; a flag of None is not given."""
    said = (*_flag_layers(flags), *_variable_layers(environment))
    chosen = nearest(said[::-1], "profile")
    profile = "default" if chosen is None else str(chosen[1].values["profile"])
    layers = (*_file_layers(environment, folder=folder, profile=profile), *said[::-1])
    for layer in layers:
        try:
            log_place(layer.values.get("log", {}))
        except SettingsError as refused:
            message = f"{layer.origin}: {refused.message}"
            raise SettingsError(message=message, hint=refused.hint) from refused
    values = merged(layers)
    found = find_key(layers, environment=environment)
    return replace(
        _settings(values, profile=profile, key=None if found is None else found.key),
        found_key=found,
        address_is_own=_is_own(layers),
        headings=own_headings(layers),
        own_checks=own_checks(layers),
        layers=layers,
    )


def _flag_layers(flags: Values) -> Iterator[Layer]:
    for name, value in flags.items():
        if value is not None:
            origin = Origin(giver=Giver.FLAG, name=f"--{name.replace('_', '-')}")
            yield Layer(origin=origin, values={name: value})


def _variable_layers(environment: Mapping[str, str]) -> Iterator[Layer]:
    variables = {name: each.variable for name, each in SETTINGS.items()}
    for name, variable in {**variables, "profile": "KAWE_PROFILE"}.items():
        if value := environment.get(variable):
            origin = Origin(giver=Giver.VARIABLE, name=variable)
            yield Layer(origin=origin, values={name: value})


def _file_layers(
    environment: Mapping[str, str], *, folder: Path, profile: str
) -> tuple[Layer, ...]:
    if (config := environment.get("KAWE_CONFIG")) and not Path(config).is_file():
        raise SettingsError(message=f"KAWE_CONFIG names {config}, which is no file.")
    # A file named in the environment is the person's choice; a folder's file is not.
    places = [(user_file(), Giver.USER_FILE)]
    if config:
        places.append((Path(config), Giver.CHOSEN_FILE))
    read = [(path, giver, read_own_file(path)) for path, giver in places]
    if profile != "default":
        _require_profile(profile, [values for _, _, values in read])
    near = folder / FILE_NAME
    if not config:
        # Reading first reports a link that leads to itself.
        values = read_file(near)
        if near.resolve() != user_file().resolve():
            read.append((near, Giver.FOLDER_FILE, values))
    layers = tuple(
        layer
        for path, giver, values in read
        for layer in layers_of(values, path=path, profile=profile, giver=giver)
    )
    _check_layers(layers)
    return layers


def _check_layers(layers: Sequence[Layer]) -> None:
    near = [each for each in layers if each.origin.giver is Giver.FOLDER_FILE]
    own = merged([each for each in layers if each not in near])
    for layer in near:
        refuse_loosening(layer, own=own)
    for layer in layers:
        if "notify" in layer.values:
            check_notify(layer.values["notify"])


def _is_own(layers: Sequence[Layer]) -> bool:
    """Check that this person, not a folder, named the address."""
    own = [each for each in layers if each.origin.giver is not Giver.FOLDER_FILE]
    found, named = nearest(layers, "base_url"), nearest(own, "base_url")
    if found is None or found[1].origin.giver is not Giver.FOLDER_FILE:
        return True
    both = (str(each[1].values["base_url"]) for each in (found, named) if each)
    return named is not None and len({e.strip().rstrip("/") for e in both}) == 1


_AS_SAID: Final = (
    *("team", "mode", "workers", "keep_reserve", "per_iwi_month", "machines"),
    *("approval", "exports", "project_link", "bucket"),
)


def _settings(merged: Values, *, profile: str, key: str | None) -> Settings:
    said = {
        name: setting.checked(name, merged.get(name, setting.default))
        for name, setting in SETTINGS.items()
    }
    base_url, journal = said["base_url"], said["journal"]
    settings = Settings(
        base_url=None if base_url is None else checked_url(str(base_url)),
        key=key,
        profile=profile,
        **{name: said[name] for name in _AS_SAID},
        settle_seconds=float(said["settle"]),
        approvers=approvers_of(said["approvers"]),
        author=one_line(said["author"], limit=100),
        owner=" ".join(clean(said["owner"]).split()),
        paths=paths_of(said["service"] or {}),
        log_to=log_place(said["log"] or {}),
        retention=retention_of(said["retention"] or {}),
    )
    place = None if journal is None else settings.place_at(str(journal))
    return settings if place is None else settings.keeping(place)


def _require_profile(profile: str, read: Iterable[Values]) -> None:
    if not any(profile in values.get("profile", {}) for values in read):
        raise SettingsError(
            message=f"There is no profile {one_line(profile)!r} in your settings.",
            hint=f"Add a section [profile.{one_line(profile)}] to {user_file()}, or "
            f"run {Next.OWN_PROFILE(one_line(profile))}",
        )


def refuse_loosening(layer: Layer, *, own: Values) -> None:
    """Check that a folder's file only makes a run stricter than `own`.

    Raises:
        GuardRefused: It has a setting of the person alone, or loosens one.
    """
    for name, value in layer.values.items():
        setting, mine = SETTINGS[name], user_file()
        title = setting.title or name
        if setting.own:
            raise GuardRefused(
                message=f"{layer.origin} says {setting.own} ({title}), and it lies "
                "beside workbooks.",
                hint=f"Nothing was sent. Move {title} to your own settings, {mine}, or "
                "name the file with KAWE_CONFIG.",
            )
        yours = own.get(name, setting.default)
        if _loosens(setting, value, yours=yours):
            shown = f"{yours:g}" if isinstance(yours, float) else yours
            raise GuardRefused(
                message=f"{layer.origin} sets {name} to {value}, and it lies beside "
                f"workbooks: there it may only be stricter than yours, {shown}.",
                hint=f"Nothing was sent. Take {name} out there; if you want it so, "
                f"write it into your own settings, {mine}.",
            )


def _loosens(setting: Setting, value: object, *, yours: object) -> bool:
    if isinstance(value, int | float) and isinstance(yours, int | float):
        # In this form NaN is refused too.
        return not (value <= yours if setting.is_stricter_if_less else value >= yours)
    # The reader of the setting refuses unknown words.
    return value != yours and value in setting.words[:1]


Place: TypeAlias = tuple[str, str]
"""Method and path."""
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_PART: Final = re.compile(r"\{[^{}]*\}")
_SEGMENT: Final = re.compile(r"(?:\{[a-z_]+\}|[A-Za-z0-9_~-][A-Za-z0-9._~-]*)")


def paths_of(service: Values) -> dict[str, Place]:
    """Read the overrides from the settings.

    Raises:
        GuardRefused: Two operations would be the same.
    """
    paths = {
        name: _place(str(name), str(line))
        for name, line in service.get("paths", {}).items()
    }
    _keep_apart(paths)
    return paths


def _place(name: str, line: str) -> Place:
    method, _, path = line.partition(" ")
    path = path.strip()
    if name not in OPERATIONS or method not in _METHODS or not _is_path(path):
        raise SettingsError(
            message=f"[service.paths] {one_line(name)} cannot be used.",
            hint='Write NAME = "METHOD /path" with a name of the operations table, '
            "such as upload_presign.",
        )
    parts = _PART.findall(OPERATIONS[name].path)
    if sorted(_PART.findall(path)) != sorted(parts):
        wanted = ", ".join(parts) or "no part in braces"
        raise SettingsError(
            message=f"[service.paths] {name} needs {wanted} in its path.",
            hint="Otherwise the service could not tell what is meant.",
        )
    if OPERATIONS[name].method == "GET" and method != "GET":
        raise GuardRefused(
            message=f"[service.paths] {name} reads, and {method} would change "
            "something.",
            hint=f'Write {name} = "GET {path}". Nothing was sent.',
        )
    return method, path


def _keep_apart(paths: Mapping[str, Place]) -> None:
    taken: dict[Place, str] = {}
    for name, operation in OPERATIONS.items():
        place = paths.get(name, (operation.method, operation.path))
        other = taken.setdefault(place, name)
        if other != name and {name, other} & paths.keys():
            raise GuardRefused(
                message=f"[service.paths] {other} and {name} would be at the same "
                "place, and one would be taken for the other.",
                hint="Give each its own path. Nothing was sent.",
            )


def _is_path(path: str) -> bool:
    # No path that a server could normalise to another one.
    first, *segments = path.split("/")
    return not first and bool(segments) and all(map(_SEGMENT.fullmatch, segments))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One setting as a person may see it."""

    name: str
    value: str | None
    """None: it is not set."""
    origin: Origin


def every_setting(settings: Settings) -> Iterator[Shown]:
    """Give every setting, set or not."""
    yield _shown("profile", settings.profile, settings)
    for name, setting in SETTINGS.items():
        if not setting.is_apart:
            yield _shown(name, _value(name, settings), settings)
    yield _shown("[log] to", settings.log_to, settings, section="log")
    for each in settings.headings:
        yield Shown(
            name=f"[columns.{each.kind}] {each.heading}",
            value=each.field or ("ignored" if each.is_idle else "not read"),
            origin=each.origin,
        )
    for operation, (method, path) in settings.paths.items():
        name = f"[service.paths] {operation}"
        yield _shown(name, f"{method} {path}", settings, section="service")
    yield _key(settings)


def _shown(
    name: str, value: object, settings: Settings, *, section: str | None = None
) -> Shown:
    words = None if value in {None, ""} else str(value)
    return Shown(name=name, value=words, origin=settings.origin(section or name))


def _value(name: str, settings: Settings) -> object:
    if name == "journal":
        return settings.journal_place()
    found = nearest(settings.layers, name)
    if name in {"work", "checks", "retention"}:
        section = {} if found is None else found[1].values[name]
        return ", ".join(f"{each} = {said}" for each, said in section.items())
    field = SETTINGS[name].field or name
    if hasattr(settings, field):
        value: object = getattr(settings, field)
        return f"{value:g}" if isinstance(value, float) else value
    # This section may hold passwords.
    return None if found is None else "set, and not shown"


def _key(settings: Settings) -> Shown:
    if (found := settings.found_key) is None:
        return _shown("key", None, settings)
    mode = settings.key_mode or "it does not say whether live or sandbox"
    return Shown(name="key", value=f"given, {mode} ({found})", origin=found.origin)


_CHECK: Final = (
    'Write says = "…" and one of required = true, like = "RC-####" with one * at most, '
    'one_of = ["…"] and working_days = 20; warns = true lets the row go.'
)


def own_checks(layers: Sequence[Layer]) -> tuple[OwnCheck, ...]:
    """Give what `[checks.projects]` wants of columns; a folder's file may add to it."""
    sections = [each.values.get("checks", {}) for each in layers]
    for section in sections:
        refuse_unknown("checks", section, names=SheetKind.declared())
    return tuple(
        _check(kind, name, said)
        for section in sections
        for kind, checks in section.items()
        for name, said in (checks if isinstance(checks, dict) else {"": ""}).items()
    )


def _check(kind: str, name: str, said: object) -> OwnCheck:
    column = column_named(name, load_columns(SheetKind.named(kind)))
    try:
        told = dict(said) if isinstance(said, dict) and column is not None else {}
        told = {n: tuple(e) if isinstance(e, list) else e for n, e in told.items()}
        check = OwnCheck(
            kind=kind, field="" if column is None else column.field, **told
        )
        if check.is_usable:
            return check
    except TypeError:
        pass
    message = f"[checks.{kind}] {one_line(name)} is no check of a column."
    raise SettingsError(message=message, hint=_CHECK)


_PERIOD: Final = re.compile(r"([0-9]{1,3}) (day|month|year)s?")
# The longest that each can be: nothing goes too soon.
_UNITS: Final = {"day": timedelta(days=1), "month": timedelta(days=31), "year": A_YEAR}


def retention_of(section: Mapping[str, object]) -> dict[str | None, timedelta]:
    """Say how long the journal keeps what done rows of each kind said."""
    refuse_unknown("retention", section, names=SheetKind.declared())
    kept: dict[str | None, timedelta] = {}
    for kind, said in section.items():
        if not (found := _PERIOD.fullmatch(str(said))):
            raise SettingsError(
                message=f"[retention] {kind} is no period.",
                hint='Write it as "7 years", "18 months" or "90 days".',
            )
        kept[kind] = int(found[1]) * _UNITS[found[2]]
    return kept
