"""Rounds as objects of the round file, for tests that write round files."""

from collections.abc import Sequence
from typing import Any

import msgspec

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.record.round_record import GAME_SKILL_COLUMNS
from browser_app.rounds.iso_time import format_iso_time
from browser_app.rounds.xonotic_common import build_outcome_fields

_OFTEN_UNKNOWN = (
    *("name", "kills", "deaths", "score", "assists", "objectives", "squad", "ping", "quit", "ranked", "prefers"),
    *GAME_SKILL_COLUMNS,
)


def object_from_round(game_round: Round) -> dict[str, Any]:
    """Return a round as an object of the round file, without unknown values."""
    ranks = None if game_round.ranks is None else dict(zip(game_round.teams, game_round.ranks, strict=True))
    races = {team: race for team, race in zip(game_round.teams, game_round.races, strict=False) if race is not None}
    return {
        "id": game_round.id,
        **{key: value for key in ("game", "map", "mode") if (value := getattr(game_round, key))},
        **({} if game_round.started is None else {"started": format_iso_time(game_round.started)}),
        **({} if game_round.duration is None else {"duration": game_round.duration}),
        "teams": list(game_round.teams),
        **({"races": races} if races else {}),
        **({} if ranks is None else build_outcome_fields(ranks)),
        "players": [_player_object(player) for player in game_round.players],
    }


def _player_object(player: Player) -> dict[str, Any]:
    return {
        "id": player.id,
        **{key: value for key in _OFTEN_UNKNOWN if (value := getattr(player, key)) is not None},
        **({"locked": True} if player.locked else {}),
        **({"friends": list(player.friends)} if player.friends else {}),
        **({"stays": _stint_objects(player.stays)} if player.stays else {}),
        **({"commanding": _stint_objects(player.commanding)} if player.commanding else {}),
    }


def _stint_objects(stints: Sequence[Stint]) -> list[dict[str, Any]]:
    return [{"team": stint.team, "enter": stint.enter, "leave": stint.leave} for stint in stints]


def encode_round_line(round_object: dict[str, Any]) -> bytes:
    """Return a round as a line of the round file."""
    return msgspec.json.encode(round_object) + b"\n"
