"""What an import did, in words."""

from collections.abc import Sequence

from browser_app.bridge.skill.imported import Imported
from browser_app.language import gettext as _
from browser_app.language import ngettext


def taken_words(results: Sequence[Imported]) -> str:
    """The rounds of the files that were taken; empty where none was."""
    taken = [each for each in results if not each.problem]
    if not taken:
        return ""
    rounds, new = sum(each.rounds for each in taken), sum(each.new for each in taken)
    words = ngettext("{n} round read, {new} new", "{n} rounds read, {new} new", rounds).format(n=rounds, new=new)
    richer = sum(each.richer for each in taken)
    if not richer:
        return words
    gains = frozenset[str]().union(*(each.gains for each in taken))
    known = _("{n} known already, now with {what}").format(n=richer, what=_gains(gains))
    return f"{words}; {known}"


def _gains(gains: frozenset[str]) -> str:
    """What came to be known of rounds that were there, of `rounds.same_round.GAINS`."""
    titles = {
        "outcome": _("the outcome"),
        "players": _("the players"),
        "times": _("the times of joining and leaving"),
        "date": _("the date"),
    }
    return ", ".join(words for gain, words in titles.items() if gain in gains)
