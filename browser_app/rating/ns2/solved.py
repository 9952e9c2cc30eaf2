"""The NS2 skill with a full history: everybody as the whole record has him, before and after any of its rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from browser_app.rating.explanation import Explanation, untaught
from browser_app.rating.ns2.declared import Settings
from browser_app.rating.ns2.deviations import deviations
from browser_app.rating.ns2.history import measure, solve
from browser_app.rating.ns2.newton import scaled_gradient
from browser_app.rating.ns2.run import NS2Run
from browser_app.rating.record import Floats, Record
from browser_app.rating.system import Rating
from browser_app.rating.viewpoint import View


class NS2SolvedRun(NS2Run):
    """The most probable s, and χ where there are chairs, under a Gamma prior; offsets are 0.

    Rounds teach nothing more: ``update`` changes nothing. Whom the record tells nothing of is where the prior is
    highest, (k − 1) θ. The sums of squared gradients are those at the solution. F is of the whole record.

    Attributes:
        gradient_norm: max |s_i ∂f/∂s_i| over all that were solved for, at most 1e-7.
    """

    def __init__(self, record: Record, settings: Settings) -> None:
        unknown = (settings.k - 1.0) * settings.theta
        super().__init__(record, replace(settings, start=unknown))
        rated = self._eligibility.rated
        self._learnt[:] = rated.tobytes()
        if self._win_rates is not None:
            measure(record, rated, self._win_rates)
        self._solution = solve(record, settings, rated, self._win_rates)
        point = self._solution.point
        self.gradient_norm = scaled_gradient(point)
        squares = self._solution.posterior.matrix.squares_transposed_times(point.error**2)
        skills = self._skills
        skills.skill, skills.commander = self._by_player(point.x, unknown)
        skills.skill_sum, skills.commander_sum = self._by_player(squares, 0.0)

    def rating(self, player: int, mode: int) -> Rating:  # noqa: ARG002 (one skill for all modes)
        """The skill s and its standard deviation."""
        return Rating(self._skills.skill[player], self._deviations[0][player])

    def commander_sd(self, player: int) -> float | None:
        """Standard deviation of a player's (index) commander skill; None where nothing tells it."""
        return self._deviations[1][player]

    def players(self) -> Mapping[str, Mapping[str, object]]:
        """What the run forward tells, and ``sd`` of the skill; None where nothing tells it."""
        sds = dict(zip(self.record.player_ids, self._deviations[0], strict=True))
        return {name: {**fields, "sd": sds[name]} for name, fields in super().players().items()}

    def summary(self) -> Mapping[str, object]:
        """``gradient_norm``, how far from the maximum the solution is."""
        return {"gradient_norm": self.gradient_norm}

    @cached_property
    def _deviations(self) -> tuple[list[float | None], list[float | None]]:
        """Of every player's skill and commander skill."""
        k, theta = self._settings.k, self._settings.theta
        of_prior = theta * np.sqrt(k - 1.0) if k > 1.0 else np.nan
        skill, commander = self._by_player(deviations(self._solution.posterior, self._solution.point), of_prior)
        return _known(skill), _known(commander)

    def _explain(self, i: int, view: View) -> Explanation:
        return untaught(super()._explain(i, view))

    def _by_player(self, of_column: Floats, unknown: float) -> tuple[list[float], list[float]]:
        """Values of columns as those of every player's skill and commander skill."""
        players = len(self.record.player_ids)
        values = np.full(2 * players, unknown)
        values[self._solution.skill] = of_column
        return values[:players].tolist(), values[players:].tolist()

    def _update(self, i: int) -> None:
        pass

    def _ratings(self, i: int) -> list[Rating]:
        rows = self.record.appearances(self._first + i)
        return [self.rating(player, 0) for player in self.record.player[rows].tolist()]


def _known(sds: Sequence[float]) -> list[float | None]:
    return [None if np.isnan(sd) else sd for sd in sds]
