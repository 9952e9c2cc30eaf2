"""Evidence of a block of rounds for TrueSkill 2, and the skills from it."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Offsets
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.skip_reason import SkipReason
from browser_app.rating.trueskill2.counted_rounds import CountedRounds, read_counted_rounds
from browser_app.rating.trueskill2.inference.counted_teams import infer_counted_teams
from browser_app.rating.trueskill2.inference.round_inference import (
    RoundEvidence,
    extract_evidence,
    shift_result,
    update_skills,
)
from browser_app.rating.trueskill2.inference.team_ranking import RankingSites
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.ranked_teams import RankedTeams, rank_teams
from browser_app.rating.trueskill2.round_lineups import RoundLineups, build_forecast_lineups, build_played_lineups
from browser_app.rating.trueskill2.team_chances import many_team_chances, result_derivatives
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S, ModeModel

_ROUNDS_AHEAD = 128  # rounds whose evidence is extracted together


class TrueSkillRoundBlock:
    """Rounds first to last - 1 of a record; a round's index i counts from `first`.

    With `keep_evidence` each round can be inferred many times without reading its evidence again.

    Attributes:
        teams, mode, started, ended: of each round (seconds; `ended` is NaN without an outcome).
        outcome: of two teams, 1 the first-named won, -1 the other one, 0 a draw.
        has_closed_form: whether the result of two teams is the only evidence: no counts, no quits.
        is_ranking: whether the ranks of more teams, which share no players, are the only evidence.
        played: the line-ups as they turned out.
    """

    def __init__(self, modelled: ModelledRecord, first: int, last: int, *, keep_evidence: bool = False) -> None:
        record = modelled.record
        self._modelled, self._first, self._last, self._keep_evidence = modelled, first, last, keep_evidence
        self.played = build_played_lineups(record, modelled.slots.appearance_slot, modelled.squad_shift, first, last)
        self.teams: list[int] = record.team_count[first:last].tolist()
        self.mode: list[int] = record.mode[first:last].tolist()
        self.started: list[float] = record.started[first:last].tolist()
        self.ended: list[float] = (record.started[first:last] + record.duration[first:last]).tolist()
        ranks, team = record.team_rank, record.team_start[first:last]
        self.outcome: list[int] = np.sign(ranks[team + 1] - ranks[team]).tolist()
        two_teams, has_quits = record.team_count[first:last] == 2, self._has_quits()
        counts_are_used = any(model.counts for model in modelled.models)
        has_counts = self._counted.has_counts if counts_are_used else np.zeros(last - first, np.bool_)
        result_alone = ~has_counts & ~has_quits
        closed, rankings = two_teams & result_alone, ~two_teams & result_alone & self.played.has_disjoint_teams
        counted = two_teams & has_counts & ~has_quits & self.played.has_disjoint_teams
        self.has_closed_form: list[bool] = closed.tolist()
        self.is_ranking: list[bool] = rankings.tolist()
        self._is_counted: list[bool] = counted.tolist()
        is_rated = record.finished[first:last] & (modelled.occupied_teams[first:last] >= 2)
        self._needs_inference: list[bool] = (is_rated & ~closed & ~rankings & ~counted).tolist()
        self._evidence_cache: dict[int, RoundEvidence] = {}

    def forecast_lineups(self) -> RoundLineups:
        """Return the line-ups expected before the rounds."""
        modelled = self._modelled
        slots, longest = modelled.slots.appearance_slot, modelled.longest_team
        return build_forecast_lineups(modelled.record, slots, modelled.squad_shift, longest, self._first, self._last)

    def skip_reasons(self) -> list[str | None]:
        """Return why each round is not rated, None for rated ones."""
        rounds = slice(self._first, self._last)
        reasons = np.where(self._modelled.occupied_teams[rounds] < 2, SkipReason.ONE_SIDE_EMPTY, "")
        reasons = np.where(self._modelled.record.finished[rounds], reasons, SkipReason.NO_OUTCOME)
        return [reason or None for reason in reasons.tolist()]

    def infer_skills(
        self, i: int, skills: Sequence[tuple[float, float]], advantage: tuple[float, float] | None = None
    ) -> list[tuple[float, float]]:
        """Return mean and variance of each skill after round i, from those before.

        `advantage` is mean and variance of what is added to the first-named of two teams.
        """
        if self._is_counted[i] and (self._modelled.approximates_zeros or not self._has_single_zero(i)):
            return self._infer_counted(i, skills, advantage or (0.0, 0.0))
        evidence = self.evidence(i)
        if advantage is not None:
            evidence = shift_result(evidence, self.outcome[i], *advantage)
        mean, var = [mean for mean, _ in skills], [var for _, var in skills]
        posterior = update_skills(mean, var, self.played.shifts(i), self.model(i).beta2, evidence)
        return list(zip(posterior.mean, posterior.var, strict=True))

    def evidence(self, i: int) -> RoundEvidence:
        """Return the evidence of round i, extracted together with that of later rounds."""
        if i not in self._evidence_cache:
            if not self._keep_evidence:
                self._evidence_cache.clear()
            self._evidence_cache.update(self._extract_ahead(i))
        return self._evidence_cache[i]

    def ranking_derivatives(
        self,
        i: int,
        skills: Sequence[tuple[float, float]],
        sites: RankingSites | None = None,
    ) -> list[tuple[float, float]]:
        """Return `RankedTeams.skill_derivatives` of round i by each player's mean skill.

        `skills` are means and variances before round i, whose only evidence is its ranking.
        """
        model, rows = self.model(i), slice(self.played.start[i], self.played.start[i + 1])
        beta2, shifts = model.beta2, self.played.shifts(i)
        performances = [(mean + shift, var + beta2) for (mean, var), shift in zip(skills, shifts, strict=True)]
        return self._ranked.skill_derivatives(i, rows, performances, model.draw_margin, sites)

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

    def _has_single_zero(self, i: int) -> bool:
        """Return whether round i has exactly one count of 0.

        Then result and zero have an exact posterior, which `update_skills` computes; `_infer_counted` approximates it.
        """
        zeros = self._counted.zeros[self.played.start[i] : self.played.start[i + 1]]
        return sum(map(len, zeros)) == 1

    def _infer_counted(
        self, i: int, skills: Sequence[tuple[float, float]], advantage: tuple[float, float]
    ) -> list[tuple[float, float]]:
        model, rows, outcome = self.model(i), slice(self.played.start[i], self.played.start[i + 1]), self.outcome[i]
        mean, var = advantage

        def cut_gap(t: float, c2: float) -> tuple[float, float]:
            return result_derivatives(t + mean, c2 + var, model.draw_margin, outcome)

        players, zeros, shifts = self._counted.players[rows], self._counted.zeros[rows], self.played.shifts(i)
        return infer_counted_teams(players, zeros, skills, shifts, model.beta2, cut_gap)

    @cached_property
    def _counted(self) -> CountedRounds:
        played, models = self.played, self._modelled.models
        return read_counted_rounds(
            self._modelled.record, models, played.row, np.array(played.net), self._first, self._last
        )

    @cached_property
    def _ranked(self) -> RankedTeams:
        return rank_teams(self._modelled.record, self.played.shares, self._first, self._last)

    def _extract_ahead(self, i: int) -> dict[int, RoundEvidence]:
        """Extract the evidence of round i, and with it that of later rounds like it.

        Rounds that need no inference are extracted alone, all others with those of their mode and size.
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

        `rows` are those of the line-ups, one line per round.
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

    def _has_quits(self) -> NDArray[np.bool_]:
        """Return whether a round has quits that its mode's model uses."""
        record, models, rows = self._modelled.record, self._modelled.models, self.played.row
        if not any(model.quits for model in models):
            return np.zeros(self._last - self._first, np.bool_)
        rounds = record.round_of_appearance[rows] - self._first
        lowest = np.array([_lowest_informative_quit(model) for model in models])
        is_informative = record.quit[rows] >= lowest[record.mode[rounds + self._first]]
        return np.bincount(rounds[is_informative], minlength=self._last - self._first) > 0


def _lowest_informative_quit(model: ModeModel) -> int:
    """Return the least `quit` that is evidence: 0 finished, 1 quit, 2 none."""
    if model.quits is None:
        return 2
    return 0 if model.quits.finishing_counts else 1
