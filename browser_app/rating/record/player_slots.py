"""Slots of players and modes, and their mapping between records."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from browser_app.rating.record.record_columns import group_starts
from browser_app.rating.record.round_record import GAME_SKILL_COLUMNS, NO_RANK, Ints, Offsets, RoundRecord, Stints


class PlayerModeSlots:
    """One slot per player and mode that occur together in a record.

    Attributes:
        appearance_slot: slot of each appearance.
        player, mode: of each slot (indices of the record).
    """

    def __init__(self, record: RoundRecord) -> None:
        players = max(1, len(record.player_ids))
        keys = record.mode[record.round_of_appearance].astype(np.int64) * players + record.player
        pairs, inverse = unique_with_inverse(keys, players * len(record.modes))
        self.appearance_slot: Ints = inverse.astype(np.int32)
        self.player: Ints = (pairs % players).astype(np.int32)
        self.mode: Ints = (pairs // players).astype(np.int32)
        self._pairs = pairs
        self._players = players
        self._record = record

    def __len__(self) -> int:
        """Return the number of slots."""
        return len(self._pairs)

    def find(self, player: int, mode: int) -> int | None:
        """Return the slot of a player in a mode; None if the player never played it."""
        key = mode * self._players + player
        slot = int(np.searchsorted(self._pairs, key))
        return slot if slot < len(self._pairs) and self._pairs[slot] == key else None

    def player_table(
        self, rounds: Sequence[int], fields: Callable[[int], Mapping[str, object]]
    ) -> dict[str, Mapping[str, object]]:
        """Return id → fields of all players with a rated round.

        The fields are those of the slot of the mode with most rounds; `modes` has those of every mode.

        Args:
            rounds: number of rated rounds of each slot.
            fields: returns the fields of a slot.
        """
        own: dict[int, dict[str, int]] = {}
        for slot, (player, mode) in enumerate(zip(self.player.tolist(), self.mode.tolist(), strict=True)):
            if rounds[slot]:
                own.setdefault(player, {})[self._record.modes[mode]] = slot
        return {
            self._record.player_ids[player]: {
                **fields(max(modes.values(), key=rounds.__getitem__)),
                "modes": {mode: fields(slot) for mode, slot in modes.items()},
            }
            for player, modes in sorted(own.items())
        }


def unique_with_inverse(keys: Offsets, below: int) -> tuple[Offsets, Offsets]:
    """Return the distinct keys, ascending, and the position of each key in them.

    All keys are 0 or more and less than `below`. Uses a table of that size unless it were much larger than the keys:
    sorting takes three times as long.
    """
    if below > 4 * len(keys):
        return np.unique(keys, return_inverse=True)
    present = np.zeros(below, np.bool_)
    present[keys] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[keys]


def build_players_only_record(record: RoundRecord) -> RoundRecord:
    """Return a record of one upcoming round per mode with all players, on no team.

    `run.transfer_to(build_players_only_record(run.record))` keeps all ratings of a run and is as small as possible.
    The rounds start when the last one of the record did.
    """
    slots = PlayerModeSlots(record)
    modes, count = np.unique(slots.mode, return_counts=True)
    rounds = len(modes)
    return replace(
        record,
        ids=[f"all players of mode {mode}" for mode in modes.tolist()],
        input_index=np.arange(rounds, dtype=np.int32),
        game=np.full(rounds, -1, np.int32),
        map=np.full(rounds, -1, np.int32),
        mode=modes.astype(np.int32),
        started=np.full(rounds, record.started.max(initial=0.0)),
        duration=np.full(rounds, np.nan),
        team_start=2 * np.arange(rounds + 1, dtype=np.int64),
        team_name=np.zeros(2 * rounds, np.int32),
        team_race=np.full(2 * rounds, -1, np.int32),
        team_rank=np.full(2 * rounds, NO_RANK, np.int32),
        appearance_start=group_starts(count.astype(np.int32)),
        player=slots.player,
        **_unknown_appearance_columns(len(slots)),
    )


def _unknown_appearance_columns(appearances: int) -> dict[str, Any]:
    """Return the stints and all columns of appearances but `player`, empty."""
    no_rows = np.zeros(0, np.int32)
    no_stints = Stints(no_rows, no_rows, np.zeros(0), np.zeros(0))
    unknown = np.broadcast_to(np.nan, appearances)
    names = ("kills", "deaths", "score", "assists", "objectives", "ping", *GAME_SKILL_COLUMNS)
    return {
        **dict.fromkeys(names, unknown),
        **dict.fromkeys(("quit", "ranked"), np.broadcast_to(np.int8(-1), appearances)),
        "squad": np.full(appearances, -1, np.int32),
        "stays": no_stints,
        "commander_stints": no_stints,
    }


NOT_FOUND = -1
"""Index of names that the first record does not have."""


class RecordMapping:
    """For each name of a second record, its index in a first one or `NOT_FOUND`.

    Attributes:
        players, modes, maps, races: one entry per name of the second record.
    """

    def __init__(self, first: RoundRecord, second: RoundRecord) -> None:
        self.players = map_names(first.player_ids, second.player_ids)
        self.modes = map_names(first.modes, second.modes)
        self.maps = map_names(first.maps, second.maps)
        self.races = map_names(first.races, second.races)

    def map_slots(self, first: PlayerModeSlots, second: PlayerModeSlots) -> list[int]:
        """Return for each slot of the second record that of the first, or `NOT_FOUND`."""
        found = []
        for player, mode in zip(second.player.tolist(), second.mode.tolist(), strict=True):
            old_player, old_mode = self.players[player], self.modes[mode]
            slot = None if NOT_FOUND in (old_player, old_mode) else first.find(old_player, old_mode)
            found.append(NOT_FOUND if slot is None else slot)
        return found


def map_names(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Return the index among the first names of each second name, or `NOT_FOUND`."""
    if first is second:
        return list(range(len(first)))
    known = {name: index for index, name in enumerate(first)}
    return [known.get(name, NOT_FOUND) for name in second]
