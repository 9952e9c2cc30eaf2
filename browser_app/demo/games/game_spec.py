"""What a game of the demo network is."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from browser_app.games.game_profile import GameProfile
from browser_app.games.profile_reader import read_profile
from browser_app.paths import resource_folder
from browser_app.protocols import query_protocols

_MIN_MAP_WORD_LENGTH = 3
"""Shorter parts of a map name are modes and numbers (`ctf_2fort`)."""
_PROTOCOLS_WITH_SPECTATORS = frozenset({
    query_protocols.BZFLAG, query_protocols.DARKPLACES, query_protocols.HEXENWORLD, query_protocols.ODAMEX,
    query_protocols.OPENTTD, query_protocols.QUAKE3, query_protocols.QUAKEWORLD, query_protocols.SAUERBRATEN,
    query_protocols.SRB2, query_protocols.TEEWORLDS06, query_protocols.TEEWORLDS07, query_protocols.ZANDRONUM,
})  # fmt: skip
_PROTOCOLS_WITH_BOTS = frozenset({
    query_protocols.A2S, query_protocols.QUAKE3, query_protocols.DARKPLACES, query_protocols.QUAKEWORLD,
    query_protocols.QUAKE2, query_protocols.ZANDRONUM,
})  # fmt: skip


@functools.cache
def _read_profile(game_id: str) -> GameProfile:
    return read_profile(resource_folder() / "games" / f"{game_id}.toml")


@dataclass(frozen=True, slots=True)
class GameMode:
    """A game mode: how servers report it, and its maps."""

    reported_value: str
    """The value in replies (`4`); often the mode's code."""
    maps: tuple[str, ...]
    teams: int = 2
    """0 in free-for-all modes."""


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game of the demo network, with names, maps and versions like real ones."""

    id: str
    """ID of the game profile."""
    share: float
    """Share of all servers, relative to the other games."""
    version: str
    modes: Mapping[str, GameMode]
    """Mode by code; the first is the most common."""
    slots: tuple[int, ...]
    server_names: tuple[str, ...]
    """Names of the first servers, in this order."""
    server_name_nouns: tuple[str, ...]
    """Nouns from which further server names are composed."""
    colours: str = "none"
    """Colour-code dialect of names, by its name in `protocols.coloured_text`."""
    has_plain_player_names: bool = False
    """Only names of servers contain colour codes."""
    appid: int = 0
    folder: str = ""
    """A2S: the game folder."""
    gamename: str = ""
    """Quake III family: value in the infostring, and (with `master_protocol`) in requests to master servers."""
    master_gamename: str = ""
    """Game name in `getservers`; empty for anonymous games."""
    master_protocol: int = 0
    extra_info: Mapping[str, str] = field(default_factory=dict)
    """Further infostring values or rules, equal on all servers."""

    @property
    def profile(self) -> GameProfile:
        """The game's profile."""
        return _read_profile(self.id)

    @property
    def protocol(self) -> str:
        """Query protocol, by its name in `protocols.query_protocols`."""
        return self.profile.protocol

    @property
    def has_spectators(self) -> bool:
        """Whether players may watch, and replies distinguish them from those who play."""
        return self.protocol in _PROTOCOLS_WITH_SPECTATORS

    @property
    def has_bots(self) -> bool:
        """Whether servers may have bots and reserved slots, which replies report."""
        return self.protocol in _PROTOCOLS_WITH_BOTS

    def mode_and_map_in_name(self, name: str) -> tuple[str | None, str | None]:
        """Return the mode and map that a server name mentions; None for one it does not."""
        words = set(re.findall(r"\w+", name.lower()))
        for code, mode in self.modes.items():
            for map_name in mode.maps:
                if words & {word for word in re.split(r"[_-]", map_name) if len(word) > _MIN_MAP_WORD_LENGTH}:
                    return code, map_name
        return next((code for code in self.modes if code in words), None), None
