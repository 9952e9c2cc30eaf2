"""Friends who come on, wherever that is: told once each, by name and place, when the user wants that."""

from dataclasses import replace

import pytest
from window_helpers import AppDriver

from browser_app.bridge import friend_watch
from browser_app.bridge.alert_watch import REARM_S
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus
from browser_app.storage.lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.lists.friend_store import Friend, FriendKind
from browser_app.storage.setting_declarations import NOTIFY_OF_FRIENDS


class Watch:
    """The program's friend watch with a fake clock and fake answers."""

    def __init__(self, app: AppDriver) -> None:
        self.app = app
        self.came: list[tuple[int, tuple[str, ...]]] = []
        self.it = app.window.user_lists_controller.alerts_controller._friend_watch
        self.it.friends_arrived.connect(lambda server, names: self.came.append((server, names)))
        self.now_s = 0.0
        self.it._clock = lambda: self.now_s
        app.window.user_lists_controller.friends_controller.save_friend(Friend(FriendKind.PATTERN, "m*", "team", 1.0))
        app.program.settings.set(NOTIFY_OF_FRIENDS, True)

    def answers(self, server: int, *names: str, after_s: float = 60.0) -> None:
        self.now_s += after_s
        facts = self.app.catalogue.server_info(server)
        assert facts is not None
        rows = tuple(PlayerInfo(name, 1.0, 60.0, None, None, bot=False) for name in names)
        facts = replace(facts, players=len(names), player_list=rows)
        target = self.app.catalogue.targets[server]
        self.app.live.merge_results([QueryResult(target, QueryStatus.OK, facts, None, 5.0, False, 1, 1.0)])


@pytest.fixture
def watch(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> Watch:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    app.table.select_server(app.servers()[-1])
    app.settle()
    return Watch(app)


def test_who_comes_is_told_and_who_was_there_or_moves_is_not(watch: Watch) -> None:
    one, two = watch.app.servers()[:2]
    watch.answers(one, "moth")
    watch.answers(two, "someone")
    watch.answers(one)
    watch.answers(two, "moth", "someone")  # moved on
    assert watch.came == []
    watch.answers(one, "Mole", "anybody")
    assert watch.came == [(one, ("Mole",))]
    name = watch.app.catalogue.name[one]
    watch.app.wait(
        lambda: any(text.startswith(f"Mole on {name}") for text in watch.app.window.status_bar.shown_texts())
    )
    watch.answers(one)
    watch.answers(two, "Mole", after_s=30.0)
    assert len(watch.came) == 1
    watch.answers(two)
    watch.now_s += REARM_S
    watch.it.query_likely_servers()
    watch.answers(one, "Mole")
    assert watch.came[1:] == [(one, ("Mole",))]


def test_a_server_that_makes_names_up_is_no_burden(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friend_watch, "MAX_REMEMBERED_ABSENT", 3)
    one = watch.app.servers()[0]
    watch.answers(one, "someone")
    for number in range(8):
        watch.answers(one, f"m{number}")
        assert len(watch.it._triggers) <= 4
    assert watch.came == [(one, (f"m{number}",)) for number in range(8)]
    watch.answers(one, "m7")
    assert len(watch.came) == 8


def test_a_server_with_an_alert_of_its_own_is_not_told_twice(watch: Watch) -> None:
    app, one = watch.app, watch.app.servers()[0]
    app.program.session.alerts.set(ServerAlert(app.catalogue.targets[one].address, AlertKind.FRIEND, 0, "One", 1.0))
    app.window.user_lists_controller.alerts_controller.refresh_watch()
    told: list[object] = []
    app.window.user_lists_controller.alerts_controller._notifications.notification_failed.connect(told.append)
    watch.answers(one, "someone")
    watch.answers(one, "moth")
    app.wait(lambda: told)
    assert len(watch.came) == len(told) == 1


def test_favourites_and_servers_with_friends_are_asked_and_off_is_off(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = watch.app
    one, two, three = app.servers()[:3]
    asked: list[int] = []
    monkeypatch.setattr(app.live, "query", asked.append)
    app.window.servers_view.toggle_favourite(three)
    watch.answers(two, "moth")
    monkeypatch.setattr(friend_watch, "FRESH_ANSWER_S", 0.0)
    watch.it.query_likely_servers()
    assert asked == [two, three]
    app.program.settings.set(NOTIFY_OF_FRIENDS, False)
    assert not watch.it.timer.isActive()
    watch.answers(one, "Mole")
    assert watch.came == []
