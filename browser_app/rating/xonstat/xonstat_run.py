"""Run shared by both XonStat systems: eligibility, pairs, explanation.

Sources: antzucaro/XonStat xonstat/elo.py (2012–2020) and xonotic/xonstat-go cmd/updateskills.go.
"""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.rating_explanation import ChangePart, ExplainedPlayer, PairComparison, RatingExplanation
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.team_presence import count_occupied_teams, longest_team, seconds_per_appearance
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.skip_reason import SkipReason
from browser_app.rating.xonstat import pairwise_chances
from browser_app.rating.xonstat.slot_ratings import SlotRatingsRun


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a round changes for one player; fields as in `RatingExplanation`."""

    parts: tuple[ChangePart, ...] = ()
    pair_comparisons: tuple[PairComparison, ...] = ()
    side_effects: tuple[ChangePart, ...] = ()
    notes: Mapping[str, float] = field(default_factory=dict)

    @property
    def change(self) -> float:
        """Change of the rating."""
        return sum(part.change for part in self.parts)


def apply_floor(result: ChangePart, rating: float, floor: float) -> tuple[ChangePart, ...]:
    """Return the result and, if needed, the part that keeps the rating at its floor."""
    below = floor - (rating + result.change)
    return (result, ChangePart("floor", below)) if below > 0.0 else (result,)


class RatedPlayer(NamedTuple):
    """A player rated in a round.

    `alive` is in seconds (elo-xonstat) or a share of the round (xonstat-go), `ping` in ms or NaN.
    """

    slot: int
    team: int
    alive: float
    score: float
    ping: float


RatedPlayers = Sequence[RatedPlayer]


@dataclass(frozen=True, slots=True)
class RatedPlayerColumns:
    """Rated players of some rounds, one list per field.

    `start[i]` is the first row of round i, the last entry the end.
    """

    start: list[int]
    slot: list[int]
    team: list[int]
    alive: list[float]
    score: list[float]
    ping: list[float]

    def rows(self, i: int) -> slice:
        """Return the rows of round i."""
        return slice(self.start[i], self.start[i + 1])

    def count(self, i: int) -> int:
        """Return the number of rated players of round i."""
        return self.start[i + 1] - self.start[i]

    def __getitem__(self, i: int) -> list[RatedPlayer]:
        """Return the rated players of round i."""
        at = self.rows(i)
        columns = (self.slot, self.team, self.alive, self.score, self.ping)
        return [RatedPlayer(*values) for values in zip(*(column[at] for column in columns), strict=True)]


RATED_MODES = frozenset(("duel", "dm", "ca", "ctf", "tdm", "ka", "ft"))
"""Rated game types."""

UNRATED_MODES = frozenset(
    ("as", "cts", "dom", "inv", "kh", "lms", "mayhem", "nb", "ons", "rc", "rune", "tka", "tmayhem")
)
"""Xonotic's other game types. A mode that Xonotic does not know belongs to another game and is rated."""

UNTRACKED_ID_PREFIXES = ("bot#", "player#")
"""First characters of the ids of bots and of players who do not want to be tracked, in match reports."""


class XonStatRun(SlotRatingsRun):
    """Ratings per player and mode, changed by every pair of rated players.

    Only predictions take account of teams, and of the advantage by circumstances, which learns from the teams' result:
    ratings compare scores. Never rated: unlisted game types, bots, untracked players, players who want no rating,
    players without a score.
    """

    system_name: ClassVar[str]

    def _prepare_record(self) -> None:
        record = self.record
        self._seconds_played = seconds_per_appearance(record)
        tracked = np.array([not name.startswith(UNTRACKED_ID_PREFIXES) for name in record.player_ids], np.bool_)
        self._tracked = tracked[record.player]
        self._longest = longest_team(record)
        self._occupied_teams = count_occupied_teams(record)
        self._time_played = self._seconds_played
        self._eligible = self._tracked & ~np.isnan(record.score) & (record.ranked != 0)

    def _update(self, i: int) -> None:
        if self._advantage is not None:
            self._advantage.learn(self._first + i, self._prediction(i))
        self._compare_players(i)

    @abstractmethod
    def _compare_players(self, i: int) -> None:
        """Change the ratings of round i's rated players."""

    @abstractmethod
    def _compute_change(
        self, i: int, me: int, *, reversed_result: bool = False, full_round: bool = False
    ) -> RatingChange:
        """Compute what round i changes for one of its rated players.

        Optionally with all results against opponents reversed, or the whole round played.
        """

    @abstractmethod
    def _explain_chance(
        self, probability: float, own: RatedPlayers, others: RatedPlayers
    ) -> pairwise_chances.ChanceExplanation:
        """Explain the chance of one of two teams against the other."""

    @abstractmethod
    def _log_odds(self, a: RatedPlayer, b: RatedPlayer) -> float:
        """Return the log-odds that a does better than b; their pings may be unknown."""

    def _prepare_block(self, first: int, last: int) -> None:
        record, block = self.record, slice(first, last)
        rows = slice(record.appearance_start[first], record.appearance_start[last])
        self._rows: list[int] = (record.appearance_start[first : last + 1] - rows.start).tolist()
        self._slot: list[int] = self._slots.appearance_slot[rows].tolist()
        self._mode = record.mode[block].tolist()
        self._rated = self._collect_players(self._eligible)
        self._present: RatedPlayerColumns | None = None  # created when a forecast needs it
        columns = (
            column[block].tolist() for column in (record.finished, self._occupied_teams, record.mode, record.game)
        )
        self._reasons = [
            self._find_skip_reason(*row_values)
            for row_values in zip(*columns, map(self._rated.count, range(last - first)), strict=True)
        ]

    def _collect_players(self, among: NDArray[np.bool_], *, pings: bool = True) -> RatedPlayerColumns:
        record = self.record
        start = record.appearance_start[self._first : self._last + 1]
        rows = slice(start[0], start[-1])
        chosen = start[0] + np.flatnonzero(among[rows] & (self._longest[rows] >= 0))
        return RatedPlayerColumns(
            np.searchsorted(chosen, start).tolist(),
            self._slots.appearance_slot[chosen].tolist(),
            self._longest[chosen].tolist(),
            self._time_played[chosen].tolist(),
            record.score[chosen].tolist(),
            record.ping[chosen].tolist() if pings else [math.nan] * len(chosen),
        )

    def _find_skip_reason(self, finished: bool, sides: int, mode: int, game: int, rated_players: int) -> str | None:
        if not finished:
            return SkipReason.NO_OUTCOME
        if sides < 2:
            return SkipReason.ONE_SIDE_EMPTY
        name = self.record.modes[mode]
        if name not in RATED_MODES if game >= 0 and self.record.games[game] == "xonotic" else name in UNRATED_MODES:
            return SkipReason.MODE_NOT_RATED.with_value(name)
        return None if rated_players >= 2 else SkipReason.TOO_FEW_PLAYERS

    def _skip_reason(self, i: int) -> str | None:
        return self._reasons[i]

    def _forecast(self, i: int) -> Prediction | None:
        if self._present is None:
            self._present = self._collect_players(self._tracked, pings=False)
        return self._predict_teams(i, self._present[i])

    def _prediction(self, i: int) -> Prediction:
        """Predict by the mean over pairs across teams; even if all are on one team."""
        return self._predict_teams(i, self._rated[i]) or Prediction.even(self._team_count(i))

    def _predict_teams(self, i: int, players: RatedPlayers, *, advantage: bool = True) -> Prediction | None:
        teams: list[list[RatedPlayer]] = [[] for _ in range(self._team_count(i))]
        for player in players:
            teams[player.team].append(player)
        if sum(map(bool, teams)) < 2:
            return None
        shift = self._advantage.log_odds(self._first + i) if advantage and self._advantage is not None else 0.0
        return pairwise_chances.predict_from_pairs(teams, self._log_odds, shift)

    def _round_slots(self, i: int) -> Sequence[int]:
        """Return the slots of all round i's players."""
        return self._slot[self._rows[i] : self._rows[i + 1]]

    def _team_count(self, i: int) -> int:
        return int(self.record.team_count[self._first + i])

    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation:
        rated, slot = self._rated[i], self._round_slots(i)[view.row]
        own = [each for each in rated if each.team == view.team]
        others = [each for each in rated if each.team != view.team]
        probability = self._prediction(i).first_place[view.team]
        if len(view.ranks) > 2:
            chance = pairwise_chances.explain_first_place(probability)
        elif self._advantage is None or (plain := self._predict_teams(i, rated, advantage=False)) is None:
            chance = self._explain_chance(probability, own, others)
        else:
            chance = self._explain_chance(plain.first_place[view.team], own, others)
            chance = pairwise_chances.explain_advantage(chance, probability)
        teams, share = self._explain_teams(i, view)
        actual = opposite = whole = RatingChange()
        me = next((index for index, each in enumerate(rated) if each.slot == slot), None)
        if me is not None:
            actual, whole = self._compute_change(i, me), self._compute_change(i, me, full_round=True)
            opposite = self._compute_change(i, me, reversed_result=True)
        both = actual.change, opposite.change
        won, lost = {1.0: both, 0.0: both[::-1]}.get(view.outcome, (None, None))
        ratings = ([self._value(each) for each in side] for side in (own, others))
        return RatingExplanation(
            system=self.system_name,
            player=view.record.player_ids[view.player],
            team=view.team,
            **chance._asdict(),
            outcome=view.outcome,
            share=share,
            change=actual.change,
            parts=actual.parts,
            if_won=won,
            if_lost=lost,
            if_full_round=whole.change if whole.pair_comparisons else None,
            teams=teams,
            side_effects=actual.side_effects,
            pair_comparisons=actual.pair_comparisons,
            notes={**actual.notes, **pairwise_chances.mean_rating_notes(*ratings)},
        )

    def _explain_teams(self, i: int, view: PlayerViewpoint) -> tuple[tuple[tuple[ExplainedPlayer, ...], ...], float]:
        """Return the players of each team, and the player's share of the round."""
        rows = self.record.appearances(view.k)
        values = [rating.value for rating in self._ratings(i)]
        shares = np.minimum(1.0, self._seconds_played[rows] / view.duration).tolist()
        longest, eligible = self._longest[rows].tolist(), self._eligible[rows].tolist()
        return pairwise_chances.list_team_players(view, longest, values, shares, eligible), shares[view.row]

    def _value(self, player: RatedPlayer) -> float:
        return self._slot_ratings.values[0][player.slot]

    def _id_and_name(self, player: RatedPlayer) -> tuple[str, str | None]:
        index = int(self._slots.player[player.slot])
        return self.record.player_ids[index], self.record.player_names[index]
