"""Which rounds and players XonStat rates, and the run that both its systems share: everybody against everybody.

Sources: antzucaro/XonStat xonstat/elo.py (2012–2020) and xonotic/xonstat-go cmd/updateskills.go, from the research.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class Contender(NamedTuple):
    """Somebody who is rated in a round: ``alive`` in seconds, ``score`` of the round, ``ping`` in ms or NaN."""

    slot: int
    team: int
    alive: float
    score: float
    ping: float


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
        record = self.record
        self._mode = record.mode[first:last].tolist()
        self._duration = record.duration[first:last].tolist()
        self._everybody = [self._slots.of_appearance[record.appearances(k)].tolist() for k in range(first, last)]
        self._present = [self._contenders(k, self._tracked, pings=False) for k in range(first, last)]
        self._rated = [self._contenders(k, self._eligible) for k in range(first, last)]
        self._reasons = [self._reason(k, len(self._rated[k - first])) for k in range(first, last)]

    def _contenders(self, k: int, among: NDArray[np.bool_], *, pings: bool = True) -> list[Contender]:
        record, rows = self.record, self.record.appearances(k)
        chosen = rows.start + np.flatnonzero(among[rows] & (self._longest[rows] >= 0))
        ping = record.ping[chosen] if pings else np.full(len(chosen), np.nan)
        columns = (
            self._slots.of_appearance[chosen],
            self._longest[chosen],
            self._alive[chosen],
            record.score[chosen],
            ping,
        )
        return [Contender(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]

    def _reason(self, k: int, contenders: int) -> str | None:
        record = self.record
        mode, game = record.modes[record.mode[k]], record.games[record.game[k]] if record.game[k] >= 0 else ""
        if not record.finished[k]:
            return "no outcome yet"
        if self._sides[k] < 2:
            return "one side empty"
        if mode not in RATED if game == "xonotic" else mode in NOT_RATED:
            return f"the mode {mode} is not rated"
        return None if contenders >= 2 else "fewer than two players are eligible"

    def _unrated(self, i: int) -> str | None:
        return self._reasons[i]

    def _forecast(self, i: int) -> Prediction | None:
        return self._of_teams(i, self._present[i])

    def _prediction(self, i: int) -> Prediction:
        """Mean over the pairs across teams; where all contenders are on one, nothing is known: even."""
        return self._of_teams(i, self._rated[i]) or Prediction.even(self._team_count(i))

    def _of_teams(self, i: int, contenders: Sequence[Contender]) -> Prediction | None:
        teams: list[list[Contender]] = [[] for _ in range(self._team_count(i))]
        for contender in contenders:
            teams[contender.team].append(contender)
        return by_pairs(teams, self._chance) if sum(map(bool, teams)) >= 2 else None

    def _team_count(self, i: int) -> int:
        return int(self.record.team_count[self._first + i])

    def _explain(self, i: int, view: View) -> Explanation:
        rated, rows = self._rated[i], self.record.appearances(view.k)
        own = [each for each in rated if each.team == view.team]
        others = [each for each in rated if each.team != view.team]
        probability = self._prediction(i).first[view.team]
        values = [rating.value for rating in self._ratings(i)]
        shares = np.minimum(1.0, self._stayed[rows] / view.duration).tolist()
        longest, slot = self._longest[rows].tolist(), self._everybody[i][view.row]
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
