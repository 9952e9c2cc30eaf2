"""Fit of the squad offsets."""

import math

import numpy as np

from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.record.team_presence import squad_sizes
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.team_chances import result_gradients
from browser_app.rating.trueskill2.trueskill2_run import TrueSkillRun

_MAX_SQUAD = 12  # larger squads count as this
_PRIOR_SD = 0.25  # of an offset, in units of β: rare sizes stay near 0
_STEPS = 20


class ForecastGaps:
    """Forecasts of all decided or drawn rounds of two teams.

    Attributes:
        t, c2: mean and variance of the difference of performances.
        margin: ε.
        outcome: 1, -1, 0.
        squad_excess: by squad size (column 0: size 2), how many more the first-named team had.
    """

    def __init__(self, record: RoundRecord, parameters: ParameterSet) -> None:
        setting = ModelledRecord(record, parameters)
        run = _GapRecordingRun(setting)
        for k in np.flatnonzero(record.finished).tolist():
            if run.skip_reason(k) is None:
                run.record_round(k)
                run.update(k)
        gaps = np.array(run.gaps, np.float64).reshape(-1, 5)
        self.t, self.c2, self.margin = gaps[:, 1], gaps[:, 2], gaps[:, 3]
        self.outcome = gaps[:, 4].astype(np.int32)
        self.squad_excess = _squad_excess(record, setting.longest_team, _MAX_SQUAD)[gaps[:, 0].astype(np.int64)]


class _GapRecordingRun(TrueSkillRun):
    def __init__(self, setting: ModelledRecord) -> None:
        super().__init__(setting, over_modes=False)
        self.gaps: list[tuple[float, ...]] = []

    def record_round(self, k: int) -> None:
        i, rounds = self._block_index(k), self._block
        if rounds.teams[i] != 2:
            return
        lineups = rounds.forecast_lineups() if self._forecast_lineups is None else self._forecast_lineups
        self._forecast_lineups = lineups
        if lineups.occupied_teams[i] < 2:
            return
        rows, model = slice(lineups.start[i], lineups.start[i + 1]), rounds.model(i)
        t, c2, _ = self._skills.predict_gap(rounds.started[i], lineups.slot[rows], lineups.net[rows])
        c2 += model.beta2 * lineups.net_square[i]
        self.gaps.append((k, t + lineups.net_shift[i], c2, model.draw_margin, rounds.outcome[i]))


def _squad_excess(record: RoundRecord, longest: Ints, largest: int) -> Floats:
    size = np.minimum(squad_sizes(record, longest), largest)
    more = np.zeros((len(record), largest - 1))
    rows = np.flatnonzero((size > 1) & (longest >= 0))
    np.add.at(more, (record.round_of_appearance[rows], size[rows] - 2), np.where(longest[rows] == 0, 1.0, -1.0))
    return more


def record_has_squads(record: RoundRecord) -> bool:
    """Return whether any players joined together."""
    return bool((squad_sizes(record, np.where(record.squad >= 0, 0, -1).astype(np.int32)) > 1).any())


def fit_squad_offsets(
    record: RoundRecord, parameters: ParameterSet, offsets: tuple[float, ...], beta: float
) -> tuple[float, ...]:
    """Return better squad offsets, by Newton's method; the problem is concave.

    Skills are not changed: they contain part of the squads' effect, so this must be repeated with the result.

    ``offsets`` are those of squads of 1, 2, … in ``parameters``; missing ones are 0.

    Returns:
        0 for single players, then the offsets up to the largest size in the record.
    """
    gaps = ForecastGaps(record, parameters)
    sizes = np.flatnonzero(np.abs(gaps.squad_excess).sum(axis=0))
    if not len(sizes):
        return offsets
    more = gaps.squad_excess[:, : int(sizes[-1]) + 1]
    now = np.array([*offsets[1:], *[offsets[-1] if offsets else 0.0] * more.shape[1]])[: more.shape[1]]
    prior, added = (_PRIOR_SD * beta) ** -2, np.zeros(more.shape[1])
    for _ in range(_STEPS):
        actual = [
            result_gradients(*row)
            for row in zip(
                (gaps.t + more @ added).tolist(),
                gaps.c2.tolist(),
                gaps.margin.tolist(),
                gaps.outcome.tolist(),
                strict=True,
            )
        ]
        push, shrink = np.array(actual).T
        slope = more.T @ push - prior * (now + added)
        step = np.linalg.solve((more * shrink[:, None]).T @ more + prior * np.eye(len(added)), slope)
        added += step
        if math.sqrt(float(step @ step)) < 1e-9 * beta:
            break
    return (0.0, *(now + added).tolist())
