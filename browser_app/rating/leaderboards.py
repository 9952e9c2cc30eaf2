"""Ranked players of a rating run, by mode."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.rating_system import Rating, RatingRun
from browser_app.rating.record.round_record import Ints, RoundRecord


class RankedPlayer(NamedTuple):
    """A rated player of a mode.

    Attributes:
        player: index into the record.
        rating: in the mode if the system keeps one per mode.
        rounds: rated rounds in the mode.
    """

    player: int
    rating: Rating
    rounds: int


def compute_leaderboards(forward_pass: ForwardPass) -> dict[str, list[tuple[str, float]]]:
    """Return ids and ratings of all rated players by mode, as `rank_players` orders."""
    run = forward_pass.run
    return {
        mode: [(run.record.player_ids[each.player], each.rating.value) for each in players]
        for mode, players in rank_players(run, forward_pass.rated_rounds).items()
    }


def rank_players(run: RatingRun, rated_rounds: Ints) -> dict[str, list[RankedPlayer]]:
    """Return all rated players by mode, the best first, ties by first appearance.

    `rated_rounds` are those that the run has learned from. Modes without rated players are left out.
    """
    record, rated = run.record, run.rated_players()
    ranked: dict[str, list[RankedPlayer]] = {}
    for mode, players, rounds in _players_by_mode(record, rated_rounds):
        name = record.modes[mode] if mode >= 0 else ""
        found = [
            RankedPlayer(player, run.rating(player, mode), count)
            for player, count in zip(players.tolist(), rounds.tolist(), strict=True)
            if _is_rated(rated.get(record.player_ids[player]), name)
        ]
        if found:
            ranked[name] = sorted(found, key=lambda entry: -entry.rating.value)
    return ranked


def _players_by_mode(record: RoundRecord, rated_rounds: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """Yield each mode, its players on a team in these rounds, and their rounds.

    Players are indices, ascending.
    """
    present = np.unique(record.stays.appearance)
    present = present[np.isin(record.round_of_appearance[present], rated_rounds)]
    modes, players = record.mode[record.round_of_appearance[present]], record.player[present]
    for mode in np.unique(modes).tolist():
        ranked, rounds = np.unique(players[modes == mode], return_counts=True)
        yield mode, ranked, rounds.astype(np.int32)


def _is_rated(fields: Mapping[str, object] | None, mode: str) -> bool:
    """Return whether a player's fields include the mode, if there are modes at all."""
    if fields is None:
        return False
    modes = fields.get("modes")
    return mode in modes if isinstance(modes, Collection) else True
