"""The parts with the comments of a sheet, and the boxes that show them."""

from collections.abc import Sequence
from typing import Final

from kawe_xlsx.writing.page import Comment
from kawe_xlsx.writing.styles import COLOUR, MAIN, PROLOG
from kawe_xlsx.writing.text import element

AUTHOR: Final = "kawe"
SPACES: Final = {
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "x": "urn:schemas-microsoft-com:office:excel",
}
"""The namespaces of the boxes, by prefix."""
BOX_SHAPE: Final = (
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" '
    'path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/>'
    '<v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'
)
"""What boxes look like."""
_FIRST_BOX: Final = 1_025
_COMMENT_LETTERS: Final = 42
"""Letters on one line of a comment."""


def comment_of(comment: Comment, *, author: int) -> str:
    """Write one comment; `author` is the place of kawe among the authors."""
    return (
        f'<comment ref="{comment.cell}" authorId="{author}"><text>'
        f"{element(comment.text)}</text></comment>"
    )


def comments_part(comments: Sequence[Comment]) -> str:
    """Write the part with the comments of a sheet."""
    said = "".join(comment_of(comment, author=0) for comment in comments)
    return (
        f'{PROLOG}<comments xmlns="{MAIN}"><authors><author>{AUTHOR}</author></authors>'
        f"<commentList>{said}</commentList></comments>"
    )


def box(comment: Comment, *, number: int) -> str:
    """Draw the box of a comment in VML; no other box of the sheet has its number."""
    return (
        f'<v:shape id="_x0000_s{number}" type="#_x0000_t202" '
        'style="position:absolute;margin-left:59.25pt;margin-top:1.5pt;width:320px;'
        f"height:{30 + 18 * (1 + len(comment.text) // _COMMENT_LETTERS)}px;"
        'z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">'
        '<v:fill color2="#ffffe1"/><v:shadow obscured="t" '
        f'{COLOUR}="black"/>'
        '<v:path o:connecttype="none"/>'
        '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"/>'
        '</v:textbox><x:ClientData ObjectType="Note"><x:MoveWithCells/>'
        "<x:SizeWithCells/><x:AutoFill>False</x:AutoFill>"
        f"<x:Row>{comment.row - 1}</x:Row><x:Column>{comment.column - 1}</x:Column>"
        "</x:ClientData></v:shape>"
    )


def boxes_part(comments: Sequence[Comment]) -> str:
    """Draw the boxes of comments in VML, which Excel needs."""
    boxes = "".join(
        box(comment, number=number)
        for number, comment in enumerate(comments, start=_FIRST_BOX)
    )
    spaces = " ".join(f'xmlns:{name}="{space}"' for name, space in SPACES.items())
    return (
        f"<xml {spaces}>"
        '<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>'
        f"{BOX_SHAPE}{boxes}</xml>"
    )
