"""What the rating systems are called in the window."""

from collections.abc import Mapping

from browser_app.language import gettext as _
from browser_app.language import later

_TITLES: Mapping[str, str] = {
    "ns2": later("NS2 logistic"),
    "elo-blog": later("Elo of the blog"),
    "elo-xonstat": later("XonStat Elo"),
    "xonstat-go": later("XonStat Go"),
    "trueskill2": later("TrueSkill 2"),
    "trueskill": later("TrueSkill"),
    "size": later("Team size alone"),
    "constant": later("Constant rate"),
}
"""By the name that the command line uses, the baselines among them."""


def system_title(name: str) -> str:
    """A system's title; one that is not known here is called by its name."""
    return _(_TITLES[name]) if name in _TITLES else name
