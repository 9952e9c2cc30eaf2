"""Per-player state of the NS2 rating, and first skills."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.ns2.ns2_parameters import NS2Settings, ns2_error_variance
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT
from browser_app.rating.record.player_slots import NOT_FOUND
from browser_app.rating.record.round_record import GAME_SKILL_COLUMNS, Floats, Ints, RoundRecord

_Value = TypeVar("_Value")

_UNREPORTED_SUM = 0.1
"""Assumed sum of squared gradients behind a skill that the game reported without it, for the uncertainty only.

It is that of about 160 rounds of 20 players, (0.5 / 20)² each: ±151 points with the default prior.
"""


@dataclass(slots=True)
class NS2Skills:
    """Skills of all players, in units of s.

    Attributes:
        skill, offset, commander: s, o and χ.
        skill_sum, commander_sum: sums of the squared gradients of s and of χ.
        variance, commander_variance: error variances of the first s and χ; `NS2InferenceRun` makes them smaller.
        rounds: rated rounds before the record's first.
        anchored: whether the first skill was the game's own.
        is_sum_known: whether `skill_sum` covers all rounds: not if the game reported the skill without its sum.
    """

    skill: list[float]
    offset: list[float]
    commander: list[float]
    skill_sum: list[float]
    commander_sum: list[float]
    variance: list[float]
    commander_variance: list[float]
    rounds: list[int]
    anchored: list[bool]
    is_sum_known: list[bool]

    @classmethod
    def initial(cls, players: int, settings: NS2Settings) -> "NS2Skills":
        """Return the skills of newcomers of whom the game reported nothing."""
        start, variance = settings.start, ns2_error_variance(settings)
        zeros = [0.0] * players
        return cls(
            skill=[start] * players,
            offset=zeros,
            commander=[start] * players,
            skill_sum=zeros.copy(),
            commander_sum=zeros.copy(),
            variance=[variance] * players,
            commander_variance=[variance] * players,
            rounds=[0] * players,
            anchored=[False] * players,
            is_sum_known=[True] * players,
        )

    def transfer_to(self, players: Sequence[int], newcomers: "NS2Skills", rounds: Sequence[int]) -> "NS2Skills":
        """Return the skills of other players.

        `players` has for each of them the index here, or `NOT_FOUND` for those who keep the skills in
        `newcomers`; `rounds` are those of each player here.
        """

        def transferred(values: Sequence[_Value], new: Sequence[_Value]) -> list[_Value]:
            return [own if i == NOT_FOUND else values[i] for i, own in zip(players, new, strict=True)]

        return NS2Skills(
            transferred(self.skill, newcomers.skill),
            transferred(self.offset, newcomers.offset),
            transferred(self.commander, newcomers.commander),
            transferred(self.skill_sum, newcomers.skill_sum),
            transferred(self.commander_sum, newcomers.commander_sum),
            transferred(self.variance, newcomers.variance),
            transferred(self.commander_variance, newcomers.commander_variance),
            transferred(rounds, newcomers.rounds),
            transferred(self.anchored, newcomers.anchored),
            transferred(self.is_sum_known, newcomers.is_sum_known),
        )

    def with_commanders(self, reports: Sequence["CommanderReport"], settings: NS2Settings) -> "NS2Skills":
        """Return a copy with commander skills that the game reported."""
        commander, squares = self.commander.copy(), self.commander_sum.copy()
        variance = self.commander_variance.copy()
        for report in reports:
            commander[report.player], squares[report.player] = report.skill, report.squares
            variance[report.player] = ns2_error_variance(settings, report.squares)
        return replace(self, commander=commander, commander_sum=squares, commander_variance=variance)


class CommanderReport(NamedTuple):
    """Commander skill that the game reported of a player, in units of s.

    With its sum of squared gradients.
    """

    player: int
    skill: float
    squares: float


def first_skills(record: RoundRecord, settings: NS2Settings, rated: NDArray[np.bool_]) -> NS2Skills:
    """Return the skills of a record's players before their first rounds.

    With `anchors` they are the numbers that the game reported of a player in their first round of those that
    `rated` flags, without such a round in their first one; unreported numbers are those of a newcomer. Without
    `per_team` all offsets are 0, reported ones, too.
    """
    start = settings.start
    skills = NS2Skills.initial(len(record.player_ids), settings)
    if not settings.anchors or all(np.isnan(getattr(record, name)).all() for name in GAME_SKILL_COLUMNS):
        return skills
    rows = _first_appearances(record, rated)

    def reported(column: Floats, unknown: Floats | float, unit: float = 1.0) -> Floats:
        values = np.where(rows < 0, np.nan, column[rows]) / unit
        return np.where(np.isnan(values), unknown, values)

    skills.skill = reported(record.skill, start, POINTS_PER_UNIT).tolist()
    if settings.per_team:
        skills.offset = reported(record.offset, 0.0, POINTS_PER_UNIT).tolist()
    skills.commander = reported(record.commander_skill, start, POINTS_PER_UNIT).tolist()
    skills.skill_sum = reported(record.adagrad_sum, 0.0).tolist()
    skills.commander_sum = reported(record.commander_adagrad_sum, 0.0).tolist()
    known = reported(record.adagrad_sum, np.where(np.isnan(reported(record.skill, np.nan)), 0.0, _UNREPORTED_SUM))
    skills.variance = [ns2_error_variance(settings, squares) for squares in known.tolist()]
    skills.commander_variance = [ns2_error_variance(settings, squares) for squares in skills.commander_sum]
    is_reported, has_sum = ((rows >= 0) & ~np.isnan(column[rows]) for column in (record.skill, record.adagrad_sum))
    skills.anchored, skills.is_sum_known = is_reported.tolist(), (has_sum | ~is_reported).tolist()
    return skills


def find_late_commander_reports(
    record: RoundRecord, settings: NS2Settings, rated: NDArray[np.bool_]
) -> dict[int, list[CommanderReport]]:
    """Return the commander skills that the game first reports late, by round.

    That is after a player's first round; older NS2+ files have none. Beside commanders of whom the game reported 0,
    those who keep a newcomer's 1,000 points would decide rounds: the log loss of 28 recorded rounds is 1.62, with late
    reports 0.62.
    """
    if not settings.anchors or np.isnan(record.commander_skill).all():
        return {}
    reports: dict[int, list[CommanderReport]] = {}
    first = _first_appearances(record, rated)
    is_known = (first >= 0) & ~np.isnan(record.commander_skill[first])
    for row in np.flatnonzero(_is_rated_appearance(record, rated) & ~np.isnan(record.commander_skill)).tolist():
        player = int(record.player[row])
        if not is_known[player]:
            is_known[player] = True
            squares = np.nan_to_num(record.commander_adagrad_sum[row])
            report = CommanderReport(player, float(record.commander_skill[row]) / POINTS_PER_UNIT, float(squares))
            reports.setdefault(int(record.round_of_appearance[row]), []).append(report)
    return reports


def _first_appearances(record: RoundRecord, rated: NDArray[np.bool_]) -> Ints:
    """Return each player's first appearance on a team in a rated round.

    Without one it is their first appearance; -1 if they have none.
    """
    first = np.full(len(record.player_ids), -1, np.int32)
    rated_rows = np.flatnonzero(_is_rated_appearance(record, rated)).astype(np.int32)
    for rows in (np.arange(len(record.player), dtype=np.int32), rated_rows):
        first[record.player[rows[::-1]]] = rows[::-1]  # of equal indices the last one assigned stays
    return first


def _is_rated_appearance(record: RoundRecord, rated: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which appearances are on a team in a rated round."""
    counts = np.zeros(len(record.player), np.bool_)
    counts[record.stays.appearance] = True
    return counts & rated[record.round_of_appearance]
