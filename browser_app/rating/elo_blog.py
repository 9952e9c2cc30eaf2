"""The Elo of XonStat as its author described it (July 2012): winners against losers, stake by experience."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from browser_app.rating.elo import PARAMETERS, SCALE, Stake
from browser_app.rating.elo_blog_explained import Seat, explain
from browser_app.rating.explanation import Explanation
from browser_app.rating.pairwise import by_pairs
from browser_app.rating.parameters import Parameter
from browser_app.rating.prediction import Prediction
from browser_app.rating.presence import longest_team, presence, seconds
from browser_app.rating.record import Record
from browser_app.rating.seats import Seats
from browser_app.rating.standing import Standing
from browser_app.rating.system import Rating, RatingRun, RatingSystem
from browser_app.rating.viewpoint import View

_FARTHEST = 300.0  # powers of ten, so that no strength overflows


class EloBlogRun(RatingRun):
    """State of elo-blog: a rating and a number of rounds for each player in each mode."""

    def __init__(self, record: Record, system: "EloBlog", standing: Standing | None = None) -> None:
        super().__init__(record)
        self._system = system
        self._origin = system.parameters.number("start")
        self._standing = standing = system.newcomers(record) if standing is None else standing
        self._slots, self._rounds, (self._rating,) = standing.slots, standing.rounds, standing.values
        self._stakes = [Stake(system.parameters, mode) for mode in record.modes]
        self._longest = longest_team(record)
        stayed = presence(record, record.stays, seconds)
        alive = np.bincount(stayed.appearance, stayed.amount, len(record.player))
        self._share = np.minimum(1.0, alive / record.duration[record.round_of_appearance])

    def rating(self, player: int, mode: int) -> Rating:
        """The rating in a mode; that of a newcomer where he never played it."""
        slot = self._slots.find(player, mode)
        return Rating(*self._standing.first[mode] if slot is None else (self._rating[slot],))

    def knows(self, player: int, mode: int) -> bool:
        """Whether he has any rated round in the mode."""
        return self._standing.knows(player, mode)

    def players(self) -> Mapping[str, Mapping[str, object]]:
        """``rating, rounds`` of the mode with most rounds, and of all ``modes``."""
        return self._slots.table(
            self._rounds, lambda slot: {"rating": self._rating[slot], "rounds": self._rounds[slot]}
        )

    def _prepare(self, first: int, last: int) -> None:
        record, of = self.record, self._slots.of_appearance
        self._mode = record.mode[first:last].tolist()
        self._ranks = [record.ranks(k) for k in range(first, last)]
        self._everybody: list[list[int]] = []
        self._teams: list[list[list[int]]] = []  # the slots of those on each team
        self._shares: list[list[list[float]]] = []  # their shares of the round, alike
        for k in range(first, last):
            rows = record.appearances(k)
            slots, longest, share = of[rows].tolist(), self._longest[rows].tolist(), self._share[rows].tolist()
            teams: list[list[int]] = [[] for _ in range(record.team_count[k])]
            shares: list[list[float]] = [[] for _ in teams]
            for slot, team, part in zip(slots, longest, share, strict=True):
                if team >= 0:
                    teams[team].append(slot)
                    shares[team].append(part)
            self._everybody.append(slots)
            self._teams.append(teams)
            self._shares.append(shares)

    def _unrated(self, i: int) -> str | None:
        if self._ranks[i] is None:
            return "no outcome yet"
        return None if self._two_sides(i) else "one side empty"

    def _two_sides(self, i: int) -> bool:
        return sum(map(bool, self._teams[i])) >= 2

    def _forecast(self, i: int) -> Prediction | None:
        return self._prediction(i) if self._two_sides(i) else None

    def _prediction(self, i: int) -> Prediction:
        """Mean E over the pairs; the time somebody was there has no part in it."""
        strength = {slot: self._strength(self._rating[slot]) for team in self._teams[i] for slot in team}
        return by_pairs(self._teams[i], lambda a, b: strength[a] / (strength[a] + strength[b]))

    def _strength(self, rating: float) -> float:
        """10^(R/400), from where newcomers are: E = own / (own + the other's)."""
        powers = (rating - self._origin) / SCALE
        return float(10.0 ** max(-_FARTHEST, min(_FARTHEST, powers)))

    def _expected(self, rating: float, other: float) -> float:
        own = self._strength(rating)
        return own / (own + self._strength(other))

    def _update(self, i: int) -> None:
        """ΔR = K × share of the round × mean of (S − E) over the players of the other teams."""
        ranks = self._ranks[i] or ()
        stake, rating, rounds = self._stakes[self._mode[i]], self._rating, self._rounds
        strengths = [[self._strength(rating[slot]) for slot in team] for team in self._teams[i]]
        for a, (team, shares) in enumerate(zip(self._teams[i], self._shares[i], strict=True)):
            score = 0.0
            others: list[float] = []
            for b, other in enumerate(strengths):
                if b != a:
                    others += other
                    score += len(other) * (1.0 if ranks[a] < ranks[b] else 0.0 if ranks[a] > ranks[b] else 0.5)
            for slot, share, own in zip(team, shares, strengths[a], strict=True):
                gain = (score - sum([own / (own + each) for each in others])) / len(others)
                rating[slot] += stake(rounds[slot]) * share * gain
                rounds[slot] += 1

    def _ratings(self, i: int) -> Sequence[Rating]:
        return [Rating(self._rating[slot]) for slot in self._everybody[i]]

    def _explain(self, i: int, view: View) -> Explanation:
        rows = self.record.appearances(view.k)
        ratings = [self._rating[slot] for slot in self._everybody[i]]
        seats = zip(self._longest[rows].tolist(), ratings, self._share[rows].tolist(), strict=True)
        games = self._rounds[self._everybody[i][view.row]]
        return explain(
            view,
            self._prediction(i),
            [Seat(*seat) for seat in seats],
            games,
            self._stakes[self._mode[i]](games),
            self._expected,
        )

    def _seated(self, record: Record, seats: Seats) -> "EloBlogRun":
        return EloBlogRun(record, self._system, self._standing.seated(self._system.newcomers(record), seats))


class EloBlog(RatingSystem):
    """``elo-blog``: no floor, a draw counts ½, more than two teams are all pairs across teams by rank.

    Who was on several teams counts for the one he was longest on.
    """

    name: ClassVar[str] = "elo-blog"
    declared: ClassVar[Sequence[Parameter]] = PARAMETERS

    def start(self, record: Record) -> EloBlogRun:
        """Everybody at ``start``."""
        return EloBlogRun(record, self)

    def newcomers(self, record: Record) -> Standing:
        """Everybody at the ``start`` of each mode."""
        return Standing.newcomers(record, self.parameters, "start")
