"""Rows of the master servers dialog: which there are, and their texts."""

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.master_health import MasterHealthMonitor
from browser_app.engine.network.url_redaction import redact_url
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.storage.setting_declarations import DISABLED_MASTERS, EXTRA_MASTERS, PLAYED_GAMES
from browser_app.ui.widgets.text_direction import left_to_right
from browser_app.ui.widgets.value_text import age_text

_MAX_LISTED_GAMES = 3


class MasterRow(NamedTuple):
    """A master server and what it is for; rows are sorted by their fields."""

    group: int
    game: str
    """Names of its games, or who added it."""
    url: str
    can_be_disabled: bool = True


class MasterRows:
    """The master servers of settings, games and command line, with their state."""

    def __init__(self, settings: LiveSettings, health: MasterHealthMonitor, games: Mapping[str, GameProfile]) -> None:
        self._settings, self._health, self._games = settings, health, games

    def rows(self) -> list[MasterRow]:
        """Return the rows of all masters.

        First those of the command line, then the user's own, those of the games, and those left out.
        """
        by_game, own = self._games_by_url(), self._settings.get(EXTRA_MASTERS)
        other = [url for url in own if url not in by_game]
        shown = {redact_url(url) for url in (*other, *by_game)}
        named = [url for url in self._health.polled_masters() if url not in shown]
        return sorted(
            (
                *(
                    MasterRow(0, self._listed_games(url) or _("From the command line"), url, can_be_disabled=False)
                    for url in named
                ),
                *(MasterRow(1, self._listed_games(redact_url(url)) or _("Added by you"), url) for url in other),
                *(MasterRow(3 if self.is_unpolled(url) else 2, games, url) for url, games in by_game.items()),
            ),
            key=lambda row: (row.group, row.game.casefold(), row.url),
        )

    def _listed_games(self, url: str) -> str:
        """Return the names of the games whose servers a master lists.

        Empty if it lists none.
        """
        names = [self._games[game].name for game in self._health.listed_games(url) if game in self._games]
        return ", ".join(names[:_MAX_LISTED_GAMES])

    def _games_by_url(self) -> dict[str, str]:
        played = self._settings.get(PLAYED_GAMES) or tuple(self._games)
        names: dict[str, list[str]] = {}
        for game in played:
            for url in self._games[game].masters if game in self._games else ():
                names.setdefault(url, []).append(self._games[game].name)
        return {url: ", ".join(sorted(each, key=str.casefold)) for url, each in names.items()}

    def is_unpolled(self, url: str) -> bool:
        """Return whether a master is left out because of its games."""
        return url in self._health.unpolled_masters() and url not in self._settings.get(EXTRA_MASTERS)

    def state_text(self, row: MasterRow) -> str:
        """Return the last error and when it came, or why the master is not queried."""
        health, url = self._health.health(row.url), redact_url(row.url)
        if self._health.is_polling(url):
            return _("querying…")
        if row.url in self._settings.get(DISABLED_MASTERS):
            return _("turned off")
        if self.is_unpolled(row.url):
            return _("not queried: the game is neither installed nor chosen")
        if health is not None and health.error:
            when = _time_text(health.asked_at)
            return f"{_(health.error)}, {when}" if when else _(health.error)
        polled = self._health.polled_masters()
        return _("not queried in this window") if polled and url not in polled else ""

    def texts(self, row: MasterRow) -> tuple[str, ...]:
        """Return game, address, age and length of the last list, and state."""
        health = self._health.health(row.url)
        answered = health.answered_at if health else None
        servers = integer_text(health.servers) if health is not None and answered is not None else "–"
        return (
            row.game,
            left_to_right(_short_address(row.url)),
            _time_text(answered) or _("never"),
            servers,
            self.state_text(row),
        )

    def has_failed(self, row: MasterRow) -> bool:
        """Return whether a master is in use and its last query failed."""
        health, switched_off = self._health.health(row.url), row.url in self._settings.get(DISABLED_MASTERS)
        return health is not None and bool(health.error) and not (switched_off or self.is_unpolled(row.url))

    def contains(self, row: MasterRow, words: Sequence[str]) -> bool:
        """Return whether a row's game, address or error contains all words.

        The words are case-folded.
        """
        health = self._health.health(row.url)
        text = f"{row.game} {redact_url(row.url)} {_(health.error) if health else ''}".casefold()
        return all(word in text for word in words)


def _short_address(url: str) -> str:
    """Return a master's address without its scheme and key; a file's as it is."""
    shown = redact_url(url)
    return shown.partition("://")[2] or shown


def _time_text(moment: float | None) -> str:
    """Return how long ago a Unix time was; empty for None."""
    if moment is None:
        return ""
    seconds = max(0.0, time.time() - moment)
    return _("just now") if seconds < 60 else _("{age} ago").format(age=age_text(seconds))
