"""Round objects as round readers yield them."""

from collections.abc import Sequence
from typing import Any


def build_round_object(
    name: str, hour: int = 0, players: Sequence[str] = ("ann", "bob"), **keys: Any
) -> dict[str, Any]:
    """A finished round of two teams, to which the players are assigned alternately."""
    teams = ("marines", "aliens")
    return {
        "id": name,
        "game": "ns2",
        "started": f"2021-01-{1 + hour // 24:02}T{hour % 24:02}:00:00Z",
        "duration": 600.0,
        "teams": list(teams),
        "winner": "marines",
        "players": [
            {"id": player, "stays": [{"team": teams[index % 2], "enter": 0, "leave": 600}]}
            for index, player in enumerate(players)
        ],
        **keys,
    }


def number_lines(*rounds: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(rounds, 1))
