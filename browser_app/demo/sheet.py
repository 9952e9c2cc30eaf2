"""What the stage must know of a game to put up believable servers of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_SHORTEST_MAP_WORD = 3
"""Shorter pieces of a map's name are modes and numbers (`ctf_2fort`)."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to play: how the server reports it, and where it is played."""

    reported: str
    """The wire's value (`4`); often the code itself."""
    maps: tuple[str, ...]
    teams: int = 2
    """0 where everybody plays alone."""


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game as it appears on stage. Names, maps and versions are of the kind its real servers show."""

    id: str
    """The id of its game profile."""
    title: str
    protocol: str
    """`a2s`, `quake3` or `darkplaces`."""
    share: float
    """Its part of all servers, relative to the other sheets."""
    port: int
    """Default game port."""
    version: str
    modes: Mapping[str, Mode]
    """Mode code → mode; the first is the commonest."""
    slots: tuple[int, ...]
    names: tuple[str, ...]
    """Names given to the first servers, in this order."""
    nouns: tuple[str, ...]
    """What the names of all further servers are composed with."""
    query_offset: int = 0
    """Query port minus game port."""
    colours: str = "none"
    """Colour-code dialect, by its name in `browser_app.protocols.coloured_text`."""
    bots: bool = False
    """Servers keep bots while few people are there."""
    spectators: bool = False
    appid: int = 0
    folder: str = ""
    """A2S: game folder."""
    gamename: str = ""
    """Quake III family: what the infostring says, and (with `master_protocol`) what masters are asked for."""
    master_gamename: str = ""
    """Game name in `getservers`; empty for the anonymous games."""
    master_protocol: int = 0
    extra: Mapping[str, str] = field(default_factory=dict)
    """Further infostring values or rules, the same on every server."""

    def meant_by(self, name: str) -> tuple[str | None, str | None]:
        """The mode and the map that a server's name promises, by a word of theirs in it; None where it does not."""
        words = set(re.findall(r"\w+", name.lower()))
        for code, mode in self.modes.items():
            for map_name in mode.maps:
                if words & {word for word in re.split(r"[_-]", map_name) if len(word) > _SHORTEST_MAP_WORD}:
                    return code, map_name
        return next((code for code in self.modes if code in words), None), None
