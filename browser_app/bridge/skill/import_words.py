"""What an import did, in words."""

from collections.abc import Sequence

from browser_app.bridge.skill.imports import Imported, Importing
from browser_app.language import gettext as _
from browser_app.language import ngettext


def importing_words(importing: Importing) -> str:
    """The file in hand, and how many there are."""
    if importing.files == 1:
        return _("Reading {file}").format(file=importing.path.name)
    words = _("Reading {file}, {n} of {total}")
    return words.format(file=importing.path.name, n=importing.file, total=importing.files)


def taken_words(results: Sequence[Imported]) -> str:
    """The rounds of the files that were taken; empty where none was."""
    taken = [each for each in results if not each.problem]
    if not taken:
        return ""
    rounds, new = sum(each.rounds for each in taken), sum(each.new for each in taken)
    words = ngettext("{n} round read, {new} new", "{n} rounds read, {new} new", rounds)
    return words.format(n=rounds, new=new)
