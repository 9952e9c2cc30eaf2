"""Forecasts of other people's rating packages over one record, forward in time."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypeAlias

import numpy as np
import openskill.models
import trueskill

from browser_app.rating.evaluation.decided_pairs import find_decided_pairs
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.record.team_presence import longest_team, seconds_per_appearance

Team: TypeAlias = Sequence[Any]
"""Ratings of a package, one per player."""


class PeerModel(Protocol):
    """One package with its parameters."""

    def newcomer(self) -> Any:
        """Return a newcomer's rating."""

    def rate(self, teams: Sequence[Team], ranks: Sequence[int], shares: Sequence[Sequence[float]]) -> Sequence[Team]:
        """Return the ratings after a round; shares are of the round, per player."""

    def beats(self, one: Team, other: Team) -> float:
        """Return P(one before the other | no tie)."""


class TrueSkillPackage:
    """Package `trueskill`: forecasts by the formula of its documentation."""

    def __init__(self, mu: float, beta: float, tau: float, draws: float) -> None:
        self._env = trueskill.TrueSkill(mu, 25.0 / 3.0, beta, tau, draws)

    def newcomer(self) -> Any:
        """Return a newcomer's rating."""
        return self._env.create_rating()

    def rate(self, teams: Sequence[Team], ranks: Sequence[int], shares: Sequence[Sequence[float]]) -> Sequence[Team]:
        """Return the ratings after a round."""
        found: Sequence[Team] = self._env.rate(teams, ranks, shares)
        return found

    def beats(self, one: Team, other: Team) -> float:
        """Return Φ(difference / √(nβ² + Σσ²)), with the draw margin taken off both ways."""
        players = [*one, *other]
        sd = math.sqrt(len(players) * self._env.beta**2 + sum(each.sigma**2 for each in players))
        gap = sum(each.mu for each in one) - sum(each.mu for each in other)
        margin = trueskill.calc_draw_margin(self._env.draw_probability, len(players), self._env)
        ahead, behind = (self._env.cdf((sign * gap - margin) / sd) for sign in (1.0, -1.0))
        return float(ahead / (ahead + behind))


class OpenSkillPackage:
    """Package `openskill`, with one of its models."""

    def __init__(self, model: str, mu: float, beta: float, tau: float) -> None:
        self._model = getattr(openskill.models, model)(mu=mu, beta=beta, tau=tau)

    def newcomer(self) -> Any:
        """Return a newcomer's rating."""
        return self._model.rating()

    def rate(self, teams: Sequence[Team], ranks: Sequence[int], shares: Sequence[Sequence[float]]) -> Sequence[Team]:
        """Return the ratings after a round.

        The package's weights do not mean presence.
        """
        del shares
        found: Sequence[Team] = self._model.rate(teams, ranks=list(ranks))
        return found

    def beats(self, one: Team, other: Team) -> float:
        """Return the package's own forecast."""
        ahead, behind = self._model.predict_win([one, other])
        return float(ahead / (ahead + behind))


PeerMaker: TypeAlias = Callable[[float, float, float], PeerModel]
"""Makes a model with values of μ, β and τ; σ stays 25/3, the scale."""


def peer_models(draws: float) -> Mapping[str, Sequence[PeerMaker]]:
    """Return the models of each package.

    Args:
        draws: chance of a draw, where the package takes one.
    """
    return {
        "trueskill 0.4.5": [lambda mu, beta, tau: TrueSkillPackage(mu, beta, tau, draws)],
        "openskill 6.2.0": [partial(OpenSkillPackage, model) for model in ("PlackettLuce", "BradleyTerryFull")],
    }


_DEFAULT = (25.0, 25.0 / 6.0, 25.0 / 300.0)
_TRIED = (
    (25.0, 12.0, 6.0, 3.0),
    tuple(25.0 / 6.0 * times for times in (0.5, 1.0, 2.0, 4.0)),
    tuple(25.0 / 300.0 * times for times in (0.01, 0.3, 1.0, 3.0)),
)
"""Values of μ, β and τ."""


class PeerForecasts:
    """Rounds as the packages take them: everybody on the team with most of their time.

    Attributes:
        pairs: pairs of teams that did not tie.
    """

    def __init__(self, record: RoundRecord) -> None:
        self.pairs = find_decided_pairs(record)
        self._ranks = [record.team_rank[a:b].tolist() for a, b in itertools.pairwise(record.team_start.tolist())]
        self._teams = list(_line_up(record))

    def fit(self, makers: Sequence[PeerMaker], training_rounds: int) -> PeerModel:
        """Return the model that is best on the first rounds.

        Tries a few values of β, τ and μ, in this order.
        """

        def log_loss(make: PeerMaker, values: Sequence[float]) -> float:
            chance = self.forecast(make(*values), training_rounds)
            with np.errstate(divide="ignore"):  # infinite where an outcome was given no chance
                return float(-np.nanmean(np.log(np.where(self.pairs.won == 1.0, chance, 1.0 - chance))))

        make = min(makers, key=lambda each: log_loss(each, _DEFAULT))
        values = list(_DEFAULT)
        for place in (1, 2, 0):
            trials = [[*values[:place], tried, *values[place + 1 :]] for tried in _TRIED[place]]
            values = min(trials, key=partial(log_loss, make))
        return make(*values)

    def forecast(self, model: PeerModel, rounds: int) -> Floats:
        """Return P(a before b | no tie) of all pairs, NaN after the first `rounds`."""
        ratings: dict[int, Any] = {}
        chance = np.full(len(self.pairs.round), np.nan)
        start = np.searchsorted(self.pairs.round, np.arange(rounds + 1)).tolist()
        a, b = self.pairs.a.tolist(), self.pairs.b.tolist()
        for k in range(rounds):
            players, shares = self._teams[k]
            if not all(players):
                continue
            teams = [[ratings.get(who) or model.newcomer() for who in team] for team in players]
            for j in range(start[k], start[k + 1]):
                chance[j] = model.beats(teams[a[j]], teams[b[j]])
            for who, after in zip(players, model.rate(teams, self._ranks[k], shares), strict=True):
                ratings.update(zip(who, after, strict=True))
        return chance


def _line_up(record: RoundRecord) -> Sequence[tuple[list[list[int]], list[list[float]]]]:
    """Return players and shares of the round by team, one entry per round."""
    share = seconds_per_appearance(record) / record.duration[record.round_of_appearance]
    rounds: list[tuple[list[list[int]], list[list[float]]]] = [
        ([[] for _ in range(teams)], [[] for _ in range(teams)]) for teams in record.team_count.tolist()
    ]
    columns = (record.round_of_appearance, longest_team(record), record.player, share)
    for k, team, player, part in zip(*(column.tolist() for column in columns), strict=True):
        if team >= 0:
            rounds[k][0][team].append(player)
            rounds[k][1][team].append(max(part, 0.01))
    return rounds
