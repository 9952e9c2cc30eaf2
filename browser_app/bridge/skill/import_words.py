"""What an import did, in words."""

from collections.abc import Sequence

from browser_app.bridge.skill.imports import Imported
from browser_app.language import ngettext


def taken_words(results: Sequence[Imported]) -> str:
    """The rounds of the files that were taken; empty where none was."""
    taken = [each for each in results if not each.problem]
    if not taken:
        return ""
    rounds, new = sum(each.rounds for each in taken), sum(each.new for each in taken)
    words = ngettext("{n} round read, {new} new", "{n} rounds read, {new} new", rounds)
    return words.format(n=rounds, new=new)
