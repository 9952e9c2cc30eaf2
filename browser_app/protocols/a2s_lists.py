"""Reading A2S players (`D`) and rules (`E`) replies. Both are often cut short: what is whole is kept."""

import itertools
import math
import struct

from browser_app.protocols.a2s import A2SPlayer
from browser_app.protocols.conversation import Refused

MAX_PLAYERS = 1024
"""Rows kept of a players reply; the largest servers of any game stay below."""

_SCORE_DURATION = struct.Struct("<if")
_DEATHS_MONEY = struct.Struct("<ii")
_LONGEST_DURATION_S = 1e9
_HIDDEN = "Max Players"
"""The only row that a CS:GO server sends in place of its players, with their limit as score."""


def read_players(body: bytes, the_ship: bool = False) -> tuple[A2SPlayer, ...] | None:
    """Read a players reply, `body` beginning with its kind. None where the server does not publish its players.

    The count is one byte and wraps round at 256. The Ship adds two numbers a player behind all rows.

    Raises:
        Refused: not even the count is there.
    """
    if len(body) < 2:
        raise Refused("truncated players")
    count = body[1]
    players, end = _read_rows(body, count if the_ship else MAX_PLAYERS)
    wrapped = (end == len(body) and len(players) % 256 == count) or len(players) == MAX_PLAYERS
    if len(players) > count and not wrapped:
        del players[count:]
    if the_ship:
        for player, (deaths, money) in zip(players, _pairs(body[end:]), strict=False):
            player.deaths, player.money = deaths, money
    if (count and not players) or (len(players) == 1 and players[0].name == _HIDDEN):
        return None
    return tuple(players)


def _read_rows(body: bytes, limit: int) -> tuple[list[A2SPlayer], int]:
    """Up to `limit` whole rows, and where they end."""
    players: list[A2SPlayer] = []
    position = 2
    while len(players) < limit:
        name_end = body.find(b"\0", position + 1)  # a row's first byte is an index, 0 with most servers
        if name_end < 0 or name_end + 9 > len(body):
            break
        score, duration = _SCORE_DURATION.unpack_from(body, name_end + 1)
        if not -_LONGEST_DURATION_S < duration < _LONGEST_DURATION_S:
            duration = math.nan
        players.append(A2SPlayer(body[position + 1 : name_end].decode("utf-8", "replace"), score, duration))
        position = name_end + 9
    return players, position


def _pairs(data: bytes) -> itertools.chain[tuple[int, int]]:
    whole = len(data) - len(data) % _DEATHS_MONEY.size
    return itertools.chain(_DEATHS_MONEY.iter_unpack(data[:whole]))


def read_rules(body: bytes) -> dict[bytes, bytes]:
    """Read a rules reply, `body` beginning with its kind. The count is not believed: pairs are read as
    long as both texts are whole.

    Raises:
        Refused: not even the count is there.
    """
    if len(body) < 3:
        raise Refused("truncated rules")
    pieces = body[3:].split(b"\0")
    whole = (len(pieces) - 1) // 2
    return dict(zip(pieces[0 : 2 * whole : 2], pieces[1 : 2 * whole : 2], strict=True))
