"""Notifications about friends and other players who join any server."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMenu
from window_helpers import AppDriver

from browser_app.bridge.alerts import player_monitor
from browser_app.bridge.alerts.alert_monitor import REARM_S
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus
from browser_app.storage.setting_declarations import NOTIFY_OF_FRIENDS
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.friend_store import Friend, FriendKind


class WatchDriver:
    """The program's friend watch with a fake clock and fake answers."""

    def __init__(self, app: AppDriver) -> None:
        self.app = app
        self.arrivals: list[tuple[int, tuple[str, ...]]] = []
        self.player_monitor = app.window.user_lists_controller.alerts_controller._player_monitor
        self.player_monitor.players_arrived.connect(lambda server, names: self.arrivals.append((server, names)))
        self.now_s = 0.0
        self.player_monitor._clock = lambda: self.now_s
        app.window.user_lists_controller.friends_controller.save_friend(Friend(FriendKind.PATTERN, "m*", "team", 1.0))
        app.program.settings.set(NOTIFY_OF_FRIENDS, True)

    def set_players(self, server: int, *names: str, after_s: float = 60.0) -> None:
        rows = tuple(PlayerInfo(name, 1.0, 60.0, None, None, bot=False) for name in names)
        self.merge(server, len(names), rows, after_s)

    def merge(
        self, server: int, players: int, player_list: tuple[PlayerInfo, ...] | None, after_s: float = 60.0
    ) -> None:
        self.now_s += after_s
        info = self.app.catalogue.server_info(server)
        assert info is not None
        info = replace(info, players=players, bots=0, spectators=0, player_list=player_list)
        target = self.app.catalogue.targets[server]
        self.app.live.merge_results([QueryResult(target, QueryStatus.OK, info, None, 5.0, False, 1, 1.0)])


@pytest.fixture
def watch(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> WatchDriver:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    app.table.select_server(app.servers()[-1])
    app.settle()
    return WatchDriver(app)


def test_arriving_friend_is_reported_once(watch: WatchDriver) -> None:
    one, two = watch.app.servers()[:2]
    watch.set_players(one, "moth")
    watch.set_players(two, "someone")
    watch.set_players(one)
    watch.set_players(two, "moth", "someone")  # changed servers
    assert watch.arrivals == []
    watch.set_players(one, "Mole", "anybody")
    assert watch.arrivals == [(one, ("Mole",))]
    name = watch.app.catalogue.name[one]
    watch.app.wait(lambda: watch.app.shown_alert().startswith(f"Mole on “{name}”"))
    watch.set_players(one)
    watch.set_players(two, "Mole", after_s=30.0)
    assert len(watch.arrivals) == 1
    watch.set_players(two)
    watch.now_s += REARM_S
    watch.player_monitor.query_likely_servers()
    watch.set_players(one, "Mole")
    assert watch.arrivals[1:] == [(one, ("Mole",))]


def test_arrival_on_a_server_that_was_empty(watch: WatchDriver) -> None:
    server = watch.app.servers()[0]
    del watch.app.catalogue.player_lists[server]  # as if none had ever come
    watch.merge(server, 0, None)
    watch.set_players(server, "moth")
    assert watch.arrivals == [(server, ("moth",))]


def test_server_with_made_up_names_is_limited(watch: WatchDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_monitor, "MAX_REMEMBERED_ABSENT", 3)
    one = watch.app.servers()[0]
    watch.set_players(one, "someone")
    for number in range(8):
        watch.set_players(one, f"m{number}")
        assert len(watch.player_monitor._triggers) <= 4
    assert watch.arrivals == [(one, (f"m{number}",)) for number in range(8)]
    watch.set_players(one, "m7")
    assert len(watch.arrivals) == 8


def test_friend_alert_replaces_notification(watch: WatchDriver) -> None:
    app, one = watch.app, watch.app.servers()[0]
    app.program.storage.alerts.set(ServerAlert(app.catalogue.targets[one].address, AlertKind.FRIEND, 0, "One", 1.0))
    app.window.user_lists_controller.alerts_controller.refresh_monitors()
    failed: list[object] = []
    app.window.user_lists_controller.alerts_controller._notifications.notification_failed.connect(failed.append)
    watch.set_players(one, "someone")
    watch.set_players(one, "moth")
    app.wait(lambda: failed)
    assert len(watch.arrivals) == len(failed) == 1


def test_queries_favourites_and_friends_servers(watch: WatchDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = watch.app
    one, two, three = app.servers()[:3]
    queried: list[int] = []
    monkeypatch.setattr(app.live, "query", queried.append)
    app.window.servers_view.toggle_favourite(three)
    watch.set_players(two, "moth")
    monkeypatch.setattr(player_monitor, "FRESH_ANSWER_S", 0.0)
    watch.player_monitor.query_likely_servers()
    assert queried == [two, three]
    app.program.settings.set(NOTIFY_OF_FRIENDS, False)
    assert not watch.player_monitor.timer.isActive()
    watch.set_players(one, "Mole")
    assert watch.arrivals == []


def test_player_of_an_alert_is_reported(watch: WatchDriver) -> None:
    app, one = watch.app, watch.app.servers()[0]
    app.program.settings.set(NOTIFY_OF_FRIENDS, False)
    controller = app.window.user_lists_controller.alerts_controller
    menu = QMenu()
    watch.set_players(one, "Owl", "moth")
    controller.fill_player_menu(menu, "owl")
    menu.actions()[0].trigger()
    watch.set_players(one, "Owl", "moth")  # was there when the alert was set
    assert watch.arrivals == []
    watch.set_players(one, "moth")
    watch.set_players(one, "Owl", "moth")
    assert watch.arrivals == []  # away for less than `REARM_S`
    two = app.servers()[1]
    watch.set_players(two, "owls")
    watch.set_players(one)
    watch.set_players(one, after_s=REARM_S)
    watch.set_players(two, "Owl")
    assert watch.arrivals == [(two, ("Owl",))]
    menu.clear()
    controller.fill_player_menu(menu, "OWL")
    menu.actions()[0].trigger()
    assert not watch.player_monitor.timer.isActive()
    assert len(app.program.storage.search_alerts) == 0


def test_stars_in_the_name_of_a_player_are_literal(watch: WatchDriver) -> None:
    app, one = watch.app, watch.app.servers()[0]
    app.program.settings.set(NOTIFY_OF_FRIENDS, False)
    controller, menu = app.window.user_lists_controller.alerts_controller, QMenu()
    controller.fill_player_menu(menu, "*owl*")
    menu.actions()[0].trigger()
    watch.set_players(one, "someone")
    watch.set_players(one, "Snowlord")
    assert watch.arrivals == []
    watch.set_players(one, "*Owl*")
    assert watch.arrivals == [(one, ("*Owl*",))]


def test_many_favourites_take_turns(watch: WatchDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    app, favourites = watch.app, sorted(watch.app.servers()[:5])
    for server in favourites:
        app.window.servers_view.toggle_favourite(server)
    queried: list[int] = []
    monkeypatch.setattr(app.live, "query", queried.append)
    monkeypatch.setattr(player_monitor, "FRESH_ANSWER_S", 0.0)
    monkeypatch.setattr(player_monitor, "MAX_QUERIED", 2)
    assert watch.player_monitor.minutes_per_turn == 3
    for _ in range(5):
        watch.now_s += 60.0
        watch.player_monitor.query_likely_servers()
    assert [queried.count(server) for server in favourites] == [2] * 5
    assert sorted(queried[:5]) == favourites


def test_new_friend_who_is_there_has_not_come(watch: WatchDriver) -> None:
    app, one = watch.app, watch.app.servers()[0]
    watch.set_players(one, "Owl")
    friends = app.window.user_lists_controller.friends_controller
    friends.save_friend(Friend(FriendKind.NAME, "owl", "friends", 1.0))
    watch.set_players(one, "Owl")
    assert watch.arrivals == []
    watch.set_players(one, "Owl", "moth")
    assert watch.arrivals == [(one, ("moth",))]


def test_new_friend_leaves_others_arrivals(watch: WatchDriver) -> None:
    app, one = watch.app, watch.app.servers()[0]
    watch.set_players(one, "Owl")
    app.window.user_lists_controller.friends_controller.save_friend(Friend(FriendKind.NAME, "owl", "friends", 1.0))
    watch.set_players(one, "Owl", "moth")
    assert watch.arrivals == [(one, ("moth",))]
