"""Monitor of who comes online on any server: friends and players of alerts."""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.alerts.alert_monitor import FRESH_ANSWER_S, QUERY_INTERVAL_MS, EdgeTrigger
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.filters.filter_predicates import TextPredicate, text_predicate
from browser_app.catalogue.server_info import PlayerInfo, QueryStatus
from browser_app.storage.setting_declarations import NOTIFY_OF_FRIENDS
from browser_app.storage.user_lists.search_alert_store import SearchAlertKind, SearchAlertStore

MAX_QUERIED = 50
"""Most servers queried a minute; where more are likely, they take turns."""
MAX_REMEMBERED_ABSENT = 1000
"""Most absent players kept; a server can invent names that match a pattern."""


class PlayerMonitor(QObject):
    """Monitors who comes online. No timer runs while nobody is watched for.

    The players are those of alerts and, if the setting is on, friends. Those who are online at the first check of a
    server do not count as having come online.

    Signals:
        players_arrived: a server, and the names of watched players who came online there and were on no server for
            `REARM_S` before.
    """

    players_arrived = Signal(int, object)

    def __init__(
        self,
        server_list: ServerListController,
        settings: LiveSettings,
        alerts: SearchAlertStore,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(server_list)
        self._server_list, self._settings, self._alerts, self._clock = server_list, settings, alerts, clock
        self._has_alert: TextPredicate = text_predicate()
        """Takes a casefolded name."""
        self._checked_servers: set[int] = set()
        """Servers whose player lists were checked."""
        self._players_by_server: dict[int, frozenset[str]] = {}
        """Watched players by the server where they were at the last check."""
        self._triggers: dict[str, EdgeTrigger] = {}
        self._queue: dict[int, None] = {}
        """The likely servers, those queried lately at the end."""
        self.timer = QTimer(self, interval=QUERY_INTERVAL_MS)
        self.timer.timeout.connect(self.query_likely_servers)
        server_list.changed.connect(self._check_changes)
        settings.changed.connect(self._on_setting_changed)
        self.refresh()

    def refresh(self) -> None:
        """Apply changes of the friends and alerts.

        A player who is watched from now on and is online already does not count as having come online.
        """
        names = [alert.value for alert in self._alerts if alert.kind is SearchAlertKind.PLAYER]
        patterns = [alert.value for alert in self._alerts if alert.kind is SearchAlertKind.PATTERN]
        self._has_alert = text_predicate(patterns, names)
        if bool(names or patterns) or self._settings.get(NOTIFY_OF_FRIENDS):
            self.timer.start()
            self._mark_players_online()
        else:
            self.timer.stop()
            self._checked_servers.clear()
            self._players_by_server.clear()
            self._triggers.clear()

    def _mark_players_online(self) -> None:
        """Find the watched players in the last player lists.

        Those who were not watched before do not count as having come online.
        """
        known, now_s = self._online_players(), self._clock()
        self._players_by_server.clear()
        for server in tuple(self._checked_servers):
            players = self._server_list.catalogue.current_players(server)
            if players is None:
                self._checked_servers.remove(server)
            elif watched := self._watched_players(server, players):
                self._players_by_server[server] = watched
        for name in self._online_players() - known:
            self._triggers[name] = EdgeTrigger(was_unmet_before=False)
            self._triggers[name].update(now_s, met=True)

    def _online_players(self) -> frozenset[str]:
        return frozenset[str]().union(*self._players_by_server.values())

    @property
    def minutes_per_turn(self) -> int:
        """Minutes in which each likely server is queried once."""
        return max(1, math.ceil(len(self._likely_servers()) / MAX_QUERIED))

    def query_likely_servers(self) -> None:
        """Query the servers where watched players are likely, in turns if they are many.

        Queries nothing during a poll, while queries are paused, or where servers are queried on request.
        """
        self._update_absent_players()
        likely = self._likely_servers()
        queue = dict.fromkeys(server for server in self._queue if server in likely)
        self._queue = dict.fromkeys(server for server in likely if server not in queue) | queue
        for server in self._server_list.query_stale(self._queue, FRESH_ANSWER_S, MAX_QUERIED):
            self._queue[server] = self._queue.pop(server)

    def _likely_servers(self) -> dict[int, None]:
        """Return those with a watched player online, and favourites."""
        favourites = np.flatnonzero(self._server_list.catalogue.favourite).tolist()
        return dict.fromkeys([*self._players_by_server, *favourites])

    def close(self) -> None:
        """Stop querying."""
        self.timer.stop()

    def _on_setting_changed(self, key: str) -> None:
        if key == NOTIFY_OF_FRIENDS.key:
            self.refresh()

    def _check_changes(self, changes: ChangeSet) -> None:
        if not self.timer.isActive():
            return
        catalogue, ids = self._server_list.catalogue, changes.ids
        for server in changes.removed.tolist():
            self._checked_servers.discard(server)
            self._players_by_server.pop(server, None)
        answered = ids[(catalogue.status[ids] == QueryStatus.OK) & ~catalogue.saved[ids]].tolist()
        for server in answered:
            players = catalogue.current_players(server)
            if players is not None:
                watched = self._watched_players(server, players)
                if watched or server in self._players_by_server:
                    self._check_server(server, watched)
                self._checked_servers.add(server)
        self._update_absent_players()

    def _watched_players(self, server: int, players: Sequence[PlayerInfo]) -> frozenset[str]:
        """Return the names of those who are watched for among the players of a server."""
        catalogue, has_alert = self._server_list.catalogue, self._has_alert
        watched = {each.name for each in players if not each.bot and has_alert(each.name.strip().casefold())}
        if catalogue.friends[server] > 0 and self._settings.get(NOTIFY_OF_FRIENDS):
            watched.update(each.name for each in players if catalogue.friend_group_of(each) is not None)
        return frozenset(watched)

    def _check_server(self, server: int, watched: frozenset[str]) -> None:
        self._players_by_server.pop(server, None)
        if watched:
            self._players_by_server[server] = watched
        for name in watched - self._triggers.keys():
            self._triggers[name] = EdgeTrigger(was_unmet_before=server in self._checked_servers)
        now_s = self._clock()
        arrived = [name for name in watched if self._triggers[name].update(now_s, met=True)]
        if arrived:
            self.players_arrived.emit(server, tuple(sorted(arrived, key=str.casefold)))

    def _update_absent_players(self) -> None:
        online, now_s = self._online_players(), self._clock()
        if len(self._triggers) > len(online) + MAX_REMEMBERED_ABSENT:
            self._triggers = {name: self._triggers[name] for name in online}
        for name, trigger in self._triggers.items():
            if name not in online:
                trigger.update(now_s, met=False)
