"""Texts about skill sources and why their values differ."""

import time
from collections.abc import Sequence

from browser_app.application.own_skill.skill_web_services import SKILL_SERVICES
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.player.steam_web_api import SteamSkill
from browser_app.player.xonstat_web_api import RecentGame
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.ui.skill.rating_format import format_points, system_title
from browser_app.ui.widgets.value_text import (
    age_text,
    clock_time_text,
    date_with_year_text,
    day_and_month_text,
)

_MAX_GAMES = 3


def source_details_text(state: SkillSourceState) -> str:
    """Return one or two lines; empty if there is only one number."""
    if not state.is_enabled:
        return ""
    if state.steam is not None:
        return _steam_skill_text(state.steam)
    modes = ", ".join(_mode_text(mode, mean, sd) for mode, (mean, sd) in sorted(state.modes.items()))
    return "\n".join(filter(None, [modes, _recent_games_text(state.games[:_MAX_GAMES])]))


def _recent_games_text(games: Sequence[RecentGame]) -> str:
    if not games:
        return ""
    words = _("{mode} on {map}, {day} at {time}")
    each = (
        words.format(mode=game.mode, map=game.map, day=day_and_month_text(game.time), time=clock_time_text(game.time))
        for game in games
    )
    return _("Recent rounds: {games}").format(games=" · ".join(each))


def _steam_skill_text(skill: SteamSkill) -> str:
    parts = (
        (_("Marines {points}"), skill.marine),
        (_("Aliens {points}"), skill.alien),
        (_("Marine commander {points}"), skill.marine_commander),
        (_("Alien commander {points}"), skill.alien_commander),
    )
    return ", ".join(words.format(points=format_points(points)) for words, points in parts if points is not None)


_SOURCE_SCALES = {service.kind: service.scale for service in SKILL_SERVICES}
_MIN_DIFFERENCE = 0.5
"""In points; smaller differences do not show in whole numbers."""


def shares_scale(kind: SkillSourceKind, system: str) -> bool:
    """Return whether a source's numbers can be compared with the ratings of a system."""
    return system in RATING_SYSTEMS and _SOURCE_SCALES.get(kind) == RATING_SYSTEMS[system].scale


def source_title(kind: SkillSourceKind) -> str:
    """Return the title of a kind of source."""
    return {
        SkillSourceKind.RECORD: _("Round files"),
        SkillSourceKind.STEAM: _("Steam user stats"),
        SkillSourceKind.XONSTAT: _("XonStat"),
        SkillSourceKind.ENTERED: _("Number you entered"),
    }[kind]


def source_text(state: SkillSourceState, own: float | None, system: str = "") -> str:
    """Return a source's value, or why there is none.

    `own` is the user's rating under `system`, to compare with.
    """
    if state.error:
        return state.error
    if not state.is_enabled:
        return _("not used")
    if state.kind is SkillSourceKind.RECORD:
        return _record_text(state)
    if state.points is None:
        return _("no value yet")
    value = format_points(state.points)
    if state.kind is SkillSourceKind.ENTERED:
        return value
    gap = None if own is None or not shares_scale(state.kind, system) else state.points - own
    words = _value_template(gap, in_game=state.kind is SkillSourceKind.STEAM)
    return words.format(points=value, n=format_points(abs(gap or 0.0)))


def source_summary(state: SkillSourceState, own: float | None, system: str) -> str:
    """Return a source's value on one line, with all modes of a source that has them."""
    if state.is_enabled and state.modes and not state.error:
        return ", ".join(_mode_text(mode, mean, sd) for mode, (mean, sd) in state.modes.items())
    return source_text(state, own, system)


def _mode_text(mode: str, mean: float, sd: float) -> str:
    return _("{mode} {mean}\u00a0±\u00a0{sd}").format(mode=mode, mean=format_points(mean), sd=format_points(sd))


def _record_text(state: SkillSourceState) -> str:
    if not state.rounds:
        return _("no rounds yet")
    words = ngettext("{n} round, {mine} of them yours", "{n} rounds, {mine} of them yours", state.rounds)
    rounds = words.format(n=integer_text(state.rounds), mine=integer_text(state.own_rounds or 0))
    if not state.folders:
        return rounds
    folders = ngettext("{n} folder watched", "{n} folders watched", state.folders).format(n=state.folders)
    return f"{rounds}; {folders}"


def _value_template(gap: float | None, *, in_game: bool) -> str:
    """Return a text with `{points}`.

    It also has `{n}` for the difference from the user's rating.
    """
    if gap is None:
        return _("in-game skill {points}") if in_game else _("skill {points}")
    if abs(gap) < _MIN_DIFFERENCE:
        return _("in-game skill {points}, same as your rating") if in_game else _("skill {points}, same as your rating")
    if gap > 0:
        above = _("in-game skill {points}, {n} above your rating"), _("skill {points}, {n} above your rating")
        return above[0] if in_game else above[1]
    below = _("in-game skill {points}, {n} below your rating"), _("skill {points}, {n} below your rating")
    return below[0] if in_game else below[1]


def difference_reason(states: Sequence[SkillSourceState], own: float | None, system: str) -> str:
    """Return why a source's value may differ from the user's rating.

    Empty if none does.
    """
    comparable = [state for state in states if shares_scale(state.kind, system)]
    with_value = [state for state in comparable if state.is_enabled and state.points is not None and not state.error]
    different = {
        state.kind for state in with_value if own is not None and abs((state.points or 0.0) - own) >= _MIN_DIFFERENCE
    }
    if SkillSourceKind.STEAM in different:
        return _(
            "The in-game skill includes rounds from other computers that your files may lack, which "
            "can explain the difference."
        )
    if SkillSourceKind.XONSTAT in different:
        return _(
            "XonStat counts rounds on servers that report to it, your rating those in your files, "
            "which can explain the difference."
        )
    return _other_scale_text(states, system) if own is not None else ""


def _other_scale_text(states: Sequence[SkillSourceState], system: str) -> str:
    """Return which source's numbers cannot be compared with the user's rating."""
    for state in states:
        has_value = state.is_enabled and not state.error and (state.points is not None or state.modes)
        if has_value and state.kind is not SkillSourceKind.ENTERED and not shares_scale(state.kind, system):
            words = _("Numbers from {source} are on another scale than those of {system}, so they differ.")
            return words.format(source=source_title(state.kind), system=system_title(system))
    return ""


def samples_text(state: SkillSourceState) -> str:
    """Return `12 samples since 3 Nov 2020`.

    Empty without samples, or if the source is off.
    """
    if not state.is_enabled or state.first_sample_at is None:
        return ""
    words = ngettext("{n} sample since {day}", "{n} samples since {day}", state.sample_count)
    return words.format(n=integer_text(state.sample_count), day=date_with_year_text(state.first_sample_at))


AGE_UPDATE_INTERVAL_MS = 20_000
"""Interval at which shown ages are updated."""


def ago_text(moment: float | None, now: float | None = None) -> str:
    """Return `2 min ago`, empty for None; times are Unix times in seconds."""
    if moment is None:
        return ""
    return _("{age} ago").format(age=age_text(max(0.0, (time.time() if now is None else now) - moment)))
