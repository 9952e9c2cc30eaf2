"""Teammates and opponents in a player's rounds."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from browser_app.catalogue.filter_predicates import TextPredicate
from browser_app.player.dataclass_codec import decode_dataclass, encode_dataclass
from browser_app.player.own_history import OwnHistory
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rating.record.team_presence import longest_team

CO_PLAYERS_VERSION = 1


@dataclass(frozen=True)
class CoPlayers:
    """Everybody else on a team in my rounds, one row each.

    Attributes:
        rounds: how many rounds the history has. names: what each player of the record is called, casefolded.
        row: the round's place in the history. player: index into ``names``. mine: on my team.
    """

    rounds: int
    names: tuple[str, ...]
    row: Ints
    player: Ints
    mine: NDArray[np.bool_]

    def to_bytes(self) -> bytes:
        """As it goes from one process to another."""
        return encode_dataclass(self, CO_PLAYERS_VERSION)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """What ``to_bytes`` made.

        Raises:
            ValueError: it is of another version, or damaged.
        """
        return decode_dataclass(cls, content, CO_PLAYERS_VERSION)

    def rounds_with(self, test: TextPredicate, *, mine: bool) -> NDArray[np.bool_]:
        """The rounds in which somebody whose name passes was on my team, or on another."""
        known = np.fromiter((bool(test(name)) for name in self.names), np.bool_, len(self.names))
        rounds = np.zeros(self.rounds, np.bool_)
        rounds[self.row[(self.mine == mine) & known[self.player]]] = True
        return rounds


def find_co_players(history: OwnHistory, record: RoundRecord) -> CoPlayers:
    """Who was with me and against me, by the team each was longest on."""
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
