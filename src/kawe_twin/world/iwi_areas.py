"""Which iwi of the twin a place belongs to.

The iwi and their areas are made up: *tauira* means example, and the boxes say nothing
about any real rohe. They cover the country with the Chatham Islands; where several
overlap, the caller chooses.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Iwi:
    """One made-up iwi."""

    slug: str
    name: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A part of an area, in degrees."""

    slug: str
    south: float
    north: float
    west: float
    east: float

    def holds(self, *, latitude: float, longitude: float) -> bool:
        return (
            self.south <= latitude <= self.north and self.west <= longitude <= self.east
        )


def _iwi(where: str, *, slug: str, colour: str) -> Iwi:
    return Iwi(
        slug=f"ngati-tauira-ki-te-{slug}",
        name=f"Ngāti Tauira ki te {where}",
        colour=colour,
    )


IWI: Final = (
    _iwi("Raki", slug="raki", colour="#1b5e20"),
    _iwi("Waenganui", slug="waenganui", colour="#4e342e"),
    _iwi("Rāwhiti", slug="rawhiti", colour="#b71c1c"),
    _iwi("Uru", slug="uru", colour="#0d47a1"),
    _iwi("Ūpoko", slug="upoko", colour="#4a148c"),
    _iwi("Whanga", slug="whanga", colour="#006064"),
    _iwi("Tihi", slug="tihi", colour="#e65100"),
    _iwi("Tonga", slug="tonga", colour="#263238"),
    _iwi("Moutere", slug="moutere", colour="#33691e"),
)


def _box(slug: str, *edges: float) -> Box:
    south, north, west, east = edges
    full = f"ngati-tauira-ki-te-{slug}"
    return Box(slug=full, south=south, north=north, west=west, east=east)


# south, north, west, east
BOXES: Final = (
    _box("raki", -36.30, -34.30, 172.40, 175.70),
    _box("raki", -37.40, -36.30, 174.10, 176.10),
    _box("waenganui", -39.20, -37.20, 174.40, 177.00),
    _box("rawhiti", -39.20, -37.30, 176.40, 178.70),
    _box("rawhiti", -40.30, -39.20, 176.20, 178.10),
    _box("uru", -39.40, -38.60, 173.60, 175.00),
    _box("uru", -40.70, -39.20, 173.60, 176.20),
    _box("upoko", -41.70, -40.30, 174.50, 176.90),
    # Wellington and the sounds overlap: the caller chooses.
    _box("whanga", -41.40, -40.90, 174.60, 175.00),
    _box("whanga", -42.20, -40.40, 171.40, 174.50),
    _box("tihi", -43.40, -42.20, 170.00, 174.20),
    _box("tihi", -44.60, -43.40, 167.90, 173.30),
    _box("tonga", -44.60, -43.90, 167.90, 171.60),
    _box("tonga", -46.00, -44.60, 166.30, 171.60),
    _box("tonga", -47.40, -46.00, 166.30, 170.40),
    _box("moutere", -44.60, -43.50, -177.20, -175.80),
)


def resolve(*, latitude: float, longitude: float) -> tuple[Iwi, ...]:
    """Find the iwi of a place, in degrees on WGS 84; none at sea, abroad or off it."""
    # Some charts count beyond 180 east.
    turned = longitude - 360 if 180 < longitude <= 360 else longitude
    slugs = {
        box.slug for box in BOXES if box.holds(latitude=latitude, longitude=turned)
    }
    return tuple(iwi for iwi in IWI if iwi.slug in slugs)
