"""Titles of table columns and texts about missing ones."""

from collections.abc import Mapping

from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.protocols.coloured_text import plain_text
from browser_app.rounds.csv_rounds import REQUIRED_KEYS, TABLE_KEYS
from browser_app.rounds.round_source import ColumnMap

_TITLES: Mapping[str, str] = {
    "id": N_("Round"),
    "player": N_("Player ID"),
    "team": N_("Player team"),
    "game": N_("Game"),
    "map": N_("Map"),
    "mode": N_("Mode"),
    "started": N_("Round start"),
    "duration": N_("Duration (s)"),
    "winner": N_("Winning team"),
    "name": N_("Player name"),
    "kills": N_("Kills"),
    "deaths": N_("Deaths"),
    "score": N_("Player points"),
    "assists": N_("Assists"),
    "objectives": N_("Objectives"),
    "squad": N_("Squad"),
    "ping": N_("Ping"),
    "quit": N_("Quit early"),
    "enter": N_("Joined (s)"),
    "leave": N_("Left (s)"),
    "rank": N_("Team placement"),
}
_OUTCOME_KEYS, _FINISHED_ROUND_KEYS = ("winner", "rank"), ("started", "duration")
_MAX_SHOWN_CHARS = 80
"""Maximum length of a text from a file."""


def column_title(key: str) -> str:
    """Return the title of a key."""
    return _(_TITLES[key])


def column_map_text(columns: ColumnMap) -> str:
    """Return a column map on one line."""
    named = {key: name for key, name in columns.items() if name is not None}
    return ", ".join(
        _("{key}: {column}").format(key=column_title(key), column=sanitize_file_text(named[key]))
        for key in TABLE_KEYS
        if key in named
    )


def sanitize_file_text(text: str) -> str:
    """Return a text from a file shortened and on one line."""
    return plain_text(text[:_MAX_SHOWN_CHARS])


def missing_columns(columns: ColumnMap) -> list[str]:
    """Return the keys that need a column.

    With a result, start time and duration are needed as well.
    """
    outcome = any(columns.get(key) is not None for key in _OUTCOME_KEYS)
    needed = (*REQUIRED_KEYS, *_FINISHED_ROUND_KEYS) if outcome else REQUIRED_KEYS
    return [key for key in needed if columns.get(key) is None]


def missing_columns_text(columns: ColumnMap) -> str:
    """Return which columns are missing, or why the rounds are of little use.

    Empty if all is well.
    """
    if missing := missing_columns(columns):
        return _("Not assigned yet: {keys}").format(keys=", ".join(map(column_title, missing)))
    if all(columns.get(key) is None for key in _OUTCOME_KEYS):
        return _("Rounds cannot be rated without a winning team or team placements.")
    return ""
