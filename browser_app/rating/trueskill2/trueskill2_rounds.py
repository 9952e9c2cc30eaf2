"""Line-ups and evidence of a block of rounds for TrueSkill 2."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Ints, Offsets, RoundRecord
from browser_app.rating.record.team_presence import Presence, compute_presence, stint_seconds
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.skip_reason import SkipReason
from browser_app.rating.trueskill2.inference.round_inference import RoundEvidence, extract_evidence
from browser_app.rating.trueskill2.inference.team_ranking import RankingSites
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.ranked_teams import RankedTeams, rank_teams
from browser_app.rating.trueskill2.team_chances import many_team_chances
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S, ModeModel


@dataclass(frozen=True)
class RoundLineups:
    """Line-ups of rounds first to last - 1 (a round's index here counts from ``first``).

    Rows are appearances with a share in some team. ``net`` is the share in the first team less that in the second, w_A
    − w_B for players who changed team; it is meaningful for two teams only.

    Attributes:
        start: rows of round i are start[i]:start[i + 1].
        row: the appearance (in the record).
        slot: its index in lists of skills.
        net: see above.
        shift: what the squad adds to the performance.
        occupied_teams: number of teams with players.
        net_square: Σ net², one per round.
        net_shift: Σ net·shift, one per round.
        shares: share of the round by appearance and team, eq. (5).
    """

    start: Sequence[int]
    row: Ints
    slot: Sequence[int]
    net: Sequence[float]
    shift: Floats | None
    occupied_teams: Sequence[int]
    net_square: Sequence[float]
    net_shift: Sequence[float]
    shares: Presence

    def team_shares(self, first: int, last: int, teams: int) -> Floats:
        """Return the share of each row of rounds first to last - 1 in each team.

        ``teams`` is the largest number of teams.
        """
        rows = self.row[self.start[first] : self.start[last]]
        shares = np.zeros((len(rows), teams))
        if len(rows):
            bounds = np.array((rows[0], rows[-1] + 1), np.int32)  # another type would make numpy copy all shares
            a, b = np.searchsorted(self.shares.appearance, bounds)
            place = np.searchsorted(rows, self.shares.appearance[a:b])
            shares[place, self.shares.team[a:b]] = self.shares.amount[a:b]
        return shares

    def shifts(self, i: int) -> list[float]:
        """Return what the squad adds to the performance of each row of round i."""
        rows = slice(self.start[i], self.start[i + 1])
        if self.shift is None:
            return [0.0] * (rows.stop - rows.start)
        shifts: list[float] = self.shift[rows].tolist()
        return shifts


def played_lineups(record: RoundRecord, slots: Ints, shift: Floats | None, first: int, last: int) -> RoundLineups:
    """Return the line-ups with Σ stays / duration, at most 1 per player, on the teams they were on, eq. (5)."""
    stayed = compute_presence(record, record.stays, stint_seconds, first, last)
    duration = record.duration[record.round_of_appearance[stayed.appearance]]
    return _build_lineups(record, slots, shift, first, last, stayed._replace(amount=stayed.amount / duration))


def forecast_lineups(
    record: RoundRecord, slots: Ints, shift: Floats | None, longest: Ints, first: int, last: int
) -> RoundLineups:
    """Return the line-ups with all players for the whole round on the team with most of their time."""
    rows = record.appearance_start[[first, last]]
    appearance = (np.flatnonzero(longest[rows[0] : rows[1]] >= 0) + rows[0]).astype(np.int32)
    shares = Presence(appearance, longest[appearance], np.ones(len(appearance)))
    return _build_lineups(record, slots, shift, first, last, shares)


def _build_lineups(
    record: RoundRecord, slots: Ints, shift: Floats | None, first: int, last: int, shares: Presence
) -> RoundLineups:
    new = np.flatnonzero(np.diff(shares.appearance, prepend=-1))
    row = shares.appearance[new]
    signed = np.where(shares.team == 0, shares.amount, -shares.amount)
    net = np.add.reduceat(signed, new) if len(new) else signed
    start = np.searchsorted(row, record.appearance_start[first : last + 1])
    rounds = record.round_of_appearance[row] - first
    shift = None if shift is None else shift[row]
    return RoundLineups(
        start=start.tolist(),
        row=row,
        slot=slots[row].tolist(),
        net=net.tolist(),
        shift=shift,
        occupied_teams=_count_occupied_teams(record, shares, first, last),
        net_square=np.bincount(rounds, net * net, last - first).tolist(),
        net_shift=[0.0] * (last - first) if shift is None else np.bincount(rounds, net * shift, last - first).tolist(),
        shares=shares,
    )


def _count_occupied_teams(record: RoundRecord, shares: Presence, first: int, last: int) -> list[int]:
    start = record.team_start[first : last + 1] - record.team_start[first]
    occupied = np.zeros(start[-1], np.int64)
    occupied[start[record.round_of_appearance[shares.appearance] - first] + shares.team] = 1
    counts: list[int] = np.add.reduceat(occupied, start[:-1]).tolist()
    return counts


_ROUNDS_AHEAD = 128  # rounds whose evidence is extracted together


class TrueSkillRoundBlock:
    """Rounds first to last - 1 of a record; a round's index i counts from ``first``.

    Attributes:
        teams, mode, started, ended: of each round (seconds; ``ended`` is NaN without an outcome).
        outcome: of two teams, 1 the first-named won, -1 the other one, 0 a draw.
        has_closed_form: whether the result of two teams is the only evidence: no counts, no quits.
        is_ranking: whether the ranks of more teams, which share no players, are the only evidence.
        played: the line-ups as they turned out.
    """

    def __init__(self, setting: ModelledRecord, first: int, last: int) -> None:
        record = setting.record
        self._modelled, self._first, self._last = setting, first, last
        self.played = played_lineups(record, setting.slots.appearance_slot, setting.squad_shift, first, last)
        self.teams: list[int] = record.team_count[first:last].tolist()
        self.mode: list[int] = record.mode[first:last].tolist()
        self.started: list[float] = record.started[first:last].tolist()
        self.ended: list[float] = (record.started[first:last] + record.duration[first:last]).tolist()
        ranks, team = record.team_rank, record.team_start[first:last]
        self.outcome: list[int] = np.sign(ranks[team + 1] - ranks[team]).tolist()
        result_alone, two_teams = ~self._has_counts_or_quits(), record.team_count[first:last] == 2
        closed, rankings = two_teams & result_alone, ~two_teams & result_alone
        if rankings.any():
            rankings &= np.array(self._ranked.is_apart, np.bool_)
        self.has_closed_form: list[bool] = closed.tolist()
        self.is_ranking: list[bool] = rankings.tolist()
        self._needs_inference: list[bool] = (
            ~closed & ~rankings & record.finished[first:last] & (setting.occupied_teams[first:last] >= 2)
        ).tolist()
        self._evidence_cache: dict[int, RoundEvidence] = {}

    def forecast_lineups(self) -> RoundLineups:
        """Return the line-ups expected before the rounds."""
        setting = self._modelled
        slots, longest = setting.slots.appearance_slot, setting.longest_team
        return forecast_lineups(setting.record, slots, setting.squad_shift, longest, self._first, self._last)

    def skip_reasons(self) -> list[str | None]:
        """Return why each round is not rated, None for rated ones."""
        rounds = slice(self._first, self._last)
        reasons = np.where(self._modelled.occupied_teams[rounds] < 2, SkipReason.ONE_SIDE_EMPTY, "")
        reasons = np.where(self._modelled.record.finished[rounds], reasons, SkipReason.NO_OUTCOME)
        return [reason or None for reason in reasons.tolist()]

    def evidence(self, i: int) -> RoundEvidence:
        """Return the evidence of round i; it is extracted together with that of some later rounds."""
        if i not in self._evidence_cache:
            self._evidence_cache = self._extract_ahead(i)
        return self._evidence_cache[i]

    def ranking_gradients(
        self,
        i: int,
        skills: Sequence[tuple[float, float]],
        sites: RankingSites | None = None,
    ) -> list[tuple[float, float]]:
        """Return derivatives of log P(ranking) by each player's mean skill, see ``RankedTeams.skill_gradients``.

        ``skills`` are means and variances before round i, whose only evidence is its ranking.
        """
        model, rows = self.model(i), slice(self.played.start[i], self.played.start[i + 1])
        beta2, shifts = model.beta2, self.played.shifts(i)
        performances = [(mean + shift, var + beta2) for (mean, var), shift in zip(skills, shifts, strict=True)]
        return self._ranked.skill_gradients(i, rows, performances, model.draw_margin, sites)

    def many_team_chances(
        self, i: int, lineups: RoundLineups, mean: Sequence[float], var: Sequence[float]
    ) -> Prediction:
        """Return the chances of round i of more than two teams with a line-up."""
        model = self.model(i)
        performance = [m + shift for m, shift in zip(mean, lineups.shifts(i), strict=True)]
        noisy = [v + model.beta2 for v in var]
        shares = lineups.team_shares(i, i + 1, self.teams[i]).tolist()
        return many_team_chances(shares, performance, noisy, model.draw_margin)

    def model(self, i: int) -> ModeModel:
        """Return the model of round i's mode."""
        return self._modelled.models[self.mode[i]]

    @cached_property
    def _ranked(self) -> RankedTeams:
        return rank_teams(self._modelled.record, self.played.shares, self._first, self._last)

    def _extract_ahead(self, i: int) -> dict[int, RoundEvidence]:
        """Extract the evidence of round i, and of later rounds that go with it.

        If it is more than a result, later such rounds are extracted as well, one shape at a time.
        """
        last = min(i + _ROUNDS_AHEAD, len(self.mode)) if self._needs_inference[i] else i + 1
        shapes: dict[tuple[int, int, int], list[int]] = {}
        for j in range(i, last):
            if j == i or self._needs_inference[j]:
                players = self.played.start[j + 1] - self.played.start[j]
                shapes.setdefault((self.mode[j], players, self.teams[j]), []).append(j)
        shares = self.played.team_shares(i, last, max(self.teams[i:last]))
        read: dict[int, RoundEvidence] = {}
        for (mode, players, teams), rounds in shapes.items():
            rows = np.array([self.played.start[j] for j in rounds])[:, None] + np.arange(players)
            evidence = self._extract_same_shape(
                rounds, rows, self._modelled.models[mode], shares[rows - self.played.start[i], :teams]
            )
            read.update(zip(rounds, evidence, strict=True))
        return read

    def _extract_same_shape(
        self, rounds: Sequence[int], rows: Offsets, model: ModeModel, shares: Floats
    ) -> list[RoundEvidence]:
        """Extract the evidence of rounds of one mode and shape.

        ``rows`` are those of the line-ups, one line per round.
        """
        record, k = self._modelled.record, np.array(rounds) + self._first
        appearances = self.played.row[rows]
        return extract_evidence(
            shares,
            record.team_rank[record.team_start[k][:, None] + np.arange(shares.shape[2])].tolist(),
            model,
            shares.sum(axis=2) * (record.duration[k] / MINUTE_S)[:, None],
            {column: getattr(record, column)[appearances] for column in model.counts},
            [[None if quit_ < 0 else bool(quit_) for quit_ in each] for each in record.quit[appearances].tolist()],
        )

    def _has_counts_or_quits(self) -> NDArray[np.bool_]:
        """Return whether a round has counts or quits that its mode's model uses."""
        record, models, rows = self._modelled.record, self._modelled.models, self.played.row
        if not any(model.counts or model.quits for model in models):
            return np.zeros(self._last - self._first, np.bool_)
        rounds = record.round_of_appearance[rows] - self._first
        mode = record.mode[rounds + self._first]
        is_informative = np.zeros(len(rows), np.bool_)
        for column in {column for model in models for column in model.counts}:
            uses = np.array([column in model.counts for model in models], np.bool_)
            is_informative |= uses[mode] & ~np.isnan(getattr(record, column)[rows])
        lowest = np.array([_lowest_informative_quit(model) for model in models])
        is_informative |= record.quit[rows] >= lowest[mode]
        return np.bincount(rounds[is_informative], minlength=self._last - self._first).astype(np.bool_)


def _lowest_informative_quit(model: ModeModel) -> int:
    """Return the least value of the record's column ``quit`` that is evidence: 1 quit, 0 finished, 2 for none."""
    if model.quits is None:
        return 2
    return 0 if model.quits.finishing_counts else 1
