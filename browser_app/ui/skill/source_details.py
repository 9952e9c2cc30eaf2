"""All that a service says of the user's skill, in words: by side and chair, or by mode."""

from collections.abc import Sequence

from browser_app.language import gettext as _
from browser_app.player.sources import SourceState
from browser_app.player.steam_user_stats import SteamSkill
from browser_app.player.xonstat_games import RecentGame
from browser_app.ui.plots.moments import clock_time, date_text
from browser_app.ui.skill.numbers import points_words

_MOST_GAMES = 3


def details_words(state: SourceState) -> str:
    """A line or two; empty where there is no more to say than one number."""
    if not state.on:
        return ""
    if state.steam is not None:
        return _steam_words(state.steam)
    modes = ", ".join(
        _("{mode} {points} ± {doubt}").format(mode=mode, points=points_words(mu), doubt=points_words(sigma))
        for mode, (mu, sigma) in sorted(state.modes.items())
    )
    return "\n".join(filter(None, [modes, _games_words(state.games[:_MOST_GAMES])]))


def _games_words(games: Sequence[RecentGame]) -> str:
    if not games:
        return ""
    words = _("{mode} on {map}, {day} at {time}")
    each = (
        words.format(mode=game.mode, map=game.map, day=date_text(game.time), time=clock_time(game.time))
        for game in games
    )
    return _("Last games: {games}").format(games=" · ".join(each))


def _steam_words(skill: SteamSkill) -> str:
    """What is not told is left out."""
    parts = (
        (_("marines"), skill.marine),
        (_("aliens"), skill.alien),
        (_("commanding marines"), skill.marine_commander),
        (_("commanding aliens"), skill.alien_commander),
    )
    return ", ".join(f"{name} {points_words(points)}" for name, points in parts if points is not None)
