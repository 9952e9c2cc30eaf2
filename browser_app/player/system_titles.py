"""What the rating systems and the baselines are called for people."""

from collections.abc import Mapping

from browser_app.language import later

TITLES: Mapping[str, str] = {
    "ns2": later("NS2 logistic"),
    "elo-blog": later("Elo of the blog"),
    "elo-xonstat": later("XonStat Elo"),
    "xonstat-go": later("XonStat Go"),
    "trueskill2": later("TrueSkill 2"),
    "trueskill": later("TrueSkill"),
    "size": later("Team size alone"),
    "constant": later("Constant rate"),
}
"""By name; English, to be looked up where they are shown."""
