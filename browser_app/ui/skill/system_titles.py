"""What a rating system is called in the window."""

from browser_app.language import gettext as _
from browser_app.player.system_titles import TITLES


def system_title(name: str) -> str:
    """A system's or baseline's title; one that is not known here is called by its name."""
    return _(TITLES.get(name, name))
