"""Natural Selection 2's round files as NS2+ and the game's `savestats` write them (`<epoch>.json`).

They tell how long someone was on each team and in the chair, not when.
`roundDate` is the moment the file is written, the end of the round: of two rounds of one server the later one's
`roundDate - roundLength` lies after the earlier one's `roundDate`, and not the other way round.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from browser_app.rounds.document import Document
from browser_app.rounds.errors import FieldError
from browser_app.rounds.ns2_sides import GAME, RACES, TEAMS, Length, Seconds, in_the_chair, one_after_another, winner_of
from browser_app.rounds.source import Source
from browser_app.rounds.times import iso_8601


class TeamStats(msgspec.Struct):
    """One player's figures on one team; `timePlayed` includes the time in the chair."""

    time_played: Seconds = msgspec.field(name="timePlayed", default=0.0)
    commander_time: Seconds = msgspec.field(name="commanderTime", default=0.0)
    kills: float = 0.0
    assists: float = 0.0
    deaths: float = 0.0
    score: float = 0.0


class PlayerStats(msgspec.Struct):
    """One player. Bots are not in the file."""

    name: str | None = msgspec.field(name="playerName", default=None)
    last_team: int | None = msgspec.field(name="lastTeam", default=None)
    rookie: bool | None = msgspec.field(name="isRookie", default=None)
    marine: TeamStats = msgspec.field(name="1", default_factory=TeamStats)
    alien: TeamStats = msgspec.field(name="2", default_factory=TeamStats)


class RoundInfo(msgspec.Struct, rename="camel"):
    """The round."""

    round_date: float
    round_length: Length
    map_name: str
    winning_team: int
    tournament_mode: bool = False
    game_mode: str = GAME


class ServerInfo(msgspec.Struct, rename="camel"):
    """The server."""

    name: str = ""
    ip: str = ""
    port: int = 0
    build_number: int | None = None


class SaveStats(msgspec.Struct):
    """The file. An empty Lua table is written as a list, so what may be empty is looked at later."""

    info: RoundInfo = msgspec.field(name="RoundInfo")
    players: Any = msgspec.field(name="PlayerStats")
    server: ServerInfo = msgspec.field(name="ServerInfo", default_factory=ServerInfo)


def read(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The round of a file, at its first line.

    Raises:
        RoundError: the file is none, or something in it is of a wrong type.
    """
    yield 1, round_of(Document(source, source.body()), PlayerStats)


def round_of(document: Document, player_shape: type[PlayerStats]) -> dict[str, Any]:
    """The round of a document; `player_shape` says how it writes a player's figures.

    Raises:
        RoundError: something is missing or of a wrong type.
    """
    stats = document.read(SaveStats)
    info, server = stats.info, stats.server
    try:
        winner = winner_of(info.winning_team)
        started = iso_8601(info.round_date - info.round_length)
    except ValueError as error:
        field = "winningTeam" if info.winning_team not in (0, 1, 2) else "roundDate"
        raise document.error(FieldError(f"RoundInfo.{field}", str(error))) from None
    players = document.part(stats.players or {}, dict[str, Any], "PlayerStats")
    return {
        "id": f"{GAME} {server.ip}:{server.port} {info.round_date:.0f}",
        "game": GAME,
        "map": info.map_name,
        "mode": info.game_mode,
        "started": started,
        "duration": info.round_length,
        "teams": list(TEAMS),
        "races": dict(RACES),
        "winner": winner,
        "approximate": True,
        "tournament": info.tournament_mode,
        "server": server.name,
        "build": server.build_number,
        "players": [
            _player(steam_id, document.part(player, player_shape, f"PlayerStats.{steam_id}"))
            for steam_id, player in players.items()
        ],
    }


def _player(steam_id: str, stats: PlayerStats) -> dict[str, Any]:
    sides = dict(zip(TEAMS, (stats.marine, stats.alien), strict=True))
    order = TEAMS if stats.last_team != 1 else TEAMS[::-1]  # the last team comes last
    stays = one_after_another([(team, sides[team].time_played) for team in order])
    return {
        "id": steam_id,
        "name": stats.name,
        "rookie": stats.rookie,
        "stays": stays,
        "commanding": [spell for team in order for spell in in_the_chair(stays, team, sides[team].commander_time)],
        **{key: sum(getattr(side, key) for side in sides.values()) for key in ("kills", "assists", "deaths", "score")},
    }
