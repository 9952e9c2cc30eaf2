"""Rounds from the files that NS2+ and the game's `savestats` write.

They contain for how long a player was on each team and commander, but not when. `roundDate` is the time of writing the
file, which is the end of the round: in the files of one server, `roundDate - roundLength` of a round is later than the
`roundDate` of the round before it.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from browser_app.rounds import ns2_teams
from browser_app.rounds.json_document import JsonDocument
from browser_app.rounds.round_source import RoundFileSource


class SaveStatsTeam(msgspec.Struct):
    """Statistics of one player on one team; `timePlayed` includes commanding."""

    time_played: ns2_teams.NonNegativeSeconds = msgspec.field(name="timePlayed", default=0.0)
    commander_time: ns2_teams.NonNegativeSeconds = msgspec.field(name="commanderTime", default=0.0)
    kills: ns2_teams.Count = 0.0
    assists: ns2_teams.Count = 0.0
    deaths: ns2_teams.Count = 0.0
    score: float = 0.0


class SaveStatsPlayer(msgspec.Struct):
    """One player, with the game's own skill of them. The file does not contain bots."""

    name: str | None = msgspec.field(name="playerName", default=None)
    last_team: int | None = msgspec.field(name="lastTeam", default=None)
    rookie: bool | None = msgspec.field(name="isRookie", default=None)
    skill: ns2_teams.SkillOrUnknown | None = msgspec.field(name="hiveSkill", default=None)
    offset: float | None = msgspec.field(name="playerSkillOffset", default=None)
    commander_skill: ns2_teams.SkillOrUnknown | None = msgspec.field(name="commanderSkill", default=None)
    adagrad_sum: ns2_teams.SkillOrUnknown | None = msgspec.field(name="adagrad", default=None)
    commander_adagrad_sum: ns2_teams.SkillOrUnknown | None = msgspec.field(name="commAdagrad", default=None)
    marine: SaveStatsTeam = msgspec.field(name="1", default_factory=SaveStatsTeam)
    alien: SaveStatsTeam = msgspec.field(name="2", default_factory=SaveStatsTeam)


class SaveStatsRound(msgspec.Struct, rename="camel"):
    """The `RoundInfo` of the file."""

    round_date: float
    round_length: ns2_teams.RoundLength
    map_name: str
    winning_team: int
    tournament_mode: bool = False
    game_mode: str = ns2_teams.NS2_GAME


class SaveStatsServer(msgspec.Struct, rename="camel"):
    """The `ServerInfo` of the file."""

    name: str = ""
    ip: str = ""
    port: int = 0
    build_number: int | None = None


class SaveStatsFile(msgspec.Struct):
    """The whole file.

    Lua writes an empty table as a list, so parts that may be empty are converted later.
    """

    info: SaveStatsRound = msgspec.field(name="RoundInfo")
    players: Any = msgspec.field(name="PlayerStats")
    server: SaveStatsServer = msgspec.field(name="ServerInfo", default_factory=SaveStatsServer)


def read_ns2_savestats(source: RoundFileSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the round of a file, with line 1.

    Raises:
        RoundFileError: the file is not of this format, or a value has the wrong type.
    """
    yield 1, build_savestats_round(JsonDocument(source, source.read_all()), SaveStatsPlayer)


def build_savestats_round(document: JsonDocument, player_struct: type[SaveStatsPlayer]) -> dict[str, Any]:
    """Return the round of a document as an object of the round file.

    Args:
        document: a file of NS2+.
        player_struct: into which an entry of `PlayerStats` is decoded.

    Raises:
        RoundFileError: a value is missing or has the wrong type.
    """
    stats = document.decode(SaveStatsFile)
    info, server = stats.info, stats.server
    fields = ns2_teams.build_round_fields(
        document,
        info.map_name,
        info.game_mode,
        info.round_length,
        winner=("RoundInfo.winningTeam", info.winning_team),
        end=("RoundInfo.roundDate", info.round_date),
    )
    players = document.convert_part(stats.players or {}, dict[str, Any], "PlayerStats")
    return {
        "id": f"{ns2_teams.NS2_GAME} {server.ip}:{server.port} {info.round_date:.0f}",
        **fields,
        "approximate": True,
        "tournament": info.tournament_mode,
        "server": server.name,
        "build": server.build_number,
        "players": [
            _build_player_object(steam_id, document.convert_part(player, player_struct, f"PlayerStats.{steam_id}"))
            for steam_id, player in players.items()
        ],
    }


def _build_player_object(steam_id: str, stats: SaveStatsPlayer) -> dict[str, Any]:
    sides = dict(zip(ns2_teams.NS2_TEAMS, (stats.marine, stats.alien), strict=True))
    order = ns2_teams.NS2_TEAMS if stats.last_team != 1 else ns2_teams.NS2_TEAMS[::-1]
    stints = ns2_teams.build_consecutive_stints([(team, sides[team].time_played) for team in order])
    return {
        "id": steam_id,
        "name": stats.name,
        "rookie": stats.rookie,
        **ns2_teams.build_skill_fields(
            stats.skill, stats.offset, stats.commander_skill, stats.adagrad_sum, stats.commander_adagrad_sum
        ),
        "stays": stints,
        "commanding": [
            stint
            for team in order
            for stint in ns2_teams.build_commander_stints(stints, team, sides[team].commander_time)
        ],
        **{key: sum(getattr(side, key) for side in sides.values()) for key in ("kills", "assists", "deaths", "score")},
    }
