"""Builder of a player's skill summary from a finished rating run."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.player.ns2_tiers import compute_points_to_next_tier, find_next_tier, find_skill_tier
from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_summary import (
    LEAST_CERTAIN,
    MIN_RANKED_ROUNDS,
    TREND_ROUNDS,
    PartMark,
    RatingPart,
    RecentTrend,
    SdSource,
    SkillSummary,
    compute_error_sd,
    compute_interval_90,
    compute_rating_interval_90,
    find_certainty,
)
from browser_app.rating.rating_system import Rating, RatingRun, RatingSystem

MIN_CERTAIN_ROUNDS = 20
"""With fewer rounds, a rating is a guess."""


Interval: TypeAlias = tuple[float | None, float | None]


class ResultCounts(NamedTuple):
    """Number of rounds and their results: first alone, not first, first with others."""

    rounds: int
    won: int
    lost: int
    drawn: int


def count_results(history: OwnHistory, rows: NDArray[np.bool_]) -> ResultCounts:
    """Count the results of some rounds, all of which must have an outcome."""
    outcome = history.outcome[rows]
    won, drawn = int((outcome == 1.0).sum()), int((outcome == 0.5).sum())
    return ResultCounts(len(outcome), won, len(outcome) - won - drawn, drawn)


def _build_team_parts(
    run: RatingRun, system: RatingSystem, history: OwnHistory, overall_rating: tuple[float | None, float | None]
) -> Iterator[RatingPart]:
    """Yield the rating on each team, by name.

    If the system rates teams apart, it is the rating on the side where that team was last.
    """
    for number, name in enumerate(history.teams):
        mask = history.is_rated & (history.team == number)
        if not mask.any():
            continue
        if not system.rates_teams_apart:
            yield _build_part("team", name, overall_rating, history, mask, "shared")
            continue
        k, mode, player = int(history.round[mask][-1]), int(history.mode[mask][-1]), _find_player_index(run, history)
        value = run.points_per_unit * run.team_rating(player, mode, run.record.teams(k).index(name))
        offset = value - run.points_per_unit * run.rating(player, mode).value
        yield _build_part("team", name, (value, estimate_team_sd(history, name)), history, mask, "offset", offset)


def estimate_team_sd(history: OwnHistory, team: str) -> float | None:
    """Estimate the standard deviation on one team from its rounds alone.

    It is in displayed units, None if unknown. Information adds up: each round adds to 1 / sd² of the rating. What was
    known after the first rated round, such as the skill that the game reported, counts for all teams; a single team is
    never surer than the whole.
    """
    rated = ~np.isnan(history.sd)
    if not (history.sd_from and rated.any()):
        return None
    total_precision = history.sd[rated] ** -2
    added_precision = np.diff(total_precision, prepend=total_precision[:1])
    mask = history.team[rated] == (history.teams.index(team) if team in history.teams else -1)
    team_precision = max(0.0, total_precision[0] + added_precision[mask].sum())
    return float(min(total_precision[-1], team_precision) ** -0.5) if team_precision else None


def _build_commander_part(run: RatingRun, history: OwnHistory) -> Iterator[RatingPart]:
    if not run.rates_commanders:
        return
    mask = history.is_rated & (history.commander_share > 0.0)
    rounds = int(mask.sum())
    displayed: tuple[float | None, float | None] = (None, None)
    interval = None
    if rounds:
        player = _find_player_index(run, history)
        rating, inferred = run.commander_rating(player), run.inferred_commander_skill(player)
        interval = compute_rating_interval_90(rating, run.points_per_unit, inferred)
        displayed = _scale_rating(run, rating._replace(sd=compute_error_sd(rating, inferred) or rating.sd))
    mark: PartMark = "" if rounds >= MIN_CERTAIN_ROUNDS else "guess" if rounds else "unknown"
    part = _build_part("commander", "", displayed, history, mask, mark)
    yield part if interval is None else replace(part, low=interval[0], high=interval[1])


def _build_mode_parts(
    run: RatingRun, system: RatingSystem, history: OwnHistory, main_mode: str
) -> Iterator[RatingPart]:
    """Yield all modes of the record, those with most rounds of the player first."""
    rounds = np.bincount(history.mode[history.is_rated], minlength=len(history.modes))
    for number in np.argsort(-rounds, kind="stable").tolist():
        name, mask = history.modes[number], history.is_rated & (history.mode == number)
        if not rounds[number]:
            yield _build_part("mode", name, (None, None), history, mask, "unknown")
            continue
        player = _find_player_index(run, history)
        displayed, interval = _scale_rating(run, run.rating(player, number)), _find_interval(run, player, number)
        mark = _choose_mode_mark(
            system,
            displayed[1],
            int(rounds[number]),
            is_main_mode=name == main_mode,
            is_only_mode=np.count_nonzero(rounds) == 1,
        )
        part = _build_part("mode", name, displayed, history, mask, mark)
        yield part if interval is None else replace(part, low=interval[0], high=interval[1])


def _scale_rating(run: RatingRun, rating: Rating) -> tuple[float, float | None]:
    """Return a rating and its standard deviation in displayed units."""
    unit = run.points_per_unit
    return unit * rating.value, None if rating.sd is None else unit * rating.sd


def _find_player_index(run: RatingRun, history: OwnHistory) -> int:
    return run.record.player_ids.index(history.player)


def _choose_mode_mark(
    system: RatingSystem, sd: float | None, rounds: int, *, is_main_mode: bool, is_only_mode: bool
) -> PartMark:
    if system.modes_share_rating:
        return "" if is_only_mode else "shared"
    if find_certainty(sd, system.default_newcomer_sd()) == LEAST_CERTAIN or rounds < MIN_CERTAIN_ROUNDS:
        return "guess"
    return "" if is_main_mode or is_only_mode else "apart"


def _build_part(
    kind: Literal["team", "commander", "mode"],
    name: str,
    rating: tuple[float | None, float | None],
    history: OwnHistory,
    mask: NDArray[np.bool_],
    mark: PartMark,
    offset: float | None = None,
) -> RatingPart:
    value, sd = rating
    low, high = compute_interval_90(value, sd)
    return RatingPart(
        kind, name, value, sd, low, high, **count_results(history, mask)._asdict(), mark=mark, offset=offset
    )


_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def build_skill_summary(run: RatingRun, system: RatingSystem, history: OwnHistory) -> SkillSummary:
    """Summarise the current skill of a history's player.

    `run` must be at the end of its record. Rounds, wins and losses count rated rounds only.
    """
    rated_players = run.rated_players()
    fields: Mapping[str, Any] = rated_players.get(history.player, {})
    mode = "" if system.has_overall_rating else _find_main_mode(fields)
    value, sd, sd_from = _find_rating(run, system, history, fields)
    rated = history.is_rated
    confident_points = None if value is None else run.confident_points(_find_player_index(run, history))
    tier = None if confident_points is None else find_skill_tier(confident_points)
    anchored = bool(fields.get("anchored", False))
    ranked = _select_ranked(rated_players, system, mode)
    summary = SkillSummary(
        value=value,
        mode=mode,
        sd=None,
        sd_from=sd_from,
        low=None,
        high=None,
        certainty="unknown",
        tier=tier,
        next_tier=None if tier is None else find_next_tier(tier),
        points_to_next_tier=None if confident_points is None else compute_points_to_next_tier(confident_points),
        confident_points=confident_points,
        adagrad_sum=None if value is not None and confident_points == value else fields.get("adagrad_sum"),
        rank=_compute_rank(ranked, history.player),
        ranked_players=len(ranked),
        **count_results(history, rated)._asdict(),
        recent_trend=_compute_trend(history, rated),
        parts=tuple(_build_parts(run, system, history, mode, (value, sd))),
        quantiles=_compute_quartiles(ranked),
        anchored=anchored,
        in_game_value=_compute_in_game_value(run, history, value) if anchored and value is not None else None,
        newcomer_sd=system.newcomer_sd,
        last_round_at=float(history.started[rated][-1]) if rated.any() else None,
    )
    if not fields:
        return apply_summary_sd(summary, system, sd)
    player, number = _find_player_index(run, history), history.modes.index(mode) if mode else None
    summary = apply_summary_sd(summary, system, sd, _find_interval(run, player, number))
    rating, inferred = _find_skills(run, player, number)
    error_sd = None if rating.sd is None else compute_error_sd(rating, inferred)
    if error_sd is None:
        return summary
    certainty = find_certainty(run.points_per_unit * error_sd, system.default_newcomer_sd())
    return replace(summary, certainty=certainty, is_range_inferred=True)


def _find_rating(
    run: RatingRun, system: RatingSystem, history: OwnHistory, fields: Mapping[str, Any]
) -> tuple[float | None, float | None, SdSource]:
    """Return the displayed rating, its standard deviation and the source of that."""
    value, sd = _read_rating(system, fields), _read_sd(fields, run.points_per_unit)
    sd_from: SdSource = history.sd_from if value is not None else ""
    return value, float(history.sd[-1]) if sd_from and sd is None else sd, sd_from


def _compute_in_game_value(run: RatingRun, history: OwnHistory, value: float) -> float:
    """Return the last in-game skill in the record plus the rating changes since."""
    record = run.record
    is_reported = (record.player == _find_player_index(run, history)) & ~np.isnan(record.skill)
    last = int(np.flatnonzero(is_reported)[-1])
    ratings_since = history.before[(history.round >= record.round_of_appearance[last]) & ~np.isnan(history.before)]
    return float(record.skill[last] + value - (ratings_since[0] if len(ratings_since) else value))


def _build_parts(
    run: RatingRun,
    system: RatingSystem,
    history: OwnHistory,
    mode: str,
    overall_rating: tuple[float | None, float | None],
) -> Iterator[RatingPart]:
    yield from _build_team_parts(run, system, history, overall_rating)
    yield from _build_commander_part(run, history)
    yield from _build_mode_parts(run, system, history, mode)


def _find_interval(run: RatingRun, player: int, mode: int | None) -> Interval | None:
    """Return the 90 % interval in displayed units, unless its source is the deviation."""
    rating, inferred = _find_skills(run, player, mode)
    if rating.skewed_interval is None and inferred is None:
        return None
    return compute_rating_interval_90(rating, run.points_per_unit, inferred)


def _find_skills(run: RatingRun, player: int, mode: int | None) -> tuple[Rating, Rating | None]:
    """Return a rating, over all modes if `mode` is None, and the inferred skill."""
    rating = run.overall_rating(player) if mode is None else run.rating(player, mode)
    return rating, run.inferred_skill(player, mode)


def apply_summary_sd(
    summary: SkillSummary, system: RatingSystem, sd: float | None, interval: Interval | None = None
) -> SkillSummary:
    """Replace the standard deviation of the rating and of parts that equal it.

    `interval` is its 90 % interval if that is not symmetric.
    """
    low, high = interval or compute_interval_90(summary.value, sd)
    parts = tuple(
        replace(part, sd=sd, low=low, high=high) if _is_whole(part, summary) else part for part in summary.parts
    )
    certainty = find_certainty(sd, system.default_newcomer_sd())
    return replace(summary, sd=sd, low=low, high=high, certainty=certainty, parts=parts)


def _is_whole(part: RatingPart, summary: SkillSummary) -> bool:
    """Return True if a part is the rating itself, with the same standard deviation."""
    return part.kind != "commander" and part.mark in ("", "shared") and part.value == summary.value


def _find_main_mode(fields: Mapping[str, Any]) -> str:
    modes: Mapping[str, Mapping[str, Any]] = fields.get("modes", {})
    return max(modes, key=lambda mode: modes[mode]["rounds"], default="")


def _read_rating(system: RatingSystem, fields: Mapping[str, Any]) -> float | None:
    """Return the displayed rating from a player's fields, None if there are none.

    The fields are those of `RatingRun.rated_players`.
    """
    return float(fields[system.value_field]) if fields else None


def _read_sd(fields: Mapping[str, Any], unit: float) -> float | None:
    sd = fields.get("sd")
    return None if sd is None else unit * sd


def _select_ranked(rated_players: Mapping[str, Mapping[str, Any]], system: RatingSystem, mode: str) -> dict[str, float]:
    """Return the ratings of players with enough rounds, in that mode if rated apart."""
    if not system.has_overall_rating:
        rated_players = {
            player_id: fields["modes"][mode] for player_id, fields in rated_players.items() if mode in fields["modes"]
        }
    ranked_players = {
        player_id: fields for player_id, fields in rated_players.items() if fields["rounds"] >= MIN_RANKED_ROUNDS
    }
    return {
        player_id: value
        for player_id, fields in ranked_players.items()
        if (value := _read_rating(system, fields)) is not None
    }


def _compute_rank(ranked: Mapping[str, float], player: str) -> int | None:
    """Return the rank, 1 for the best; equal values share a rank."""
    return 1 + sum(value > ranked[player] for value in ranked.values()) if player in ranked else None


def _compute_quartiles(ranked: Mapping[str, float]) -> tuple[float, ...]:
    if len(ranked) < len(_QUARTERS) - 1:
        return ()
    return tuple(np.quantile(list(ranked.values()), _QUARTERS).tolist())


def _compute_trend(history: OwnHistory, rated: NDArray[np.bool_]) -> RecentTrend:
    recent_rounds = np.flatnonzero(rated)[-TREND_ROUNDS:]
    is_recent = np.zeros(len(rated), np.bool_)
    is_recent[recent_rounds] = True
    change = float((history.after[recent_rounds] - history.before[recent_rounds]).sum())
    return RecentTrend(
        change=change,
        expected=float(history.probability[recent_rounds].sum()),
        **count_results(history, is_recent)._asdict(),
    )
