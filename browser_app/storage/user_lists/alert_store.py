"""Alerts that the user has set for single servers."""

import enum
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import astuple, dataclass

from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable

MAX_ALERT_PLAYERS = 255
MAX_IMPORTED_ALERTS = 500
"""No import makes more alerts than this: their servers are queried every minute."""


class AlertKind(enum.StrEnum):
    """Event that an alert notifies about."""

    FRIEND = "friend"
    """A friend joins."""
    SLOT = "slot"
    """A full server has a free slot."""
    PLAYERS = "players"
    """At least a number of players are playing."""

    @property
    def has_number(self) -> bool:
        """Return True if alerts of this kind have a number of players."""
        return self is AlertKind.PLAYERS


@dataclass(frozen=True, slots=True)
class ServerAlert:
    """One alert."""

    address: Address
    """The query address."""
    kind: AlertKind
    players: int
    """Minimum number; 0 for the other kinds."""
    name: str
    """Name of the server when the alert was set."""
    added_at: float
    """Unix time, s."""


def check_alert(alert: ServerAlert) -> ServerAlert:
    """Return an alert whose number of players is valid.

    Raises:
        ValueError: it is not; the text says why.
    """
    low, high = (1, MAX_ALERT_PLAYERS) if alert.kind.has_number else (0, 0)
    if not low <= alert.players <= high:
        raise ValueError(_("{key}: not from {low} to {high}").format(key="players", low=low, high=high))
    return alert


def _convert_row(row: tuple[str, int, str, int, str, float]) -> ServerAlert:
    host, port, kind, players, name, added_at = row
    return ServerAlert(Address(host, port), AlertKind(kind), players, name, added_at)


class AlertStore:
    """The user's alerts, kept in memory; each change is written at once.

    A server has at most one alert of each kind.
    """

    def __init__(self, database: Database) -> None:
        """Load the alerts."""
        columns = ("host", "port", "kind", "players", "name", "added_at")
        self._table = KeyedTable(database, "alerts", columns, ("host", "port", "kind"))
        loaded = self._table.load(_convert_row, "added_at")
        self._alerts = {(alert.address, alert.kind): alert for alert in loaded}

    def __len__(self) -> int:
        return len(self._alerts)

    def __iter__(self) -> Iterator[ServerAlert]:
        return iter(tuple(self._alerts.values()))

    def find_alerts(self, address: Address) -> Mapping[AlertKind, ServerAlert]:
        """Return a server's alerts by kind."""
        return {alert.kind: alert for alert in self if alert.address == address}

    def set(self, alert: ServerAlert) -> Future[None]:
        """Set an alert, replacing the server's alert of the same kind.

        Raises:
            ValueError: the number of players is invalid.
        """
        return self.set_all([alert])

    def set_all(self, alerts: Iterable[ServerAlert]) -> Future[None]:
        """Set several alerts as `set` does, with one write.

        Raises:
            ValueError: one of the numbers of players is invalid, and nothing is changed.
        """
        valid_alerts = [check_alert(alert) for alert in alerts]
        self._alerts |= {(alert.address, alert.kind): alert for alert in valid_alerts}
        return self._table.write((*alert.address, *astuple(alert)[1:]) for alert in valid_alerts)

    def remove(self, address: Address, kind: AlertKind) -> Future[None]:
        """Remove an alert, if there is one."""
        self._alerts.pop((address, kind), None)
        return self._table.write(deleted_keys=[(*address, str(kind))])
