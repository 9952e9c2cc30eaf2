"""Watches for friends on whichever server: in all answers that come, and by asking where they are likely to be."""

import time
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.alert_trigger import Trigger
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.live_settings import LiveSettings
from browser_app.catalogue.changes import ChangeSet
from browser_app.catalogue.facts import Status
from browser_app.storage.declared import TELL_FRIENDS

ASK_EVERY_MS = 60_000
FRESH_S = 50.0
"""Who answered within this time is not asked."""
MOST_ASKED = 50
"""So many servers are asked a minute at most: first those where a friend is, then favourites."""
MOST_GONE = 1000
"""Of so many who are gone it is remembered; a server can make up names that a pattern fits."""


class FriendWatch(QObject):
    """Kept true: while the setting is off no timer runs; who is on at the first look at a server has not come.

    Signals:
        came: a server, and the names of friends who came on there and were nowhere for minutes.
    """

    came = Signal(int, object)

    def __init__(self, live: LiveList, settings: LiveSettings, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(live)
        self._live, self._settings, self._clock = live, settings, clock
        self._seen: set[int] = set()
        """Servers whose players were looked at."""
        self._on: dict[int, frozenset[str]] = {}
        """Friends by the server they were on at the last look."""
        self._triggers: dict[str, Trigger] = {}
        self.timer = QTimer(self, interval=ASK_EVERY_MS)
        self.timer.timeout.connect(self.ask)
        live.changed.connect(self._look)
        settings.changed.connect(self._changed)
        self._changed(TELL_FRIENDS.key)

    def ask(self) -> None:
        """Ask the servers on which friends are likely; nobody during a scan, or while a game runs."""
        self._look_for_gone()
        if self._live.running or self._live.paused:
            return
        likely = dict.fromkeys([*self._on, *np.flatnonzero(self._live.catalogue.favourite).tolist()])
        for server in list(likely)[:MOST_ASKED]:
            if not self._live.seconds_since_answer(server) < FRESH_S:
                self._live.ask(server)

    def close(self) -> None:
        """Ask nobody any more."""
        self.timer.stop()

    def _changed(self, key: str) -> None:
        if key != TELL_FRIENDS.key:
            return
        if self._settings.get(TELL_FRIENDS):
            self.timer.start()
        else:
            self.timer.stop()
            self._seen.clear()
            self._on.clear()
            self._triggers.clear()

    def _look(self, changes: ChangeSet) -> None:
        if not self.timer.isActive():
            return
        catalogue, ids = self._live.catalogue, changes.ids
        told = ids[(catalogue.status[ids] == Status.OK) & ~catalogue.old[ids]].tolist()
        for server in told:
            players = catalogue.player_lists.get(server)
            if players is not None:
                if catalogue.friends[server] > 0 or server in self._on:
                    friend = catalogue.friend_group
                    self._look_at(server, frozenset(each.name for each in players if friend(each) is not None))
                self._seen.add(server)
        self._look_for_gone()

    def _look_at(self, server: int, on: frozenset[str]) -> None:
        self._on.pop(server, None)
        if on:
            self._on[server] = on
        for name in on - self._triggers.keys():
            self._triggers[name] = Trigger(looked_before=server in self._seen)
        now_s = self._clock()
        came = [name for name in on if self._triggers[name].look(now_s, met=True)]
        if came:
            self.came.emit(server, tuple(sorted(came, key=str.casefold)))

    def _look_for_gone(self) -> None:
        somewhere, now_s = frozenset[str]().union(*self._on.values()), self._clock()
        if len(self._triggers) > len(somewhere) + MOST_GONE:
            self._triggers = {name: self._triggers[name] for name in somewhere}
        for name, trigger in self._triggers.items():
            if name not in somewhere:
                trigger.look(now_s, met=False)
