"""Watches the servers that the user wants to hear of, in whatever answers come, and asks them itself now and then."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.alert_trigger import Trigger
from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.changes import ChangeSet
from browser_app.catalogue.facts import PlayerRow, Status
from browser_app.protocols.address import Address
from browser_app.storage.alerts import Alert, AlertKind, Alerts

ASK_EVERY_MS = 60_000
FRESH_S = 50.0
"""Who answered within this time is not asked."""


@dataclass(frozen=True)
class AlertEvent:
    """What the user wanted to be told has happened. `friends`: who came, for that kind of alert."""

    alert: Alert
    server: int
    friends: tuple[str, ...] = ()


class AlertWatch(QObject):
    """Kept true: while no alert is set no timer runs; what is so when an alert is set is not told.

    Signals:
        fired: an `AlertEvent`, once for each beginning.
    """

    fired = Signal(object)

    def __init__(self, live: LiveList, alerts: Alerts, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(live)
        self._live, self._alerts, self._clock = live, alerts, clock
        self._triggers: dict[Alert, Trigger] = {}
        self._friends: dict[Alert, dict[str, Trigger]] = {}
        self.timer = QTimer(self, interval=ASK_EVERY_MS)
        self.timer.timeout.connect(self.ask)
        live.changed.connect(self._look)
        self.refresh()

    def refresh(self) -> None:
        """Alerts were set or taken away."""
        current = set(self._alerts)
        self._triggers = {alert: each for alert, each in self._triggers.items() if alert in current}
        self._friends = {alert: each for alert, each in self._friends.items() if alert in current}
        if not current:
            self.timer.stop()
        elif not self.timer.isActive():
            self.timer.start()

    def ask(self) -> None:
        """Ask the watched servers that nothing was heard of lately; nobody during a scan, or while a game runs."""
        if self._live.running or self._live.paused:
            return
        for server in dict.fromkeys(server for server, _ in self._watched()):
            if not self._live.seconds_since_answer(server) < FRESH_S:
                self._live.ask(server)

    def close(self) -> None:
        """Ask nobody any more; what the live list still tells is looked at until it is closed, too."""
        self.timer.stop()

    def _watched(self) -> Iterator[tuple[int, Alert]]:
        for alert in self._alerts:
            server = self._row(alert.address)
            if server is not None:
                yield server, alert

    def _row(self, address: Address) -> int | None:
        return self._live.catalogue.id_of(address)

    def _look(self, changes: ChangeSet) -> None:
        catalogue = self._live.catalogue
        for server, alert in self._watched():
            answered = catalogue.status[server] == Status.OK and not catalogue.old[server]
            if answered and np.isin(server, changes.ids):
                self._look_at(server, alert)

    def _look_at(self, server: int, alert: Alert) -> None:
        if alert.kind is AlertKind.FRIEND:
            self._look_for_friends(server, alert)
            return
        met = self._met(server, alert)
        if met is not None and self._triggers.setdefault(alert, Trigger()).look(self._clock(), met=met):
            self.fired.emit(AlertEvent(alert, server))

    def _met(self, server: int, alert: Alert) -> bool | None:
        """Whether it is so now; None where the server does not tell."""
        catalogue = self._live.catalogue
        players = float(catalogue.players[server])
        if alert.kind is AlertKind.PLAYERS:
            return None if players != players else players >= alert.players
        free = float(catalogue.usable_slots[server]) - players
        return None if free != free else free > 0 and catalogue.joinable[server] != 0

    def _look_for_friends(self, server: int, alert: Alert) -> None:
        facts = self._live.catalogue.all_facts[server]
        if facts is None or facts.player_list is None:
            return
        on = set(self._names(facts.player_list))
        before = alert in self._friends
        triggers = self._friends.setdefault(alert, {})
        for name in on - triggers.keys():
            triggers[name] = Trigger(looked_before=before)
        now_s = self._clock()
        came = [name for name, trigger in triggers.items() if trigger.look(now_s, met=name in on)]
        if came:
            self.fired.emit(AlertEvent(alert, server, tuple(sorted(came, key=str.casefold))))

    def _names(self, players: tuple[PlayerRow, ...]) -> Iterator[str]:
        friend = self._live.catalogue.friend_group
        return (player.name for player in players if friend(player) is not None)
