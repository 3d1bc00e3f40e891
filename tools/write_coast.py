"""Writes the coast that kawe ships: python tools/write_coast.py WHEEL.

WHEEL is that of the package nzgeom, which nothing else of kawe needs:

    pip download --no-deps --dest /tmp nzgeom==1.0.1

Written are src/kawe_places/data/coast.json.gz and, for the tests, 2,000 points on
land drawn from the coast as LINZ publishes it, so that the tests do not ask
the simplified coast about itself. At the end, the simplified coast is compared
with LINZ's, and what differs is counted.
"""

from __future__ import annotations

import gzip
import json
import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from coast_shapes import area, simplified
from coast_source import Metres, in_degrees, islands
from kawe_places.coast import Coast, coast
from kawe_places.coast_data import BAND_DEGREES, UNIT_DEGREES, Ring
from kawe_places.values import Place

ROOT: Final = Path(__file__).resolve().parents[1]
COAST: Final = ROOT / "src" / "kawe" / "geo" / "data" / "coast.json.gz"
POINTS: Final = ROOT / "tests" / "properties" / "land_points.csv"
_SOURCE: Final = (
    "NZ Coastlines and Islands Polygons (Topo, 1:50k), Toitū Te Whenua Land "
    "Information New Zealand, CC BY 4.0; simplified"
)
_SIMPLER_METRES: Final = 500
_SMALLEST_SQUARE_METRES: Final = 20_000
# The Snares lie at 48 S, the Kermadecs at 30 S.
_SOUTHERNMOST, _NORTHERNMOST = -47.6, -33.0
_CHATHAMS: Final = (-45.0, -43.0)
_SEED: Final = 4
_MAINLAND_POINTS, _CHATHAM_POINTS = 1_800, 200


def main(wheel: Path) -> None:
    """Write the coast and the points, then say how good the coast is."""
    metres = [ring for ring in islands(wheel) if is_ours(in_degrees(ring[:1])[0])]
    whole = [in_degrees(ring) for ring in metres]
    rings = [steps(in_degrees(simple(ring))) for ring in metres if is_large(ring)]
    document = {
        "source": _SOURCE,
        "bands": bands(whole),
        "chathams": chathams(whole),
        "rings": rings,
    }
    COAST.parent.mkdir(exist_ok=True)
    COAST.write_bytes(packed(document))
    exact = Coast(whole)
    points = list(drawn_points(whole, exact))
    POINTS.write_text(
        "".join(f"{at.latitude:.6f},{at.longitude:.6f}\n" for at in points)
    )
    count = sum(len(ring) // 2 for ring in rings)
    print(f"{COAST}: {COAST.stat().st_size:,} bytes, {count:,} points")
    print(f"{POINTS}: {len(points):,} points")
    compare(whole, exact)


def is_ours(point: tuple[float, float]) -> bool:
    """Say whether an island is one that iwi are asked about here."""
    latitude, longitude = point
    if longitude < 0:
        return _CHATHAMS[0] < latitude < _CHATHAMS[1]
    return _SOUTHERNMOST < latitude < _NORTHERNMOST


def is_large(ring: Metres) -> bool:
    """Say whether an island is more than a rock."""
    return area(ring) >= _SMALLEST_SQUARE_METRES


def simple(ring: Metres) -> Metres:
    """Simplify an island by up to 500 m, a small one by less."""
    finest = math.sqrt(area(ring)) / 5
    return simplified(ring, metres=min(_SIMPLER_METRES, finest))


def bands(whole: Sequence[Ring]) -> list[tuple[int, float, float]]:
    """Give west and east of the land in each half degree of latitude."""
    reach: dict[int, tuple[float, float]] = {}
    for latitude, east in (point for ring in whole for point in ring if point[1] > 0):
        band = math.floor(latitude / BAND_DEGREES)
        known = reach.get(band, (east, east))
        reach[band] = (min(known[0], east), max(known[1], east))
    return [(band, round(w, 2), round(e, 2)) for band, (w, e) in sorted(reach.items())]


def chathams(whole: Sequence[Ring]) -> tuple[float, float, float, float]:
    """Give south, west, north and east of the Chathams."""
    there = [point for ring in whole for point in ring if point[1] < 0]
    latitudes, longitudes = zip(*there, strict=True)
    south, north = min(latitudes), max(latitudes)
    west, east = min(longitudes), max(longitudes)
    return (round(south, 2), round(west, 2), round(north, 2), round(east, 2))


def steps(ring: Ring) -> list[int]:
    """Write a ring as steps from point to point, which pack well."""
    units = [round(part / UNIT_DEGREES) for point in ring for part in point]
    return units[:2] + [now - then for then, now in zip(units, units[2:], strict=False)]


def packed(document: Mapping[str, Any]) -> bytes:
    """Pack a document; the same document gives the same bytes."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def drawn_points(whole: Sequence[Ring], exact: Coast) -> Iterator[Place]:
    """Draw points on land, one in ten of them at the Chathams."""
    dice = random.Random(_SEED)
    south, west, north, east = chathams(whole)
    boxes = (
        (_MAINLAND_POINTS, (_SOUTHERNMOST, 166.0, -34.0, 179.0)),
        (_CHATHAM_POINTS, (south, west, north, east)),
    )
    for count, (low, left, high, right) in boxes:
        found = 0
        while found < count:
            place = Place(
                latitude=round(dice.uniform(low, high), 6),
                longitude=round(dice.uniform(left, right), 6),
            )
            if exact.is_on_land(place):
                found += 1
                yield place


def compare(whole: Sequence[Ring], exact: Coast) -> None:
    """Count where the shipped coast is wrong, near the coast and anywhere."""
    shipped = coast()
    dice = random.Random(_SEED)
    rim = [point for ring in whole for point in ring]
    wrong = {"land taken for sea": 0, "sea 2 km out taken for land": 0}
    total = 20_000
    for _ in range(total):
        latitude, longitude = dice.choice(rim)
        place = Place(
            latitude=latitude + dice.gauss(0, 0.03),
            longitude=longitude + dice.gauss(0, 0.04),
        )
        near = shipped.is_near_land(place)
        if exact.is_on_land(place):
            wrong["land taken for sea"] += not near
        elif near:
            wrong["sea 2 km out taken for land"] += not exact.is_within(place, km=2)
    print(f"of {total:,} points around the coast:", wrong)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
