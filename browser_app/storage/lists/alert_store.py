"""Alerts that the user has set for single servers."""

import enum
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import astuple, dataclass

from browser_app.protocols.address import Address
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable

MAX_ALERT_PLAYERS = 255


class AlertKind(enum.StrEnum):
    """What is to be told."""

    FRIEND = "friend"
    """A friend comes on."""
    SLOT = "slot"
    """A full server has room again."""
    PLAYERS = "players"
    """A number of people or more play."""


@dataclass(frozen=True, slots=True)
class ServerAlert:
    """One of them."""

    address: Address
    """The query address."""
    kind: AlertKind
    players: int
    """From how many on; 0 for the other kinds."""
    name: str
    """What the server was called when it was set."""
    added_at: float
    """Unix time, s."""


class AlertStore:
    """The alerts that are set: in memory for reading, each change written at once.

    Kept true: a server has at most one of each kind.
    """

    def __init__(self, database: Database) -> None:
        """Load them.

        Raises:
            StorageError: the file cannot be read.
        """
        columns = ("host", "port", "kind", "players", "name", "added_at")
        self._table = KeyedTable(database, "alerts", columns, ("host", "port", "kind"))
        kinds = {str(kind): kind for kind in AlertKind}
        loaded = [
            ServerAlert(Address(host, port), kinds[kind], *rest)
            for host, port, kind, *rest in self._table.rows("added_at")
            if kind in kinds
        ]
        self._alerts = {(alert.address, alert.kind): alert for alert in loaded}

    def __len__(self) -> int:
        return len(self._alerts)

    def __iter__(self) -> Iterator[ServerAlert]:
        return iter(tuple(self._alerts.values()))

    def alerts_of(self, address: Address) -> Mapping[AlertKind, ServerAlert]:
        """A server's alerts by kind."""
        return {alert.kind: alert for alert in self if alert.address == address}

    def set(self, alert: ServerAlert) -> Future[None]:
        """Set an alert, in place of the server's one of the same kind.

        Raises:
            ValueError: its number of players makes no sense.
        """
        if not (0 < alert.players <= MAX_ALERT_PLAYERS if alert.kind is AlertKind.PLAYERS else alert.players == 0):
            raise ValueError(f"an alert for {alert.players} players")
        self._alerts[alert.address, alert.kind] = alert
        address, *rest = astuple(alert)
        return self._table.write([(*address, *rest)])

    def remove(self, address: Address, kind: AlertKind) -> Future[None]:
        """Take an alert away; nothing happens if there is none."""
        self._alerts.pop((address, kind), None)
        return self._table.write(deleted_keys=[(*address, str(kind))])
