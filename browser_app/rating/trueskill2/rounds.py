"""A block of rounds ready for inference: what each says about the skills of its players, given what was known."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.prediction import Prediction
from browser_app.rating.record import Floats, Offsets
from browser_app.rating.trueskill2.inference.one_match import Evidence, read_matches
from browser_app.rating.trueskill2.lineup import Lineups, as_forecast, as_played
from browser_app.rating.trueskill2.model import MINUTE_S, Model
from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.several_teams import several_chances

_AHEAD = 128  # rounds whose evidence is read together


class Rounds:
    """Rounds first to last - 1 of a record; a round's index i counts from ``first``.

    Attributes:
        teams, mode, started, ended: of each round (seconds; ``ended`` is NaN where it has no outcome yet).
        outcome: of two teams, 1 the first-named won, -1 the other one, 0 a draw.
        closed: whether the result of two teams is all there is to learn from: no counts, no quits.
        played: the line-ups as they turned out.
    """

    def __init__(self, setting: Setting, first: int, last: int) -> None:
        record = setting.record
        self._setting, self._first, self._last = setting, first, last
        self.played = as_played(record, setting.slots.of_appearance, setting.shift, first, last)
        self.teams: list[int] = record.team_count[first:last].tolist()
        self.mode: list[int] = record.mode[first:last].tolist()
        self.started: list[float] = record.started[first:last].tolist()
        self.ended: list[float] = (record.started[first:last] + record.duration[first:last]).tolist()
        ranks, team = record.team_rank, record.team_start[first:last]
        self.outcome: list[int] = np.sign(ranks[team + 1] - ranks[team]).tolist()
        closed = (record.team_count[first:last] == 2) & ~self._tells_more()
        self.closed: list[bool] = closed.tolist()
        self._open: list[bool] = (~closed & record.finished[first:last] & (setting.sides[first:last] >= 2)).tolist()
        self._read: dict[int, Evidence] = {}

    def forecast(self) -> Lineups:
        """The line-ups as they could be expected."""
        setting = self._setting
        slots, longest = setting.slots.of_appearance, setting.longest
        return as_forecast(setting.record, slots, setting.shift, longest, self._first, self._last)

    def unrated(self) -> list[str | None]:
        """Why each round changes nothing; None: it is rated."""
        rounds = slice(self._first, self._last)
        reasons = np.where(self._setting.sides[rounds] < 2, "one side empty", "")
        reasons = np.where(self._setting.record.finished[rounds], reasons, "no outcome yet")
        return [reason or None for reason in reasons.tolist()]

    def evidence(self, i: int) -> Evidence:
        """What round i tells of its players' performances, whatever their skills; read together with some after it."""
        if i not in self._read:
            self._read = self._read_ahead(i)
        return self._read[i]

    def several_chances(self, i: int, lineups: Lineups, mean: Sequence[float], var: Sequence[float]) -> Prediction:
        """Chances of round i of more than two teams with a line-up."""
        model = self.model(i)
        performance = [m + shift for m, shift in zip(mean, lineups.shifts(i), strict=True)]
        noisy = [v + model.beta2 for v in var]
        shares = lineups.team_shares(i, i + 1, self.teams[i]).tolist()
        return several_chances(shares, performance, noisy, model.draw_margin)

    def model(self, i: int) -> Model:
        """The model of round i's mode."""
        return self._setting.models[self.mode[i]]

    def _read_ahead(self, i: int) -> dict[int, Evidence]:
        """What round i tells; if that is more than a result, also what such later ones tell, one shape at a time."""
        last = min(i + _AHEAD, len(self.mode)) if self._open[i] else i + 1
        shapes: dict[tuple[int, int, int], list[int]] = {}
        for j in range(i, last):
            if j == i or self._open[j]:
                people = self.played.start[j + 1] - self.played.start[j]
                shapes.setdefault((self.mode[j], people, self.teams[j]), []).append(j)
        shares = self.played.team_shares(i, last, max(self.teams[i:last]))
        read: dict[int, Evidence] = {}
        for (mode, people, teams), rounds in shapes.items():
            rows = np.array([self.played.start[j] for j in rounds])[:, None] + np.arange(people)
            told = self._read_alike(
                rounds, rows, self._setting.models[mode], shares[rows - self.played.start[i], :teams]
            )
            read.update(zip(rounds, told, strict=True))
        return read

    def _read_alike(self, rounds: Sequence[int], rows: Offsets, model: Model, shares: Floats) -> list[Evidence]:
        """Evidence of rounds of one mode and shape; ``rows`` are those of the line-ups, a line a round."""
        record, k = self._setting.record, np.array(rounds) + self._first
        appearances = self.played.row[rows]
        return read_matches(
            shares,
            record.team_rank[record.team_start[k][:, None] + np.arange(shares.shape[2])].tolist(),
            model,
            shares.sum(axis=2) * (record.duration[k] / MINUTE_S)[:, None],
            record.kills[appearances],
            record.deaths[appearances],
            [[None if quit_ < 0 else bool(quit_) for quit_ in each] for each in record.quit[appearances].tolist()],
        )

    def _tells_more(self) -> NDArray[np.bool_]:
        """Whether a round has counts or quits that its mode's model reads."""
        record, models, rows = self._setting.record, self._setting.models, self.played.row
        if not any(model.kills or model.deaths or model.quits for model in models):
            return np.zeros(self._last - self._first, np.bool_)
        rounds = record.round_of_appearance[rows] - self._first
        mode = record.mode[rounds + self._first]
        tells = np.zeros(len(rows), np.bool_)
        for reads, known in (
            ([model.kills is not None for model in models], ~np.isnan(record.kills[rows])),
            ([model.deaths is not None for model in models], ~np.isnan(record.deaths[rows])),
            ([model.quits is not None for model in models], record.quit[rows] == 1),
        ):
            tells |= np.array(reads, np.bool_)[mode] & known
        return np.bincount(rounds[tells], minlength=self._last - self._first).astype(np.bool_)
