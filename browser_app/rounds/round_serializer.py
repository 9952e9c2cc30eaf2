"""Rounds as objects of the round file."""

from collections.abc import Sequence
from typing import Any

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rounds.iso_time import format_iso_time
from browser_app.rounds.round_outcome import outcome_fields

_OFTEN_UNKNOWN = ("name", "kills", "deaths", "score", "squad", "ping", "quit", "ranked", "prefers")


def object_from_round(match: Round) -> dict[str, Any]:
    """A round as an object of the round file; what is unknown is not there.

    Raises:
        ValueError: no calendar has its start.
    """
    outcome = {} if match.ranks is None else outcome_fields(dict(zip(match.teams, match.ranks, strict=True)))
    races = {team: race for team, race in zip(match.teams, match.races, strict=False) if race is not None}
    return {
        "id": match.id,
        **{key: value for key in ("game", "map", "mode") if (value := getattr(match, key))},
        **({} if match.started is None else {"started": format_iso_time(match.started)}),
        **({} if match.duration is None else {"duration": match.duration}),
        "teams": list(match.teams),
        **({"races": races} if races else {}),
        **outcome,
        "players": [_player(player) for player in match.players],
    }


def _player(player: Player) -> dict[str, Any]:
    return {
        "id": player.id,
        **{key: value for key in _OFTEN_UNKNOWN if (value := getattr(player, key)) is not None},
        **({"locked": True} if player.locked else {}),
        **({"friends": list(player.friends)} if player.friends else {}),
        **({"stays": _spells(player.stays)} if player.stays else {}),
        **({"commanding": _spells(player.commanding)} if player.commanding else {}),
    }


def _spells(spells: Sequence[Stint]) -> list[dict[str, Any]]:
    return [{"team": spell.team, "enter": spell.enter, "leave": spell.leave} for spell in spells]
