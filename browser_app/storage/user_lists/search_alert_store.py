"""Alerts that the user has set for any server."""

import enum
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import astuple, dataclass
from typing import TypeAlias

from browser_app.language import gettext as _
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable
from browser_app.storage.user_lists.alert_store import ServerAlert
from browser_app.storage.user_lists.friend_store import normalise_player_name
from browser_app.storage.user_lists.saved_filter_store import normalise_filter_name

MAX_SEARCH_ALERTS = 100


class SearchAlertKind(enum.StrEnum):
    """What an alert on any server waits for."""

    PLAYER = "player"
    """A player appears; the value is their name, in which `*` and `?` are letters."""
    PATTERN = "pattern"
    """A player appears; the value is a pattern of names, with `*` and `?`."""
    FILTER = "filter"
    """A server comes to pass a saved filter; the value is its name."""


@dataclass(frozen=True, slots=True)
class SearchAlert:
    """One alert."""

    kind: SearchAlertKind
    value: str
    added_at: float
    """Unix time, s."""


Alert: TypeAlias = ServerAlert | SearchAlert


class SearchAlertStore:
    """The alerts, kept in memory; each change is written at once.

    Alerts of one kind have different values, regardless of case.
    """

    def __init__(self, database: Database) -> None:
        """Load the alerts."""
        self._table = KeyedTable(database, "search_alerts", ("kind", "value", "added_at"), ("kind", "value"))
        loaded = self._table.load(
            lambda row: normalise_search_alert(SearchAlert(SearchAlertKind(row[0]), *row[1:])), "added_at"
        )
        self._alerts = {_lookup_key(each.kind, each.value): each for each in loaded}

    def __len__(self) -> int:
        return len(self._alerts)

    def __iter__(self) -> Iterator[SearchAlert]:
        return iter(tuple(self._alerts.values()))

    def find(self, kind: SearchAlertKind, value: str) -> SearchAlert | None:
        """Return the alert with this value, ignoring case."""
        return self._alerts.get(_lookup_key(kind, value))

    def add(self, alert: SearchAlert) -> Future[None]:
        """Add an alert, replacing one with the same kind and value.

        Raises:
            ValueError: the value is invalid, or there are too many alerts; the text says why.
        """
        return self.add_all([alert])

    def add_all(self, alerts: Iterable[SearchAlert], replaced: Iterable[SearchAlert] = ()) -> Future[None]:
        """Add several alerts as `add` does, with one write.

        It also removes those that they replace.

        Raises:
            ValueError: one of them cannot be added, and nothing is changed.
        """
        new = {_lookup_key(each.kind, each.value): each for each in map(normalise_search_alert, alerts)}
        removed = {_lookup_key(each.kind, each.value) for each in replaced} | new.keys()
        remaining = {key: each for key, each in self._alerts.items() if key not in removed}
        if len(remaining) + len(new) > MAX_SEARCH_ALERTS:
            message = _("There are already {n} alerts on any server. Remove one first.")
            raise ValueError(message.format(n=MAX_SEARCH_ALERTS))
        old_rows = [(each.kind, each.value) for key, each in self._alerts.items() if key in removed]
        self._alerts = remaining | new
        return self._table.write(map(astuple, new.values()), old_rows)

    def remove(self, kind: SearchAlertKind, value: str) -> Future[None]:
        """Remove an alert, if there is one."""
        removed = self._alerts.pop(_lookup_key(kind, value), None)
        return self._table.write(deleted_keys=[] if removed is None else [(removed.kind, removed.value)])


def _lookup_key(kind: SearchAlertKind, value: str) -> tuple[SearchAlertKind, str]:
    return kind, value.strip().casefold()


def normalise_search_alert(alert: SearchAlert) -> SearchAlert:
    """Return an alert with a validated and stripped value.

    Raises:
        ValueError: it is invalid; the text says why.
    """
    if alert.kind is SearchAlertKind.FILTER:
        return SearchAlert(alert.kind, normalise_filter_name(alert.value), alert.added_at)
    value = normalise_player_name(alert.value, is_pattern=alert.kind is SearchAlertKind.PATTERN)
    return SearchAlert(alert.kind, value, alert.added_at)
