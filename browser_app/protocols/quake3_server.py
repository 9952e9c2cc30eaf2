"""The server's end of Quake III's and DarkPlaces' queries: reading requests, writing both replies."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from browser_app.protocols.conversation import Refused
from browser_app.protocols.quake3 import Quake3Player
from browser_app.protocols.quake3_status import INFO, STATUS

_REQUEST = re.compile(rb"\xff\xff\xff\xff(getstatus|getinfo)(?:[ ]([\x21-\x7e]{0,128})[^\n]*)?\n?\Z")


@dataclass(frozen=True, slots=True)
class StatusRequest:
    """One question to a server."""

    wants_players: bool
    """A getstatus; else a getinfo."""
    challenge: str
    """To be repeated in the reply; empty where there is none."""


def read_request(data: bytes) -> StatusRequest:
    """Read a request.

    Raises:
        Refused: it is none.
    """
    match = _REQUEST.match(data)
    if match is None:
        raise Refused("not this protocol")
    return StatusRequest(match[1] == b"getstatus", (match[2] or b"").decode("ascii"))


def write_status(
    info: Mapping[str, str], players: Iterable[Quake3Player], *, challenge: str = "", team_behind: bool = False
) -> bytes:
    """A statusResponse. `challenge` is repeated unless empty; a player's team stands before the name (DarkPlaces, SoF2)
    or behind it (Warsow)."""
    lines = "".join(_player_line(player, team_behind) + "\n" for player in players)
    return STATUS + _infostring(info, challenge) + b"\n" + lines.encode("utf-8", "replace")


def write_info(info: Mapping[str, str], *, challenge: str = "") -> bytes:
    """An infoResponse."""
    return INFO + _infostring(info, challenge)


def _infostring(info: Mapping[str, str], challenge: str) -> bytes:
    pairs = {**info, "challenge": challenge} if challenge else info
    return "".join(f"\\{key}\\{value}" for key, value in pairs.items()).encode("utf-8", "replace")


def _player_line(player: Quake3Player, team_behind: bool) -> str:
    team = "" if player.team is None else f" {player.team}"
    before, behind = ("", team) if team_behind else (team, "")
    return f'{player.score} {player.ping}{before} "{player.name}"{behind}'
