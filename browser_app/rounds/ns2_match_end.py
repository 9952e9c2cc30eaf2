"""What a Natural Selection 2 server posts at the end of a round: the one format with true times of joining and leaving.

Source: the game's `PlayerRanking.lua`. It has no date, so the round ended when the file was
written, and no id, so that is made from the text: the same post is the same round wherever it lies.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from browser_app.rounds.document import Document
from browser_app.rounds.errors import FieldError
from browser_app.rounds.ns2_sides import (
    GAME,
    RACES,
    TEAMS,
    Length,
    Seconds,
    Spell,
    in_the_chair,
    one_after_another,
    spell,
    winner_of,
)
from browser_app.rounds.source import UNDATED, Source
from browser_app.rounds.times import iso_8601

_BOT = 0  # the steamId of bots


class PostedPlayer(msgspec.Struct, rename="camel"):
    """One player; older builds tell the time in the chair without the side."""

    steam_id: int
    nickname: str | None = None
    team_number: int | None = None
    marine_time: Seconds = 0.0
    alien_time: Seconds = 0.0
    commander_time: Seconds = 0.0
    marine_comm_time: Seconds | None = None
    alien_comm_time: Seconds | None = None
    kills: float | None = None
    deaths: float | None = None
    assists: float | None = None
    score: float | None = None
    marine_enters: list[float] = msgspec.field(name="debug_marineEntranceTimes", default_factory=list)
    marine_exits: list[float] = msgspec.field(name="debug_marineExitTimes", default_factory=list)
    alien_enters: list[float] = msgspec.field(name="debug_alienEntranceTimes", default_factory=list)
    alien_exits: list[float] = msgspec.field(name="debug_alienExitTimes", default_factory=list)

    def stays(self, end: float) -> tuple[list[Spell], bool]:
        """Presence, and whether the times are true; without them one stay after another is all that can be said."""
        if self.marine_enters or self.alien_enters:
            marine = _paired(TEAMS[0], self.marine_enters, self.marine_exits, end)
            alien = _paired(TEAMS[1], self.alien_enters, self.alien_exits, end)
            return sorted(marine + alien, key=lambda stay: float(stay["enter"])), True
        times = list(zip(TEAMS, (self.marine_time, self.alien_time), strict=True))
        return one_after_another(times if self.team_number != 1 else times[::-1]), False

    def chairs(self, stays: Sequence[Spell]) -> list[Spell]:
        """Time in the chair: from the first moment on that side, where its length is all that is told."""
        if self.marine_comm_time is not None or self.alien_comm_time is not None:
            marine = in_the_chair(stays, TEAMS[0], self.marine_comm_time or 0.0)
            return marine + in_the_chair(stays, TEAMS[1], self.alien_comm_time or 0.0)
        return in_the_chair(stays, TEAMS[0 if self.team_number == 1 else 1], self.commander_time)


class MatchEnd(msgspec.Struct, rename="camel"):
    """The post."""

    map_name: str
    game_time: Length
    players: list[PostedPlayer]
    winner: int = 0
    game_mode: str = GAME
    name: str = ""
    build: int | None = None


def read(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The round of a file, at its first line.

    Raises:
        RoundError: the file is none, or something in it is of a wrong type.
    """
    body = source.body()
    document = Document(source, body)
    post = document.read(MatchEnd)
    try:
        winner = winner_of(post.winner)
    except ValueError as error:
        raise document.error(FieldError("winner", str(error))) from None
    try:
        started = iso_8601(source.modified - post.game_time)
    except ValueError as error:
        raise document.error(FieldError("gameTime", str(error))) from None
    present = [(player, *player.stays(post.game_time)) for player in post.players if player.steam_id != _BOT]
    yield (
        1,
        {
            "id": f"{GAME} {hashlib.sha256(body).hexdigest()[:32]}",
            "game": GAME,
            "map": post.map_name,
            "mode": post.game_mode,
            "started": started,
            UNDATED: True,
            "duration": post.game_time,
            "teams": list(TEAMS),
            "races": dict(RACES),
            "winner": winner,
            "approximate": not all(exact for _, stays, exact in present if stays),
            "server": post.name,
            "build": post.build,
            "bots": len(post.players) - len(present),
            "players": [_player(player, stays) for player, stays, _ in present],
        },
    )


def _player(player: PostedPlayer, stays: list[Spell]) -> dict[str, Any]:
    return {
        "id": str(player.steam_id),
        "name": player.nickname,
        "stays": stays,
        "commanding": player.chairs(stays),
        "kills": player.kills,
        "deaths": player.deaths,
        "assists": player.assists,
        "score": player.score,
    }


def _paired(team: str, enters: Sequence[float], exits: Sequence[float], end: float) -> list[Spell]:
    """Stays from the times of entering and leaving; who entered last and did not leave was there at the end."""
    return [spell(team, enter, leave) for enter, leave in zip_longest(enters, exits[: len(enters)], fillvalue=end)]
