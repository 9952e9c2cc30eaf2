"""Server side of Quake III and DarkPlaces queries."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from browser_app.protocols.quake.quake3 import INFO_RESPONSE_HEADER, STATUS_RESPONSE_HEADER, Quake3Player
from browser_app.protocols.query_session import PacketError

_REQUEST = re.compile(rb"\xff\xff\xff\xff(getstatus|getinfo)(?:[ ]([\x21-\x7e]{0,128})[^\n]*)?\n?\Z")


@dataclass(frozen=True, slots=True)
class Quake3Request:
    """One request to a server."""

    wants_players: bool
    """True for getstatus, False for getinfo."""
    challenge: str
    """Echoed in the reply; empty if the request has none."""


def parse_quake3_request(data: bytes) -> Quake3Request:
    """Parse a request."""
    match = _REQUEST.match(data)
    if match is None:
        raise PacketError("not this protocol")
    return Quake3Request(match[1] == b"getstatus", (match[2] or b"").decode("ascii"))


def encode_status_response(
    info: Mapping[str, str], players: Iterable[Quake3Player], *, challenge: str = "", team_after_name: bool = False
) -> bytes:
    """Encode a statusResponse that echoes `challenge` unless it is empty.

    A player's team is written before the name (DarkPlaces, SoF2) or after it (Warsow).
    """
    lines = "".join(_format_player_line(player, team_after_name) + "\n" for player in players)
    return STATUS_RESPONSE_HEADER + _encode_infostring(info, challenge) + b"\n" + lines.encode("utf-8", "replace")


def encode_info_response(info: Mapping[str, str], *, challenge: str = "") -> bytes:
    """Encode an infoResponse."""
    return INFO_RESPONSE_HEADER + _encode_infostring(info, challenge)


def _encode_infostring(info: Mapping[str, str], challenge: str) -> bytes:
    pairs = {**info, "challenge": challenge} if challenge else info
    return "".join(f"\\{key}\\{value}" for key, value in pairs.items()).encode("utf-8", "replace")


def _format_player_line(player: Quake3Player, team_after_name: bool) -> str:
    team = "" if player.team is None else f" {player.team}"
    before, behind = ("", team) if team_after_name else (team, "")
    return f'{player.score} {player.ping}{before} "{player.name}"{behind}'
