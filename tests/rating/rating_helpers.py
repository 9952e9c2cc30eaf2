"""Small records, and a system simple enough to predict its every number."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import ClassVar

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_explanation import RatingExplanation
from browser_app.rating.rating_parameters import Parameter, resolve_parameters
from browser_app.rating.rating_system import Rating, RatingRun, RatingSystem
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import Prediction

DAY_S = 86400.0


def played(
    number: int,
    *teams: Sequence[str],
    ranks: Sequence[int] | None = (1, 2),
    mode: str = "ctf",
    started: float | None = None,
    duration: float = 600.0,
    **facts: Mapping[str, object],
) -> Round:
    """Create a round that all players stay in; teams are A, B, …

    `facts` adds fields of players, by id.
    """
    names = [chr(ord("A") + i) for i in range(len(teams))]
    players = [
        Player(id=name, stays=[Stint(team, 0.0, duration)], **facts.get(name, {}))  # type: ignore[arg-type]
        for team, members in zip(names, teams, strict=True)
        for name in members
    ]
    at = number * 1000.0 if started is None else started
    return Round(f"r{number}", names, players, at, duration, ranks, mode=mode)


def season(rounds: int, seed: int = 1, people: int = 12) -> list[Round]:
    """Draw rounds of two against two or three of different strength, some draws."""
    chance = random.Random(seed)
    found = []
    for number in range(rounds):
        present = chance.sample(range(people), chance.choice((4, 5)))
        gap = sum(present[:2]) - sum(present[2:4]) + chance.gauss(0.0, 3.0)
        ranks = (1, 1) if abs(gap) < 0.5 else (1, 2) if gap > 0 else (2, 1)
        teams = [[f"p{i}" for i in present[:2]], [f"p{i}" for i in present[2:]]]
        found.append(played(number, *teams, ranks=ranks, mode=chance.choice(("ctf", "tdm"))))
    return found


class CountingRun(RatingRun):
    """A rating is the number of rounds won.

    The chance of a team is (its sum + w) / (both sums + 2 w).
    """

    def __init__(self, record: RoundRecord, weight: float) -> None:
        super().__init__(record)
        self._weight = weight
        self._wins = [0.0] * len(record.player_ids)
        self._seen = [0] * len(record.player_ids)

    def rating(self, player: int, mode: int) -> Rating:  # noqa: ARG002 (one for all modes)
        return Rating(self._wins[player])

    def rated_players(self) -> Mapping[str, Mapping[str, object]]:
        return {
            name: {"wins": self._wins[player], "rounds": self._seen[player]}
            for player, name in enumerate(self.record.player_ids)
            if self._seen[player]
        }

    def _prepare_block(self, first: int, last: int) -> None:
        record = self.record
        self._teams: list[list[list[int]]] = [[[] for _ in record.teams(k)] for k in range(first, last)]
        for appearance, team in zip(record.stays.appearance.tolist(), record.stays.team.tolist(), strict=True):
            k = int(record.round_of_appearance[appearance])
            if first <= k < last:
                self._teams[k - first][team].append(int(record.player[appearance]))

    def _skip_reason(self, i: int) -> str | None:
        if self.record.ranks(self._first + i) is None:
            return "no_outcome"
        return None if all(self._teams[i]) else "one_side_empty"

    def _forecast(self, i: int) -> Prediction | None:
        return self._prediction(i) if all(self._teams[i]) else None

    def _prediction(self, i: int) -> Prediction:
        sums = [sum(self._wins[player] for player in team) + self._weight for team in self._teams[i]]
        log_odds = tuple(tuple(math.log(a / b) for b in sums) for a in sums)
        return Prediction(tuple(each / sum(sums) for each in sums), 0.0, log_odds)

    def _update(self, i: int) -> None:
        ranks = self.record.ranks(self._first + i) or ()
        for team, rank in zip(self._teams[i], ranks, strict=True):
            for player in team:
                self._seen[player] += 1
                self._wins[player] += rank == 1 and ranks.count(1) == 1

    def _ratings(self, i: int) -> Sequence[Rating]:
        return [Rating(self._wins[player]) for team in self._teams[i] for player in team]

    def is_rated(self, player: int, mode: int) -> bool:  # noqa: ARG002 (one for all modes)
        return self._seen[player] > 0

    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation:
        raise NotImplementedError

    def _transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> RatingRun:
        raise NotImplementedError


class CountingSystem(RatingSystem):
    """System of `CountingRun`; a fit may find `weight` and must leave `other` alone."""

    name: ClassVar[str] = "counting"
    declared_parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("weight", "Weight", "wins that every player starts with", 1.0, exclusive_low=0.0, fit="log"),
        Parameter("other", "Other", "nothing", 2.0),
    )

    def new_run(self, record: RoundRecord) -> CountingRun:
        return CountingRun(record, self.parameters.number("weight"))


def counting_system(**given: object) -> CountingSystem:
    return CountingSystem(resolve_parameters(CountingSystem.declared_parameters, explicit=given))
