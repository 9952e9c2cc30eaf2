"""Which rounds and players XonStat rates, and the run that both its systems share: everybody against everybody.

Sources: antzucaro/XonStat xonstat/elo.py (2012–2020) and xonotic/xonstat-go cmd/updateskills.go, from the research.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.mode_slots import ModeSlots
from browser_app.rating.pairwise import by_pairs
from browser_app.rating.prediction import Prediction
from browser_app.rating.presence import longest_team, presence, seconds, sides
from browser_app.rating.record import Floats, Record
from browser_app.rating.system import RatingRun

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

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self._slots = ModeSlots(record)
        self._rounds = [0] * len(self._slots)
        stayed = presence(record, record.stays, seconds)
        self._stayed: Floats = np.bincount(stayed.appearance, stayed.amount, len(record.player)).astype(np.float64)
        tracked = np.array([not name.startswith(UNTRACKED) for name in record.player_ids], np.bool_)
        self._tracked = tracked[record.player]
        self._longest = longest_team(record)
        self._sides = sides(record)
        self._alive = self._stayed
        self._eligible = self._tracked & ~np.isnan(record.score) & (record.ranked != 0)

    def players(self) -> Mapping[str, Mapping[str, object]]:
        """The fields of the mode with most rounds, and of all ``modes``."""
        return self._slots.table(self._rounds, self._fields)

    @abstractmethod
    def _fields(self, slot: int) -> Mapping[str, object]: ...

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
