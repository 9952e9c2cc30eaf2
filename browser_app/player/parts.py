"""The rating taken apart: by team, in the chair, by mode."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.player.doubt import GUESS, doubt_of, nine_in_ten
from browser_app.player.now import Mark, Part
from browser_app.player.own_history import OwnHistory
from browser_app.player.scale import NS2, newcomers_sd
from browser_app.rating.ns2.declared import settings_of
from browser_app.rating.ns2.information import estimated_sd
from browser_app.rating.ns2.points import POINTS
from browser_app.rating.system import RatingRun, RatingSystem

FEW_ROUNDS = 20
"""With fewer a rating is a guess."""


def parts_of(
    run: RatingRun,
    system: RatingSystem,
    history: OwnHistory,
    fields: Mapping[str, Any],
    whole: tuple[float | None, float | None],
    mode: str,
) -> tuple[Part, ...]:
    """All parts; ``run`` is at the end of its record.

    ``fields`` are the player's (see ``RatingRun.players``), ``whole`` is his rating with its sd as displayed, of
    ``mode`` unless that is "".
    """
    return (
        *_teams(run, system, history, whole),
        *_chair(run, system, history, fields),
        *_modes(run, system, history, mode),
    )


class Results(NamedTuple):
    """How many rounds, and how they ended: first alone, not first, first with others."""

    rounds: int
    won: int
    lost: int
    drawn: int


def results(history: OwnHistory, which: NDArray[np.bool_]) -> Results:
    """Those of some rounds, all of which have an outcome."""
    outcome = history.outcome[which]
    won, drawn = int((outcome == 1.0).sum()), int((outcome == 0.5).sum())
    return Results(len(outcome), won, len(outcome) - won - drawn, drawn)


def _teams(
    run: RatingRun, system: RatingSystem, history: OwnHistory, whole: tuple[float | None, float | None]
) -> Iterator[Part]:
    """By name; of a system that tells sides apart, what the player is worth on the side where that team last stood."""
    record, rated = run.record, ~np.isnan(history.probability)
    per_team = system.parameters.default.get("per_team") == "yes"
    for number, name in enumerate(history.teams):
        there = rated & (history.team == number)
        if not there.any():
            continue
        if not per_team:
            yield _part("team", name, whole, history, there, "shared")
            continue
        k, mode, player = int(history.round[there][-1]), int(history.mode[there][-1]), _player(run, history)
        value = run.unit * run.team_rating(player, mode, record.teams(k).index(name))
        offset = value - run.unit * run.rating(player, mode).value
        yield _part("team", name, (value, side_sd(system, history, name)), history, there, "offset", offset)


def side_sd(system: RatingSystem, history: OwnHistory, team: str) -> float | None:
    """How sure a rating is on one team, by what the rounds on it alone told; displayed, None where nothing tells it.

    What is known adds up: each round adds to 1 / sd² of the rating, from that of a newcomer on.
    """
    if not history.sd_from:
        return None
    newcomers = (POINTS * estimated_sd(settings_of(system.parameters), 0.0)) ** -2
    told = np.diff(np.nan_to_num(history.sd**-2, nan=newcomers), prepend=newcomers)
    there = history.team == (history.teams.index(team) if team in history.teams else -1)
    return float((newcomers + max(0.0, told[there].sum())) ** -0.5)


def part_with_sd(part: Part, sd: float | None) -> Part:
    """The same with another standard deviation."""
    low, high = nine_in_ten(part.value, sd)
    return replace(part, sd=sd, low=low, high=high)


def _chair(run: RatingRun, system: RatingSystem, history: OwnHistory, fields: Mapping[str, Any]) -> Iterator[Part]:
    """Only of a system for which commanding is a skill of its own."""
    if system.parameters.default.get("chair") != "yes":
        return
    there = ~np.isnan(history.probability) & (history.chair > 0.0)
    rounds = int(there.sum())
    value = sd = None
    if rounds:
        value = run.unit * fields["commander"]
        sd = run.unit * estimated_sd(settings_of(system.parameters), fields["commander_adagrad_sum"])
    mark: Mark = "" if rounds >= FEW_ROUNDS else "guess" if rounds else "unknown"
    yield _part("chair", "", (value, sd), history, there, mark)


def _modes(run: RatingRun, system: RatingSystem, history: OwnHistory, main: str) -> Iterator[Part]:
    """All modes of the record, those with most rounds of the player first."""
    rated = ~np.isnan(history.probability)
    rounds = np.bincount(history.mode[rated], minlength=len(history.modes))
    for number in np.argsort(-rounds, kind="stable").tolist():
        name, there = history.modes[number], rated & (history.mode == number)
        if not rounds[number]:
            yield _part("mode", name, (None, None), history, there, "unknown")
            continue
        rating = run.rating(_player(run, history), number)
        sd = None if rating.sd is None else run.unit * rating.sd
        mark = _mark_of_mode(system, sd, int(rounds[number]), main=name == main, alone=np.count_nonzero(rounds) == 1)
        yield _part("mode", name, (run.unit * rating.value, sd), history, there, mark)


def _player(run: RatingRun, history: OwnHistory) -> int:
    return run.record.player_ids.index(history.player)


def _mark_of_mode(system: RatingSystem, sd: float | None, rounds: int, *, main: bool, alone: bool) -> Mark:
    if system.name == NS2:
        return "" if alone else "shared"
    if doubt_of(sd, newcomers_sd(system)) == GUESS or rounds < FEW_ROUNDS:
        return "guess"
    return "" if main or alone else "apart"


def _part(
    kind: Literal["team", "chair", "mode"],
    name: str,
    rating: tuple[float | None, float | None],
    history: OwnHistory,
    there: NDArray[np.bool_],
    mark: Mark,
    offset: float | None = None,
) -> Part:
    value, sd = rating
    low, high = nine_in_ten(value, sd)
    return Part(kind, name, value, sd, low, high, **results(history, there)._asdict(), mark=mark, offset=offset)
