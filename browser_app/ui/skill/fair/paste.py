"""Reads players as people write them down: names or ids, one a line or with commas, under their teams or without."""

import re
from collections.abc import Sequence

from browser_app.ui.skill.fair.line_up import MOST, Named
from browser_app.ui.skill.team_titles import numbered_title

MAX_LENGTH = 10_000
_SPLIT = re.compile(r"[,;\t]")
_BULLET = re.compile(r"^(?:[-*•]\s+|\d{1,2}[.)]\s+)")
_HEADING = re.compile(r"^(?P<team>[^,:(]+?)\s*(?:[:(][^,]*)?$")
_POINTS = re.compile(r"\s{2,}[~\u2212-]?\d[\d\u2009.]*$")


def read_pasted(text: str, teams: Sequence[str]) -> list[Named]:
    """Everybody a text names, in its order, each once.

    A line that is a team's name (`#1` or `#2` where it has none), with or without a colon, begins that team; so reads
    what *Copy as text* wrote, where points behind a name tell that all before them is one. Text before the first team
    names people who stand on none. What else begins with `#` is a remark.
    """
    known = {numbered_title(team, place).casefold(): place for place, team in enumerate(teams)}
    found: dict[str, Named] = {}
    team: int | None = None
    for line in text[:MAX_LENGTH].splitlines():
        name = _POINTS.sub("", line)
        heading = _HEADING.match(line.strip())
        if name != line:
            names = [name.strip()]
        elif heading and heading["team"].casefold() in known:
            team, names = known[heading["team"].casefold()], []
        else:
            names = [] if line.startswith("#") else _names_in(line)
        for name in filter(None, names):
            if len(found) < MOST:
                found.setdefault(name.casefold(), Named(name, team))
    return list(found.values())


def _names_in(line: str) -> list[str]:
    """Names as people write them, with commas between or bullets before."""
    return [_BULLET.sub("", part.strip()).strip().strip('"') for part in _SPLIT.split(line)]
