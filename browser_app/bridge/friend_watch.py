"""Watch for friends who come online on any server."""

import time
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.alert_watch import FRESH_ANSWER_S, QUERY_INTERVAL_MS, EdgeTrigger
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.server_info import QueryStatus
from browser_app.storage.setting_declarations import NOTIFY_OF_FRIENDS

MAX_QUERIED = 50
"""Most servers queried a minute: first those with a friend online, then favourites."""
MAX_REMEMBERED_ABSENT = 1000
"""Most absent friends remembered; a server can invent names that match a pattern."""


class FriendWatch(QObject):
    """Watches for friends who come online. No timer runs while the setting is off.

    Friends who are online at the first check of a server do not count as having come online.

    Signals:
        friends_arrived: a server, and the names of friends who came online there and were on no server for minutes.
    """

    friends_arrived = Signal(int, object)

    def __init__(
        self, server_list: ServerListController, settings: LiveSettings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(server_list)
        self._server_list, self._settings, self._clock = server_list, settings, clock
        self._checked_servers: set[int] = set()
        """Servers whose player lists were checked."""
        self._friends_by_server: dict[int, frozenset[str]] = {}
        """Friends by the server where they were at the last check."""
        self._triggers: dict[str, EdgeTrigger] = {}
        self.timer = QTimer(self, interval=QUERY_INTERVAL_MS)
        self.timer.timeout.connect(self.query_likely_servers)
        server_list.changed.connect(self._check_changes)
        settings.changed.connect(self._on_setting_changed)
        self._on_setting_changed(NOTIFY_OF_FRIENDS.key)

    def query_likely_servers(self) -> None:
        """Query the servers where friends are likely.

        None during a scan or while a game runs.
        """
        self._update_absent_friends()
        likely = dict.fromkeys(
            [*self._friends_by_server, *np.flatnonzero(self._server_list.catalogue.favourite).tolist()]
        )
        self._server_list.query_stale(list(likely)[:MAX_QUERIED], FRESH_ANSWER_S)

    def close(self) -> None:
        """Stop querying."""
        self.timer.stop()

    def _on_setting_changed(self, key: str) -> None:
        if key != NOTIFY_OF_FRIENDS.key:
            return
        if self._settings.get(NOTIFY_OF_FRIENDS):
            self.timer.start()
        else:
            self.timer.stop()
            self._checked_servers.clear()
            self._friends_by_server.clear()
            self._triggers.clear()

    def _check_changes(self, changes: ChangeSet) -> None:
        if not self.timer.isActive():
            return
        catalogue, ids = self._server_list.catalogue, changes.ids
        for server in changes.removed.tolist():
            self._checked_servers.discard(server)
            self._friends_by_server.pop(server, None)
        answered = ids[(catalogue.status[ids] == QueryStatus.OK) & ~catalogue.old[ids]].tolist()
        for server in answered:
            players = catalogue.current_players(server)
            if players is not None:
                if catalogue.friends[server] > 0 or server in self._friends_by_server:
                    friend = catalogue.friend_group_of
                    self._check_server(server, frozenset(each.name for each in players if friend(each) is not None))
                self._checked_servers.add(server)
        self._update_absent_friends()

    def _check_server(self, server: int, friends: frozenset[str]) -> None:
        self._friends_by_server.pop(server, None)
        if friends:
            self._friends_by_server[server] = friends
        for name in friends - self._triggers.keys():
            self._triggers[name] = EdgeTrigger(was_unmet_before=server in self._checked_servers)
        now_s = self._clock()
        arrived = [name for name in friends if self._triggers[name].update(now_s, met=True)]
        if arrived:
            self.friends_arrived.emit(server, tuple(sorted(arrived, key=str.casefold)))

    def _update_absent_friends(self) -> None:
        online, now_s = frozenset[str]().union(*self._friends_by_server.values()), self._clock()
        if len(self._triggers) > len(online) + MAX_REMEMBERED_ABSENT:
            self._triggers = {name: self._triggers[name] for name in online}
        for name, trigger in self._triggers.items():
            if name not in online:
                trigger.update(now_s, met=False)
