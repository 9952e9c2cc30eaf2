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
        rounds: number of rounds in the history. names: casefolded name of each player of the record.
        row: index of the round in the history. player: index into ``names``.
        is_teammate: whether they were on the user's team.
    """

    rounds: int
    names: tuple[str, ...]
    row: Ints
    player: Ints
    is_teammate: NDArray[np.bool_]

    def find_rounds_with(self, test: TextPredicate, *, teammates: bool) -> NDArray[np.bool_]:
        """Return a mask of the rounds with a matching name.

        The name is looked up among the teammates (``teammates``) or the opponents.
        """
        known = np.fromiter((bool(test(name)) for name in self.names), np.bool_, len(self.names))
        rounds = np.zeros(self.rounds, np.bool_)
        rounds[self.row[(self.is_teammate == teammates) & known[self.player]]] = True
        return rounds


def find_co_players(history: OwnHistory, record: RoundRecord) -> CoPlayers:
    """Find teammates and opponents.

    Each player counts for the team they were longest on.
    """
    place = np.full(len(record), -1, np.int32)
    place[history.round] = np.arange(len(history.round), dtype=np.int32)
    row, team = place[record.round_of_appearance], longest_team(record)
    me = record.player == record.player_ids.index(history.player)
    my_team = np.full(len(history.round), -1, np.int32)
    my_team[row[me & (row >= 0)]] = team[me & (row >= 0)]
    others = np.flatnonzero((row >= 0) & (team >= 0) & ~me)
    with_me = row[others]
    names = zip(record.player_names, record.player_ids, strict=True)
    return CoPlayers(
        len(history.round),
        tuple((name or player).casefold() for name, player in names),
        with_me,
        record.player[others],
        team[others] == my_team[with_me],
    )
