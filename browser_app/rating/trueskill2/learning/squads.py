"""What a squad adds to the performance of its members, eq. (7), by a probit regression on the forecasts' misses."""

import math

import numpy as np

from browser_app.rating.parameters import ParameterSet
from browser_app.rating.record import Floats, Ints, Record
from browser_app.rating.trueskill2.run import TrueSkillRun
from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.squads import squad_sizes
from browser_app.rating.trueskill2.two_teams import lesson

_LARGEST = 12  # larger squads count with these
_PRIOR_SD = 0.25  # of an offset, in units of β: a size that is seen seldom stays near 0
_STEPS = 20


class Gaps:
    """Of each decided or drawn round of two teams, as it was forecast.

    Attributes:
        t, c2: mean and variance of the difference of performances. margin: ε. outcome: 1, -1, 0.
        more: by squad size (column 0: size 2), how many more the first-named team had.
    """

    def __init__(self, record: Record, parameters: ParameterSet) -> None:
        setting = Setting(record, parameters)
        run = _Watched(setting)
        for k in np.flatnonzero(record.finished).tolist():
            if run.unrated(k) is None:
                run.watch(k)
                run.update(k)
        gaps = np.array(run.gaps, np.float64).reshape(-1, 5)
        self.t, self.c2, self.margin = gaps[:, 1], gaps[:, 2], gaps[:, 3]
        self.outcome = gaps[:, 4].astype(np.int32)
        self.more = _more(record, setting.longest, _LARGEST)[gaps[:, 0].astype(np.int64)]


class _Watched(TrueSkillRun):
    """A run that tells the gaps it forecasts."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting, over_modes=False)
        self.gaps: list[tuple[float, ...]] = []

    def watch(self, k: int) -> None:
        i, rounds = self._local(k), self._rounds
        if rounds.teams[i] != 2:
            return
        lineups = rounds.forecast() if self._expected is None else self._expected
        self._expected = lineups
        if lineups.manned[i] < 2:
            return
        rows, model = slice(lineups.start[i], lineups.start[i + 1]), rounds.model(i)
        t, c2, _ = self._skills.gap(rounds.started[i], lineups.slot[rows], lineups.net[rows])
        c2 += model.beta2 * lineups.net_square[i]
        self.gaps.append((k, t + lineups.net_shift[i], c2, model.draw_margin, rounds.outcome[i]))


def _more(record: Record, longest: Ints, largest: int) -> Floats:
    size = np.minimum(squad_sizes(record, longest), largest)
    more = np.zeros((len(record), largest - 1))
    rows = np.flatnonzero((size > 1) & (longest >= 0))
    np.add.at(more, (record.round_of_appearance[rows], size[rows] - 2), np.where(longest[rows] == 0, 1.0, -1.0))
    return more


def has_squads(record: Record) -> bool:
    """Whether anybody came together."""
    return bool((squad_sizes(record, np.where(record.squad >= 0, 0, -1).astype(np.int32)) > 1).any())


def squad_offsets(
    record: Record, parameters: ParameterSet, offsets: tuple[float, ...], beta: float
) -> tuple[float, ...]:
    """Better offsets than those the parameters have, by Newton's method; the problem is concave.

    Skills stay as the run had them: they have taken in part of what squads did, so do this again with what it gives.

    Args:
        record: the rounds.
        parameters: with ``offsets``.
        offsets: of squads of 1, 2, …; empty: 0.
        beta: β.

    Returns:
        0 for who is alone, then the sizes up to the largest that was seen.
    """
    gaps = Gaps(record, parameters)
    sizes = np.flatnonzero(np.abs(gaps.more).sum(axis=0))
    if not len(sizes):
        return offsets
    more = gaps.more[:, : int(sizes[-1]) + 1]
    now = np.array([*offsets[1:], *[offsets[-1] if offsets else 0.0] * more.shape[1]])[: more.shape[1]]
    prior, added = (_PRIOR_SD * beta) ** -2, np.zeros(more.shape[1])
    for _ in range(_STEPS):
        taught = [
            lesson(*row)
            for row in zip(
                (gaps.t + more @ added).tolist(),
                gaps.c2.tolist(),
                gaps.margin.tolist(),
                gaps.outcome.tolist(),
                strict=True,
            )
        ]
        push, shrink = np.array(taught).T
        slope = more.T @ push - prior * (now + added)
        step = np.linalg.solve((more * shrink[:, None]).T @ more + prior * np.eye(len(added)), slope)
        added += step
        if math.sqrt(float(step @ step)) < 1e-9 * beta:
            break
    return (0.0, *(now + added).tolist())
