"""What the server mod Wonitor posts for Natural Selection 2: forms with a JSON document in `data`.

Source: the readme of eBrute/wonitor and its `dbUtil.php`. `MatchEnd` tells no players; `NS2PlusStats` is the file of
NS2+ with the figures of a player as lists. A file holds one post a line.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import msgspec

from browser_app.rounds.document import Document
from browser_app.rounds.errors import FieldError
from browser_app.rounds.ns2_savestats import PlayerStats, round_of
from browser_app.rounds.ns2_sides import GAME, RACES, TEAMS, Length, Seconds, winner_of
from browser_app.rounds.source import Source
from browser_app.rounds.times import iso_8601, seconds_since_1970


class ListedTeamStats(msgspec.Struct, array_like=True):
    """Thirteen figures of a player on a team, in this order."""

    time_played: Seconds = 0.0
    time_building: float = 0.0
    commander_time: Seconds = 0.0
    kills: float = 0.0
    assists: float = 0.0
    deaths: float = 0.0
    killstreak: float = 0.0
    hits: float = 0.0
    onos_hits: float = 0.0
    misses: float = 0.0
    player_damage: float = 0.0
    structure_damage: float = 0.0
    score: float = 0.0


class ListedPlayerStats(PlayerStats):
    """One player with figures as lists."""

    marine: ListedTeamStats = msgspec.field(name="1", default_factory=ListedTeamStats)  # type: ignore[assignment]
    alien: ListedTeamStats = msgspec.field(name="2", default_factory=ListedTeamStats)  # type: ignore[assignment]


class MatchEnd(msgspec.Struct):
    """A round without players: it is kept, though nobody can be rated by it."""

    map: str
    length: Length
    winner: int
    time: float | str
    server_name: str = msgspec.field(name="serverName", default="")


def read(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rounds of a file, each at its line; posts about other things are passed over.

    Raises:
        RoundError: a post is none, or something in it is of a wrong type.
    """
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            form = {key: values[-1] for key, values in parse_qs(line.decode().strip(), max_num_fields=64).items()}
        except ValueError as error:
            raise source.error(number, None, f"is no form: {error}") from None
        for key in ("messageType", "data"):
            if key not in form:
                raise source.error(number, key, "is missing")
        document = Document(source, form["data"].encode("utf-8", "surrogateescape"), number)
        if form["messageType"] == "NS2PlusStats":
            yield number, round_of(document, ListedPlayerStats)
        elif form["messageType"] == "MatchEnd":
            yield number, _without_players(document, form.get("serverId", ""))


def _without_players(document: Document, server_id: str) -> dict[str, Any]:
    post = document.read(MatchEnd)
    try:
        winner = winner_of(post.winner)
    except ValueError as error:
        raise document.error(FieldError("winner", str(error))) from None
    try:
        ended = seconds_since_1970(post.time) if isinstance(post.time, str) else post.time
        started = iso_8601(ended - post.length)
    except ValueError as error:
        raise document.error(FieldError("time", str(error))) from None
    return {
        "id": f"{GAME} wonitor {server_id} {ended:.0f}",
        "game": GAME,
        "map": post.map,
        "mode": GAME,
        "started": started,
        "duration": post.length,
        "teams": list(TEAMS),
        "races": dict(RACES),
        "winner": winner,
        "server": post.server_name,
        "players": [],
    }
