"""Which rounds and players XonStat rates, and the run that both its systems share: everybody against everybody.

Sources: antzucaro/XonStat xonstat/elo.py (2012–2020) and xonotic/xonstat-go cmd/updateskills.go.
"""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.contenders import Contender, Contenders
from browser_app.rating.explanation import Explanation
from browser_app.rating.pairwise import by_pairs
from browser_app.rating.pairwise_explained import Chance, first_place, means, members
from browser_app.rating.prediction import Prediction
from browser_app.rating.presence import longest_team, presence, seconds, sides
from browser_app.rating.record import Floats, Record
from browser_app.rating.standing import Standing
from browser_app.rating.system import RatingRun
from browser_app.rating.viewpoint import View
from browser_app.rating.xonstat_explained import Taught, explain, nothing

RATED = frozenset(("duel", "dm", "ca", "ctf", "tdm", "ka", "ft"))
"""Game types that are rated."""

NOT_RATED = frozenset(("as", "cts", "dom", "inv", "kh", "lms", "mayhem", "nb", "ons", "rc", "rune", "tka", "tmayhem"))
"""Xonotic's other game types. A mode that Xonotic does not know is another game's, and rated."""

UNTRACKED = ("bot#", "player#")
"""How match reports begin the ids of bots and of people who do not want to be followed."""


class XonStatRun(RatingRun):
    """Ratings per player and mode, moved by every pair of contenders; teams matter to predictions only.

    Never rated: game types off the list, bots, people who are not tracked or want no rating, and who has no score.
    """

    system: ClassVar[str]

    def __init__(self, record: Record, standing: Standing) -> None:
        super().__init__(record)
        self._standing = standing
        self._slots, self._rounds = standing.slots, standing.rounds
        stayed = presence(record, record.stays, seconds)
        self._stayed: Floats = np.bincount(stayed.appearance, stayed.amount, len(record.player)).astype(np.float64)
        tracked = np.array([not name.startswith(UNTRACKED) for name in record.player_ids], np.bool_)
        self._tracked = tracked[record.player]
        self._longest = longest_team(record)
        self._sides = sides(record)
        self._alive = self._stayed
        self._eligible = self._tracked & ~np.isnan(record.score) & (record.ranked != 0)

    def knows(self, player: int, mode: int) -> bool:
        """Whether he has any rated round in the mode."""
        return self._standing.knows(player, mode)

    def players(self) -> Mapping[str, Mapping[str, object]]:
        """The fields of the mode with most rounds, and of all ``modes``."""
        return self._slots.table(self._rounds, self._fields)

    @abstractmethod
    def _fields(self, slot: int) -> Mapping[str, object]: ...

    @abstractmethod
    def _taught(self, i: int, me: int, *, turned: bool = False, whole: bool = False) -> Taught:
        """What round i teaches of one of its contenders; see ``Teach``."""

    @abstractmethod
    def _explained_chance(self, probability: float, own: Sequence[Contender], others: Sequence[Contender]) -> Chance:
        """The chance of one of two teams of contenders against the other."""

    @abstractmethod
    def _chance(self, a: Contender, b: Contender) -> float:
        """Chance that a does better than b; their pings may be unknown."""

    def _prepare(self, first: int, last: int) -> None:
        record, block = self.record, slice(first, last)
        rows = slice(record.appearance_start[first], record.appearance_start[last])
        self._rows: list[int] = (record.appearance_start[first : last + 1] - rows.start).tolist()
        self._slot: list[int] = self._slots.of_appearance[rows].tolist()
        self._mode = record.mode[block].tolist()
        self._rated = self._contenders(self._eligible)
        self._present: Contenders | None = None  # made when a forecast needs it
        told = (column[block].tolist() for column in (record.finished, self._sides, record.mode, record.game))
        self._reasons = [
            self._reason(*facts) for facts in zip(*told, map(self._rated.count, range(last - first)), strict=True)
        ]

    def _contenders(self, among: NDArray[np.bool_], *, pings: bool = True) -> Contenders:
        """Those of the block's rounds."""
        record = self.record
        start = record.appearance_start[self._first : self._last + 1]
        rows = slice(start[0], start[-1])
        chosen = start[0] + np.flatnonzero(among[rows] & (self._longest[rows] >= 0))
        return Contenders(
            np.searchsorted(chosen, start).tolist(),
            self._slots.of_appearance[chosen].tolist(),
            self._longest[chosen].tolist(),
            self._alive[chosen].tolist(),
            record.score[chosen].tolist(),
            record.ping[chosen].tolist() if pings else [math.nan] * len(chosen),
        )

    def _reason(self, finished: bool, sides: int, mode: int, game: int, contenders: int) -> str | None:
        if not finished:
            return "no outcome yet"
        if sides < 2:
            return "one side empty"
        name = self.record.modes[mode]
        if name not in RATED if game >= 0 and self.record.games[game] == "xonotic" else name in NOT_RATED:
            return f"the mode {name} is not rated"
        return None if contenders >= 2 else "fewer than two players are eligible"

    def _unrated(self, i: int) -> str | None:
        return self._reasons[i]

    def _forecast(self, i: int) -> Prediction | None:
        if self._present is None:
            self._present = self._contenders(self._tracked, pings=False)
        return self._of_teams(i, self._present[i])

    def _prediction(self, i: int) -> Prediction:
        """Mean over the pairs across teams; where all contenders are on one, nothing is known: even."""
        return self._of_teams(i, self._rated[i]) or Prediction.even(self._team_count(i))

    def _of_teams(self, i: int, contenders: Sequence[Contender]) -> Prediction | None:
        teams: list[list[Contender]] = [[] for _ in range(self._team_count(i))]
        for contender in contenders:
            teams[contender.team].append(contender)
        return by_pairs(teams, self._chance) if sum(map(bool, teams)) >= 2 else None

    def _everybody(self, i: int) -> Sequence[int]:
        """The slots of round i's players, contenders or not."""
        return self._slot[self._rows[i] : self._rows[i + 1]]

    def _team_count(self, i: int) -> int:
        return int(self.record.team_count[self._first + i])

    def _explain(self, i: int, view: View) -> Explanation:
        rated, rows = self._rated[i], self.record.appearances(view.k)
        own = [each for each in rated if each.team == view.team]
        others = [each for each in rated if each.team != view.team]
        probability = self._prediction(i).first[view.team]
        values = [rating.value for rating in self._ratings(i)]
        shares = np.minimum(1.0, self._stayed[rows] / view.duration).tolist()
        longest, slot = self._longest[rows].tolist(), self._everybody(i)[view.row]
        me = next((place for place, each in enumerate(rated) if each.slot == slot), None)
        return explain(
            self.system,
            view,
            first_place(probability) if len(view.ranks) > 2 else self._explained_chance(probability, own, others),
            shares[view.row],
            members(view, longest, values, shares, self._eligible[rows].tolist()),
            nothing if me is None else partial(self._taught, i, me),
            means([self._value(each) for each in own], [self._value(each) for each in others]),
        )

    def _value(self, contender: Contender) -> float:
        return self._standing.values[0][contender.slot]

    def _name(self, contender: Contender) -> tuple[str, str | None]:
        """Id and name."""
        player = int(self._slots.player[contender.slot])
        return self.record.player_ids[player], self.record.player_names[player]
