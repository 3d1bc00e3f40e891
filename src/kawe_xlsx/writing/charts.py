"""Small bar charts of cells; each says in words what it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kawe_xlsx.writing.styles import INK, PROLOG
from kawe_xlsx.writing.text import attribute, escaped, safe_text

_OOXML: Final = "http://schemas.openxmlformats.org"
_DRAWN: Final = f"{_OOXML}/drawingml/2006"
_RELATIONS: Final = f"{_OOXML}/officeDocument/2006/relationships"
_PIXEL: Final = 9_525
"""In the units of drawings."""
_POINTS: Final = 1_000
"""Size of letters: 10 points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar; its colour is RRGGBB."""

    label: str
    count: int
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A bar for each of the cells `labels` and `counts`, from the top."""

    title: str
    labels: str
    """An area, with its sheet."""
    counts: str
    bars: Sequence[Bar]
    row: int
    """Its upper left corner, from 0; so is the column."""
    column: int
    width: int
    """In pixels; so is the height."""
    height: int

    @property
    def words(self) -> str:
        """Say all that it shows."""
        said = ", ".join(f"{each.label} {each.count:,}" for each in self.bars)
        return f"{self.title}: {said}."


def drawing_part(charts: Sequence[Chart]) -> str:
    """Write the part that places charts on a sheet; `rId1` is the first chart."""
    frames = "".join(
        "<xdr:oneCellAnchor>"
        f"<xdr:from><xdr:col>{chart.column}</xdr:col><xdr:colOff>0</xdr:colOff>"
        f"<xdr:row>{chart.row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>"
        f'<xdr:ext cx="{chart.width * _PIXEL}" cy="{chart.height * _PIXEL}"/>'
        '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>'
        f'<xdr:cNvPr id="{at + 1}" name="{attribute(chart.title)}" '
        f'descr="{attribute(chart.words)}"/><xdr:cNvGraphicFramePr/>'
        '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/>'
        '<a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>'
        f'<a:graphicData uri="{_DRAWN}/chart"><c:chart xmlns:c="{_DRAWN}/chart" '
        f'xmlns:r="{_RELATIONS}" r:id="rId{at}"/></a:graphicData></a:graphic>'
        "</xdr:graphicFrame><xdr:clientData/></xdr:oneCellAnchor>"
        for at, chart in enumerate(charts, start=1)
    )
    return (
        f'{PROLOG}<xdr:wsDr xmlns:xdr="{_DRAWN}/spreadsheetDrawing" '
        f'xmlns:a="{_DRAWN}/main">{frames}</xdr:wsDr>'
    )


def chart_part(chart: Chart) -> str:
    """Write one chart."""
    points = "".join(
        f'<c:dPt><c:idx val="{at}"/><c:invertIfNegative val="0"/>'
        f"<c:spPr>{_solid(bar.colour)}</c:spPr></c:dPt>"
        for at, bar in enumerate(chart.bars)
    )
    count = f'<c:ptCount val="{len(chart.bars)}"/>'
    labels = _cached([escaped(safe_text(bar.label)) for bar in chart.bars])
    counts = _cached([str(bar.count) for bar in chart.bars])
    letters = f'<a:defRPr sz="{_POINTS}">{_solid(INK)}</a:defRPr>'
    plain = (
        f"<c:txPr><a:bodyPr/><a:p><a:pPr>{letters}</a:pPr>"
        '<a:endParaRPr lang="en-NZ"/></a:p></c:txPr>'
    )
    title = (
        "<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr>"
        f'<a:defRPr sz="1100" b="1">{_solid(INK)}</a:defRPr></a:pPr>'
        f'<a:r><a:rPr lang="en-NZ" sz="1100" b="1">{_solid(INK)}</a:rPr>'
        f"<a:t>{escaped(safe_text(chart.title))}</a:t>"
        '</a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>'
    )
    bars = (
        '<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/>'
        '<c:varyColors val="0"/><c:ser><c:idx val="0"/><c:order val="0"/>'
        f'<c:invertIfNegative val="0"/>{points}<c:dLbls>{plain}'
        '<c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/>'
        '<c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/>'
        f"</c:dLbls><c:cat><c:strRef><c:f>{escaped(chart.labels)}</c:f>"
        f"<c:strCache>{count}{labels}</c:strCache></c:strRef></c:cat>"
        f"<c:val><c:numRef><c:f>{escaped(chart.counts)}</c:f><c:numCache>"
        f"<c:formatCode>#,##0</c:formatCode>{count}{counts}</c:numCache></c:numRef>"
        '</c:val></c:ser><c:gapWidth val="40"/><c:axId val="1"/><c:axId val="2"/>'
        "</c:barChart>"
    )
    axes = (
        '<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="maxMin"/>'
        '</c:scaling><c:delete val="0"/><c:axPos val="l"/>'
        '<c:majorTickMark val="none"/><c:minorTickMark val="none"/>'
        f'<c:tickLblPos val="nextTo"/>{plain}<c:crossAx val="2"/></c:catAx>'
        '<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/>'
        '<c:min val="0"/></c:scaling><c:delete val="1"/><c:axPos val="t"/>'
        '<c:crossAx val="1"/></c:valAx>'
    )
    return (
        f'{PROLOG}<c:chartSpace xmlns:c="{_DRAWN}/chart" xmlns:a="{_DRAWN}/main">'
        f'<c:roundedCorners val="0"/><c:chart>{title}<c:autoTitleDeleted val="0"/>'
        f"<c:plotArea><c:layout/>{bars}{axes}</c:plotArea>"
        '<c:plotVisOnly val="0"/></c:chart></c:chartSpace>'
    )


def _cached(texts: Sequence[str]) -> str:
    return "".join(
        f'<c:pt idx="{at}"><c:v>{text}</c:v></c:pt>' for at, text in enumerate(texts)
    )


def _solid(colour: str) -> str:
    return f'<a:solidFill><a:srgbClr val="{colour}"/></a:solidFill>'
