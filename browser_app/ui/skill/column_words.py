"""What the keys of a table are called, and what is missing where some of them have no column."""

from collections.abc import Mapping

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.protocols.coloured_text import plain
from browser_app.rounds.source import ColumnMap
from browser_app.rounds.table import KEYS, NEEDED

_TITLES: Mapping[str, str] = {
    "id": later("Round"),
    "player": later("Player’s id"),
    "team": later("Player’s team"),
    "game": later("Game"),
    "map": later("Map"),
    "mode": later("Mode"),
    "started": later("Start of the round"),
    "duration": later("Length in seconds"),
    "winner": later("Team that won"),
    "name": later("Player’s name"),
    "kills": later("Kills"),
    "deaths": later("Deaths"),
    "score": later("Score"),
    "squad": later("Squad"),
    "ping": later("Ping"),
    "quit": later("Quit early"),
    "enter": later("Joined, in seconds"),
    "leave": later("Left, in seconds"),
    "rank": later("Place of the team"),
}
_OUTCOME, _OF_FINISHED = ("winner", "rank"), ("started", "duration")
_LONGEST = 80
"""Of a file's own words as many characters are shown."""


def title_of(key: str) -> str:
    """A key in words."""
    return _(_TITLES[key])


def map_words(columns: ColumnMap) -> str:
    """Which column is which, on one line."""
    named = {key: name for key, name in columns.items() if name is not None}
    return ", ".join(
        _("{key}: {column}").format(key=title_of(key), column=file_words(named[key])) for key in KEYS if key in named
    )


def file_words(text: str) -> str:
    """What stands in a file, as it can be shown on one line."""
    return plain(text[:_LONGEST])


def lacking(columns: ColumnMap) -> list[str]:
    """The keys that need a column and have none: of a round whose outcome is told also when, and how long, it was."""
    outcome = any(columns.get(key) is not None for key in _OUTCOME)
    needed = (*NEEDED, *_OF_FINISHED) if outcome else NEEDED
    return [key for key in needed if columns.get(key) is None]


def lack_words(columns: ColumnMap) -> str:
    """What still lacks; when nothing does, why the rounds are of little use; empty where all is well."""
    if missing := lacking(columns):
        return _("Still without a column: {keys}").format(keys=", ".join(map(title_of, missing)))
    if all(columns.get(key) is None for key in _OUTCOME):
        return _("Without who won, or the places of the teams, the rounds cannot be rated.")
    return ""
