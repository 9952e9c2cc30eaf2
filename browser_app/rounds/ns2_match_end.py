"""Rounds from the report that an NS2 server posts at the end of a match.

Source: the game's `PlayerRanking.lua`. The report has no date, so the round is assumed to have ended when the file was
written, and no id, so a hash of its text is used: equal reports are the same round.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from browser_app.rounds.json_document import JsonDocument
from browser_app.rounds.ns2_teams import (
    NS2_GAME,
    NS2_TEAMS,
    Count,
    NonNegativeSeconds,
    RoundLength,
    SkillOrUnknown,
    StintDict,
    build_commander_stints,
    build_consecutive_stints,
    build_round_fields,
    build_skill_fields,
    build_stint,
)
from browser_app.rounds.round_source import UNDATED, RoundFileSource

_BOT_STEAM_ID = 0  # the steamId of all bots


class MatchEndPlayer(msgspec.Struct, rename="camel"):
    """One player.

    Older builds report `commanderTime` without the team. Skills have the names of the game's own statistics of a round
    (`EndGameStatsResults`); sums of squares have those names or those of the Hive web service of builds 310 to 343.
    """

    steam_id: int
    nickname: str | None = None
    team_number: int | None = None
    marine_time: NonNegativeSeconds = 0.0
    alien_time: NonNegativeSeconds = 0.0
    commander_time: NonNegativeSeconds = 0.0
    marine_comm_time: NonNegativeSeconds | None = None
    alien_comm_time: NonNegativeSeconds | None = None
    kills: Count | None = None
    deaths: Count | None = None
    assists: Count | None = None
    skill: SkillOrUnknown | None = None
    skill_offset: float | None = None
    comm_skill: SkillOrUnknown | None = None
    adagrad: SkillOrUnknown | None = None
    adagrad_sum: SkillOrUnknown | None = None
    comm_adagrad: SkillOrUnknown | None = None
    comm_adagrad_sum: SkillOrUnknown | None = None
    score: float | None = None
    marine_enters: list[NonNegativeSeconds] = msgspec.field(name="debug_marineEntranceTimes", default_factory=list)
    marine_exits: list[NonNegativeSeconds] = msgspec.field(name="debug_marineExitTimes", default_factory=list)
    alien_enters: list[NonNegativeSeconds] = msgspec.field(name="debug_alienEntranceTimes", default_factory=list)
    alien_exits: list[NonNegativeSeconds] = msgspec.field(name="debug_alienExitTimes", default_factory=list)

    def build_stints(self, end: float) -> tuple[list[StintDict], bool]:
        """Return the stints on the teams, and whether their times are exact.

        Without times, stints of the known lengths follow one another from the start of the round.

        Args:
            end: end of the round, s after its start.
        """
        if self.marine_enters or self.alien_enters:
            marine = _build_timed_stints(NS2_TEAMS[0], self.marine_enters, self.marine_exits, end)
            alien = _build_timed_stints(NS2_TEAMS[1], self.alien_enters, self.alien_exits, end)
            return sorted(marine + alien, key=lambda stint: float(stint["enter"])), True
        times = list(zip(NS2_TEAMS, (self.marine_time, self.alien_time), strict=True))
        return build_consecutive_stints(times if self.team_number != 1 else times[::-1]), False

    def build_commander_stints(self, stints: Sequence[StintDict]) -> list[StintDict]:
        """Return the stints as commander, each from the start of a stint on that team."""
        if self.marine_comm_time is not None or self.alien_comm_time is not None:
            marine = build_commander_stints(stints, NS2_TEAMS[0], self.marine_comm_time or 0.0)
            return marine + build_commander_stints(stints, NS2_TEAMS[1], self.alien_comm_time or 0.0)
        return build_commander_stints(stints, NS2_TEAMS[0 if self.team_number == 1 else 1], self.commander_time)


class MatchEndReport(msgspec.Struct, rename="camel"):
    """The JSON object that the server posts."""

    map_name: str
    game_time: RoundLength
    players: list[MatchEndPlayer]
    winner: int = 0
    game_mode: str = NS2_GAME
    name: str = ""
    build: int | None = None


def read_ns2_match_end(source: RoundFileSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the round of a file, with line 1.

    Raises:
        RoundFileError: the file is not such a report, or a value has the wrong type.
    """
    body = source.read_all()
    document = JsonDocument(source, body)
    report = document.decode(MatchEndReport)
    fields = build_round_fields(
        document,
        report.map_name,
        report.game_mode,
        report.game_time,
        winner=("winner", report.winner),
        end=("gameTime", source.modified_at),
    )
    humans = [
        (player, *player.build_stints(report.game_time))
        for player in report.players
        if player.steam_id != _BOT_STEAM_ID
    ]
    yield (
        1,
        {
            "id": f"{NS2_GAME} {hashlib.sha256(body).hexdigest()[:32]}",
            **fields,
            UNDATED: True,
            "approximate": not all(exact for _, stints, exact in humans if stints),
            "server": report.name,
            "build": report.build,
            "bots": len(report.players) - len(humans),
            "players": [_build_player_object(player, stints) for player, stints, _ in humans],
        },
    )


def _build_player_object(player: MatchEndPlayer, stints: list[StintDict]) -> dict[str, Any]:
    return {
        "id": str(player.steam_id),
        "name": player.nickname,
        "stays": stints,
        "commanding": player.build_commander_stints(stints),
        "kills": player.kills,
        "deaths": player.deaths,
        "assists": player.assists,
        "score": player.score,
        **build_skill_fields(
            player.skill,
            player.skill_offset,
            player.comm_skill,
            player.adagrad if player.adagrad_sum is None else player.adagrad_sum,
            player.comm_adagrad if player.comm_adagrad_sum is None else player.comm_adagrad_sum,
        ),
    }


def _build_timed_stints(team: str, enters: Sequence[float], exits: Sequence[float], end: float) -> list[StintDict]:
    """Return stints from the times of entering and leaving, the last one until `end`."""
    return [
        build_stint(team, enter, leave) for enter, leave in zip_longest(enters, exits[: len(enters)], fillvalue=end)
    ]
