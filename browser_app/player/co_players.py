"""Teammates and opponents in the user's rounds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.catalogue.filters.filter_predicates import TextPredicate
from browser_app.player.dataclass_codec import EncodedDataclass
from browser_app.player.own_history import OwnHistory
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rating.record.team_presence import longest_team


@dataclass(frozen=True)
class CoPlayers(EncodedDataclass):
    """All other players on a team in the user's rounds, one row per player and round.

    Attributes:
        rounds: number of rounds in the history.
        names: casefolded name of each player of the record.
        row: index of the round in the history.
        player: index into `names`.
        is_teammate: whether they were on the user's team.
    """

    rounds: int
    names: tuple[str, ...]
    row: Ints
    player: Ints
    is_teammate: NDArray[np.bool_]

    def find_rounds_with(self, predicate: TextPredicate, *, teammates: bool) -> NDArray[np.bool_]:
        """Return a mask of the rounds with a teammate, or an opponent, of a matching name."""
        matches = np.fromiter((bool(predicate(name)) for name in self.names), np.bool_, len(self.names))
        mask = np.zeros(self.rounds, np.bool_)
        mask[self.row[(self.is_teammate == teammates) & matches[self.player]]] = True
        return mask


def find_co_players(history: OwnHistory, record: RoundRecord) -> CoPlayers:
    """Find teammates and opponents.

    Each player counts for the team they were longest on.
    """
    history_row = np.full(len(record), -1, np.int32)
    history_row[history.round] = np.arange(len(history.round), dtype=np.int32)
    row, team = history_row[record.round_of_appearance], longest_team(record)
    is_own = record.player == record.player_ids.index(history.player)
    my_team = np.full(len(history.round), -1, np.int32)
    my_team[row[is_own & (row >= 0)]] = team[is_own & (row >= 0)]
    other_appearances = np.flatnonzero((row >= 0) & (team >= 0) & ~is_own)
    round_row = row[other_appearances]
    names = zip(record.player_names, record.player_ids, strict=True)
    return CoPlayers(
        len(history.round),
        tuple((name or player).casefold() for name, player in names),
        round_row,
        record.player[other_appearances],
        team[other_appearances] == my_team[round_row],
    )
