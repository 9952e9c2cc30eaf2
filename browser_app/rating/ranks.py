"""Who ranks where, mode by mode, as the ratings stand."""

from collections.abc import Collection, Mapping

import numpy as np

from browser_app.rating.rate import Forward
from browser_app.rating.record import Ints, Record


def ranks(forward: Forward) -> dict[str, list[tuple[str, float]]]:
    """Ids and ratings by mode, the best first, of all who were rated in it; equals in the order of their coming.

    The rating is that of the mode where the system keeps one a mode. Modes without anybody are absent.
    """
    run, record = forward.run, forward.run.record
    rated = run.players()
    ranked: dict[str, list[tuple[str, float]]] = {}
    for mode, players in _present(record, forward.learnt).items():
        name = record.modes[mode]
        found = [
            (record.player_ids[player], run.rating(player, mode).value)
            for player in players.tolist()
            if _is_rated(rated.get(record.player_ids[player]), name)
        ]
        if found:
            ranked[name] = sorted(found, key=lambda entry: -entry[1])
    return ranked


def _present(record: Record, rounds: Ints) -> Mapping[int, Ints]:
    """The players (indices, ascending) who were on a team in some of these rounds, by mode."""
    there = np.unique(record.stays.appearance)
    there = there[np.isin(record.round_of_appearance[there], rounds, assume_unique=False)]
    modes, players = record.mode[record.round_of_appearance[there]], record.player[there]
    return {mode: np.unique(players[modes == mode]) for mode in np.unique(modes).tolist()}


def _is_rated(fields: Mapping[str, object] | None, mode: str) -> bool:
    """Whether a system that tells its modes has this one: it may leave out people whom others rate."""
    if fields is None:
        return False
    modes = fields.get("modes")
    return mode in modes if isinstance(modes, Collection) else True
