"""Where somebody stands at the end of a run over a record."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.player.doubt import doubt_of, nine_in_ten
from browser_app.player.now import Now, Part, SdFrom, Trend
from browser_app.player.own_history import OwnHistory
from browser_app.player.parts import part_with_sd, parts_of, results, side_sd
from browser_app.player.scale import NS2, newcomers_sd
from browser_app.player.tiers import next_tier, tier_of, to_next
from browser_app.rating.ns2.points import confident_points
from browser_app.rating.system import RatingRun, RatingSystem

RANKED_ROUNDS = 10
"""With fewer rounds nobody has a rank."""
TREND_ROUNDS = 20
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def now_of(run: RatingRun, system: RatingSystem, history: OwnHistory) -> Now:
    """Where the player of a history stands; ``run`` is at the end of its record.

    Rounds, wins and losses are of those that were rated.
    """
    everybody = run.players()
    fields: Mapping[str, Any] = everybody.get(history.player, {})
    mode = "" if _one_for_all(system) else _main_mode(fields)
    value, sd = _value(fields), _sd(fields, run.unit)
    rated = ~np.isnan(history.probability)
    sd_from: SdFrom = history.sd_from if value is not None else ""
    if sd_from and sd is None:
        sd = float(history.sd[-1])
    effective = confident_points(value, fields["adagrad_sum"]) if system.name == NS2 and value is not None else None
    tier = None if effective is None else tier_of(effective)
    ranked = _ranked(everybody, system, mode)
    outcomes = results(history, rated)
    now = Now(
        value=value,
        mode=mode,
        sd=None,
        sd_from=sd_from,
        low=None,
        high=None,
        doubt="unknown",
        tier=tier,
        next_tier=None if tier is None else next_tier(tier),
        to_next=None if effective is None else to_next(effective),
        effective=effective,
        adagrad_sum=fields.get("adagrad_sum"),
        rank=_rank(ranked, history.player),
        ranked_players=len(ranked),
        rounds=outcomes.rounds,
        won=outcomes.won,
        lost=outcomes.lost,
        drawn=outcomes.drawn,
        trend20=_trend(history, rated),
        parts=parts_of(run, system, history, fields, (value, sd), mode),
        quantiles=_quarters(ranked),
    )
    return with_sd(now, system, sd)


def with_full_doubt(now: Now, system: RatingSystem, history: OwnHistory, commander: float | None) -> Now:
    """The same with the standard deviations of the most probable skills given the whole record (`--full-history`).

    Those of the rating are the history's, that of the commander skill is None where nothing tells it (`full_doubt`).
    """
    now = with_sd(now, system, float(history.sd[-1]))

    def told(part: Part) -> Part:
        if part.mark == "offset":
            return part_with_sd(part, side_sd(system, history, part.name))
        return part_with_sd(part, commander) if part.kind == "chair" else part

    return replace(now, sd_from=history.sd_from, parts=tuple(map(told, now.parts)))


def with_sd(now: Now, system: RatingSystem, sd: float | None) -> Now:
    """The same with a standard deviation of the rating, and of the parts that are the rating itself."""
    low, high = nine_in_ten(now.value, sd)
    parts = tuple(part_with_sd(part, sd) if _is_whole(part, now) else part for part in now.parts)
    doubt = doubt_of(sd, newcomers_sd(system))
    return replace(now, sd=sd, low=low, high=high, doubt=doubt, parts=parts)


def _is_whole(part: Part, now: Now) -> bool:
    """Whether a part has the rating itself, so that its doubt is the same."""
    return part.kind != "chair" and part.mark in ("", "shared") and part.value == now.value


def _one_for_all(system: RatingSystem) -> bool:
    """Whether the headline is of no single mode."""
    return system.name in (NS2, "trueskill2")


def _main_mode(fields: Mapping[str, Any]) -> str:
    modes: Mapping[str, Mapping[str, Any]] = fields.get("modes", {})
    return max(modes, key=lambda mode: modes[mode]["rounds"], default="")


def _value(fields: Mapping[str, Any]) -> float | None:
    """What somebody's fields (see ``RatingRun.players``) say, as displayed; None of nobody."""
    return next((float(fields[name]) for name in ("points", "mean", "rating") if name in fields), None)


def _sd(fields: Mapping[str, Any], unit: float) -> float | None:
    sd = fields.get("sd")
    return None if sd is None else unit * sd


def _ranked(everybody: Mapping[str, Mapping[str, Any]], system: RatingSystem, mode: str) -> dict[str, float]:
    """Values of those with enough rounds; of a system with a rating a mode, in that mode."""
    if not _one_for_all(system):
        everybody = {name: fields["modes"][mode] for name, fields in everybody.items() if mode in fields["modes"]}
    enough = {name: fields for name, fields in everybody.items() if fields["rounds"] >= RANKED_ROUNDS}
    return {name: value for name, fields in enough.items() if (value := _value(fields)) is not None}


def _rank(ranked: Mapping[str, float], player: str) -> int | None:
    """1 for the best; equals share a rank."""
    return 1 + sum(value > ranked[player] for value in ranked.values()) if player in ranked else None


def _quarters(ranked: Mapping[str, float]) -> tuple[float, ...]:
    if len(ranked) < len(_QUARTERS) - 1:
        return ()
    return tuple(np.quantile(list(ranked.values()), _QUARTERS).tolist())


def _trend(history: OwnHistory, rated: NDArray[np.bool_]) -> Trend:
    last = np.flatnonzero(rated)[-TREND_ROUNDS:]
    which = np.zeros(len(rated), np.bool_)
    which[last] = True
    change = float((history.after[last] - history.before[last]).sum())
    return Trend(change=change, expected=float(history.probability[last].sum()), **results(history, which)._asdict())
