"""Who is who in two records: where the names of one stand in another."""

from collections.abc import Sequence

from browser_app.rating.mode_slots import ModeSlots
from browser_app.rating.record import Record

NEW = -1
"""Stands for what the first record does not have."""


class Seats:
    """For each name of a second record its index in a first, or ``NEW``.

    Attributes:
        players, modes: one entry a player, a mode of the second record.
        maps, races: likewise.
    """

    def __init__(self, first: Record, second: Record) -> None:
        self.players = places(first.player_ids, second.player_ids)
        self.modes = places(first.modes, second.modes)
        self.maps = places(first.maps, second.maps)
        self.races = places(first.races, second.races)

    def slots(self, first: ModeSlots, second: ModeSlots) -> list[int]:
        """For each slot of the second record the first's of the same player and mode, or ``NEW``."""
        found = []
        for player, mode in zip(second.player.tolist(), second.mode.tolist(), strict=True):
            old_player, old_mode = self.players[player], self.modes[mode]
            slot = None if NEW in (old_player, old_mode) else first.find(old_player, old_mode)
            found.append(NEW if slot is None else slot)
        return found


def places(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Where the second's names stand among the first's, ``NEW`` for those that do not."""
    if first is second:
        return list(range(len(first)))
    known = {name: index for index, name in enumerate(first)}
    return [known.get(name, NEW) for name in second]
