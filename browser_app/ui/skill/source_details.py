"""All that a service says of the user's skill, in words: by side and chair, or by mode."""

from browser_app.language import gettext as _
from browser_app.player.sources import SourceState
from browser_app.player.steam_user_stats import SteamSkill
from browser_app.ui.skill.numbers import points_words


def details_words(state: SourceState) -> str:
    """One line; empty where there is no more to say than one number."""
    if not state.on:
        return ""
    if state.steam is not None:
        return _steam_words(state.steam)
    return ", ".join(
        _("{mode} {points} ± {doubt}").format(mode=mode, points=points_words(mu), doubt=points_words(sigma))
        for mode, (mu, sigma) in sorted(state.modes.items())
    )


def _steam_words(skill: SteamSkill) -> str:
    """What is not told is left out."""
    parts = (
        (_("marines"), skill.marine),
        (_("aliens"), skill.alien),
        (_("commanding marines"), skill.marine_commander),
        (_("commanding aliens"), skill.alien_commander),
    )
    return ", ".join(f"{name} {points_words(points)}" for name, points in parts if points is not None)
